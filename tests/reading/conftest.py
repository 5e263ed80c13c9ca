"""Both twins of a transformer, and a model that fills forms."""

import pytest

from logical_retriever.testing import ScriptedChatModel


class Filling(ScriptedChatModel):
    """A scripted chat model that fills forms; ``forms`` are those that it was asked for."""

    structured = True
    forms = ()

    def complete_structured(self, messages, form):
        self.forms = (*self.forms, form)
        return self.complete(messages)


@pytest.fixture
def filling():
    return Filling


@pytest.fixture(params=["sync", "async"])
def ask(request):
    """Asks one question, by either twin."""

    async def ask(transformer, question, **more):
        if request.param == "sync":
            return transformer.transform(question, **more)
        return await transformer.atransform(question, **more)

    return ask
