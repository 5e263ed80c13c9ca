"""Reads logic that the user typed: quoted terms, AND, OR and NOT in capitals, ``-word``, conditions in brackets."""

from __future__ import annotations

import re
from typing import Final

from logical_retriever.errors import LogicalQueryError
from logical_retriever.query import LogicalQuery, Term, parse

MAX_TYPED_LENGTH: Final = 2_000
"""Most characters of a text that is read as typed logic; nobody types more."""

_TOKEN: Final = re.compile(
    r"(?P<quoted>\"[^\"\n]{1,300}\"|[“„«][^“„”«»\"\n]{1,300}[“”»])|(?P<paren>[()])"
    r"|(?P<op>(?:AND|OR|NOT|&&?|\|\|?)(?![^\s\"“„«()!-]))|(?P<mark>(?<![^\s(])[-!+](?=[\"“„«(\w]))"
    r"|(?P<word>[^\s()\"“”„«»]+)"
)
_OPERATORS: Final = {"&": "AND", "&&": "AND", "|": "OR", "||": "OR"}
_MAX_PARENTHESES: Final = 40
_MOST_WORDS: Final = 12
"""Most words beside a ``-word``: a longer text is a sentence."""
_PROSE_WORDS: Final = (
    "i you he she it we they me us my your his her our their this that these who what which when where why how is are "
    "was were do does did can could should would will must has have if then so please than there i'm vs explain"
)
_PROSE: Final = frozenset(_PROSE_WORDS.split())
"""Words that stand in sentences, and in no list of search terms."""
_LOOSE_WORDS: Final = "a an the of in on at to for from by with as and or not"
_LOOSE: Final = frozenset(_LOOSE_WORDS.split())
"""A term neither begins nor ends with these: "NOT IN", "the AND of"."""
# Punctuation, code, paths, sums and shells.
_SYMBOLS: Final = re.compile(r"[?!.,:](?=\s|$)|[;{}<>=\\`$^~]|--|\+\+|\w\(|\d\s*[-+*/]\s*\d|(?:^|\s)[./]\w")
_DASHED: Final = re.compile(r"[^\W\d_][^\W_]{2,}(?:['’-]\w+)*")
_BESIDE_QUOTED: Final = re.compile(r"[\s(]*(?:NOT\s+)?[\s(]*\"[^\"]+\"\s+(?:AND|OR|NOT)\b")


def read_typed(question: str) -> LogicalQuery | None:
    r"""Read logic that the user typed, or return None: the text is a question, a title, code or a list of words.

    Precision comes before recall. Terms are quoted, or runs of words that no sentence has. Terms side by side are
    joined by AND; a ``NOT`` without AND before it, ``-word`` and ``!word`` hold for all that stands before them.
    Brackets with a condition on metadata make any text a query that the grammar reads.

    Examples:
        >>> print(read_typed('"solar power" AND NOT offshore'))
        "solar power" AND NOT "offshore"
        >>> print(read_typed("jaguar -car -\"football club\""))
        "jaguar" AND NOT "car" AND NOT "football club"
        >>> read_typed("what does git reset --hard do")
        >>> read_typed("rock & roll")
    """
    if len(question) > MAX_TYPED_LENGTH or question.count("(") > _MAX_PARENTHESES:
        return None
    if "[" in question and (query := _parsed(question)) is not None and query.conditions():
        return query
    text = _in_grammar(question)
    return None if text is None else _parsed(text)


def broken_logic(question: str) -> str | None:
    """Say why a text is no query although it begins with a quoted term beside AND, OR or NOT; else None.

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


def _in_grammar(question: str) -> str | None:
    """The text as the grammar writes it; None where it is not meant as logic."""
    tokens = [(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(question)]
    kinds = [kind for kind, _ in tokens]
    if "quoted" not in kinds and "paren" not in kinds:  # "rock & roll", "Best pizza | Yelp"
        kinds = ["word" if text in _OPERATORS else kind for kind, text in tokens]
    result: list[str] = []
    terms: list[str] = []
    words: list[str] = []
    depth, marked, complete = 0, "", False  # complete: an operand stands at the end of the result

    def operand(text: str) -> None:
        nonlocal complete
        result.extend(["AND", text] if complete else [text])
        complete = True

    for place, (kind, (_, text)) in enumerate(zip(kinds, tokens, strict=True)):
        if kind == "word" and marked:
            if not _DASHED.fullmatch(text) or text.lower() in _PROSE | _LOOSE:
                return None
            terms.append(text)
            operand(str(Term(text)))
            marked = ""
            continue
        if kind == "word":
            words.append(text)
            if place + 1 == len(tokens) or kinds[place + 1] != "word":
                if complete and result[-2:-1] == ["NOT"] and kinds[place - len(words)] == "word" and len(result) > 2:
                    return None  # "git checkout -quiet branch": search terms end with what they exclude
                terms.append(" ".join(words))
                operand(str(Term(terms[-1])))
                words.clear()
            continue
        if kind == "quoted":
            operand(str(Term(text[1:-1])))
        elif text == "(":
            result.extend(["AND", "("] if complete else ["("])
            depth, complete = depth + 1, False
        elif text == ")":
            result.append(")")
            depth, complete = depth - 1, True
        elif text in ("NOT", "-", "!"):
            if complete and not depth and "OR" in _outermost(result):
                result = ["(", *result, ")"]
            result.extend(["AND", "NOT"] if complete else ["NOT"])
            complete = False
        elif text != "+":
            result.append(_OPERATORS.get(text, text))
            complete = False
        marked = text if kind == "mark" and kinds[place + 1 : place + 2] == ["word"] else ""
    alone = len(result) == 2 and bool(terms)  # "-offshore" is rather an item of a list
    return " ".join(result) if not alone and _meant(terms, kinds, question) else None


def _outermost(parts: list[str]) -> list[str]:
    """The parts outside parentheses."""
    depth, result = 0, []
    for part in parts:
        depth += (part == "(") - (part == ")")
        result += [] if depth else [part]
    return result


def _meant(terms: list[str], kinds: list[str], question: str) -> bool:
    """Whether the form of a text says that its operators were meant as such."""
    if "op" not in kinds and "mark" not in kinds:
        return False
    words = [word for term in terms for word in term.split()]
    if not words:
        return True
    outside = re.sub(_TOKEN.pattern.split("|(?P<paren>")[0], "", question)
    edges = {word.lower() for term in terms for word in (term.split()[0], term.split()[-1])}
    if _SYMBOLS.search(outside) or edges & _LOOSE or not any(map(str.islower, words)):
        return False
    if any(word.lower() in _PROSE for word in words) or ("mark" in kinds and len(words) > _MOST_WORDS):
        return False
    # "Portland OR weather": a lonely OR after a name is part of it.
    lonely = kinds.count("op") == 1 and not {"mark", "quoted", "paren"} & set(kinds) and " OR " in question
    return not (lonely and words[0][0].isupper() and not all(term[0].isupper() for term in terms))
