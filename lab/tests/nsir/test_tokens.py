"""Token vectors of the real encoder."""

import numpy as np
import pytest

from lab.nsir import SentenceTransformerTokens
from lab.nsir.fol import parse, spell
from logical_retriever.encoders import SentenceTransformerEmbedder


def test_tokens_stand_where_they_stand_in_the_text(encoder):
    spelling = spell([parse("Actor(x) ∧ ¬American(x)")])
    (found,) = encoder.encode_tokens([spelling.text])
    pieces = [spelling.text[start:end] for start, end in found.offsets]
    assert pieces == ["Actor", "(", "x", ")", "∧", "¬", "American", "(", "x", ")", "."]
    assert found.tokens.shape == (11, 384)
    assert found.tokens.dtype == np.float32


def test_the_sentence_vector_is_the_models_own(encoder):
    embedder = SentenceTransformerEmbedder()
    (found,) = SentenceTransformerTokens(embedder.sentence_transformer).encode_tokens(["green tea"])
    own = embedder.embed_documents(["green tea"])[0]
    assert found.sentence / np.linalg.norm(found.sentence) == pytest.approx(own, abs=1e-5)


def test_a_text_over_the_models_length_is_read_up_to_there(encoder):
    words = "tea " * 254
    cut, whole = encoder.encode_tokens([words + "coffee and more", words])
    # 256 tokens with [CLS] and [SEP].
    assert len(cut.tokens) == len(whole.tokens) == 254
    assert cut.tokens == pytest.approx(whole.tokens, abs=1e-4)
