import json
import zipfile

import numpy as np
import pytest

from logical_retriever.errors import LogicalRetrieverError
from logical_retriever.reading import Tagger, WeightsError
from logical_retriever.reading.layers import GROUP, unpacked
from logical_retriever.reading.questions.tagger.decoding import LABELS
from logical_retriever.reading.questions.tagger.network import VERSION, WEIGHTS, read_weights


def test_missing_weights_say_how_to_get_them(tmp_path):
    with pytest.raises(WeightsError, match="missing") as caught:
        Tagger(tmp_path / "none.npz")
    assert "python training/questions/train.py" in caught.value.hint
    assert isinstance(caught.value, LogicalRetrieverError)


@pytest.fixture
def written(tmp_path):
    about = np.frombuffer(json.dumps({"version": VERSION}).encode(), np.uint8)
    path = tmp_path / "weights.npz"
    np.savez(path, about=about, names=np.arange(20_000))
    return path


def test_the_arrays_come_back_with_what_the_file_says_of_itself(written):
    arrays, about = read_weights(written)
    assert about == {"version": VERSION}
    assert arrays["names"].tolist() == list(range(20_000))


def cut_short(length):
    return lambda path: path.write_bytes(path.read_bytes()[:length])


def break_a_byte(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)


def another(**about):
    values = np.frombuffer(json.dumps(about).encode(), np.uint8)
    return lambda path: np.savez(path, about=values, names=np.zeros(3, np.uint8))


def no_weights(path):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.txt", "a")


@pytest.mark.parametrize(
    ("harm", "problem"),
    [
        *[(cut_short(length), "damaged") for length in (0, 100, 100_000, -100)],
        (break_a_byte, "damaged"),
        (another(version=0), "version 0"),
        (another(version=VERSION, layers=3), "damaged"),
        (no_weights, "damaged"),
    ],
)
def test_weights_that_cannot_be_used_are_refused(written, harm, problem):
    harm(written)
    with pytest.raises(WeightsError, match=problem):
        Tagger(written)


def test_a_table_of_four_bits_has_two_numbers_a_byte_and_a_scale_for_each_group():
    rows = np.array([[0x1F, *[0x88] * 46, 0x8A]], np.uint8)
    numbers = unpacked(rows, np.array([[0.5, 2.0]], np.float16))
    assert numbers.shape == (1, 96)
    assert numbers[0, :3].tolist() == [-3.5, 3.5, 0.0]
    assert numbers[0, -2:].tolist() == [0.0, 4.0]


def test_the_notice_says_what_the_weights_are():
    arrays, about = read_weights()
    notice = " ".join(WEIGHTS.with_name("NOTICE").read_text(encoding="utf-8").split())
    (inner, _), (words, hashed), size = arrays["layer0.up"].shape, arrays["word"].shape, arrays["gru.recur"].shape[1]
    pieces = bytes(arrays["names"]).decode().split("\n")
    for said in (
        f"{about['layers']} layers of a transformer, {arrays['norm.weight'].size} numbers wide and {inner} inside",
        f"{len(pieces):,} word pieces: {len(pieces) - 3:,} of the vocabulary",
        f"{len(arrays['place'])} positions",
        f"{words:,} rows for words and {len(arrays['gram']):,} rows for parts of words, of {hashed} numbers each",
        f"one recurrent layer with {size} numbers in each direction; scores of {len(LABELS)} labels",
        f"In 4 bits, with one scale for {GROUP} numbers: the matrices of the layers, the word pieces, the parts of",
    ):
        assert said in notice
    matrices = {f"layer{i}.{name}" for i in range(about["layers"]) for name in ("mix", "back", "up", "down")}
    in_bits = {kind: {name for name, array in arrays.items() if array.dtype == kind} for kind in (np.uint8, np.int8)}
    assert in_bits == {
        np.uint8: {*matrices, "pieces", "gram", "names"},
        np.int8: {"word", "place", "gru.into", "gru.recur"},
    }
    assert arrays["pieces"].shape[1] * 2 == arrays["pieces.scale"].shape[1] * GROUP
