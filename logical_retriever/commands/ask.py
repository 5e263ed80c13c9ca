"""``logical-retriever ask``: ask a question of the user's own passages."""

from __future__ import annotations

from typing import Annotated

import typer

from logical_retriever.commands.output import print_json, results, working
from logical_retriever.commands.passages import (
    AlwaysExclude,
    Collection,
    Corpus,
    ExclusionSetting,
    Folder,
    Llm,
    MinRelevance,
    Model,
    PassageSize,
    Verify,
    Words,
    WordsIndex,
    open_retriever,
    reader_of,
)
from logical_retriever.corpus import PASSAGE_SIZE
from logical_retriever.encoders import DEFAULT_MODEL
from logical_retriever.reading import check_question
from logical_retriever.scoring import DEFAULT_SEMANTICS

app = typer.Typer()


@app.command("ask")
def ask(
    question: Annotated[str, typer.Argument(help="The question, in natural language.", show_default=False)],
    corpus: Corpus = None,
    passage_size: PassageSize = PASSAGE_SIZE,
    path: Folder = None,
    collection: Collection = None,
    words_index: WordsIndex = None,
    model: Model = DEFAULT_MODEL,
    llm: Llm = None,
    k: Annotated[int, typer.Option("--k", min=1, help="Passages to return.")] = 5,
    semantics: Annotated[str, typer.Option(help="How scores are composed.")] = DEFAULT_SEMANTICS,
    words: Words = None,
    exclusion: ExclusionSetting = "drop",
    min_relevance: MinRelevance = None,
    verify: Verify = None,
    always_exclude: AlwaysExclude = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the data, nothing else, on standard output.")] = False,
) -> None:
    """Ask a question of your own passages, and see why each was found."""
    with working():
        check_question(question)  # before anything is encoded
        explanation = open_retriever(
            corpus,
            path,
            collection,
            model,
            transformer=reader_of(llm),
            passage_size=passage_size,
            words_index=words_index,
            k=k,
            semantics=semantics,
            words=words,
            exclusion=exclusion,
            min_relevance=min_relevance,
            verify=verify,
            always_exclude=always_exclude,
        ).explain(question)
    if as_json:
        print_json(explanation.to_dict())
    else:
        # A terminal would act on control characters of a passage.
        results().print("".join(c if c.isprintable() or c == "\n" else " " for c in str(explanation)))
