"""The playground without a server: one file with the demo's passages, vectors of many terms, and the composition.

``python -m logical_retriever.play.static FILE.html`` writes it.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from logical_retriever.demo import load_passages, load_questions, load_topics
from logical_retriever.embedding import Embedder
from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.explain import MADE_BY
from logical_retriever.files import write_text
from logical_retriever.lexical import analyser
from logical_retriever.play.answers import DEMO_SETUP
from logical_retriever.play.page import page
from logical_retriever.search import blocking, cut
from logical_retriever.search.statistics import StatisticsCache
from logical_retriever.semantics import CalibratedConstants, relevance
from logical_retriever.stores.base import StoredDocument
from logical_retriever.stores.in_memory import InMemoryStore
from logical_retriever.transform import QuestionReader
from logical_retriever.vectors import unit

SAYS: Final = (
    "This page has no server: it searches these passages in your browser, and sends nothing. It has the vectors of the "
    "questions below and of about 170 terms, which the fields suggest; of other terms it knows the words alone."
)


def static_page(embedder: Embedder | None = None) -> str:
    """The page over the demo's passages, as one HTML file of about a megabyte.

    Args:
        embedder: None for the default model.

    Raises:
        MissingPackageError: The default model is wanted, and sentence-transformers is not installed.
    """
    return page(bundle(SentenceTransformerEmbedder() if embedder is None else embedder))[0]


def bundle(embedder: Embedder) -> dict[str, Any]:
    """Everything that the page's script answers from."""
    passages, topics = load_passages(), load_topics()
    documents = [
        StoredDocument(one.id, one.content, {"title": one.title, "topics": ", ".join(sorted(topics[one.id]))})
        for one in passages
    ]
    vectors = np.asarray(embedder.embed_documents([document.text for document in documents]), np.float32)
    store = InMemoryStore(documents, vectors)
    statistics = StatisticsCache(embedder).get(store, len(documents))
    if statistics is None:
        raise AssertionError("the demo has passages")
    readings = {asked.question: QuestionReader().transform(asked.question) for asked in load_questions()}
    texts = tuple(
        dict.fromkeys(
            (
                *readings,
                *(term for made in readings.values() for term in made.query.terms()),
                *sorted(set().union(*topics.values())),
            )
        )
    )
    encoded = np.asarray(embedder.embed_queries(texts), np.float32)
    nulls = statistics.nulls.of(unit(encoded))
    correlations = statistics.nulls.correlations(unit(encoded))
    return {
        "engine": "browser",
        "about": {
            "name": "The demo, on ten subjects",
            "says": SAYS,
            "setup": list(DEMO_SETUP),
            "examples": list(readings),
        },
        "passages": [{"id": d.id, "text": d.text, "metadata": dict(d.metadata)} for d in documents],
        "dimension": vectors.shape[1],
        "documents": _packed(vectors),
        "texts": list(texts),
        "vectors": _packed(encoded),
        "means": nulls.means.tolist(),
        "deviations": nulls.deviations.tolist(),
        "correlations": _packed(correlations[np.triu_indices(len(texts))]),
        **_words((*texts, *(document.text for document in documents))),
        "readings": {
            question: {"query": str(made.query), "read_by": MADE_BY[made.method], "written": made.written}
            for question, made in readings.items()
        },
        "constants": asdict(CalibratedConstants()),
        "cut": {
            **{name.lower(): getattr(blocking, name) for name in ("ABOUT", "PERHAPS", "HOLDS")},
            **{name.lower(): getattr(cut, name) for name in ("OWN", "LEAST", "BEST", "MARGIN", "GROWTH")},
        },
        "relevance": {
            name.lower(): getattr(relevance, name)
            for name in ("FALL", "BEST", "CLOSE", "BASE", "SEEN", "CLOSEST", "EDGE")
        },
        "unrelated": list(statistics.unrelated),
    }


def _words(texts: tuple[str, ...]) -> Mapping[str, Any]:
    """English stop words, and what the words of all texts count as where that is not their spelling."""
    read = analyser("en")
    spellings = sorted({spelling for text in texts for spelling in read.spellings(text)})
    counted = {spelling: read.stem(spelling) for spelling in spellings}
    return {
        "stop": [spelling for spelling, stem in counted.items() if stem is None],
        "stems": {spelling: stem for spelling, stem in counted.items() if stem not in (None, spelling)},
    }


def _packed(numbers: npt.NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, "<f4").tobytes()).decode()


if __name__ == "__main__":
    write_text(Path(sys.argv[1]), static_page())
