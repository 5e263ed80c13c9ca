"""The one import surface of framework packages, by purpose.

A package's own part is the framework's types: documents, chat models, embedding models, callbacks. The rest is here.
An outline of such a package: ``tests/frameworks/test_third_framework.py``.
"""

# Errors, and the checks that raise them.
from logical_retriever.adapters.arguments import (
    check_transformer as check_transformer,
    unknown_argument as unknown_argument,
)
from logical_retriever.errors import (
    InvalidArgumentError as InvalidArgumentError,
    LLMCallError as LLMCallError,
    LogicalRetrieverError as LogicalRetrieverError,
    StoreCapabilityError as StoreCapabilityError,
    StoreError as StoreError,
    UnsupportedStoreError as UnsupportedStoreError,
    check_choice as check_choice,
    check_count as check_count,
)

# isort: split

# Settings, and the retriever that has them.
from logical_retriever.options import (
    ALIASES as ALIASES,
    SETTINGS as SETTINGS,
    Exclusion as Exclusion,
    SearchOptions as SearchOptions,
    check_relevance as check_relevance,
    merged_settings as merged_settings,
    names_hint as names_hint,
)
from logical_retriever.retriever import LogicalRetriever as LogicalRetriever
from logical_retriever.scoring import DEFAULT_SEMANTICS as DEFAULT_SEMANTICS, Semantics as Semantics
from logical_retriever.stores.discovery import known_fields as known_fields

# isort: split

# Models: encoders, and chat models that read questions or passages.
from logical_retriever.embedding import Embedder as Embedder, ModelEmbedder as ModelEmbedder
from logical_retriever.reading.llm_calls import refuse_cut_off as refuse_cut_off
from logical_retriever.reading.passages import ChatVerifier as ChatVerifier

# isort: split

# Questions and their logical queries.
from logical_retriever.query import (
    Condition as Condition,
    LogicalQuery as LogicalQuery,
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
)

# isort: split

# Answers, their events, an agent's tool, and documents that other retrievers bring.
from logical_retriever.adapters.documents import (
    PROBLEM as PROBLEM,
    answer_metadata as answer_metadata,
    query_event as query_event,
    search_event as search_event,
    short_problem as short_problem,
)
from logical_retriever.adapters.second_stage import (
    asearch_documents as asearch_documents,
    search_documents as search_documents,
)
from logical_retriever.adapters.tools import (
    TOOL_DESCRIPTION as TOOL_DESCRIPTION,
    TOOL_NAME as TOOL_NAME,
    LogicalSearch as LogicalSearch,
    LogicalSearchArguments as LogicalSearchArguments,
    ToolAnswer as ToolAnswer,
)
from logical_retriever.explain import Explanation as Explanation
from logical_retriever.results import (
    DocumentId as DocumentId,
    RankedDocument as RankedDocument,
    SearchResult as SearchResult,
)

# isort: split

# Stores: the protocol, and what adapters of vector stores are built of.
from logical_retriever.adapters.reencoding import Encodable as Encodable, ReencodingStore as ReencodingStore
from logical_retriever.adapters.registry import (
    AdapterFactory as AdapterFactory,
    AdapterRegistry as AdapterRegistry,
    qualified_name as qualified_name,
)
from logical_retriever.stores import (
    Batch as Batch,
    Capabilities as Capabilities,
    ChromaFilter as ChromaFilter,
    ChromaStore as ChromaStore,
    EngineRanking as EngineRanking,
    Filter as Filter,
    InMemoryStore as InMemoryStore,
    ScoreExpression as ScoreExpression,
    SqlFilter as SqlFilter,
    SqlStore as SqlStore,
    Store as Store,
    StoredDocument as StoredDocument,
    VectorBatch as VectorBatch,
    capabilities_property as capabilities_property,
)
from logical_retriever.stores.filter_language import filter_with_condition as filter_with_condition
from logical_retriever.stores.in_process import InProcessStore as InProcessStore
from logical_retriever.stores.rows import (
    PagedStore as PagedStore,
    Rows as Rows,
    engine_errors as engine_errors,
    nearest_with_documents as nearest_with_documents,
)
from logical_retriever.stores.wrapped import WrappedStore as WrappedStore, wrapped_capabilities as wrapped_capabilities
from logical_retriever.vectors import Vectors as Vectors, cosines as cosines

# isort: split

# Parts of the stores of one engine.
from logical_retriever.stores.qdrant import QdrantPoints as QdrantPoints
from logical_retriever.stores.search_engine import (
    MAX_RESULTS as MAX_RESULTS,
    Body as Body,
    SearchEngineIndex as SearchEngineIndex,
    elasticsearch_knn as elasticsearch_knn,
    opensearch_knn as opensearch_knn,
    shard_candidates as shard_candidates,
)
from logical_retriever.stores.sql.columns import described as described
from logical_retriever.stores.sql.postgres import (
    POSTGRES as POSTGRES,
    filter_of as filter_of,
    run_through as run_through,
)
