"""An index of words of documents in this process, while others change them."""

from hypothesis import given, settings, strategies as st

from logical_retriever.stores import StoredDocument
from logical_retriever.stores.in_process import InProcessStore


class Texts(InProcessStore):
    """A dict of documents that its owner changes; it tells which texts are read."""

    def __init__(self):
        super().__init__()
        self.documents, self.read = {}, []

    def put(self, key, text):
        self.documents[key] = StoredDocument(key, text)

    def entry(self, id):
        self.read.append(id)
        return self.documents[id], None

    def index(self):
        return self.word_index(list(self.documents), list(self.documents.values()), "en")


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(0, 6), st.sampled_from(["tea", "tea milk", "milk", ""])),
        st.tuples(st.just("delete"), st.integers(0, 6), st.just("")),
    ),
    max_size=12,
)


@settings(max_examples=100, deadline=None)
@given(STEPS)
def test_the_index_is_that_of_the_documents_as_they_are_now(steps):
    store = Texts()
    for what, key, text in steps:
        if what == "put":
            store.put(key, text)
        else:
            store.documents.pop(key, None)
        index = store.index()
        for word in ("tea", "milk"):
            expected = [row for row, one in enumerate(store.documents.values()) if word in one.text.split()]
            assert index.postings(word)[0].tolist() == expected


def test_only_new_texts_are_read():
    store = Texts()
    for i in range(5):
        store.put(i, f"text {i}")
    for _ in range(2):
        store.index()
    del store.documents[2]
    store.put(9, "new")
    store.index()
    assert store.read == [0, 1, 2, 3, 4, 9]
