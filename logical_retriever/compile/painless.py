"""``script_score`` with a script in Painless, as Elasticsearch and OpenSearch both run it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from logical_retriever.compile.base import Compiler, Request
from logical_retriever.compile.expression import Cosine, used_cosines
from logical_retriever.compile.interval import check_score
from logical_retriever.compile.versions import parse_version
from logical_retriever.errors import InvalidArgumentError, UnsupportedByEngineError

Body = dict[str, Any]

MAX_SOURCE: Final = 65_535
"""Most bytes of a script that servers read by default (script.max_size_in_bytes)."""
MAX_RESULTS: Final = 10_000
"""Most hits of a search, and most candidates of a kNN query, by an index's default settings."""
_CONSTANT: Final = "\0"
"""Where a script will name a constant; no name and no number holds it."""
_LITERALS: Final = (0.0, 1.0)
_NOT_NEGATIVE: Final = "Math.max(0.0, x)"
_FOLDED: Final = "x >= 0.0 ? 1.0 + x : 1.0 / (1.0 - x)"


@dataclass(frozen=True)
class Source:
    """A part of a script.

    Attributes:
        text: Painless, with a mark in the place of each constant.
        constants: The constants, in the order of the marks.
    """

    text: str
    constants: tuple[float, ...] = ()


def clauses(filter: Any) -> list[Body]:
    """A filter of the engine's own, one clause or several that must all hold, as a list.

    Raises:
        InvalidArgumentError: It is neither.
    """
    some = [] if filter is None else [filter] if isinstance(filter, Mapping) else filter
    if not isinstance(some, (list, tuple)) or not all(isinstance(one, Mapping) for one in some):
        raise InvalidArgumentError(
            f"A filter of a search engine is a clause or a list of clauses, got {type(filter).__name__}.",
            hint='For example filter={"term": {"metadata.year": 2000}}.',
        )
    return [dict(one) for one in some]


def _operator(template: str) -> Callable[..., Source]:
    """A method that writes an operator: its operands in the places of a template."""

    def written(_: object, *operands: Source) -> Source:
        constants = tuple(value for operand in operands for value in operand.constants)
        return Source(template.format(*(operand.text for operand in operands)), constants)

    return written


class PainlessCompiler(Compiler[Body, Source]):
    """One search body: a ``script_score`` query over all documents that pass the filter, exact, not served by an index.

    The "superset" form scores the ``fetch_k`` nearest that each shard's index finds for every wanted text.

    A server wants scores that are not negative, in 32 bits. Where the composed score never is, it is the server's
    score. Elsewhere the server's score is ``1 + x`` for x of 0 and more, and ``1 / (1 - x)`` below: strictly
    increasing, and as fine as 32 bits are. :func:`answer` gives the composed scores back. Documents whose scores differ
    by less than ``1e-7 * (1 + |x|)`` can come in either order.

    A script's text depends on the shape of the query alone, its numbers and vectors are parameters: servers compile a
    script once and then a limited number a minute. Not verified against a live server: tests run the script in an
    interpreter of their own.

    Args:
        vector_field: Field of vectors. What has none is no document.
        id_field: A keyword field by which equal scores are ordered; None for whatever order the index has.
        version: The server's version, as it reports it; None for any that has what the query needs.

    Attributes:
        since: First version that runs these scripts.

    Raises:
        InvalidArgumentError: A name that no field can have, or a version that is none.
        UnsupportedByEngineError: The server is too old.
    """

    fidelities = ("exact", "superset")

    def __init__(
        self,
        vector_field: str,
        *,
        id_field: str | None = None,
        version: str | None = None,
    ) -> None:
        for name in (vector_field, id_field):
            if name is not None and (not isinstance(name, str) or not name or not name.isprintable()):
                raise InvalidArgumentError(f"{name!r} cannot be the name of a field.", hint="Give its name as text.")
        self.vector_field = vector_field
        self.quoted_field = "'" + vector_field.replace("\\", "\\\\").replace("'", "\\'") + "'"
        self.id_field = id_field
        self.version = None if version is None else parse_version(version)

    @abstractmethod
    def cosine_of(self, vector: str) -> str:
        """The engine's function: cosine of a parameter and the field of vectors."""

    @abstractmethod
    def nearest(self, vector: list[float], n: int, filter: list[Body]) -> Body:
        """A clause that the n nearest documents of each shard match."""

    def request(self, request: Request) -> tuple[Body, Mapping[str, Any]]:
        """The body of a search; nothing is bound.

        Raises:
            UnsupportedByEngineError: The script is longer than servers read, more hits are wanted than they return, or
                scores exceed 32 bits.
        """
        for name, value in (("k", request.k), ("fetch_k", request.fetch_k)):
            if value is not None and value > MAX_RESULTS:
                raise UnsupportedByEngineError(
                    f"{self.engine} returns at most {MAX_RESULTS} documents, and {name} is {value}.",
                    hint=f"Lower {name}, or search without pushing the query down.",
                )
        matching = self._matching(request, clauses(request.filter))
        scored = {"script_score": {"query": matching, "script": self._script(request)}}
        body: Body = {"size": request.k, "_source": False, "query": scored}
        if self.id_field is not None:
            body["sort"] = [{"_score": "desc"}, {self.id_field: "asc"}]
        return body, {}

    def _matching(self, request: Request, filter: list[Body]) -> Body:
        """Which documents are scored: the script would fail for one without a vector."""
        if request.fetch_k is None:
            return {"bool": {"filter": [{"exists": {"field": self.vector_field}}, *filter]}}
        # Servers refuse a vector of zeros, to which everything is equally near.
        wanted = [request.vectors[text] for text in request.lowered.wanted if request.vectors[text].any()]
        if not wanted:
            raise UnsupportedByEngineError(
                "The vectors of all wanted texts are zeros, to which nothing is near.",
                hint="Check the embedding model, or ask for the exact form.",
            )
        lists = [self.nearest(text.tolist(), request.fetch_k, filter) for text in wanted]
        narrowed = {"filter": filter} if filter else {}
        return {"bool": {"should": lists, "minimum_should_match": 1, **narrowed}}

    def _script(self, request: Request) -> Body:
        expression = request.lowered.expression
        scores = expression.values
        check_score(self.engine, scores)
        params: Body = {}
        lines = []
        for index in used_cosines(expression):
            cosine = self.print(Cosine(index)).text
            if not request.vectors[index].any():  # servers refuse a vector of zeros
                lines.append(f"double {cosine} = 0.0;")
                continue
            params[f"v{index}"] = request.vectors[index].tolist()
            lines += [
                f"double {cosine} = {self.cosine_of(f'params.v{index}')};",
                f"{cosine} = Double.isNaN({cosine}) ? 0.0 : Math.max(-1.0, Math.min(1.0, {cosine}));",
            ]
        printed = self.print(expression)
        numbers = {value: f"n{i}" for i, value in enumerate(dict.fromkeys(printed.constants))}
        params.update({name: value for value, name in numbers.items()})
        lines += [f"double {name} = params.{name};" for name in numbers.values()]
        score, *rest = printed.text.split(_CONSTANT)
        score += "".join(numbers[value] + text for value, text in zip(printed.constants, rest, strict=True))
        lines += [f"double x = {score};", f"return {_NOT_NEGATIVE if scores.low >= 0.0 else _FOLDED};"]
        source = "\n".join(lines)
        if len(source.encode()) > MAX_SOURCE:
            raise UnsupportedByEngineError(
                f"The script of this query has {len(source.encode())} bytes; {self.engine} reads {MAX_SOURCE}.",
                hint="Use fewer terms, or search without pushing the query down.",
            )
        return {"lang": "painless", "source": source, "params": params}

    # The nodes

    def cosine(self, index: int) -> Source:
        """A local variable."""
        return Source(f"s{index}")

    def constant(self, value: float) -> Source:
        """A parameter, unless it is 0 or 1."""
        return Source(repr(value)) if value in _LITERALS else Source(_CONSTANT, (value,))

    negate, exp, log, log1p = map(_operator, ("(-{})", "Math.exp({})", "Math.log({})", "Math.log1p({})"))
    add, subtract, multiply, divide = map(_operator, ("({} + {})", "({} - {})", "({} * {})", "({} / {})"))
    minimum, maximum = map(_operator, ("Math.min({}, {})", "Math.max({}, {})"))
    sqrt = _operator("Math.sqrt(Math.max({}, 0.0))")  # rounding may have taken x below 0


def answer(statement: Mapping[str, Any], response: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Ids and composed scores of the server's response to a body, in its order.

    Examples:
        >>> body = {"query": {"script_score": {"script": {"source": "return x >= 0.0 ? 1.0 + x : 1.0 / (1.0 - x);"}}}}
        >>> answer(body, {"hits": {"hits": [{"_id": "a", "_score": 1.25}, {"_id": "b", "_score": 0.2}]}})
        [('a', 0.25), ('b', -4.0)]
    """
    folded = statement["query"]["script_score"]["script"]["source"].endswith(f"return {_FOLDED};")
    scores = [(hit["_id"], float(hit["_score"])) for hit in response["hits"]["hits"]]
    return [(id, x - 1.0 if x >= 1.0 else 1.0 - 1.0 / x) for id, x in scores] if folded else scores
