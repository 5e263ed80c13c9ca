"""Other packages add stores, semantics and transformers by entry points; what one of them breaks, the rest survives."""

import pytest
from packages import run_with, write_package

SHELF = '''
"""A vector store of its own, and all that a package adds for it."""

from langchain_core.vectorstores import VectorStore

from logical_retriever import InMemoryStore, StoredDocument, Term, Transformation
from logical_retriever.semantics.truth_functional import TruthFunctional
from logical_retriever.testing import HashingEmbedder


class Shelf(VectorStore):
    """Holds texts; LangChain's methods are left to it."""

    embeddings = HashingEmbedder()

    def __init__(self, texts):
        self.texts = texts

    @classmethod
    def from_texts(cls, texts, embedding, metadatas=None, **kwargs):
        return cls(texts)

    def similarity_search(self, query, k=4, **kwargs):
        raise NotImplementedError


def adapt(shelf):
    documents = [StoredDocument(number, text) for number, text in enumerate(shelf.texts)]
    return InMemoryStore(documents, HashingEmbedder().embed_documents(shelf.texts))


class Einstein(TruthFunctional):
    name = "einstein"
    monotone = True

    def conjunction(self, x, y):
        return x * y / (2.0 - (x + y - x * y))

    def disjunction(self, x, y):
        return (x + y) / (1.0 + x * y)


class Whole:
    """Leaves out what stands after a dash."""

    def transform(self, question):
        wanted, _, unwanted = question.partition(" - ")
        query = Term(wanted) & ~Term(unwanted) if unwanted else Term(wanted)
        return Transformation(question, query, method="dash")

    async def atransform(self, question):
        return self.transform(question)

    def batch(self, questions):
        return [self.transform(question) for question in questions]

    async def abatch(self, questions):
        return self.batch(questions)
'''
ENTRY_POINTS = {
    "logical_retriever.stores": {"shelf_for_logical.Shelf": "shelf_for_logical:adapt"},
    "logical_retriever.semantics": {"einstein": "shelf_for_logical:Einstein"},
    "logical_retriever.transformers": {"dash": "shelf_for_logical:Whole"},
}
TORN = {
    "logical_retriever.stores": {"shelf_for_logical.Torn": "torn:adapt"},
    "logical_retriever.semantics": {"torn": "torn:Semantics"},
    "logical_retriever.transformers": {"torn": "torn:Transformer"},
}
USE = """
from langchain_logical_retriever import LogicalRetriever
from logical_retriever import LogicalRetriever as Core
from logical_retriever.errors import PluginError
from shelf_for_logical import HashingEmbedder, Shelf, adapt

class Torn(Shelf):
    __module__ = "shelf_for_logical"

shelf = Shelf(["green tea and health", "green tea and brewing", "black coffee and health"])
options = {"semantics": "einstein", "transformer": "dash", "k": 2, "evidence": "dense"}
"""


@pytest.fixture
def site(tmp_path):
    """A folder of two packages, one of which cannot be imported."""
    write_package(tmp_path, "shelf-for-logical", SHELF, ENTRY_POINTS)
    write_package(tmp_path, "torn", "import a_package_that_is_not_there", TORN)
    return tmp_path


def test_a_separate_package_adds_a_store_a_semantics_and_a_transformer(site):
    shown = run_with(
        site,
        USE
        + """
retriever = LogicalRetriever.from_vectorstore(shelf, **options)
for document in retriever.invoke("green tea - brewing"):
    print(document.page_content, "|", document.metadata["logical_query"])
core = Core(adapt(shelf), HashingEmbedder(), **options)
print(core.explain("green tea - brewing").transformation.method, core.semantics.name)
print([document.id for document in core.retrieve("green tea - brewing", drop_excluded=False)])
""",
    )
    first, _, made, ids = shown.splitlines()
    assert first == 'green tea and health | "green tea" AND NOT "brewing"'
    assert made == "dash einstein"
    assert ids == "[0, 1]"


def test_a_package_that_cannot_be_imported_is_named_and_the_rest_works(site):
    shown = run_with(
        site,
        USE
        + """
for use in (
    lambda: LogicalRetriever.from_vectorstore(Torn([])),
    lambda: LogicalRetriever.from_vectorstore(shelf, semantics="torn"),
    lambda: LogicalRetriever.from_vectorstore(shelf, transformer="torn"),
):
    try:
        use()
    except PluginError as error:
        print(error.message)
    print(len(LogicalRetriever.from_vectorstore(shelf, **options).invoke("green tea - brewing")))
""",
    )
    said = shown.splitlines()
    assert said[1::2] == ["2", "2", "2"]
    names = ("shelf_for_logical.Torn", "torn", "torn")
    for line, (group, entries), name in zip(said[::2], TORN.items(), names, strict=True):
        assert line.startswith(f"{name!r} of {group}, which torn adds as {entries[name]}, cannot be imported")
        assert "No module named 'a_package_that_is_not_there'" in line
