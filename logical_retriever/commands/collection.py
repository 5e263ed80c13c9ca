"""A Chroma collection kept in step with a corpus: what changed is encoded, what is gone is deleted."""

from __future__ import annotations

import contextlib
import importlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from logical_retriever.cli import install_line
from logical_retriever.corpus import Passage, corpus_fingerprint
from logical_retriever.embedding import Embedder
from logical_retriever.errors import LogicalRetrieverError, MissingPackageError, StoreError

NAME = "logical-retriever"
"""Name of the collection inside the folder."""
MODEL = "logical_retriever_model"
"""Metadata of the collection: the model its documents were encoded with."""
CONTENT = "logical_retriever_content"
"""Metadata of the collection: hash of the corpus it holds, "" while it is being changed."""
FINGERPRINT = "fingerprint"
"""Metadata of a document: hash of its content."""

BATCH = 64
"""Passages encoded and stored at once; an interrupted run keeps what it has stored."""
DELETE_PAGE = 5000
"""Most ids in one request, below SQLite's limit of variables."""


@dataclass(frozen=True)
class Changes:
    """What has to be done to a collection so that it holds a corpus.

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
def chroma_client(path: Path | None) -> Iterator[Any]:
    """A persistent Chroma client on a folder; on a temporary one, removed at the end, without a path.

    Raises:
        MissingPackageError: chromadb is not installed.
        StoreError: The folder cannot be used.
    """
    try:
        chromadb = importlib.import_module("chromadb")
    except ImportError as error:
        raise MissingPackageError("A Chroma collection", install=install_line("cli")) from error
    with contextlib.ExitStack() as stack:
        if path is None:
            # Windows refuses to remove files that are still mapped.
            temporary = tempfile.TemporaryDirectory(prefix="logical-retriever-", ignore_cleanup_errors=True)
            path = Path(stack.enter_context(temporary))
        with _chroma_errors(f"open the folder {path}"):
            client = chromadb.PersistentClient(path=str(path), settings=chromadb.Settings(anonymized_telemetry=False))
        # Chroma 1.0 has no close().
        stack.callback(getattr(client, "close", lambda: None))
        yield client


def open_collection(client: Any, path: Path) -> Any:
    """The collection that an earlier run has made in a folder.

    Raises:
        StoreError: There is none, or the one of this name was made by something else.
    """
    collection = find_collection(client, path)
    if collection is None:
        raise StoreError(
            f"{path} has no collection made by 'ask'.",
            hint="Give --corpus FILE.jsonl as well, once, to make it.",
        )
    return collection


def find_collection(client: Any, path: Path) -> Any:
    """The collection that an earlier run has made in a folder, or None.

    Raises:
        StoreError: The one of this name was made by something else, or the folder cannot be read.
    """
    with _chroma_errors(f"open the folder {path}"):
        if all(collection.name != NAME for collection in client.list_collections()):
            return None
        collection = client.get_collection(NAME, embedding_function=None)
    if MODEL not in _metadata(collection):
        raise StoreError(
            f"The collection {NAME!r} in {path} was not made by 'ask'.",
            hint="Give another --path: its documents would be changed.",
        )
    return collection


def create_collection(client: Any, model: str) -> Any:
    """A new, empty collection for documents encoded with a model."""
    return client.create_collection(
        NAME,
        metadata={MODEL: model, CONTENT: ""},
        configuration={"hnsw": {"space": "cosine"}},
        embedding_function=None,
    )


def collection_model(collection: Any, wanted: str | None, path: Path) -> str:
    """The model that a collection was made with.

    Raises:
        StoreError: Another one is wanted.
    """
    model = str(_metadata(collection)[MODEL])
    if wanted is not None and wanted != model:
        raise StoreError(
            f"The collection in {path} was encoded with {model!r}, not with {wanted!r}.",
            hint=f"Leave out --model, or give another --path for {wanted!r}.",
        )
    return model


def changes(collection: Any, passages: Sequence[Passage]) -> Changes:
    """Compare a collection with a corpus.

    Raises:
        StoreError: The collection cannot be read.
    """
    with _chroma_errors(f"read collection {NAME!r}"):
        same = _metadata(collection).get(CONTENT) == corpus_fingerprint(passages)
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


def apply(
    collection: Any,
    passages: Sequence[Passage],
    todo: Changes,
    embedder: Embedder,
    stored: Callable[[int], object] | None = None,
) -> None:
    """Make a collection hold a corpus.

    Args:
        collection: The collection.
        passages: The whole corpus.
        todo: What :func:`changes` found.
        embedder: Encodes what is stale.
        stored: Called after each batch with its number of passages.

    Raises:
        StoreError: The collection cannot be written to.
    """
    metadata, content = _metadata(collection), corpus_fingerprint(passages)
    if metadata.get(CONTENT) == content and not todo.stale and not todo.gone:
        return
    # Cleared first: a run that is interrupted below must not leave the hash of what was there before.
    _change(collection, "modify", metadata={**metadata, CONTENT: ""})
    for start in range(0, len(todo.stale), BATCH):
        batch = todo.stale[start : start + BATCH]
        _change(
            collection,
            "upsert",
            ids=[passage.id for passage in batch],
            embeddings=embedder.embed_documents([passage.content for passage in batch]),
            documents=[passage.content for passage in batch],
            metadatas=[{"title": passage.title, FINGERPRINT: passage.fingerprint} for passage in batch],
        )
        if stored is not None:
            stored(len(batch))
    for start in range(0, len(todo.gone), DELETE_PAGE):
        _change(collection, "delete", ids=list(todo.gone[start : start + DELETE_PAGE]))
    _change(collection, "modify", metadata={**metadata, CONTENT: content})


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
            hint="Use a folder that you may write to, new or made by an earlier run, on a disk with room.",
        ) from error
