import json
import zipfile

import numpy as np
import pytest

from logical_retriever.transform.tagger import Tagger, WeightsError
from logical_retriever.transform.tagger.weights import (
    SHIPPED,
    in_eight_bits,
    packed,
    read_weights,
    unpacked,
    write_weights,
)


def test_what_was_written_is_read(tmp_path):
    path = tmp_path / "some.npz"
    write_weights(path, {"a": np.arange(6, dtype=np.int8).reshape(2, 3)}, {"lines": "abc"})
    arrays, about = read_weights(path)
    assert arrays["a"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert about["lines"] == "abc"
    before = path.read_bytes()
    write_weights(path, arrays, {"lines": "abc"})
    assert path.read_bytes() == before


def test_missing_weights_say_how_to_get_them(tmp_path):
    with pytest.raises(WeightsError, match="missing") as caught:
        Tagger(tmp_path / "none.npz")
    assert "train.py" in caught.value.hint


@pytest.mark.parametrize("length", [0, 100, 100_000, -100])
def test_weights_that_were_cut_short_are_refused(tmp_path, length):
    path = tmp_path / "cut.npz"
    path.write_bytes(SHIPPED.read_bytes()[:length])
    with pytest.raises(WeightsError, match="damaged"):
        Tagger(path)


def test_weights_with_a_broken_byte_are_refused(tmp_path):
    content = bytearray(SHIPPED.read_bytes())
    content[len(content) // 2] ^= 255
    (tmp_path / "broken.npz").write_bytes(content)
    with pytest.raises(WeightsError, match="damaged"):
        Tagger(tmp_path / "broken.npz")


def test_weights_of_another_version_are_refused(tmp_path):
    path = tmp_path / "old.npz"
    about = np.frombuffer(json.dumps({"version": 0, "arrays": []}).encode(), np.uint8)
    np.savez(path, about=about)
    with pytest.raises(WeightsError, match="version 0"):
        Tagger(path)


def test_weights_of_another_network_are_refused(tmp_path):
    path = tmp_path / "other.npz"
    write_weights(path, {"a": np.zeros(3)}, {"layers": 3})
    with pytest.raises(WeightsError, match="damaged"):
        Tagger(path)


def test_other_files_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr("a.txt", "a")
    for path in (tmp_path / "a.zip", tmp_path):
        with pytest.raises(WeightsError):
            Tagger(path)


def test_the_shipped_file_is_small_and_names_its_lines():
    assert SHIPPED.stat().st_size < 12_000_000
    assert len(read_weights(SHIPPED)[1]["lines"]) == 16


def test_eight_and_four_bits_are_near_what_they_stand_for():
    matrix = np.random.default_rng(0).normal(size=(5, 96)).astype(np.float32)
    codes, scales = in_eight_bits(matrix)
    assert np.abs(codes * scales - matrix).max() <= np.abs(matrix).max() / 250
    small = np.random.default_rng(1).integers(-7, 8, size=(5, 96)).astype(np.int8)
    assert unpacked(packed(small), np.full((5, 2), 0.5, np.float16)).tolist() == (small * 0.5).tolist()
