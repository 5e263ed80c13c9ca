"""The package's own reader of passages, with its real weights."""

import json

import numpy as np
import pytest

from logical_retriever import PassageReader
from logical_retriever.demo import load_passages
from logical_retriever.reading import WeightsError
from logical_retriever.reading.passages import default_passage_reader, network
from logical_retriever.reading.passages.network import LONGEST, PassageNetwork
from logical_retriever.reading.passages.reader import FOLDER, NAMES
from logical_retriever.reading.passages.windows import windows_of
from logical_retriever.reading.pieces import Pieces
from logical_retriever.reading.questions.tagger.network import read_weights

READER = default_passage_reader()
LONG = " ".join(f"Room {number} has oak floors and a window to the street." for number in range(60))


def verdict(term, passage):
    (found,) = READER.verify([term], [passage])
    return found


@pytest.mark.parametrize(
    ("term", "passage", "state"),
    [
        ("pool", "House with a garden, heated pool and a terrace.", "has"),
        ("pool", "Three-bedroom house with a large garden, no pool, near the sea.", "denies"),
        ("pool", "Flat in the centre, third floor with a lift, gas heating.", "absent"),
        ("swimming pool", "Bungalow with a terrace, a garden and a lagoon to swim in all year round.", "has"),
        ("garage", "Two bedrooms, new kitchen. There is no garage, parking is on the street.", "denies"),
        ("Pool", "Einfamilienhaus mit Garten, Garage und beheiztem Pool.", "has"),
        ("Haustiere", "Zwei Zimmer, Balkon, Einbauküche. Haustiere sind leider nicht erlaubt.", "denies"),
        ("pool", "Villa mit Sauna, großem Garten und Pool.", "has"),
    ],
)
def test_what_a_passage_says_of_a_thing(term, passage, state):
    found = vars(verdict(term, passage))
    assert max(("has", "denies", "open", "absent"), key=found.get) == state


def test_a_passage_can_deny_what_it_is_about():
    trial = verdict(
        "fractures", "In a trial with 25,000 people, vitamin D did not prevent fractures. Of 1,991 fractures ..."
    )
    assert (
        trial.about > verdict("depression", "In a trial with 25,000 people, vitamin D did not prevent fractures.").about
    )


def test_a_long_passage_is_read_to_its_end():
    text = " ".join(passage.content for passage in load_passages()[:40])
    assert len(text) > 6_000
    absent = verdict("sauna", text).absent
    assert verdict("sauna", f"{text} The house has a sauna in the basement.").absent < 0.2 < absent


@pytest.mark.parametrize(
    "passage",
    [
        "",
        " \n",
        "شقة من ثلاث غرف في القاهرة بدون مسبح مع حديقة كبيرة",
        "17;88;9;1\n2;0;;4\n" * 9,
        "x[i]!=y_[i]&&{k:v};(a,b)--" * 9,
    ],
)
def test_what_it_cannot_read_gets_no_verdict(passage):
    assert verdict("pool", passage) is None


@pytest.mark.parametrize(
    "passage",
    [
        "pool " * 1000,
        "a" * 50_000,
        "home with a p\u200bo\u200bol and a garden",
        "house with a p\u043e\u043el",
        "\ud800 pool",
        "😀" * 99,
    ],
)
def test_hostile_texts_are_read_or_refused_without_an_error(passage):
    found = verdict("pool", passage)
    assert found is None or 0.0 <= found.has <= 1.0


def test_characters_that_nobody_sees_change_nothing():
    assert verdict("pool", "A home with a p\u200bo\u200bol.") == verdict("pool", "A home with a pool.")


def test_a_verdict_does_not_depend_on_what_is_read_beside_it():
    passages = [LONG[:length] for length in range(40, 1600, 70)]
    together = PassageReader().verify(["oak floors"] * len(passages), passages)
    alone = [PassageReader().verify(["oak floors"], [passage])[0] for passage in passages[::6]]
    for one, other in zip(alone, together[::6], strict=True):
        np.testing.assert_allclose([*vars(one).values()], [*vars(other).values()], atol=1e-4)


def test_a_pair_is_read_once(monkeypatch):
    reader, read = PassageReader(), []
    original = PassageNetwork.read
    monkeypatch.setattr(PassageNetwork, "read", lambda self, pairs: read.append(len(pairs)) or original(self, pairs))
    first = reader.verify(["pool", "pool", "lift"], ["A pool.", "A pool.", "A pool."])
    assert read == [2]
    assert reader.verify(["lift", "pool"], ["A pool.", "A pool."]) == [first[2], first[0]]
    assert read == [2]


def test_it_quotes_the_sentence_that_says_so():
    passage = f"{LONG[:400]}. Behind the house lies a pool of twelve metres. Dogs are welcome."
    found = READER.quotes(["pool", "pool", "dogs"], [passage, "", passage])
    assert found == ["Behind the house lies a pool of twelve metres.", "", "Dogs are welcome."]


PIECES = Pieces(["[UNK]", "[CLS]", "[SEP]", "garden", "##."])


def test_windows_keep_all_words_and_end_with_sentences():
    windows = windows_of(" ".join(["garden garden garden garden garden."] * 30), PIECES, 40)
    assert [row for window in windows for row in window.rows] == [3, 3, 3, 3, 3, 4] * 30
    assert all(window.text.endswith(".") for window in windows)
    assert {len(window.rows) for window in windows} == {36}


def test_a_sentence_longer_than_a_window_is_cut_between_words():
    windows = windows_of("garden " * 100, PIECES, 40)
    assert " ".join(window.text.strip() for window in windows) == ("garden " * 100).strip()
    assert max(len(window.rows) for window in windows) <= 40


@pytest.mark.parametrize(("content", "problem"), [(b"", "damaged"), (b"PK", "damaged"), (None, "missing")])
def test_weights_that_cannot_be_read_are_refused(tmp_path, content, problem):
    path = tmp_path / "weights.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(WeightsError, match=problem) as caught:
        PassageNetwork(path)
    assert "training/passages/weights.py" in caught.value.hint


def test_a_network_whose_vocabulary_changed_is_refused(monkeypatch):
    arrays, about = read_weights()
    monkeypatch.setattr(network, "read_weights", lambda: ({**arrays, "names": arrays["names"][:-1]}, about))
    with pytest.raises(WeightsError, match="another vocabulary"):
        PassageNetwork(FOLDER / "multilingual.npz")


@pytest.mark.parametrize("config", [None, {}, {"id2label": {"0": "LABEL_0"}, "model_type": "bert"}])
def test_a_folder_that_holds_no_reader_is_refused(tmp_path, config):
    if config is not None:
        (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(WeightsError):
        PassageReader.from_pretrained(tmp_path)


def test_weights_of_ones_own_stand_in_for_the_packages(tmp_path):
    (tmp_path / "english.npz").write_bytes((FOLDER / "english.npz").read_bytes())
    own = PassageReader.from_pretrained(tmp_path)
    pairs = ["pool", "Pool"], ["A house with a pool.", "Ein Haus mit Pool."]
    assert own.verify(*pairs) == READER.verify(*pairs)


def test_the_notice_says_what_the_weights_are():
    notice = " ".join((FOLDER / "NOTICE").read_text(encoding="utf-8").split())
    for name in NAMES:
        one = PassageNetwork(FOLDER / name)
        assert f"{name}: {one.about['layers']} layers of a transformer" in notice
    assert LONGEST == 240
    assert f"{len(bytes(np.load(FOLDER / 'english.npz')['names']).decode().split(chr(10))):,} word pieces" in notice
