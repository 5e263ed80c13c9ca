"""What the suites of stores do to documents, for ``StoreSuite``, and what the tables of several have in common."""

from types import MappingProxyType

import pytest

from logical_retriever.testing.samples import KEYS, holding


class ChangingInMemory:
    """The reference store's."""

    def equals(self, key, value):
        return lambda document: document.metadata[key] == value

    def delete(self, store, ids):
        store.delete(ids)

    def change(self, store, document, vector):
        store.delete([document.id])
        store.add([document], [vector])


class Described:
    """A store over a table that ``make_table`` makes of documents, vectors and the types of columns for metadata."""

    types = ranked = MappingProxyType({})

    @pytest.fixture
    def make_store(self, make_table):
        return lambda documents, vectors: make_table(documents, vectors, self.ranked)

    @pytest.fixture
    def make_described(self, make_table):
        return lambda documents, vectors: make_table(documents, vectors, {**self.types, **self.ranked})

    def equals(self, key, value):
        return {key: value}


class InChroma:
    """What Chroma can hold: no empty id, and lists that are not empty and of one type."""

    ids = MappingProxyType({"text": KEYS["text"][1:]})
    fields = holding(lambda name, v: isinstance(v, (str, int, float)) or (name != "mixed" and v and type(v) is list))


class ChangingVectorStore:
    """LangChain's; a filter is a mapping where a subclass has no other.

    A changed document is deleted and added again, its vector given by the store's embeddings.
    """

    def equals(self, key, value):
        return {key: value}

    def delete(self, store, ids):
        store.vectorstore.delete(ids=list(ids))

    def change(self, store, document, vector):
        from langchain_core.documents import Document

        store.vectorstore.embeddings.vectors[document.text] = vector.tolist()
        self.delete(store, [document.id])
        again = Document(page_content=document.text, metadata=dict(document.metadata))
        store.vectorstore.add_documents([again], ids=[document.id])


class ChangingIndex:
    """LlamaIndex': the node is deleted and inserted again with its vector."""

    def change(self, store, document, vector):
        from llama_index.core.schema import TextNode

        store.index.delete_nodes([document.id], delete_from_docstore=True)
        again = TextNode(id_=document.id, text=document.text, metadata=dict(document.metadata))
        again.embedding = vector.tolist()
        store.index.insert_nodes([again])
