"""The suite of dialects' scores: each runs on its real engine, and the answers are those of numpy."""

from dataclasses import replace

import numpy as np
import pytest
from compiler_corpus import ask, assert_true_answer, corpus, engine_scores, questions, text_vectors

from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.query import parse
from logical_retriever.stores import ScoreExpression, SqlFilter


class CompilerSuite:
    """Everything that is asked of a dialect's scores over so many generated ``trees``."""

    trees = 60

    @pytest.fixture(scope="class")
    @classmethod
    def load(cls):
        """Override: a function that puts a corpus into a new table, and gives the store over it."""
        raise NotImplementedError("Override the fixture load.")

    @pytest.fixture(scope="class")
    @classmethod
    def engine(cls, load):
        documents = corpus()
        return load(documents), documents

    def test_generated_queries(self, engine):
        for question in questions(self.trees, engine[1]):
            self.assert_true(engine, question, k=12)

    def test_more_than_there_are_and_one(self, engine):
        self.assert_true(engine, self.question(engine), k=1000)
        self.assert_true(engine, self.question(engine), k=1)

    def test_a_text_without_direction_has_cosine_zero(self, engine):
        vectors = {**text_vectors(), "a": np.zeros(8), "b": np.full(8, np.nan)}
        for text in ("a", "a OR (c AND NOT b)", "NOT a AND c"):
            answer = self.answer(engine, ask(parse(text), engine[1], vectors=vectors), 20)
            true = ask(parse(text), engine[1], vectors={**vectors, "b": np.zeros(8)})
            assert_true_answer(answer, true, engine[1], 20)

    def test_a_filter_holds_with_its_parameters_bound(self, engine):
        store, documents = engine
        rows, question = list(range(30, 60, 4)), self.question(engine)
        some = replace(documents, ids=tuple(documents.ids[row] for row in rows), vectors=documents.vectors[rows])
        names = ", ".join(f"'{id}'" for id in some.ids)
        mark = store.dialect.parameter.format(name="own", type=store.dialect.types["whole"])
        text = f"{store.columns.id.quoted} IN ({names}) AND 1 = {mark}"
        assert_true_answer(self.answer(engine, question, 5, SqlFilter(text, {"own": 1})), question, some, 5)
        assert not self.answer(engine, question, 5, SqlFilter(text, {"own": 2}))
        for wrong in ("1 = 1", {"no column": 1}, SqlFilter("1 = 1", {"lr_v0": 1})):
            with pytest.raises(InvalidArgumentError, match="filter"):
                self.answer(engine, question, 5, wrong)

    def test_vectors_of_another_dimension_are_an_error_and_nothing_breaks(self, engine):
        store, documents = engine
        with pytest.raises(StoreError):
            store.search_by_score(ScoreExpression(self.question(engine).formula, np.eye(4, 5, dtype=np.float32)), 3)
        self.assert_true(engine, self.question(engine), k=5)
        assert len(self.answer(engine, self.question(engine), 1000)) == len(documents.ids)

    def question(self, engine):
        """A query with all operators."""
        return ask(parse("(a OR b) AND c AND NOT d"), engine[1])

    def answer(self, engine, question, k, filter=None):
        return engine_scores(engine[0], question, k, filter)

    def assert_true(self, engine, question, k):
        assert_true_answer(self.answer(engine, question, k), question, engine[1], k)
