"""Every document of the store is compared and scored, in blocks, so that memory does not grow with the store.

Chosen where the vectors lie in this process's memory, where the store is so small that one request brings them all, or
where documents about none of the terms can be answers. What it finds is exact: a fast first pass knows how far off it
may be, and whatever may still be among the best is compared again in float64.
"""

from logical_retriever.search.scan.blocks import best_scanned as best_scanned, read_all as read_all
from logical_retriever.search.scan.kernel import compiled_kernel as compiled_kernel
