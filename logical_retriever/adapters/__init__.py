"""The one import surface of framework packages: everything such a package needs of this one.

Its own part is the framework's types: documents, chat models, embedding models, callbacks. The rest is here: the
registry of adapters, the store that encodes texts again, the second stage, an agent's calls, and the core's public
names that such a package meets. An outline of one: ``tests/frameworks/test_third_framework.py``.
"""

from logical_retriever.adapters.arguments import (
    choose_transformer as choose_transformer,
    unknown_argument as unknown_argument,
)
from logical_retriever.adapters.documents import (
    PROBLEM as PROBLEM,
    answer_metadata as answer_metadata,
    query_event as query_event,
    search_event as search_event,
)
from logical_retriever.adapters.reencoding import Encodable as Encodable, ReencodingStore as ReencodingStore
from logical_retriever.adapters.registry import (
    AdapterFactory as AdapterFactory,
    AdapterRegistry as AdapterRegistry,
    qualified_name as qualified_name,
)
from logical_retriever.adapters.second_stage import (
    asearch_documents as asearch_documents,
    search_documents as search_documents,
)
from logical_retriever.adapters.tools import (
    MOST_PASSAGES as MOST_PASSAGES,
    TOOL_DESCRIPTION as TOOL_DESCRIPTION,
    TOOL_NAME as TOOL_NAME,
    LogicalSearch as LogicalSearch,
    LogicalSearchArguments as LogicalSearchArguments,
    ToolAnswer as ToolAnswer,
    error_message as error_message,
)
from logical_retriever.embedding import Embedder as Embedder, embed_each as embed_each, is_local as is_local
from logical_retriever.errors import (
    InvalidArgumentError as InvalidArgumentError,
    LLMCallError as LLMCallError,
    LogicalRetrieverError as LogicalRetrieverError,
    StoreCapabilityError as StoreCapabilityError,
    StoreError as StoreError,
    UnsupportedStoreError as UnsupportedStoreError,
    VectorMismatchError as VectorMismatchError,
    check_choice as check_choice,
    check_count as check_count,
)
from logical_retriever.explain import Explanation as Explanation
from logical_retriever.options import (
    ALIASES as ALIASES,
    SETTINGS as SETTINGS,
    Exclusion as Exclusion,
    SearchOptions as SearchOptions,
    check_relevance as check_relevance,
    names_hint as names_hint,
)
from logical_retriever.query import (
    Condition as Condition,
    LogicalQuery as LogicalQuery,
    holds as holds,
    negative_terms as negative_terms,
    parse as parse,
)
from logical_retriever.reading import (
    LogicalQueryTransformer as LogicalQueryTransformer,
    Message as Message,
    QueryTransformer as QueryTransformer,
    QuestionReader as QuestionReader,
    ReadQuestion as ReadQuestion,
    check_question as check_question,
    in_conversation as in_conversation,
    load_prompt as load_prompt,
    refuse_cut_off as refuse_cut_off,
    refuses_forms as refuses_forms,
)
from logical_retriever.results import (
    DocumentId as DocumentId,
    RankedDocument as RankedDocument,
    SearchResult as SearchResult,
)
from logical_retriever.retriever import LogicalRetriever as LogicalRetriever
from logical_retriever.scoring import DEFAULT_SEMANTICS as DEFAULT_SEMANTICS, Semantics as Semantics
from logical_retriever.stores import (
    Batch as Batch,
    Capabilities as Capabilities,
    ChromaFilter as ChromaFilter,
    ChromaStore as ChromaStore,
    EngineRanking as EngineRanking,
    Filter as Filter,
    InMemoryStore as InMemoryStore,
    ScoreExpression as ScoreExpression,
    Store as Store,
    StoredDocument as StoredDocument,
    VectorBatch as VectorBatch,
    capabilities_property as capabilities_property,
)
from logical_retriever.stores.discovery import known_fields as known_fields
from logical_retriever.stores.filter_language import filter_with_condition as filter_with_condition
from logical_retriever.stores.in_process import InProcessStore as InProcessStore
from logical_retriever.stores.qdrant import QdrantPoints as QdrantPoints
from logical_retriever.stores.rows import (
    PagedStore as PagedStore,
    Rows as Rows,
    drawn as drawn,
    engine_errors as engine_errors,
    matrix as matrix,
    nearest_with_documents as nearest_with_documents,
    pages as pages,
)
from logical_retriever.stores.search_engine import (
    MAX_RESULTS as MAX_RESULTS,
    Body as Body,
    SearchEngineIndex as SearchEngineIndex,
)
from logical_retriever.stores.sql import SqlFilter as SqlFilter, SqlStore as SqlStore
from logical_retriever.stores.sql.columns import described as described
from logical_retriever.stores.sql.postgres import (
    POSTGRES as POSTGRES,
    filter_of as filter_of,
    run_through as run_through,
)
from logical_retriever.stores.wrapped import (
    WrappedStore as WrappedStore,
    wrapped_capabilities as wrapped_capabilities,
)
from logical_retriever.vectors import (
    Vectors as Vectors,
    cosines as cosines,
)
from logical_retriever.verify import ChatVerifier as ChatVerifier
