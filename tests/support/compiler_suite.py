"""The conformance suite of compilers: each runs on its real engine, and the answers are those of numpy.

A subclass overrides one fixture, and says what its engine raises:

    class TestMyCompiler(CompilerSuite):
        raises = MyEngineError

        @pytest.fixture(scope="class")
        @classmethod
        def load(cls):
            def load(corpus):
                ...                          # the documents into a new table
                return MyCompiler(...), run  # run(compiled) -> [(id, score), ...]
            return load
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pytest
from compiler_corpus import (
    SEMANTICS,
    Corpus,
    Question,
    ask,
    assert_true_answer,
    corpus,
    questions,
    text_vectors,
)

from logical_retriever.compile import CompiledQuery, SqlCompiler
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import parse
from logical_retriever.semantics import LukasiewiczSemantics, ProductSemantics
from logical_retriever.stores import SqlFilter

Run = Callable[[CompiledQuery], Sequence[tuple[str, float]]]
Engine = tuple[SqlCompiler, Run, Corpus]
Load = Callable[[Corpus], tuple[SqlCompiler, Run]]


class CompilerSuite:
    """Everything that is asked of a compiler; see the module.

    Attributes:
        trees: Generated queries per semantics.
        raises: Errors of the engine's client where the engine refuses a statement.
    """

    trees: ClassVar[int] = 24
    raises: ClassVar[type[BaseException] | tuple[type[BaseException], ...]] = Exception

    @pytest.fixture(scope="class")
    @classmethod
    def load(cls) -> Load:
        """Override: a function of a corpus that stores it and returns its compiler and what runs requests."""
        raise NotImplementedError("Override the fixture load.")

    @pytest.fixture(scope="class")
    @classmethod
    def engine(cls, load: Load) -> Engine:
        documents = corpus()
        return (*load(documents), documents)

    @pytest.fixture(scope="class")
    @classmethod
    def unit_engine(cls, load: Load) -> Engine:
        documents = corpus(unit_length=True)
        return (*load(documents), documents)

    @pytest.mark.parametrize("name", SEMANTICS)
    def test_generated_queries(self, engine: Engine, name: str) -> None:
        for asked in questions(name, self.trees, engine[2]):
            self.assert_true(engine, asked, k=12)

    @pytest.mark.parametrize("name", ["calibrated", "product", "itlr-product-sum-complement"])
    def test_generated_queries_over_vectors_of_length_one(self, unit_engine: Engine, name: str) -> None:
        for asked in questions(name, self.trees, unit_engine[2]):
            self.assert_true(unit_engine, asked, k=12)

    def test_more_than_there_are(self, engine: Engine) -> None:
        self.assert_true(engine, self.asked(engine), k=1000)
        self.assert_true(engine, self.asked(engine), k=1)

    def test_equal_scores_are_ordered_by_id(self, engine: Engine) -> None:
        # Łukasiewicz conjunctions are 0 for most documents.
        asked = ask(parse("a AND b AND c AND d"), LukasiewiczSemantics(), engine[2])
        found = self.answer(engine, asked, 60)
        zeros = [id for id, score in found if score == 0]
        assert len(zeros) > 40
        assert zeros == sorted(zeros)
        self.assert_true(engine, asked, k=45)

    def test_a_text_without_direction_has_cosine_zero(self, engine: Engine) -> None:
        vectors: dict[str, npt.ArrayLike] = {**text_vectors(), "a": np.zeros(8), "b": np.full(8, np.nan)}
        for text in ("a", "a OR (c AND NOT b)", "NOT a AND c"):
            asked = ask(parse(text), ProductSemantics(), engine[2], vectors=vectors)
            cosines_of_nothing = {**vectors, "b": np.zeros(8)}
            true = ask(parse(text), ProductSemantics(), engine[2], vectors=cosines_of_nothing)
            found = self.answer(engine, asked, 20)
            assert_true_answer(found, true, engine[2], 20)

    def test_a_filter_holds_with_its_parameters_bound(self, engine: Engine) -> None:
        compiler, run, documents = engine
        rows, asked = list(range(30, 60, 4)), self.asked(engine)
        some = replace(documents, ids=tuple(documents.ids[row] for row in rows), vectors=documents.vectors[rows])
        names = ", ".join(f"'{id}'" for id in some.ids)
        condition = f"{compiler.identifier(compiler.table.id)} IN ({names}) AND 1 = "
        for value, found in ((1, some), (2, None)):
            filter = SqlFilter(f"{condition}{compiler.marker('own')}", {"own": value})
            compiled = compiler.compile(**asked.arguments, k=5, filter=filter)
            if found is None:
                assert not run(compiled)
            else:
                assert_true_answer(run(compiled), asked, found, 5)
        for wrong in ("1 = 1", {"year": 1}, SqlFilter("1 = 1", {"k": 1}), SqlFilter("1 = 1", {"v0": 1})):
            with pytest.raises(InvalidArgumentError, match="filter"):
                compiler.compile(**asked.arguments, k=5, filter=wrong)

    def test_vectors_of_another_dimension_are_an_error_and_nothing_breaks(self, engine: Engine) -> None:
        compiler, run, documents = engine
        compiled = compiler.compile(parse("a AND b"), ProductSemantics(), np.eye(2, 5), k=3)
        with pytest.raises(self.raises):
            run(compiled)
        self.assert_true(engine, self.asked(engine), k=5)
        assert len(self.answer(engine, self.asked(engine), 1000)) == len(documents.ids)

    def asked(self, engine: Engine) -> Question:
        """A query with all operators."""
        return ask(parse("(a OR b) AND c AND NOT d"), SEMANTICS["calibrated"], engine[2])

    def answer(self, engine: Engine, asked: Question, k: int) -> list[tuple[str, float]]:
        """The engine's answer."""
        compiler, run, _ = engine
        # A constant may be a decimal number.
        return [(id, float(score)) for id, score in run(compiler.compile(**asked.arguments, k=k))]

    def assert_true(self, engine: Engine, asked: Question, k: int) -> None:
        """Compare an answer with the true one."""
        assert_true_answer(self.answer(engine, asked, k), asked, engine[2], k)
