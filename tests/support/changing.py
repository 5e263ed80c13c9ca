"""What the suites of stores do to documents, for ``StoreSuite``."""


class ChangingInMemory:
    """The reference store's."""

    def equals(self, key, value):
        return lambda document: document.metadata[key] == value

    def delete(self, store, ids):
        store.delete(ids)

    def change(self, store, document, vector):
        store.delete([document.id])
        store.add([document], [vector])


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
