"""The store is asked once, for the documents nearest to one vector that is optimised for the query.

Chosen by ``mode="sqo"`` (spherical query optimisation: the vector that the semantics scores highest, whose nearest
documents are then scored) or ``mode="deo"`` (direct embedding optimisation: the question's vector, moved towards what
is wanted and away from what is not, which ranks by itself). It promises one request and few milliseconds, and is exact
only where it read the whole store.
"""

from logical_retriever.search.one_vector.deo import Decomposition as Decomposition, moved_vector as moved_vector
from logical_retriever.search.one_vector.nearest import read_nearest as read_nearest
from logical_retriever.search.one_vector.sqo import spherical_optimum as spherical_optimum
