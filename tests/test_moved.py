"""Old names work for one release, are the very things that the new ones are, and say where these are."""

import importlib
import subprocess
import sys

import pytest

import logical_retriever.moved as moved
from logical_retriever.compile.elasticsearch import ElasticsearchCompiler
from logical_retriever.compile.qdrant import QdrantCompiler
from logical_retriever.query import Term
from logical_retriever.results import Plan
from logical_retriever.semantics import ProductSemantics


@pytest.mark.parametrize("old", moved.MODULES)
def test_module_that_moved_is_the_one_it_is_now(old):
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=f"{old} is now {moved.MODULES[old]}"):
        found = importlib.import_module(old)
    assert found is importlib.import_module(moved.MODULES[old])


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("logical_retriever.semantics", "Nulls", "logical_retriever.semantics:NullDistributions"),
        ("logical_retriever.semantics", "LexicalProbe", "logical_retriever.semantics:BagOfWords"),
        ("logical_retriever.vectors", "scales", "logical_retriever.vectors:prepare"),
        ("logical_retriever.evaluation.methods", "NAMES", "logical_retriever.lab.methods:METHODS"),
        ("logical_retriever.evaluation.methods", "FITTED", "logical_retriever.lab.methods:FITTED"),
        ("logical_retriever.evaluation.methods", "WRITTEN", "logical_retriever.lab.methods.rewriting:REWRITTEN"),
        ("logical_retriever.evaluation", "Prepared", "logical_retriever.evaluation:QuestionWithQuery"),
        ("logical_retriever.evaluation.methods.base", "Prepared", "logical_retriever.evaluation:QuestionWithQuery"),
        (
            "logical_retriever.evaluation.methods.package",
            "Shipped",
            "logical_retriever.evaluation.methods.package:PackageRetriever",
        ),
        (
            "logical_retriever.lab.methods.semantic",
            "Composed",
            "logical_retriever.lab.methods.semantic:BySemantics",
        ),
        (
            "logical_retriever.evaluation.measures",
            "measure_names",
            "logical_retriever.evaluation.measures:default_measures",
        ),
        ("logical_retriever.retriever", "route", "logical_retriever.retriever:effective_query"),
    ],
)
def test_renamed_thing_is_found_by_its_old_name(module, old, new):
    with pytest.warns(DeprecationWarning, match=old):
        found = getattr(importlib.import_module(module), old)
    home, _, name = new.partition(":")
    assert found is getattr(importlib.import_module(home), name)


def test_name_that_never_was_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Nul'"):
        _ = importlib.import_module("logical_retriever.semantics").Nul


def test_methods_of_papers_are_found_by_name_as_before():
    code = (
        "import warnings\n"
        "from logical_retriever.evaluation import get_method\n"
        "with warnings.catch_warnings(record=True) as told:\n"
        "    warnings.simplefilter('always')\n"
        "    print(get_method('geometric').name, *[w.message for w in told])\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.startswith("geometric The evaluation method 'geometric' is now known after 'import")


def test_probes_of_a_semantics_and_of_a_plan_are_wanted_texts():
    query = Term("a") & ~Term("b")
    with pytest.warns(DeprecationWarning, match="now wanted_texts"):
        assert ProductSemantics().probes(query) == ("a",)
    with pytest.warns(DeprecationWarning, match="now wanted_texts"):
        assert Plan("scan", "", ("a",), None, wanted_texts=("a",)).probes == ("a",)


def test_a_semantics_that_overrides_probes_is_asked_for_them():
    with pytest.warns(DeprecationWarning, match="Own.probes is now wanted_texts"):

        class Own(ProductSemantics):
            def probes(self, query, question=None):
                return ("b",)

    assert Own().wanted_texts(Term("a") & Term("b")) == ("b",)


@pytest.mark.parametrize("make", [QdrantCompiler, lambda **given: ElasticsearchCompiler("vector", **given)])
def test_a_compiler_that_was_given_a_filter_when_made_still_has_it(make):
    narrow = {"term": {"kind": "x"}}
    query, vectors = Term("a") & ~Term("b"), [[1.0, 0.0], [0.0, 1.0]]
    given = {"query": query, "semantics": ProductSemantics(), "vectors": vectors, "k": 3}
    with pytest.warns(DeprecationWarning, match="native_filter is now filter of compile"):
        before = make(native_filter=narrow).compile(**given, fetch_k=5)
    assert before.statement == make().compile(**given, fetch_k=5, filter=narrow).statement
    assert before.statement != make().compile(**given, fetch_k=5).statement
