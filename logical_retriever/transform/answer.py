"""The logical query in a language model's answer.

Models wrap their answers: in code fences, labels, bold, other quotes, reasoning, explanations. What is tolerated
here is wrapping; the query itself is never guessed at. The rules, in order:

1. Reasoning in a ``<think>`` block at the start is removed; a JSON object gives its query, as text or as alternatives.
2. If the whole rest is a query, that is it.
3. Otherwise the lines are read, a line and its continuations (a line that begins with an operator, an open
   parenthesis, an unclosed quote) being one. Lines in a code fence or after a label such as "Query:" beat other
   lines with quoted terms, which beat unquoted lines: the model marked them as the answer. Within one rank a query
   with operators beats a lone term, which is more likely a mention of a term.
4. Different queries in one rank, a line that begins like a query and has operators but does not parse, a lone term
   beside a query with operators in a lower rank: all are errors, because any choice could drop a NOT. So is an
   operator word inside the quotes of a term, unless the question has it too.
5. A lone term says "no logic", so it becomes the user's own question, word for word, and never the model's words.
   An unquoted one must be made of the question's own words, else it is prose: an apology, an answer, a refusal.
   An unquoted term beside operators has at most ``MAX_BARE_WORDS`` words, for the same reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from logical_retriever.errors import LLMAnswerError, LogicalQueryError, LogicalRetrieverError
from logical_retriever.query import MAX_LENGTH, LogicalQuery, Term, parse
from logical_retriever.transform.alternatives import text_of
from logical_retriever.transform.base import shown
from logical_retriever.transform.delimiters import OPERATOR, outside_quotes, straighten

MAX_ANSWER_LENGTH: Final = 20_000
"""Longest answer that is looked into, in characters, reasoning apart; twice the longest query."""
MAX_ANSWER_LINES: Final = 200
"""Most lines of an answer that are looked into."""
MAX_BARE_WORDS: Final = 12
"""Most words of an unquoted term in an answer."""

_FORMAT: Final = 'Answer with the query alone: terms in double quotes, joined with AND, OR, NOT, like "a" AND NOT "b".'
_OPERATOR_WORD: Final = re.compile(r"\b(?:AND|OR|NOT)\b")
_THINK: Final = re.compile(r"(?:\s*<(think|thinking|reasoning)>.*?(?:</\1>|\Z))+", re.DOTALL | re.IGNORECASE)
# Some models' chat templates hold the opening tag, so that only the closing one is in the answer.
_THOUGHT: Final = re.compile(r".*(?:\n[ \t]*</think(?:ing)?>|</think(?:ing)?>[ \t]*\n)", re.DOTALL | re.IGNORECASE)
_TAGS: Final = re.compile(r"^\s*<(query|logical_query|answer|output)>(.*)</\1>\s*$", re.DOTALL | re.IGNORECASE)
_FENCE: Final = re.compile(r"^[ \t]*(```+|~~~+)(?:[\w+\-]*[ \t]*\n)?", re.MULTILINE)
_JSON_KEYS: Final = ("query", "logical_query", "logicalQuery", "formula", "answer", "output", "result")
_BULLET: Final = re.compile(r"^(?:>+|#+|[-*•]|\d+[.)])[ \t]+")
# Every run is bounded, so that a line of signs that fit all of them is soon given up.
_LABEL: Final = re.compile(
    r"^[\s*_#>]{0,20}(?:[\w'’ ]{0,40}?\b)?(?:query|formula|expression|answer|output)"
    r"(?:[\w'’ ]{0,40}[ \t*_]{0,20}(?::|：|=>|->|→)[ \t*_]{0,20}|[ \t*_]{0,20}$)",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(r'^[^"()]*?(?::|：|\bis\b|\bbe\b|=>|->|→)\s*(?=["(]|NOT[\s"(])', re.DOTALL)
_TAIL: Final = re.compile(r'(.*"[\s)]*)([.;(\[#/—–\-][^"]*)', re.DOTALL)
_BEGINS: Final = re.compile(r'["([]|NOT[\s"([]|[!\-]["([]')
_CONTINUES: Final = re.compile(r"\)|(?:AND|OR|&&?|\|\|?)(?![^\s\"()“‘'])")
_CONTINUES_QUERY: Final = re.compile(r"NOT(?![^\s\"()“‘'])")
_BALANCED: Final = re.compile(r'[^"]*(?:""[^"]*)*')
_CLOSES: Final = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_OPEN: Final = re.compile(r"(?:(?<![^\s()])(?:AND|OR|NOT|&&?|\|\|?)|[(])\s*\Z")


class _Line(NamedTuple):
    """A line with its continuations, and whether the model marked it as the answer."""

    text: str
    marked: bool


class _Question:
    """The user's question, and what answers are compared with."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = text.casefold()
        self.words = frozenset(re.findall(r"\w+", self.folded))
        self.operators = frozenset(_OPERATOR_WORD.findall(text))
        self._canonical = _canonical(text)

    def is_repeated_by(self, text: str) -> bool:
        """Whether a text is the question again: in quotes or not, quotes inside escaped or not, final mark or not."""
        stripped = text.strip().strip("`").strip()
        inner = stripped[1:-1] if len(stripped) > 2 and stripped[0] in "\"“'" and stripped[-1] in "\"”'" else stripped
        return self._canonical in (_canonical(stripped), _canonical(inner))


def _canonical(text: str) -> str:
    text = " ".join(re.sub(r"[“”„‟«»＂]", '"', text.replace('\\"', '"').replace("’", "'")).split())
    return text.rstrip(".?! ").casefold()


def read_answer(answer: str, question: str) -> LogicalQuery:
    """Find the logical query in a model's answer; the rules are in the module's description.

    The time taken is linear in the length of the answer; what is left without reasoning is looked into up to
    ``MAX_ANSWER_LENGTH``.

    Args:
        answer: What the model answered.
        question: The user's question; a query without operators is this question as one term.

    Raises:
        LogicalQueryError: What stands where the query should be is not in the grammar, or over its bounds.
        LLMAnswerError: There is no query, or more than one. Both messages are written for the model.
    """
    text, asked = unwrapped(answer), _Question(question)
    if not text:
        raise _unusable("The answer holds reasoning but no query.", answer)
    if len(text) > MAX_ANSWER_LENGTH or text.count("\n") >= MAX_ANSWER_LINES:
        if asked.is_repeated_by(text):
            return Term(question)
        size = f"{len(text):,} characters in {text.count(chr(10)) + 1:,} lines"
        raise _unusable(f"The answer is too long for a query: {size}.", answer)
    try:
        if not _LABEL.match(text) or asked.is_repeated_by(text):
            return _read(text, asked, may_span_lines=False)
    except LogicalRetrieverError as error:
        if "\n" not in text:
            raise error from None
    return _choose(list(_lines(text)), asked, answer)


def _choose(lines: list[_Line], question: _Question, answer: str) -> LogicalQuery:
    """Pick the query among the lines, by rank."""
    found: list[dict[str, LogicalQuery]] = [{}, {}, {}]
    failures: list[list[LogicalRetrieverError]] = [[], [], []]
    for line in lines:
        rank = 0 if line.marked else 1 if '"' in straighten(line.text) else 2
        try:
            found[rank][" ".join(line.text.split())] = _read(line.text, question)
        except LogicalRetrieverError as error:
            if _is_attempt(line):
                raise
            failures[rank].append(error)
    best = next((i for i, here in enumerate(found) if here), None)
    if best is None:
        raise next((error for here in failures for error in here), _unusable("The answer holds no query.", answer))
    logical, hidden = _logical(found[best]), [query for here in found[best + 1 :] for query in _logical(here)]
    if len(logical) > 1 or (not logical and (hidden or len(found[best]) > 1)):
        raise _unusable("The answer holds more than one query, and they differ.", answer)
    return next(iter(logical or found[best].values()))


def _logical(found: dict[str, LogicalQuery]) -> list[LogicalQuery]:
    """The distinct queries with operators."""
    return list(dict.fromkeys(query for query in found.values() if not isinstance(query, Term)))


def _is_attempt(line: _Line) -> bool:
    """Whether a line that does not parse was meant to be a query, operators and all."""
    text = straighten(line.text)
    if _BEGINS.match(_BULLET.sub("", text)):
        # Quotes may be what is wrong with it, so operators inside them count.
        return _OPERATOR_WORD.search(text) is not None or OPERATOR.search(outside_quotes(text)) is not None
    return line.marked and '"' in text and OPERATOR.search(outside_quotes(text)) is not None


def _read(text: str, question: _Question, *, may_span_lines: bool = True) -> LogicalQuery:
    """Read a text that should be nothing but a query."""
    tidy = straighten(text).strip()
    try:
        query, source = parse(tidy), tidy
    except LogicalQueryError as error:
        if question.is_repeated_by(text) or question.is_repeated_by(tidy):
            return Term(question.text)
        query, source = _without_wrapping(tidy, error)
    if isinstance(query, Term):
        return _read_term(query, source, question)
    return _checked(query, source, question, may_span_lines=may_span_lines)


def _without_wrapping(tidy: str, error: LogicalQueryError) -> tuple[LogicalQuery, str]:
    """Try a text without a lead ("The query is ..."), a tail ("... (this excludes b)") or quotes around it all."""
    inner = tidy[1:-1].strip() if len(tidy) > 2 and tidy[0] == tidy[-1] and tidy[0] in "\"'" else tidy
    lead = _LEAD.match(tidy)
    cut = tidy[lead.end() :] if lead and not OPERATOR.search(lead.group()) else tidy
    tail = _TAIL.fullmatch(cut)
    head = tail[1] if tail and not OPERATOR.search(tail[2]) else cut
    for attempt in (_BULLET.sub("", tidy), inner, cut, head):
        if attempt == tidy:
            continue
        try:
            query = parse(attempt)
        except LogicalQueryError:
            continue
        # A lone term with something cut off could have lost what made it a query.
        if not isinstance(query, Term) or attempt is not head or not tail or not tail[2].strip(" .;"):
            return query, attempt
    raise error


def _read_term(term: Term, source: str, question: _Question) -> LogicalQuery:
    """Read a query of one term, which is the question itself unless the model quoted its whole query."""
    if not source.startswith('"'):
        if question.is_repeated_by(source) or question.words.issuperset(re.findall(r"\w+", source.casefold()) or [""]):
            return Term(question.text)
        raise _unusable(f"The answer is prose, not a query: {shown(source)}", source)
    if question.is_repeated_by(source) or not _operators_beyond(term.text, question):
        return Term(question.text)
    try:
        decoded = json.loads(source)
    except ValueError:
        decoded = term.text
    source = straighten(decoded)
    query = parse(source)
    if isinstance(query, Term):
        raise _operator_in_term(term, source)
    return _checked(query, source, question, may_span_lines=False)


def _checked(query: LogicalQuery, source: str, question: _Question, *, may_span_lines: bool) -> LogicalQuery:
    """A compound query, refused where a term of it swallowed something."""
    for term in query.walk():
        if not isinstance(term, Term):
            continue
        written = source[term.span.start : term.span.end] if term.span is not None else term.text
        if len(term.text) > MAX_LENGTH:
            raise _unusable(f"A term of {len(term.text):,} characters; at most {MAX_LENGTH:,} are allowed.", source)
        if written.startswith('"'):
            if _operators_beyond(term.text, question):
                raise _operator_in_term(term, source)
        elif "\n" in written and not may_span_lines:
            raise _unusable(f"An unquoted term runs over a line end: {shown(written)}", source)
        elif len(written.split()) > MAX_BARE_WORDS:
            raise _unusable(f"An unquoted term of {len(written.split())} words: {shown(written)}", source)
    return query


def _operators_beyond(text: str, question: _Question) -> bool:
    """Whether a term has operators that are not the question's own; a name written in capitals may have AND and OR."""
    words = set(_OPERATOR_WORD.findall(text)) - question.operators
    return bool(words) and ("NOT" in words or text.casefold() not in question.folded)


def _operator_in_term(term: Term, source: str) -> LLMAnswerError:
    return _unusable(f"An operator stands inside the quotes of a term: {shown(term.text)}", source)


def unwrapped(answer: str) -> str:
    """The answer without reasoning, tags and JSON around it."""
    text = answer.replace("\r\n", "\n").replace("\ufeff", "").strip()
    if thought := _THINK.match(text):
        text = text[thought.end() :].strip()
    if thought := _THOUGHT.match(text):
        text = text[thought.end() :].strip()
    if tags := _TAGS.match(text):
        text = tags[2].strip()
    fence = _FENCE.match(text)
    body = text[fence.end() :].removesuffix(fence[1]).strip() if fence else text
    if body.startswith("{") and body.endswith("}"):
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            return text
        if "alternatives" in data:
            return text_of(data)
        named = [data[key] for key in _JSON_KEYS if isinstance(data.get(key), str)]
        if named:
            return str(named[0]).strip()
    return text


def _lines(text: str) -> Iterator[_Line]:
    """Lines with their continuations: those in fences, then those outside."""
    outside, fences, at = "", [], 0
    while opening := _FENCE.search(text, at):
        # str.find, where a backreference would compare the whole run of signs at every character.
        close = text.find(opening[1], opening.end())
        end = len(text) if close < 0 else close
        fences.append(text[opening.end() : end])
        outside += f"{text[at : opening.start()]}\n\n"
        at = end + len(opening[1])
    for fence in fences:
        for line in _joined(fence):
            yield _Line(_LABEL.sub("", line), marked=True)
    label_above = False
    for line in _joined(outside + text[at:]):
        label = _LABEL.match(line)
        if label and not OPERATOR.search(label.group()):
            rest = line[label.end() :].strip()
            # What a label above a fence points at is the fence.
            label_above = not rest and not fences
            if rest:
                yield _Line(rest, marked=True)
        else:
            yield _Line(line, marked=label_above)
            label_above = False


def _joined(text: str) -> Iterator[str]:
    """Non-empty lines, each with the lines that continue it."""
    current, tail, depth, is_query, inside = "", "", 0, False, False
    for line in filter(None, map(str.strip, text.splitlines())):
        goes_on = (
            inside
            or _CONTINUES.match(line)
            or (is_query and (depth > 0 or _CONTINUES_QUERY.match(line)))
            or _OPEN.search(tail)
        )
        if current and not goes_on:
            yield current
            current, tail, depth, is_query = "", "", 0, False
        current = f"{current}\n{line}" if current else line
        # Read on from where the last line ended: reading them all again would take quadratic time.
        closed = _CLOSES.match(line) if inside else None
        if inside and closed is None:
            continue
        outside = outside_quotes(straighten(line[closed.end() :] if closed else line))
        outside = f'""{outside}' if closed else outside
        balanced = outside[: _BALANCED.match(outside).end()]  # type: ignore[union-attr]  # it matches any text
        inside = len(balanced) < len(outside)
        is_query = is_query or '"' in outside or OPERATOR.search(balanced) is not None
        depth += balanced.count("(") - balanced.count(")")
        tail = balanced if balanced.strip() else tail
    if current:
        yield current


def _unusable(problem: str, answer: str) -> LLMAnswerError:
    return LLMAnswerError(problem, hint=_FORMAT, answers=(answer,))
