"""The options for passages and searches, and the retriever that they describe."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from logical_retriever import ChromaStore, LogicalRetriever, QuestionReader
from logical_retriever.commands.output import notes, track
from logical_retriever.corpus import PASSAGE_SIZE, Passage, read_corpus
from logical_retriever.encoders import DEFAULT_MODEL, SentenceTransformerEmbedder
from logical_retriever.errors import InvalidArgumentError, StoreError, require
from logical_retriever.options import Exclusion, SearchOptions
from logical_retriever.reading import QueryTransformer, chat_model_from_name
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.stores.separate_word_index import SeparateWordIndex

Corpus = Annotated[
    Path | None,
    typer.Option(
        help="Passages: a folder of .txt, .md, .pdf, .csv and .jsonl, or one such file; encoded at every start.",
        show_default=False,
    ),
]
PassageSize = Annotated[
    int,
    typer.Option(
        help="Most characters of a passage of a .txt, .md or .pdf; shorter paragraphs are joined. 0: one a paragraph.",
        min=0,
    ),
]
Folder = Annotated[
    Path | None, typer.Option("--path", help="Or a folder with a Chroma collection; only read.", show_default=False)
]
Collection = Annotated[
    str | None, typer.Option(help="Name of the collection.", show_default="the only one of the folder")
]
WordsIndex = Annotated[
    Path | None,
    typer.Option(help="File of an index of all words of the collection, made if it is missing.", show_default="none"),
]
Model = Annotated[str, typer.Option(help="Sentence-transformers model of the passages.")]
Llm = Annotated[
    str | None,
    typer.Option(
        metavar="PROVIDER:MODEL", help="Language model for what the tagger is not sure of.", show_default="none"
    ),
]
Words = Annotated[float | None, typer.Option(help="Weight of words against vectors, from 0 (vectors alone) to 1.")]
ExclusionSetting = Annotated[
    Exclusion,
    typer.Option(
        "--exclusion",
        help="Leave out passages that have an excluded thing or are about it, leave out more, show only what says that "
        "it lacks it, or rank them lower.",
    ),
]
MinRelevance = Annotated[
    float | None, typer.Option(help="Least relevance of a passage, from 0 to 1.", show_default="none")
]
AlwaysExclude = Annotated[list[str] | None, typer.Option(help="Term that every question excludes; may be repeated.")]
Verify = Annotated[
    str | None,
    typer.Option(metavar="PROVIDER:MODEL", help="Language model that checks the passages found.", show_default="none"),
]

BATCH = 256
"""Passages in one call of the encoder, between two steps of the progress bar."""


def reader_of(llm: str | None) -> QuestionReader:
    """Return the reader of questions, with the model of ``--llm``."""
    return QuestionReader(None if llm is None else chat_model_from_name(llm))


def open_retriever(
    corpus: Path | None,
    path: Path | None,
    collection: str | None,
    model: str = DEFAULT_MODEL,
    *,
    transformer: QueryTransformer | None = None,
    passage_size: int = PASSAGE_SIZE,
    words_index: Path | None = None,
    **settings: Any,
) -> LogicalRetriever:
    """Return a retriever over passages or over a Chroma collection; check everything before encoding anything.

    Args:
        corpus: A file or folder of passages.
        path: Or a folder with a Chroma collection.
        collection: The collection's name; None if there is only one.
        model: The sentence-transformers model that encodes the passages, or has encoded the collection.
        transformer: The reader of questions; None for the default.
        passage_size: Most characters of a passage of a document.
        words_index: File of an index of all words of the collection; None for what the store itself can do.
        **settings: Search settings; None leaves the default.

    Raises:
        InvalidArgumentError: Not exactly one of ``corpus`` and ``path``, or a wrong setting.
        CorpusError: The passages cannot be read.
        StoreError: The folder cannot be opened, or has no such collection.
        MissingPackageError: chromadb or sentence-transformers is not installed.
    """
    SearchOptions().but(**settings)
    if (corpus is None) == (path is None):
        what = "There are no passages to ask." if path is None else "--corpus and --path are both given."
        raise InvalidArgumentError(what, hint="Give --corpus FOLDER or FILE, or --path of a Chroma collection.")
    if words_index is not None and path is None:
        raise InvalidArgumentError(
            "--words-index is given beside --corpus.", hint="All words of --corpus are indexed anyway: leave it out."
        )
    if path is not None:
        store = _chroma(path, collection)
        index = words_index and SeparateWordIndex(store, words_index, track=partial(track, what="indexing words"))
        embedder = SentenceTransformerEmbedder(model)
        return LogicalRetriever(store, embedder, transformer=transformer, words_index=index).but(**settings)
    others: list[str] = []
    passages = read_corpus(str(corpus), others, passage_size=passage_size)
    if others:
        names = ", ".join(others[:3]) + (", ..." if len(others) > 3 else "")
        notes().print(f"Files that were not read: {len(others)} ({names})", soft_wrap=True)
    return retriever_of(passages, model, transformer).but(**settings)


def retriever_of(
    passages: Sequence[Passage], model: str = DEFAULT_MODEL, transformer: QueryTransformer | None = None
) -> LogicalRetriever:
    """Encode passages, and return a retriever that holds them in memory."""
    documents = [
        StoredDocument(passage.id, passage.content, {**passage.metadata, "title": passage.title})
        for passage in passages
    ]
    embedder = SentenceTransformerEmbedder(model)
    batches = [documents[start : start + BATCH] for start in range(0, len(documents), BATCH)]
    vectors = [
        embedder.embed_documents([document.text for document in batch]) for batch in track(batches, "encoding passages")
    ]
    return LogicalRetriever(InMemoryStore(documents, np.concatenate(vectors)), embedder, transformer=transformer)


def _chroma(path: Path, name: str | None) -> ChromaStore:
    """Open the named collection of a folder, or its only one."""
    chromadb = require("chromadb", "A Chroma collection", install="pip install chromadb")
    hint = "Give the folder that chromadb.PersistentClient was made with, or --corpus."
    if not (path / "chroma.sqlite3").is_file():  # Chroma would create one
        what = f"{path} has no Chroma collection." if path.is_dir() else f"There is no folder {path}."
        raise StoreError(what, hint=hint)
    try:
        client = chromadb.PersistentClient(path=str(path), settings=chromadb.Settings(anonymized_telemetry=False))
        names = [collection.name for collection in client.list_collections()]
        if name in names or (name is None and len(names) == 1):
            return ChromaStore(client.get_collection(name or names[0], embedding_function=None))
    except Exception as error:
        raise StoreError(f"Chroma cannot open the folder {path}: {type(error).__name__}: {error}", hint=hint) from error
    which = "several collections" if name is None and names else f"no collection {name!r}" if name else "no collection"
    raise StoreError(f"{path} has {which}.", hint=f"Name one with --collection: {', '.join(names) or 'there is none'}.")
