"""An index of words that follows documents while others change them."""

from hypothesis import given, settings, strategies as st

from logical_retriever.stores.words import FollowedWords


class Text(str):
    """A text that is told apart from an equal one."""


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
    followed, stored = FollowedWords(), {}
    for what, key, text in steps:
        if what == "put":
            stored[key] = Text(text)
        else:
            stored.pop(key, None)
        index = followed.index(list(stored), list(stored.values()), stored.__getitem__)
        for word in ("tea", "milk"):
            expected = [row for row, text in enumerate(stored.values()) if word in text.split()]
            assert index.postings(word)[0].tolist() == expected


def test_only_new_texts_are_read():
    followed, read = FollowedWords(), []
    stored = {i: Text(f"text {i}") for i in range(5)}

    def text(key):
        read.append(key)
        return stored[key]

    for _ in range(2):
        followed.index(list(stored), list(stored.values()), text)
    del stored[2]
    stored[9] = Text("new")
    followed.index(list(stored), list(stored.values()), text)
    assert read == [0, 1, 2, 3, 4, 9]
