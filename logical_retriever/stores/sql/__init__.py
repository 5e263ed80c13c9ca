"""Tables of SQL engines with a column of vectors: one store, one compiler, and a table of spellings per dialect."""

from logical_retriever.stores.sql.dialect import Dialect as Dialect, SqlFilter as SqlFilter
from logical_retriever.stores.sql.store import DIALECTS as DIALECTS, SqlStore as SqlStore
