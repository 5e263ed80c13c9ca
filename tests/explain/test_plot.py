"""The picture of an explanation."""

import io
import sys

import pytest

from logical_retriever import LogicalRetriever, parse
from logical_retriever.errors import InvalidArgumentError, MissingPackageError
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder

TEXTS = ["green tea and brewing $x_1$", "green\ntea and health", "a garden of green tea", "timetables of trains " * 20]


def explained(texts=TEXTS, question="green tea, excluding brewing", k=2):
    embedder = HashingEmbedder(256)
    documents = [StoredDocument(str(place), text) for place, text in enumerate(texts)]
    vectors = embedder.embed_documents(texts) if texts else None
    return LogicalRetriever(InMemoryStore(documents, vectors), embedder, k=k).explain(question)


def test_rows_are_documents_and_columns_terms_with_their_truth_values():
    story = explained()
    figure = story.plot()
    axes = figure.axes[0]
    rows = [*story.result.documents, *story.left_out]
    assert story.left_out
    assert [text.get_text() for text in axes.get_xticklabels()] == ["Green tea", "excluded: brewing"]
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert labels[-1] == "green tea and brewing $x_1$   dense 1"
    assert all("\n" not in label and len(label) < 70 for label in labels)
    drawn = axes.images[0].get_array()
    assert drawn.tolist() == [[pytest.approx(value) for value in row.truth_values.values()] for row in rows]


def test_it_is_written_and_shown_without_a_display():
    figure = explained().plot()
    written = io.BytesIO()
    figure.savefig(written, format="svg")
    assert b"<svg" in written.getvalue()
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_one_term_and_one_document_are_enough():
    assert explained(["tea"], "tea").plot().axes


@pytest.mark.parametrize(("texts", "question"), [([], "tea"), (["tea"], parse("[year exists]"))])
def test_what_has_nothing_to_draw_is_refused(texts, question):
    with pytest.raises(InvalidArgumentError, match="nothing to draw"):
        explained(texts, question).plot()


def test_without_matplotlib_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingPackageError) as caught:
        explained().plot()
    assert 'pip install "logical-retriever[evaluation]"' in str(caught.value)
