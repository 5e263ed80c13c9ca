"""The command ``encode``, and the vectors that ``eval`` keeps by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from logical_retriever.commands.output import working
from logical_retriever.embedding import Embedder
from logical_retriever.encoders import DEFAULT_MODEL, SentenceTransformerEmbedder
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation.dataset import Dataset, Document
from logical_retriever.evaluation.kept import keep, kept_file, read_kept, write_vectors
from logical_retriever.evaluation.loading import load_documents
from logical_retriever.evaluation.workbench import encode_documents
from logical_retriever.lab.nsir import progress_bar
from logical_retriever.vectors import Vectors

app = typer.Typer()

Progress = Callable[[str, int, int], None]


@app.command("encode")
def encode_command(
    folder: Annotated[Path, typer.Argument(help="Folder with corpus.jsonl.", show_default=False)],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File (.npy).", show_default="in FOLDER, where eval finds it"),
    ] = None,
    model: Annotated[str, typer.Option(help="Sentence-transformers model.")] = DEFAULT_MODEL,
) -> None:
    """Encode the documents of a benchmark folder, for eval --vectors, and print the path of the file."""
    with working(), progress_bar() as progress:
        documents = load_documents(folder / "corpus.jsonl")
        vectors = _vectors(documents, SentenceTransformerEmbedder(model), progress)
        if output is None:
            output = kept_file(folder, documents, model)
            keep(output, vectors)
        else:
            write_vectors(output, vectors)
    typer.echo(output)


def encoded(dataset: Dataset, folder: Path | None, embedder: Embedder, model: str, progress: Progress) -> Dataset:
    """The benchmark with vectors, which are kept in its folder; the packaged sample brings its own."""
    if dataset.vectors is not None or folder is None:
        return dataset
    path = kept_file(folder, dataset.documents, model)
    vectors = read_kept(path, dataset.documents, embedder)
    if vectors is None:
        vectors = _vectors(dataset.documents, embedder, progress)
        try:
            keep(path, vectors)
            typer.echo(f"Vectors of the documents, kept for the next run: {path}", err=True)
        except InvalidArgumentError as error:
            typer.echo(f"The documents' vectors are not kept: {error.message}", err=True)
    return replace(dataset, vectors=vectors)


def _vectors(documents: Sequence[Document], embedder: Embedder, progress: Progress) -> Vectors:
    texts = [document.text for document in documents]
    return encode_documents(texts, embedder, lambda done, total: progress("encoding documents", done, total))
