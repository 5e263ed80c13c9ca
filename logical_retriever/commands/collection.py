"""A Chroma collection kept in step with passages, and a retriever over it."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from logical_retriever.commands import install_line
from logical_retriever.commands.output import encoding_bar, notes
from logical_retriever.corpus import Passage, corpus_fingerprint
from logical_retriever.embedding import Embedder
from logical_retriever.encoders import DEFAULT_MODEL, SentenceTransformerEmbedder
from logical_retriever.errors import LogicalRetrieverError, StoreError, require
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.stores.chroma import ChromaStore

NAME = "logical-retriever"
"""Name of the collection inside the folder."""
MODEL = "logical_retriever_model"
"""Metadata of the collection: the model its documents were encoded with."""
CONTENT = "logical_retriever_content"
"""Metadata of the collection: hash of the corpus it holds, or one of the two states below."""
CHANGING = ""
"""Content of a collection that is being changed, and of one whose process was killed while it did so."""
PARTIAL = "partial"
"""Content of a collection that an interrupted run has left in order, and that the next run completes."""
FINGERPRINT = "fingerprint"
"""Metadata of a document: hash of its content."""

BATCH = 64
"""Passages encoded and stored at once; an interrupted run keeps what it has stored."""
DELETE_PAGE = 5000
"""Most ids in one request, below SQLite's limit of variables."""


@dataclass(frozen=True)
class Changes:
    """The work that makes a collection hold a corpus.

    Attributes:
        stale: Passages that are new or changed.
        added: How many of them are new.
        gone: Ids that the corpus no longer has.
        kept: How many documents stay as they are.
    """

    stale: tuple[Passage, ...]
    added: int
    gone: tuple[str, ...]
    kept: int

    def __str__(self) -> str:
        changed = len(self.stale) - self.added
        return f"{self.added} new, {changed} changed, {len(self.gone)} removed, {self.kept} unchanged"


@contextlib.contextmanager
def retriever_over(
    path: Path | None, passages: Sequence[Passage] | None = None, model: str | None = None, **options: Any
) -> Iterator[LogicalRetriever]:
    """A retriever over passages in a Chroma collection.

    Args:
        path: Folder of the collection; None for a temporary one, removed at the end.
        passages: The whole corpus: of what the collection holds, what is missing or has changed is encoded, and what
            is gone is removed. None takes the collection as it is.
        model: Sentence-transformers model; None for that of the collection, or the default where there is none.
        **options: Of :class:`~logical_retriever.LogicalRetriever`.

    Raises:
        MissingPackageError: chromadb or sentence-transformers is not installed.
        StoreError: The folder cannot be used, has no whole collection, or one of another model or maker.
    """
    console = notes()
    with _client(path, create=passages is not None) as (client, folder):
        collection = _found(client, folder, passages is not None)
        if collection is not None:
            model = _model(collection, model, folder)
        with console.status("Loading the encoder"):
            embedder = SentenceTransformerEmbedder(DEFAULT_MODEL if model is None else model)
        if collection is None:
            collection = _created(client, DEFAULT_MODEL if model is None else model)
        if passages is not None:
            todo = _changes(collection, passages)
            if path is not None:
                console.print(f"Collection: {todo}." if todo.stale or todo.gone else "Collection: matches the file.")
            with encoding_bar(len(todo.stale)) as stored:
                _apply(collection, passages, todo, embedder, stored)
        yield LogicalRetriever(ChromaStore(collection), embedder, **options)


@contextlib.contextmanager
def _client(path: Path | None, *, create: bool) -> Iterator[tuple[Any, Path]]:
    """A persistent Chroma client and its folder."""
    chromadb = require("chromadb", "A Chroma collection", install=install_line("cli"))
    with contextlib.ExitStack() as stack:
        if path is None:
            # Windows refuses to remove files that are still mapped.
            temporary = tempfile.TemporaryDirectory(prefix="logical-retriever-", ignore_cleanup_errors=True)
            path = Path(stack.enter_context(temporary))
        elif not create and not (path / "chroma.sqlite3").is_file():
            # Chroma would create it.
            there = f"{path} has no collection made by 'ask'." if path.is_dir() else f"There is no folder {path}."
            raise StoreError(there, hint=_make(path))
        with _chroma_errors(f"open the folder {path}"):
            client = chromadb.PersistentClient(path=str(path), settings=chromadb.Settings(anonymized_telemetry=False))
        # Chroma 1.0 has no close().
        stack.callback(getattr(client, "close", lambda: None))
        yield client, path


def _found(client: Any, path: Path, to_be_changed: bool) -> Any:
    """The collection that an earlier run has made in a folder; None where there is none and one is to be made."""
    with _chroma_errors(f"open the folder {path}"):
        if all(collection.name != NAME for collection in client.list_collections()):
            if to_be_changed:
                return None
            raise StoreError(f"{path} has no collection made by 'ask'.", hint=_make(path))
        collection = client.get_collection(NAME, embedding_function=None)
    metadata = _metadata(collection)
    if MODEL not in metadata:
        raise StoreError(
            f"The collection {NAME!r} in {path} was not made by 'ask'.",
            hint="Give another --path: its documents would be changed.",
        )
    if metadata[CONTENT] == CHANGING:
        # Chroma writes its index in place: what a killed process leaves may end ours, or find other documents.
        raise StoreError(
            f"The collection in {path} is being changed, or the run that changed it was killed.",
            hint=f"Wait for that run. If there is none, delete the folder. {_make(path)}",
        )
    if metadata[CONTENT] == PARTIAL and not to_be_changed:
        raise StoreError(f"The collection in {path} was not filled to the end.", hint=_make(path))
    return collection


def _make(path: Path) -> str:
    return f"Make it: logical-retriever ask QUESTION --corpus FOLDER --path {path}"


def _created(client: Any, model: str) -> Any:
    return client.create_collection(
        NAME,
        metadata={MODEL: model, CONTENT: PARTIAL},
        configuration={"hnsw": {"space": "cosine"}},
        embedding_function=None,
    )


def _model(collection: Any, wanted: str | None, path: Path) -> str:
    model = str(_metadata(collection)[MODEL])
    if wanted is not None and wanted != model:
        raise StoreError(
            f"The collection in {path} was encoded with {model!r}, not with {wanted!r}.",
            hint=f"Leave out --model, or give another --path for {wanted!r}.",
        )
    return model


def _changes(collection: Any, passages: Sequence[Passage]) -> Changes:
    with _chroma_errors(f"read collection {NAME!r}"):
        same = _metadata(collection)[CONTENT] == corpus_fingerprint(passages)
        if same and collection.count() == len(passages):
            return Changes((), 0, (), len(passages))
        held = collection.get(include=["metadatas"])
    stored = {id: (row or {}).get(FINGERPRINT) for id, row in zip(held["ids"], held["metadatas"], strict=True)}
    stale = tuple(passage for passage in passages if stored.get(passage.id) != passage.fingerprint)
    wanted = {passage.id for passage in passages}
    return Changes(
        stale=stale,
        added=sum(passage.id not in stored for passage in stale),
        gone=tuple(id for id in stored if id not in wanted),
        kept=len(passages) - len(stale),
    )


def _apply(
    collection: Any, passages: Sequence[Passage], todo: Changes, embedder: Embedder, stored: Callable[[int], object]
) -> None:
    content = corpus_fingerprint(passages)
    if _metadata(collection)[CONTENT] == content and not todo.stale and not todo.gone:
        return
    _mark(collection, CHANGING)
    try:
        for start in range(0, len(todo.stale), BATCH):
            batch = todo.stale[start : start + BATCH]
            _change(
                collection,
                "upsert",
                ids=[passage.id for passage in batch],
                embeddings=embedder.embed_documents([passage.content for passage in batch]),
                documents=[passage.content for passage in batch],
                metadatas=[
                    {**passage.metadata, "title": passage.title, FINGERPRINT: passage.fingerprint} for passage in batch
                ],
            )
            stored(len(batch))
        for start in range(0, len(todo.gone), DELETE_PAGE):
            _change(collection, "delete", ids=list(todo.gone[start : start + DELETE_PAGE]))
    except BaseException:
        with contextlib.suppress(StoreError):  # the first error says more
            _mark(collection, PARTIAL)
        raise
    _mark(collection, content)


def _mark(collection: Any, content: str) -> None:
    _change(collection, "modify", metadata={**_metadata(collection), CONTENT: content})


def _change(collection: Any, method: str, **arguments: Any) -> None:
    with _chroma_errors(f"{method} collection {NAME!r}"):
        getattr(collection, method)(**arguments)


def _metadata(collection: Any) -> dict[str, Any]:
    return dict(collection.metadata or {})


@contextlib.contextmanager
def _chroma_errors(what: str) -> Iterator[None]:
    try:
        yield
    except LogicalRetrieverError:
        raise
    except Exception as error:
        raise StoreError(
            f"Chroma cannot {what}: {type(error).__name__}: {error}",
            hint="Use a folder that you may write to, on a disk with room. If a run was killed while it filled the "
            "folder, delete it, and give --corpus FILE.jsonl again.",
        ) from error
