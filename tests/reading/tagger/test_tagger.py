"""The tagger with a small network of random numbers, written as ``train.py`` writes a taught one."""

import json

import numpy as np
import pytest

from logical_retriever.reading import Tagger, WeightsError
from logical_retriever.reading.questions.tagger.decoding import LABELS, STARTS, STEPS
from logical_retriever.reading.questions.tagger.network import VERSION
from logical_retriever.reading.questions.tagger.words import GRAM_ROWS, MAX_PIECES, MAX_WORDS, SHAPES, WORD_ROWS

WIDTH, INNER, HASHED, SIZE = 48, 16, 4, 8
PIECES = ["[UNK]", "[CLS]", "[SEP]", "tea", "but", "not", "milk"]


def network(seed=0):
    random = np.random.default_rng(seed)
    arrays = {}

    def matrix(name, rows, columns):
        arrays[name] = random.integers(-127, 128, (rows, columns)).astype(np.int8)
        arrays[name + ".scale"] = np.full((rows, 1), 0.01, np.float32)

    def vector(name, *shape):
        arrays[name] = random.normal(size=shape).astype(np.float32)

    arrays["pieces"] = random.integers(0, 256, (len(PIECES), WIDTH // 2)).astype(np.uint8)
    arrays["pieces.scale"] = np.full((len(PIECES), 1), 0.1, np.float16)
    arrays["names"] = np.frombuffer("\n".join(PIECES).encode(), np.uint8)
    matrix("place", MAX_PIECES, WIDTH)
    matrix("word", WORD_ROWS, HASHED)
    matrix("gram", GRAM_ROWS, HASHED)
    vector("shape", SHAPES, HASHED)
    shapes = {"mix": (3 * WIDTH, WIDTH), "back": (WIDTH, WIDTH), "up": (INNER, WIDTH), "down": (WIDTH, INNER)}
    for name, (rows, columns) in shapes.items():
        matrix(f"layer0.{name}", rows, columns)
        vector(f"layer0.{name}_bias", rows)
    for norm in ("norm", "layer0.norm1", "layer0.norm2"):
        vector(norm + ".weight", WIDTH)
        vector(norm + ".bias", WIDTH)
    matrix("gru.into", 6 * SIZE, 3 * HASHED + WIDTH)
    matrix("gru.recur", 6 * SIZE, SIZE)
    vector("gru.into_bias", 6 * SIZE)
    vector("gru.recur_bias", 6 * SIZE)
    vector("out.weight", 2 * SIZE, len(LABELS) + 1)
    vector("out.bias", len(LABELS) + 1)
    return {**arrays, "steps": STEPS, "starts": STARTS}


def write(path, arrays, **about):
    calibration = {"decision": [0, 1], "reading": [0] * 5, "lack": [0, 1]}
    about = {"version": VERSION, "layers": 1, "calibration": calibration, **about}
    np.savez(path, about=np.frombuffer(json.dumps(about).encode(), np.uint8), **arrays)
    return path


@pytest.fixture(scope="module")
def tagger(tmp_path_factory):
    return Tagger(write(tmp_path_factory.mktemp("weights") / "random.npz", network()))


@pytest.mark.parametrize(
    "question",
    [
        *("", " ", "a", "?", "!!! ???", "🍵" * 50, "שלום עולם", "\n\n", "«»\"'“", "\ud800 not \x00"),
        *("a" * 100_000, "not " * 50_000, "{}[];" * 2000),
    ],
)
def test_any_text_is_read_as_something(tagger, question):
    reading = tagger.read(question)
    assert reading.outcome in ("plain", "unsure", "read")
    assert 0 <= reading.certainty <= reading.excludes <= 1
    labels = tagger.decode(question)[1].labels
    assert len(labels) <= MAX_WORDS
    assert all(0 <= label < len(LABELS) for label in labels)


def test_of_a_long_question_the_beginning_is_read_and_that_is_known(tagger):
    assert tagger.read("tea but not milk. " * 400).cut
    assert not tagger.read("tea but not milk").cut


@pytest.mark.parametrize(
    ("decision", "outcome", "asks"), [([-9, 0], "plain", False), ([-1, 0], "unsure", True), ([9, 0], "read", True)]
)
def test_the_probability_of_an_exclusion_decides_what_becomes_of_a_question(tmp_path, decision, outcome, asks):
    calibration = {"decision": decision, "reading": [-1, 0, 0, 0, 0], "lack": [0, 1]}
    reading = Tagger(write(tmp_path / "a.npz", network(), calibration=calibration)).read("tea but not milk")
    assert (reading.outcome, reading.ask) == (outcome, asks)
    assert (reading.query is None) == (outcome == "plain")


def test_a_network_that_lacks_a_matrix_is_refused(tmp_path):
    arrays = network()
    del arrays["gru.recur"]
    with pytest.raises(WeightsError, match="damaged"):
        Tagger(write(tmp_path / "a.npz", arrays))
