"""Lists of nearest documents are read, deeper and deeper, until no document outside them can be among the best k.

Chosen where the store is too large to be scanned and its engine does not compute the scores. What it finds is proved by
the lists that the store gave: exact where these are, approximate where the index may miss documents, the budget ends
first, or the semantics has no bound; then the gap says how far off it may be.
"""

from logical_retriever.search.lists.nearby import plan_nearby as plan_nearby, read_nearby as read_nearby
from logical_retriever.search.lists.threshold import read_lists as read_lists
