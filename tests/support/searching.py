"""One call that searches a store with given vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.options import SearchOptions
from logical_retriever.query import LogicalQuery
from logical_retriever.results import SearchResult
from logical_retriever.search.background import Background
from logical_retriever.search.request import SearchRequest
from logical_retriever.search.run import run_search
from logical_retriever.semantics import Semantics
from logical_retriever.stores.base import Filter, Store


def find(
    query: LogicalQuery,
    store: Store,
    terms: Mapping[str, npt.ArrayLike],
    semantics: str | Semantics = "product",
    *,
    k: int = 5,
    filter: Filter = None,
    **settings: Any,
) -> SearchResult:
    """Search with one given vector for each term, without an encoder; nothing is left out.

    An excluded term in the light of a wanted one has the sum of their vectors.

    Further arguments are settings of :class:`logical_retriever.options.SearchOptions`.
    """
    options = SearchOptions(**{"k": k, "semantics": semantics, "exclusion": "rank", **settings})
    request = SearchRequest.of(query, options, filter=filter)
    lights = {light: (wish, text) for text, (wish, light) in request.lights.items()}
    rows = [np.sum([np.asarray(terms[part]) for part in lights.get(text, (text,))], axis=0) for text in request.texts]
    vectors = np.array(rows, dtype=np.float32)
    return run_search(request, vectors, store, Background(store, None))
