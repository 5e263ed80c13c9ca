"""Say what a reader of passages is worth on files that nothing was taught with.

    python training/passages/measure.py                      # the package's own
    python training/passages/measure.py --reader my-reader   # a larger one
    python training/passages/measure.py --lack FOLDER        # on pairs of the set `lack` as well

It ends with what ``exclusion="certain"`` may show of forty passages that nothing was taught with: how many of the
pairs that deny the thing, says the reader, from some probability on, do deny it.

Columns: share of pairs whose most probable state is the marked one; AUC of "has" against all others, and against those
that deny; AUC of "about". Rows: languages, kinds of text (the letter of the file), marks.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from pairs import BLOCKS, MARKS, Pair, held_out, read_pairs

from logical_retriever import PassageReader

CERTAIN = Path(__file__).with_name("certain.jsonl")


def auc(high: np.ndarray, low: np.ndarray) -> float:
    """Return how often a number of ``high`` is above one of ``low``; NaN where one is empty."""
    if not len(high) or not len(low):
        return float("nan")
    ordered = np.sort(low)
    above = np.searchsorted(ordered, high, "left") + np.searchsorted(ordered, high, "right")
    return float(above.mean() / 2 / len(low))


def probabilities(reader: PassageReader, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return five probabilities for each pair of a term and a passage; NaN without a verdict."""
    found = []
    for start in range(0, len(pairs), 256):
        for verdict in reader.verify(*zip(*pairs[start : start + 256], strict=True)):
            found.append([np.nan] * 5 if verdict is None else [*vars(verdict).values()])
    return np.array(found)


def groups(pairs: Sequence[Pair]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield names and members of the groups of pairs."""
    language = np.array([pair.language for pair in pairs])
    named_in_english = np.array([pair.file.endswith("_05e") for pair in pairs])
    yield "English", language == "en"
    for code in sorted(set(language) - {"en"}):
        yield code, (language == code) & ~named_in_english
    yield "named in English", named_in_english
    for kind in sorted({pair.file[0] for pair in pairs if pair.language == "en"}):
        yield f"English {kind}", np.array([pair.language == "en" and pair.file[0] == kind for pair in pairs])
    for number, mark in enumerate(MARKS):
        yield f"English, {mark}", (language == "en") & np.array([pair.mark == number for pair in pairs])


def lack_pairs(folder: Path) -> list[tuple[str, str, str]]:
    """Return term, passage and judgement ("bad", "says", "silent") of the questions that exclude one property."""

    def lines(name: str) -> list[dict]:
        return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]

    text, found = {one["_id"]: one["text"] for one in lines("corpus.jsonl")}, []
    for question in lines("questions.jsonl"):
        if question["kind"] == "property" and len(question["lack"]) == 1:
            for id in (*question["good"], *question["bad"]):
                said = "says" if id in question["says"] else "bad" if id in question["bad"] else "silent"
                found.append((question["lack"][0], text[id], said))
    return found


def certain_pairs() -> list[tuple[str, str, str]]:
    """Return term, passage and judgement ("bad", "says", "silent") of forty passages, allergens mostly."""
    rows = [json.loads(line) for line in CERTAIN.read_text(encoding="utf-8").splitlines()]
    said = {"+": "bad", "-": "says", "0": "silent", "~": "silent"}
    return [(term, row["text"], said[mark]) for row in rows for term, mark in row["labels"].items()]


def print_certain(name: str, denies: np.ndarray, said: np.ndarray) -> None:
    """Print how many of the pairs that deny the thing for certain do deny it."""
    for least in (0.7, 0.8, 0.9):
        chosen = said[denies >= least]
        print(
            f"{name}, denies from {least}: {len(chosen)} pairs, {(chosen == 'says').mean():.2f} say so, "
            f"{(chosen == 'bad').mean():.2f} have it; {(chosen == 'says').sum() / (said == 'says').sum():.2f} are found"
        )


def main() -> None:
    """Read the command line and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reader", type=Path, help="folder of a larger reader")
    parser.add_argument("--blocks", type=Path, default=BLOCKS)
    parser.add_argument("--languages", nargs="+")
    parser.add_argument("--limit", type=int, help="so many pairs")
    parser.add_argument("--lack", type=Path, help="folder of the set `lack`")
    args = parser.parse_args()
    reader = PassageReader() if args.reader is None else PassageReader.from_pretrained(args.reader)
    pairs = [pair for pair in read_pairs(args.blocks, None) if held_out(pair.file)]
    pairs = [pair for pair in pairs if not args.languages or pair.language in args.languages][: args.limit]
    read = probabilities(reader, [(pair.term, pair.passage) for pair in pairs])
    known = ~np.isnan(read[:, 0])
    mark, about = np.array([pair.mark for pair in pairs]), np.array([pair.about for pair in pairs])
    print(f"{'':18}  pairs  right  has|rest  has|denies  about")
    for name, of in groups(pairs):
        here = of & known
        if not here.any():
            continue
        own, right, topic = read[here], (read[here, :4].argmax(1) == mark[here]).mean(), about[here]
        has, said = own[:, 0], mark[here]
        figures = auc(has[said == 0], has[said != 0]), auc(has[said == 0], has[said == 1])
        print(
            f"{name:18}{here.sum():7}{right:7.3f}{figures[0]:10.3f}{figures[1]:12.3f}"
            f"{auc(own[topic, 4], own[~topic, 4]):7.3f}"
        )
    print(f"without a verdict: {(~known).sum()} of {len(pairs)}")
    for name, judged in {"forty passages": certain_pairs(), "lack": lack_pairs(args.lack) if args.lack else []}.items():
        if not judged:
            continue
        given = probabilities(reader, [(term, passage) for term, passage, _ in judged])
        said = np.array([one for _, _, one in judged])
        print_certain(name, given[:, 1], said)
        has = given[:, 0]
        bad = has[said == "bad"]
        print(f"{name}: {len(has)} pairs, has against has not {auc(bad, has[said != 'bad']):.3f}, ", end="")
        print(f"against says that it has not {auc(bad, has[said == 'says']):.3f}")


if __name__ == "__main__":
    main()
