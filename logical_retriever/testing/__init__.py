"""Parts that tests of this package, of its integrations and of a user's own parts are built with."""

from logical_retriever.testing.fakes import ScriptedChatModel
from logical_retriever.testing.hashing import HashingEmbedder

__all__ = ["HashingEmbedder", "ScriptedChatModel"]
