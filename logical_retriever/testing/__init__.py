"""Stand-ins for models, and test suites for a user's own stores."""

from logical_retriever.testing.fakes import (
    GivenEmbedder as GivenEmbedder,
    HashingEmbedder as HashingEmbedder,
    ScriptedChatModel as ScriptedChatModel,
)
