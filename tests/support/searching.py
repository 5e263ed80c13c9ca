"""One call that searches a store with given vectors."""

import numpy as np

from logical_retriever.options import SearchOptions
from logical_retriever.search.background import Background
from logical_retriever.search.request import SearchRequest
from logical_retriever.search.run import run_search


def find(query, store, terms, semantics="product", *, k=5, filter=None, **settings):
    """Search with one given vector for each term, without an encoder; nothing is left out.

    An excluded term in the light of a wanted one has the sum of their vectors. Further arguments are settings of
    :class:`logical_retriever.options.SearchOptions`.
    """
    options = SearchOptions(**{"k": k, "semantics": semantics, "exclusion": "rank", **settings})
    request = SearchRequest.of(query, options, filter=filter)
    lights = {light: (wish, text) for text, (wish, light) in request.lights.items()}
    rows = [np.sum([np.asarray(terms[part]) for part in lights.get(text, (text,))], axis=0) for text in request.texts]
    return run_search(request, np.array(rows, dtype=np.float32), store, Background(store, None))
