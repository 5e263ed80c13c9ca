"""A store that pretends to be far away, for tests of what a search asks of one."""

from dataclasses import replace

from logical_retriever.stores import InMemoryStore


class RemoteStore(InMemoryStore):
    """The reference store as if behind a network: exact lists, never scanned, every request recorded.

    Attributes:
        searched: Number of vectors and length of the lists of each search, oldest first.
        fetched: Ids of each fetch, oldest first.
    """

    capabilities = replace(InMemoryStore.capabilities, name="Remote", in_process=False, scan=False)

    def __init__(self, documents=(), vectors=()):
        super().__init__(documents, vectors)
        self.searched, self.fetched = [], []

    def search(self, vectors, n, filter=None):
        self.searched.append((len(vectors), n))
        return super().search(vectors, n, filter)

    def fetch(self, ids, filter=None):
        self.fetched.append(list(ids))
        return super().fetch(ids, filter)
