"""Passages read for excluded terms: negation cues near the word, verifiers and their calls.

Every name that other parts of the package use is listed here; the modules below are private to this one.
"""

from logical_retriever.reading.passages.chat import ChatVerifier as ChatVerifier
from logical_retriever.reading.passages.cues import Mention as Mention, SoughtTerm as SoughtTerm
from logical_retriever.reading.passages.reader import (
    PassageReader as PassageReader,
    default_passage_reader as default_passage_reader,
)
from logical_retriever.reading.passages.verifier import Verifier as Verifier, as_verifier as as_verifier
from logical_retriever.reading.passages.verifier_calls import VerifierCalls as VerifierCalls, in_thread as in_thread
