"""Typed logic: quoted terms, AND, OR and NOT, ``-word``, conditions in brackets."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from logical_retriever.errors import LogicalQueryError
from logical_retriever.query import LogicalQuery, parse

MAX_TYPED_LENGTH: Final = 2_000
"""Most characters of typed logic; nobody types more."""

_DASHED: Final = r"(?<![^\s(])[-−!](?:[^\W\d_][^\W_]{2,}|[\u3040-\u9fff\uac00-\ud7af]+)(?:['’-]\w+)*"
_MINUS: Final = rf"{_DASHED}(?![^\s)])"
_WORDY: Final = r"EXCEPT|WITHOUT|EXCLUDING|MINUS"
_NOT: Final = rf"AND-?NOT|BUT NOT|NOT|{_WORDY}"
_OPERATOR: Final = rf"(?:{_NOT}|AND|OR|&&|\|\|?)(?![^\s\"“„«(!-])|(?<![^\s(])[-−!](?=[\"“„«(])"
_TOKEN: Final = re.compile(
    rf"(?P<quoted>\"(?=[^\"\n]*\w)[^\"\n]{{1,300}}\"|[“„«](?=[^“„”«»\"\n]*\w)[^“„”«»\"\n]{{1,300}}[“”»])"
    rf"|(?P<paren>[()])|(?P<minus>{_MINUS})|(?P<op>{_OPERATOR})"
    rf"|(?P<words>[^\s()\"“”„«»]+(?:\s+(?!{_OPERATOR}|{_MINUS})[^\s()\"“”„«»]+)*)"
)
_SIGNS: Final = {"&&": "AND", "|": "OR", "||": "OR", "AND": "AND", "OR": "OR"}
"""Operators by how they are written; all others are NOT."""
_QUOTED_OR_NOT: Final = re.compile(r'"[^"\n]*"|[^"]+|"')
_SINGLE: Final = re.compile(r"(?<![^\s(])['‘]([^'‘’\"\n]*\w)['’](?![^\s)])")
_COMMA: Final = re.compile(rf"({_DASHED}),(?=\s+[-−!]\w)")
_PLUS: Final = re.compile(r"(?<!\S)\+(\w[\w-]*)(?!\S)")
_QUOTES_AND_OPERATORS: Final = re.compile(rf"(?:\s*(?:\"[^\"]+\"|[()]|\b(?:{_NOT}|AND|OR)\b))+\s*", re.IGNORECASE)
_ALONE: Final = re.compile(r"[-−][^\W\d_]+")
"""A lone ``-word``, without the hyphens and digits of options."""
_MOST_WORDS: Final = 12
"""Most words beside a ``-word``; a longer text is a sentence."""
_MOST_ALONE: Final = 3
"""Most words of a term that is excluded from everything."""
_PROSE: Final = re.compile(
    "i|you|he|she|it|we|they|me|us|my|your|his|her|our|their|this|that|these|who|what|which|"
    "when|where|why|how|is|are|was|were|do|does|did|can|could|should|would|will|must|has|have|"
    "if|then|so|please|than|there|i'm|vs|explain",
    re.IGNORECASE,
)
"""A word of sentences, unusual in a list of search terms."""
_LOOSE: Final = re.compile(r"a|an|the|of|in|on|at|to|for|from|by|with|as|and|or|not", re.IGNORECASE)
"""A word that neither begins nor ends a term: "NOT IN", "the AND of"."""
# Punctuation, code, paths, sums and shells.
_SYMBOLS: Final = re.compile(r"[?!.,:](?=\s|$)|[][;{}<>=\\`$^~]|--|\+\+|\w\(|\d\s*[-+*/]\s*\d|(?:^|\s)[./]\w")
_ABOUT_LOGIC: Final = re.compile(
    r"\b(?:gates?|operators?|bitwise|logical|boolean|statements?|clauses?|keywords?|excel|sql|formulas?)\b",
    re.IGNORECASE,
)
_NAMES: Final = re.compile(r"\b[A-Z][\w'-]*\s+(?:AND|OR)\b|\b(?:AND|OR)\s+(?:[A-Z]|\d)")
"""A name or number beside an operator without a quote: a title, or the state of Oregon."""
_BESIDE_QUOTED: Final = re.compile(r"[\s(]*(?:NOT\s+)?[\s(]*\"[^\"]+\"\s+(?:AND|OR|NOT)\b")


def read_typed(question: str) -> LogicalQuery | None:
    r"""Read typed logic, or return None for a question, a title, code or a list of words.

    Precision comes before recall. Unquoted terms must not look like a sentence, or be in capitals throughout. Terms
    side by side are joined by AND. Between quoted terms alone, operators may be in lower case. WITHOUT, EXCEPT,
    EXCLUDING, MINUS, ``&&`` and ``|`` need a quoted term or another operator beside them. A text with a condition on
    metadata is a query if the grammar accepts it.

    Examples:
        >>> print(read_typed('"solar power" AND NOT offshore'))
        "solar power" AND NOT "offshore"
        >>> print(read_typed("jaguar -car -\"football club\""))
        "jaguar" AND NOT "car" AND NOT "football club"
        >>> print(read_typed("-biology"), "|", read_typed('"tea" but not "milk"'))
        NOT "biology" | "tea" AND NOT "milk"
        >>> print(read_typed("cats OR dogs"))
        "cats" OR "dogs"
        >>> read_typed("what does git reset --hard do")
    """
    if len(question) > MAX_TYPED_LENGTH:
        return None
    if "[" in question and (query := _parsed(question)) is not None and query.conditions():
        return query
    question = _normalized(question)
    found = [(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(question)]
    operators = [text for kind, text in found if kind == "op"]
    unquoted = not any(kind == "quoted" for kind, _ in found)
    weak = _WORDY if "(" in question else rf"{_WORDY}|&&|\|\|?"
    if operators and unquoted and all(re.fullmatch(weak, text) for text in operators):
        return None  # "Doctors WITHOUT Borders", "ps aux | grep python"
    tokens = [(kind, _SIGNS.get(text, "NOT") if kind == "op" else text) for kind, text in found]
    return _parsed(_in_grammar(tokens)) if _is_logic(question, tokens) else None


def read_query(text: str) -> LogicalQuery:
    """Read a text that a person gives as a query: in the grammar, or typed logic that is less exact.

    Raises:
        LogicalQueryError: It is neither.
    """
    typed = read_typed(text) if isinstance(text, str) else None
    return parse(text) if typed is None else typed


def _normalized(question: str) -> str:
    """Write single quotes as double ones, ``+word`` as a quoted term, and lower-case operators in capitals.

    Operators may be in lower case between quoted terms alone, and a single ``&`` is one beside quotes or ``|``. A
    double quote without a partner is dropped with all others, if a NOT in capitals says that logic was meant.
    """
    question = _COMMA.sub(r"\1", question)
    parts = [part if part[0] == '"' else _SINGLE.sub(r'"\1"', part) for part in _QUOTED_OR_NOT.findall(question)]
    if len(_PLUS.findall(question)) > 1 or (_PLUS.search(question) and re.search(_MINUS, question)):
        parts = [part if part[0] == '"' else _PLUS.sub(r'"\1"', part) for part in parts]
    question = "".join(parts)
    if re.search(r'["|]', question):
        parts = [part if part[0] == '"' else part.replace(" & ", " && ") for part in _QUOTED_OR_NOT.findall(question)]
        question = "".join(parts)
    if _QUOTES_AND_OPERATORS.fullmatch(question):
        return "".join(part if part[0] == '"' else part.upper() for part in _QUOTED_OR_NOT.findall(question))
    if question.count('"') % 2 and re.search(r"\bNOT\b", question) and not re.search(r'\d"', question):
        return " ".join(question.replace('"', " ").split())
    return question


def broken_logic(question: str) -> str | None:
    """Return the mistake in a text that begins like typed logic and is none; None for any other text.

    Such a text begins with a quoted term beside AND, OR or NOT.

    Examples:
        >>> print(broken_logic('"tea" OR'))
        It looks like typed logic and is none. OR has nothing on its right.
        >>> broken_logic('recipes with "green tea" but NOT "matcha" please')
    """
    if len(question) > MAX_TYPED_LENGTH or not _BESIDE_QUOTED.match(question):
        return None
    try:
        parse(question)
    except LogicalQueryError as error:
        return f"It looks like typed logic and is none. {str(error).partition(' (characters')[0]}"
    return None


def _parsed(text: str) -> LogicalQuery | None:
    try:
        return parse(text)
    except LogicalQueryError:
        return None


def _is_logic(question: str, tokens: list[tuple[str, str]]) -> bool:
    """Return whether the operators of a text were meant as operators."""
    kinds, negates = [kind for kind, _ in tokens], ("op", "NOT") in tokens
    if "minus" not in kinds and "op" not in kinds:
        return False
    terms = [(text[1:] if kind == "minus" else text).split() for kind, text in tokens if kind in ("words", "minus")]
    words, edges = {word for term in terms for word in term}, {word for term in terms for word in (term[0], term[-1])}
    if "minus" in kinds and (len(words) > _MOST_WORDS or ("minus", "words") in pairwise(kinds)):
        return False  # "git checkout -quiet branch": exclusions come last in a list of search terms
    if not words:
        return True
    bare = not {"quoted", "minus", "paren"} & set(kinds)
    plain = not negates or ("op", "AND") not in tokens
    if bare and plain and all(word.isupper() for word in words if word.upper() != word.lower()) and len(words) > 1:
        return False  # "FILE NOT FOUND", "BLACK AND WHITE": in capitals throughout, they are no operators
    if bare and not negates and (_ABOUT_LOGIC.search(question) or _NAMES.search(question)):
        return False  # "bitwise OR operator", "R AND D", "hotels in Portland OR 97201"
    outside = _TOKEN.sub(lambda match: "" if match.lastgroup in ("quoted", "minus", "op") else match[0], question)
    sentence = any(map(_PROSE.fullmatch, words)) or any(map(_LOOSE.fullmatch, edges)) or _SYMBOLS.search(outside)
    if len(tokens) == 1 + negates:  # an exclusion and nothing else
        [text] = [text for kind, text in tokens if kind in ("words", "minus")]
        meant = len(words) <= _MOST_ALONE and not any(map(str.isupper, words))
        return not sentence and meant and (negates or _ALONE.fullmatch(text) is not None)
    return not sentence


def _in_grammar(tokens: list[tuple[str, str]]) -> str:
    """Write the tokens in the grammar, with AND between terms side by side."""
    result: list[str] = []
    complete = False  # the last token ends an operand
    for kind, text in tokens:
        if complete and (kind in ("quoted", "words") or text == "("):
            result.append("AND")
        complete = kind in ("quoted", "words", "minus") or text == ")"
        written = {"quoted": f'"{text[1:-1]}"', "words": f'"{text}"', "minus": f'NOT "{text[1:]}"'}
        result.append(written.get(kind, text))
    return " ".join(result)
