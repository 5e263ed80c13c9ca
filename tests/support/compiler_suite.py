"""The suite of dialects' scores: each runs on its real engine, and the answers are those of numpy.

A subclass overrides one fixture:

    class TestMine(CompilerSuite):
        @pytest.fixture(scope="class")
        @classmethod
        def load(cls):
            def load(corpus):
                ...                                 # the documents into a new table
                return SqlStore.from_table(...)
            return load
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pytest
from compiler_corpus import (
    Corpus,
    Question,
    ask,
    assert_true_answer,
    corpus,
    questions,
    text_vectors,
)

from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.query import parse
from logical_retriever.stores import Program, SqlFilter, SqlStore

Engine = tuple[SqlStore, Corpus]
Load = Callable[[Corpus], SqlStore]


class CompilerSuite:
    """Everything that is asked of a dialect's scores; see the module.

    Attributes:
        trees: Generated queries.
    """

    trees: ClassVar[int] = 60

    @pytest.fixture(scope="class")
    @classmethod
    def load(cls) -> Load:
        """Override: a function of a corpus that puts it into a table."""
        raise NotImplementedError("Override the fixture load.")

    @pytest.fixture(scope="class")
    @classmethod
    def engine(cls, load: Load) -> Engine:
        documents = corpus()
        return load(documents), documents

    def test_generated_queries(self, engine: Engine) -> None:
        for asked in questions(self.trees, engine[1]):
            self.assert_true(engine, asked, k=12)

    def test_more_than_there_are(self, engine: Engine) -> None:
        self.assert_true(engine, self.asked(engine), k=1000)
        self.assert_true(engine, self.asked(engine), k=1)

    def test_a_text_without_direction_has_cosine_zero(self, engine: Engine) -> None:
        vectors: dict[str, npt.ArrayLike] = {**text_vectors(), "a": np.zeros(8), "b": np.full(8, np.nan)}
        for text in ("a", "a OR (c AND NOT b)", "NOT a AND c"):
            asked = ask(parse(text), engine[1], vectors=vectors)
            cosines_of_nothing = {**vectors, "b": np.zeros(8)}
            true = ask(parse(text), engine[1], vectors=cosines_of_nothing)
            found = self.answer(engine, asked, 20)
            assert_true_answer(found, true, engine[1], 20)

    def test_a_filter_holds_with_its_parameters_bound(self, engine: Engine) -> None:
        store, documents = engine
        rows, asked = list(range(30, 60, 4)), self.asked(engine)
        some = replace(documents, ids=tuple(documents.ids[row] for row in rows), vectors=documents.vectors[rows])
        names = ", ".join(f"'{id}'" for id in some.ids)
        mark = store.dialect.parameter.format(name="own", type=store.dialect.types["whole"])
        for value, found in ((1, some), (2, None)):
            filter = SqlFilter(f"{store.columns.id.quoted} IN ({names}) AND 1 = {mark}", {"own": value})
            if found is None:
                assert not self.answer(engine, asked, 5, filter)
            else:
                assert_true_answer(self.answer(engine, asked, 5, filter), asked, found, 5)
        for wrong in ("1 = 1", {"no column": 1}, SqlFilter("1 = 1", {"lr_v0": 1})):
            with pytest.raises(InvalidArgumentError, match="filter"):
                self.answer(engine, asked, 5, wrong)

    def test_vectors_of_another_dimension_are_an_error_and_nothing_breaks(self, engine: Engine) -> None:
        store, documents = engine
        with pytest.raises(StoreError):
            store.rank(Program(self.asked(engine).formula, np.eye(4, 5, dtype=np.float32)), 3)
        self.assert_true(engine, self.asked(engine), k=5)
        assert len(self.answer(engine, self.asked(engine), 1000)) == len(documents.ids)

    def asked(self, engine: Engine) -> Question:
        """A query with all operators."""
        return ask(parse("(a OR b) AND c AND NOT d"), engine[1])

    def answer(self, engine: Engine, asked: Question, k: int, filter: Any = None) -> list[tuple[str, float]]:
        """The engine's answer."""
        answer = engine[0].rank(Program(asked.formula, asked.vectors), k, filter)
        return list(zip(map(str, answer.ids), answer.scores, strict=True))

    def assert_true(self, engine: Engine, asked: Question, k: int) -> None:
        """Compare an answer with the true one."""
        assert_true_answer(self.answer(engine, asked, k), asked, engine[1], k)
