"""The effect itself: a real encoder, a real collection on disk, real sentences."""

import pytest
from langchain_core.documents import Document

from langchain_logical_retriever import LogicalQueryTransformer, LogicalRetriever

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


@pytest.mark.parametrize("answer", [None, '"Health benefits of vitamin D" AND NOT "Vitamin D for bone health"'])
def test_bone_health_is_gone(make_chroma, minilm, model, answer):
    store = make_chroma([Document(id=id, page_content=text) for id, text in PASSAGES.items()], embeddings=minilm)
    dense = [document.id for document in store.similarity_search(QUESTION, k=3)]
    assert any(id.startswith("bone") for id in dense)
    reader = None if answer is None else LogicalQueryTransformer(llm=model(answer))
    found = [
        document.id for document in LogicalRetriever.from_vectorstore(store, transformer=reader, k=3).invoke(QUESTION)
    ]
    assert not any(id.startswith("bone") for id in found)
    assert "tea" not in found
