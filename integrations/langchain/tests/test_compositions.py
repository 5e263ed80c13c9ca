"""What LangChain builds around retrievers keeps the promise, with the real encoder."""

import pytest
from langchain_classic.retrievers import (
    ContextualCompressionRetriever,
    EnsembleRetriever,
    MergerRetriever,
    MultiQueryRetriever,
    ParentDocumentRetriever,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.stores import InMemoryStore
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_text_splitters import CharacterTextSplitter

from langchain_logical_retriever import LogicalCompressor, LogicalRetriever

pytestmark = pytest.mark.slow

PASSAGES = {
    "bone-1": "Vitamin D helps the body absorb calcium and keeps bones strong and dense.",
    "bone-2": "Too little vitamin D softens the bones, which causes rickets in children.",
    "bone-3": "Older people take vitamin D to lower their risk of bone fractures and osteoporosis.",
    "immune": "Vitamin D supports the immune system and may lower the risk of respiratory infections.",
    "mood": "Low vitamin D levels have been linked with depression and low mood in winter.",
    "muscle": "Adequate vitamin D improves muscle strength in older adults.",
    "sun": "Skin makes vitamin D when it is exposed to ultraviolet light from the sun.",
    "tea": "Green tea should be brewed with water that is not quite boiling.",
}
QUESTION = "What are the benefits of vitamin D other than bone health?"
VARIANTS = [QUESTION, "vitamin D for the bones", "What does vitamin D do for you?"]


def ids(documents):
    return [document.id for document in documents]


def bones(documents):
    return [document.id for document in documents if "bone" in document.page_content]


@pytest.fixture(params=["in_memory", "chroma"])
def store(request, minilm, make_chroma):
    documents = [Document(text, id=id, metadata={"source": f"{id}.md"}) for id, text in PASSAGES.items()]
    if request.param == "chroma":
        return make_chroma(documents, embeddings=minilm)
    return InMemoryVectorStore.from_documents(documents, minilm)


class PlainArm(BaseRetriever):
    """Brings all passages, those about bones first."""

    store: object

    def _get_relevant_documents(self, query, *, run_manager):
        documents = self.store.similarity_search(VARIANTS[1], k=8)
        assert bones(documents)[:3] == ids(documents)[:3]
        return documents


ASKING = RunnableLambda(lambda _: VARIANTS)


def last_stages(store):
    logical, plain = LogicalRetriever(store, k=4), PlainArm(store=store)
    return {
        "alone": plain,
        "ensemble": EnsembleRetriever(retrievers=[logical, plain], weights=[0.5, 0.5]),
        "merger": MergerRetriever(retrievers=[logical, plain]),
        "multi query": MultiQueryRetriever(retriever=plain, llm_chain=ASKING),
        "multi query over logical": MultiQueryRetriever(retriever=logical, llm_chain=ASKING),
    }


@pytest.mark.parametrize("before", ["alone", "ensemble", "merger", "multi query", "multi query over logical"])
async def test_the_last_stage_leaves_out_what_the_others_bring_back(store, before, ask):
    base = last_stages(store)[before]
    last = ContextualCompressionRetriever(base_retriever=base, base_compressor=LogicalCompressor(store))
    plain, documents = await ask(base, QUESTION), await ask(last, QUESTION)
    allowed = set(ids(LogicalRetriever(store, k=8).invoke(QUESTION)))
    assert {"bone-1", "bone-3"} <= set(ids(plain)) - allowed
    assert documents == [document for document in plain if document.id in allowed]  # as they came, in order


def test_variants_are_answered_with_the_question_that_counts_in_mind(store):
    retriever = LogicalRetriever(store, k=8)
    in_mind, others = (
        set(ids(MultiQueryRetriever(retriever=one, llm_chain=ASKING).invoke(QUESTION)))
        for one in (retriever.for_question(QUESTION), retriever)
    )
    assert not {"bone-1", "bone-3"} & in_mind
    assert {"bone-1", "bone-3"} <= others


def test_each_passage_comes_once_whatever_problem_a_variant_had(store):
    variants = ["muscle strength and vitamin D", "no nonsense vitamin D and muscles"]
    retriever = LogicalRetriever(store, k=8)
    clear, unsure = (retriever.invoke(variant)[0] for variant in variants)
    assert ("logical_problem" in clear.metadata, "logical_problem" in unsure.metadata) == (False, True)
    found = MultiQueryRetriever(retriever=retriever, llm_chain=RunnableLambda(lambda _: variants)).invoke(QUESTION)
    assert len(ids(found)) == len(set(ids(found)))


def test_parents_of_what_is_excluded_are_gone(minilm):
    parts, docstore = InMemoryVectorStore(minilm), InMemoryStore()
    splitter = CharacterTextSplitter(".", chunk_size=40, chunk_overlap=0)
    filled = ParentDocumentRetriever(vectorstore=parts, docstore=docstore, child_splitter=splitter)
    texts = ["Vitamin D lifts the mood. It is made in the sun.", "Vitamin D is good for bone health. So is calcium."]
    filled.add_documents([Document(text) for text in texts])
    last = ContextualCompressionRetriever(base_retriever=filled, base_compressor=LogicalCompressor(parts))
    assert [document.page_content for document in last.invoke(QUESTION)] == [texts[0]]


def test_answers_can_be_put_into_another_store(store, make_chroma, minilm):
    documents = LogicalRetriever(store, k=3, metadata=True).invoke(QUESTION)
    answers = make_chroma(documents, name="answers", embeddings=minilm)
    [first, *_] = LogicalRetriever(answers, metadata=True).invoke("sunlight")
    assert (first.id, first.metadata["logical_query"]) == ("sun", '"sunlight"')
