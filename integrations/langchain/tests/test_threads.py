"""One retriever serves many threads, while the store is being written to."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from langchain_core.documents import Document

from langchain_logical_retriever import LogicalRetriever

# These tests are about the integration: one semantics, whatever the default is.
over = partial(LogicalRetriever.from_vectorstore, semantics="product")

QUESTION = "vitamin D benefits other than bone health"
THREADS = 8


def test_reading_while_another_thread_writes(vectorstore):
    retriever = over(vectorstore, k=3)
    expected = {document.id for document in retriever.invoke(QUESTION)}

    def write(number):
        added = [Document(id=f"new{number}-{i}", page_content=f"rust on ships {i}") for i in range(5)]
        vectorstore.add_documents(added, ids=[document.id for document in added])
        vectorstore.delete([document.id for document in added[1:]])

    def read(_):
        return {document.id for document in retriever.invoke(QUESTION)}

    with ThreadPoolExecutor(THREADS) as pool:
        writes = [pool.submit(write, number) for number in range(10)]
        reads = list(pool.map(read, range(40)))
        for done in writes:
            done.result()
    assert all({"mood", "immune"} <= found for found in reads)
    assert {document.id for document in retriever.invoke(QUESTION)} == expected
