"""The marked passages, and the networks that were taught with them."""

import numpy as np
import pytest
from pairs import HERE, held_out, read_blocks, read_pairs

from logical_retriever.reading.passages.network import PassageNetwork
from logical_retriever.reading.passages.reader import FOLDER, NAMES

PAIRS = read_pairs()


def test_the_page_says_how_many_marks_and_labels_there_are():
    page = (HERE / "README.md").read_text(encoding="utf-8").replace("\n", " ")
    marked = sum(pair.mark is not None for pair in PAIRS)
    assert f"with {marked:,} marks" in page
    assert f"{len(PAIRS) - marked:,} pairs that nobody marked" in page


def test_soft_labels_are_probabilities_of_english_pairs():
    labelled = [pair for pair in PAIRS if pair.soft is not None]
    assert {pair.language for pair in labelled} == {"en"}
    soft = np.array([pair.soft for pair in labelled])
    assert soft.min() >= 0.0
    np.testing.assert_allclose(soft[:, :4].sum(axis=1), 1.0, atol=0.01)


def test_what_is_held_out_is_in_every_language():
    assert {pair.language for pair in PAIRS if held_out(pair.file)} == {pair.language for pair in PAIRS}


@pytest.mark.parametrize("text", ["a passage\n+ thing", "# a passage\n* thing", "# a passage\n+thing"])
def test_a_file_with_a_broken_mark_is_refused(tmp_path, text):
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=r"a\.txt"):
        list(read_blocks(tmp_path / "a.txt"))


@pytest.mark.parametrize("name", NAMES)
def test_numpy_reads_as_torch_does_and_teaching_goes_on_from_the_very_weights(tmp_path, name):
    pytest.importorskip("torch", reason="teaching needs torch")
    import weights
    from nets import Cutter

    net, pretrained, about = weights.read(FOLDER / name)
    weights.write(tmp_path / name, net, pretrained, about)
    assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes()
    pairs = [pair for pair in PAIRS if (pair.language == "en") is (name == "english.npz")][:40:8]
    network = PassageNetwork(FOLDER / name)
    windows = [network.windows(pair.passage) for pair in pairs]
    assert {len(own) for own in windows} == {1}
    read = network.read([(pair.term, own[0]) for pair, own in zip(pairs, windows, strict=True)])
    expected = network._probabilities(weights.scores_of(net, Cutter(pretrained), pairs))
    np.testing.assert_allclose(read, expected, atol=2e-3)
