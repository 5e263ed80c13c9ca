"""Parts that tests of this package, of its integrations and of a user's own parts are built with."""

from logical_retriever.testing.fakes import ScriptedChatModel as ScriptedChatModel
from logical_retriever.testing.hashing import HashingEmbedder as HashingEmbedder
