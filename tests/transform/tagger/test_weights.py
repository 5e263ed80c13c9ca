import json
import zipfile

import numpy as np
import pytest

from logical_retriever.errors import LogicalRetrieverError
from logical_retriever.transform.tagger import Tagger, WeightsError
from logical_retriever.transform.tagger.weights import VERSION, read_weights, unpacked


def test_missing_weights_say_how_to_get_them(tmp_path):
    with pytest.raises(WeightsError, match="missing") as caught:
        Tagger(tmp_path / "none.npz")
    assert "python training/reader/train.py" in caught.value.hint
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


@pytest.mark.parametrize("length", [0, 100, 100_000, -100])
def test_weights_that_were_cut_short_are_refused(written, length):
    written.write_bytes(written.read_bytes()[:length])
    with pytest.raises(WeightsError, match="damaged"):
        read_weights(written)


def test_weights_with_a_broken_byte_are_refused(written):
    content = bytearray(written.read_bytes())
    content[len(content) // 2] ^= 255
    written.write_bytes(content)
    with pytest.raises(WeightsError, match="damaged"):
        read_weights(written)


def test_weights_of_another_version_are_refused(tmp_path):
    path = tmp_path / "old.npz"
    about = np.frombuffer(json.dumps({"version": 0}).encode(), np.uint8)
    np.savez(path, about=about)
    with pytest.raises(WeightsError, match="version 0"):
        Tagger(path)


def test_weights_of_another_network_are_refused(tmp_path):
    path = tmp_path / "other.npz"
    about = np.frombuffer(json.dumps({"version": VERSION, "layers": 3}).encode(), np.uint8)
    np.savez(path, about=about, names=np.zeros(3, np.uint8))
    with pytest.raises(WeightsError, match="damaged"):
        Tagger(path)


def test_other_files_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr("a.txt", "a")
    for path in (tmp_path / "a.zip", tmp_path):
        with pytest.raises(WeightsError):
            Tagger(path)


def test_a_table_of_four_bits_has_two_numbers_a_byte_and_a_scale_for_each_group():
    rows = np.array([[0x1F, *[0x88] * 46, 0x8A]], np.uint8)
    numbers = unpacked(rows, np.array([[0.5, 2.0]], np.float16))
    assert numbers.shape == (1, 96)
    assert numbers[0, :3].tolist() == [-3.5, 3.5, 0.0]
    assert numbers[0, -2:].tolist() == [0.0, 4.0]
