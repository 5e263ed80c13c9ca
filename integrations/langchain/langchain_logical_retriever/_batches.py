"""Many questions in one call, each a run of its own: read in one batch, and searched for together."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManager,
    CallbackManager,
    adispatch_custom_event,
    dispatch_custom_event,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableConfig, patch_config
from langchain_core.runnables.config import get_config_list

from langchain_logical_retriever.transformer import History
from logical_retriever.integration import (
    DiverseSearch,
    Filter,
    LogicalRetriever as CoreRetriever,
    SearchResult,
    SearchSettings,
    Semantics,
    Transformation,
    query_event,
    search_event,
)

EVENT = "logical_query"
"""Name of the custom event that carries the logical query of each question."""
RUN_METADATA = "logical_search"
"""Key of the run's metadata for what a search says of itself."""


class BatchedRetriever(BaseRetriever):
    """A retriever whose batches share the encoder's calls and the store's requests.

    Every question has a run of its own with its child runs and events, as one that is asked alone; documents are those
    of :meth:`invoke` one by one, and a question that fails fails alone. ``max_concurrency`` holds for the model. A
    subclass that answers in a way of its own (``_get_relevant_documents``) is asked one by one.
    """

    semantics: str | Semantics

    def batch(
        self,
        inputs: list[str],
        config: RunnableConfig | list[RunnableConfig] | None = None,
        *,
        return_exceptions: bool = False,
        **kwargs: Any,
    ) -> list[list[Document]]:
        """Answer many questions: as :meth:`invoke` one by one, in less time.

        Args:
            inputs: The questions.
            config: For all, or one for each.
            return_exceptions: Whether a question that fails has its error in place of its documents; else the first
                error is raised.
            **kwargs: As of :meth:`invoke`, for all.
        """
        if not inputs:
            return []
        if self._overridden("invoke", "_get_relevant_documents"):
            return super().batch(inputs, config, return_exceptions=return_exceptions, **kwargs)
        configs = get_config_list(config, len(inputs))
        managers = [CallbackManager.configure(**self._configured(one, kwargs)) for one in configs]
        runs = [
            manager.on_retriever_start(None, question, name=one.get("run_name") or self.get_name())
            for manager, question, one in zip(managers, inputs, configs, strict=True)
        ]
        children = [patch_config(one, callbacks=run.get_child()) for one, run in zip(configs, runs, strict=True)]
        batch = _Batch(self, inputs, kwargs)
        if good := batch.left():
            read = batch.reader.batch([inputs[i] for i in good], [children[i] for i in good], return_exceptions=True)
            batch.read(good, read)
        for i in batch.left():
            dispatch_custom_event(EVENT, batch.event(i), config=children[i])
        batch.done(self._searching.search_many(batch.made(), return_exceptions=True, **batch.settings))
        for run, said, found in zip(runs, batch.said, batch.outcomes, strict=True):
            if isinstance(found, Exception):
                run.on_retriever_error(found)
            else:
                run.metadata[RUN_METADATA] = said
                run.on_retriever_end(found)
        return batch.results(return_exceptions=return_exceptions)

    async def abatch(
        self,
        inputs: list[str],
        config: RunnableConfig | list[RunnableConfig] | None = None,
        *,
        return_exceptions: bool = False,
        **kwargs: Any,
    ) -> list[list[Document]]:
        """Asynchronous twin of :meth:`batch`."""
        if not inputs:
            return []
        if self._overridden("ainvoke", "_aget_relevant_documents"):
            return await super().abatch(inputs, config, return_exceptions=return_exceptions, **kwargs)
        configs = get_config_list(config, len(inputs))
        managers = [AsyncCallbackManager.configure(**self._configured(one, kwargs)) for one in configs]
        runs = [
            await manager.on_retriever_start(None, question, name=one.get("run_name") or self.get_name())
            for manager, question, one in zip(managers, inputs, configs, strict=True)
        ]
        children = [patch_config(one, callbacks=run.get_child()) for one, run in zip(configs, runs, strict=True)]
        batch = _Batch(self, inputs, kwargs)
        if good := batch.left():
            read = await batch.reader.abatch(
                [inputs[i] for i in good], [children[i] for i in good], return_exceptions=True
            )
            batch.read(good, read)
        for i in batch.left():
            await adispatch_custom_event(EVENT, batch.event(i), config=children[i])
        batch.done(await self._searching.asearch_many(batch.made(), return_exceptions=True, **batch.settings))
        for run, said, found in zip(runs, batch.said, batch.outcomes, strict=True):
            if isinstance(found, Exception):
                await run.on_retriever_error(found)
            else:
                run.metadata[RUN_METADATA] = said
                await run.on_retriever_end(found)
        return batch.results(return_exceptions=return_exceptions)

    def _overridden(self, *names: str) -> bool:
        """Whether a subclass answers a question in a way of its own, which a batch then takes one by one."""
        kinds = [kind for kind in type(self).__mro__ if issubclass(kind, BatchedRetriever)]
        # The first below this class is the package's own retriever.
        own = {name: next(vars(kind)[name] for kind in reversed(kinds) if name in vars(kind)) for name in names}
        return any(getattr(type(self), name) is not method for name, method in own.items())

    def _configured(self, config: RunnableConfig, kwargs: dict[str, Any]) -> dict[str, Any]:
        """Arguments of a callback manager, as the base class gives them to that of one question."""
        return {
            "inheritable_callbacks": config.get("callbacks"),
            "verbose": kwargs.get("verbose", False),
            "inheritable_tags": config.get("tags"),
            "local_tags": self.tags,
            "inheritable_metadata": {**(config.get("metadata") or {}), **self._get_ls_params(**kwargs)},
            "local_metadata": self.metadata,
        }

    _searching: CoreRetriever | DiverseSearch

    @abstractmethod
    def _checked(self, question: str, filter: Filter, kwargs: dict[str, Any]) -> tuple[Filter, SearchSettings]: ...

    @abstractmethod
    def _transforming(self, history: History) -> Runnable[str, Transformation]: ...

    @abstractmethod
    def _documents(self, result: SearchResult) -> list[Document]: ...


class _Batch:
    """The questions of a batch: of each an error, or its transformation and in the end its documents."""

    def __init__(self, retriever: BatchedRetriever, questions: Sequence[str], kwargs: dict[str, Any]) -> None:
        self._retriever = retriever
        given = {name: value for name, value in kwargs.items() if name not in ("run_config", "verbose")}
        self.reader, filter = retriever._transforming(given.pop("history", ())), given.pop("filter", None)
        self.settings: dict[str, Any] = {}
        self.outcomes: list[Any] = []
        self.said: list[dict[str, Any]] = [{} for _ in questions]
        for question in questions:
            try:
                chosen, settings = retriever._checked(question, filter, dict(given))
                self.settings = {"filter": chosen, **settings}
                self.outcomes.append(None)
            except Exception as error:  # of this question, or of all
                self.outcomes.append(error)

    def left(self) -> list[int]:
        """Places of questions that have not failed."""
        return [place for place, one in enumerate(self.outcomes) if not isinstance(one, Exception)]

    def read(self, places: Sequence[int], made: Sequence[Any]) -> None:
        """Transformations, or errors, of some questions."""
        for place, one in zip(places, made, strict=True):
            self.outcomes[place] = one

    def event(self, place: int) -> dict[str, Any]:
        """The event of a question."""
        return query_event(self.outcomes[place], self._retriever.semantics)

    def made(self) -> list[Any]:
        """Transformations, and errors in their places."""
        return list(self.outcomes)

    def done(self, results: Sequence[Any]) -> None:
        """Results of all questions, or errors; documents take their place."""
        for place, one in enumerate(results):
            self.said[place] = search_event(one) if isinstance(one, SearchResult) else {}
            try:
                found = one if isinstance(one, Exception) else self._retriever._documents(one)
            except Exception as error:  # the store's metadata have no room for the reasons
                found = error
            self.outcomes[place] = found

    def results(self, *, return_exceptions: bool) -> list[Any]:
        """Documents, or errors.

        Raises:
            Exception: The first error, unless errors are wanted.
        """
        for one in self.outcomes:
            if isinstance(one, Exception) and not return_exceptions:
                raise one
        return self.outcomes
