"""Parts that tests of this package, of its integrations and of a user's own parts are built with."""

from logical_retriever.testing.fakes import (
    GivenEmbedder as GivenEmbedder,
    HashingEmbedder as HashingEmbedder,
    ScriptedChatModel as ScriptedChatModel,
)
