"""The user's documents, as the synthesis takes them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from logical_retriever.corpus import Passage, read_corpus
from logical_retriever.errors import InvalidArgumentError


def as_documents(corpus: str | Path | Iterable[Passage]) -> tuple[Passage, ...]:
    """Read a path, or take documents given in memory, and check them.

    Args:
        corpus: A ``corpus.jsonl``, a folder that holds one, or documents.

    Raises:
        CorpusError: The file cannot be read; it names file and line.
        InvalidArgumentError: No document, one without text, an identifier twice, or one with a tab or a line break,
            which the tables of a BEIR folder cannot hold.
    """
    if isinstance(corpus, str | Path):
        path = Path(corpus)
        documents = tuple(read_corpus(path / "corpus.jsonl" if path.is_dir() else path))
    else:
        documents = tuple(corpus)
    if not documents:
        raise InvalidArgumentError("There is no document.", hint="Give one or more.")
    seen: set[str] = set()
    for document in documents:
        # Readers of the tables strip the cells, so that an id with spaces around it would not be found again.
        usable = document.id == document.id.strip() != "" and not any(c in document.id for c in "\t\r\n")
        if not usable or document.id in seen or not document.text.strip():
            what = "occurs twice" if document.id in seen else "has an unusable id" if not usable else "has no text"
            raise InvalidArgumentError(
                f"The document {document.id!r} {what}.",
                hint="Give documents with text, each with its own id, without spaces around it, tabs or line breaks.",
            )
        seen.add(document.id)
    return documents
