"""Reads logic that the user typed: quoted terms with operators, ``-word``, ``!word``, ``NOT`` in capitals."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from logical_retriever.errors import LogicalQueryError
from logical_retriever.query import LogicalQuery, Term, parse
from logical_retriever.transform.languages.table import words

MAX_TYPED_LENGTH: Final = 2_000
"""Most characters of a text that is read as typed logic; nobody types more."""

_MAX_PARENTHESES: Final = 40
_TOKEN: Final = re.compile(
    r"(?P<quoted>\"[^\"\n]{1,300}\"|[“„”«»][^“„”«»\"\n]{1,300}[“”«»])|(?P<open>\()|(?P<close>\))"
    r"|(?P<op>(?:&&?|\|\|?)(?![^\s\"“„«(!-])|(?:AND|OR|NOT|and|or|not)(?![^\s\"“„«()]))|(?P<mark>[!+-](?=[\"“„«(\w]))"
    r"|(?P<word>[^\s()\"“„”«»]+)"
)
_OPERATORS: Final = {"&": "AND", "&&": "AND", "|": "OR", "||": "OR"}
_MARKS: Final = {"-": "NOT", "!": "NOT", "+": "PLUS"}
# A word that stands in sentences and in no list of search terms.
_PROSE: Final = frozenset(
    words(
        "i you he she it we they me us them my your his her our their its this that these those who whom whose what "
        "which when where why how is are was were be been am do does did can could should would will shall may might "
        "must has have had if then because but so please than there here just only isn't aren't don't doesn't can't "
        "i'm what's means mean vs versus difference between explain without except excluding"
    )
)
# A term neither begins nor ends with these: "the AND of", "NOT IN".
_LOOSE: Final = frozenset(words("a an the of in on at to for from by with as and or not"))
# Words written in capitals beside AND, OR and NOT say that the text is code.
_CODE: Final = frozenset(
    words(
        "SELECT WHERE FROM JOIN IN NULL LIKE EXISTS BETWEEN HAVING GROUP ORDER SET UPDATE INSERT DELETE CREATE TABLE "
        "KEY XOR NAND NOR IF THEN ELSE WHEN CASE"
    )
)
# A program called by its name, whose options begin with a dash.
_PROGRAM: Final = re.compile(
    r"(?:sudo|git|gcc|g\+\+|clang|cmake|ls|cd|cp|mv|rm|ln|grep|egrep|sed|awk|find|tar|gzip|unzip|ssh|scp|rsync|curl"
    r"|wget|ping|ps|df|du|chmod|chown|mount|apt|apt-get|yum|dnf|brew|pip3?|npm|npx|deno|rustc|cargo|java|javac|mvn"
    r"|gradle|kotlinc|docker|podman|kubectl|helm|terraform|ansible|ffmpeg|ffprobe|magick|openssl|systemctl|journalctl"
    r"|crontab|nohup|xargs|uniq|bash|sh|zsh|powershell|pwsh|cmd|robocopy|ipconfig|netstat|nmap|iptables|mysql|psql"
    r"|sqlite3|redis-cli|aws|az|gcloud|vi|emacs|dotnet|msbuild|xcodebuild|adb|pytest|ruff|mypy|eslint|tsc|pdflatex"
    r"|pandoc|msiexec|(?:get|set|new|remove|add|start|stop)-\w+)"
)
# Signs of code, paths, sums and shells that no search term has.
_SYMBOLS: Final = re.compile(r"[;{}<>=\\`$^~]|--|\+\+|->|!=|\w\(|\d\s*[-+*/|&]\s*\d|(?:^|\s)[./]\w|\w/\w+/")
# A text that begins with a quoted term beside an operator, not a sentence with one somewhere.
_BESIDE_QUOTED: Final = re.compile(
    r"[\s(]*(?:NOT\s+)?[\s(]*\"(?=[^\"]+\"\s+(?:AND|OR|NOT)\b|.*\b(?:AND|OR|NOT)\s+\"\w)"
)
_DASHED: Final = re.compile(r"[^\W\d_][^\W_]{2,}(?:['’-]\w+)*[,.]?")


@dataclass
class _Text:
    """A typed text in the grammar, and what its form says of it.

    Attributes:
        terms: Unquoted terms.
        operators: Operators as typed, marks among them.
        parts: The text's own logic in the grammar.
        without: Marked exclusions, which hold for all of the text.
        depth: Parentheses that are open.
    """

    terms: list[str] = field(default_factory=list)
    operators: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    quoted: int = 0
    depth: int = 0


def read_typed(question: str) -> LogicalQuery | None:
    r"""Read logic that the user typed, or return None: the text is a question, a title, code or a list of words.

    Precision comes before recall. Terms are quoted in any style, or runs of words that no sentence has. Operators are
    AND, OR, NOT, ``&``, ``&&``, ``|`` and ``||`` between terms (in small letters between quoted terms alone), ``!`` and
    ``-`` before a word, a quotation or a parenthesis, and ``+``, which every search term has that is wanted. Terms
    side by side are joined by AND, and a ``NOT`` without one, like ``-word``, holds for all that stands beside it.

    Args:
        question: What the user typed; longer than :data:`MAX_TYPED_LENGTH`, it is nothing typed.

    Returns:
        The query, or None.

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
    if "[" in question and (query := _with_conditions(question)) is not None:
        return query
    tokens = [(match.lastgroup or "", match[0], match.start()) for match in _TOKEN.finditer(question)]
    read = _read(tokens, question)
    if read is None or not read.operators or not _is_typed(read, question):
        return None
    if read.terms and read.parts[:1] == ["NOT"] and len(read.parts) == 2:
        return None  # "-offshore" alone is rather an item of a list.
    several = read.without and "OR" in _outermost(read.parts)
    wanted = " ".join(["(", *read.parts, ")"] if several else read.parts)
    excluded = "".join(f" AND NOT {term}" for term in read.without)
    try:
        return parse(wanted + excluded if wanted else excluded.removeprefix(" AND "))
    except LogicalQueryError:
        return None


def broken_logic(question: str) -> str | None:
    """Say why a text is no query although it begins with quoted terms beside AND, OR or NOT; else None.

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


def _with_conditions(question: str) -> LogicalQuery | None:
    """A query in the grammar that has conditions on metadata, which no sentence has."""
    try:
        query = parse(question)
    except LogicalQueryError:
        return None
    return query if query.conditions() else None


def _read(tokens: list[tuple[str, str, int]], text: str) -> _Text | None:
    """Write the tokens in the grammar; None where a token cannot stand where it does."""
    read = _Text()
    small = _only_quotations(tokens)
    kinds = {kind for kind, *_ in tokens}
    plain = not kinds & {"quoted", "open"} and not {token for kind, token, _ in tokens if kind == "op"} & {"||", "|"}
    run: list[str] = []
    expecting, at = True, 0  # Whether an operand comes next.

    def flush() -> None:
        nonlocal expecting
        if run:
            read.terms.append(" ".join(run))
            _operand(read, str(Term(read.terms[-1])), joined=not expecting)
            run.clear()
            expecting = False

    while at < len(tokens):
        kind, token, start = tokens[at]
        lonely = start == 0 or text[start - 1] in " \t\n("
        if kind == "op" and ((token.islower() and not small) or (token == "&" and plain)):
            kind = "word"  # "salt & pepper -shaker"
        if kind == "mark" and (not lonely or not _marks(tokens, at)):
            kind = "word"
        if kind == "word":
            # A mark or an operator that is none belongs to the word that follows it.
            glued = run and not lonely
            run[-1:] = [run[-1] + token] if glued else [*run[-1:], token]
            at += 1
            continue
        flush()
        if kind == "mark" or (kind == "op" and token.upper() == "NOT"):
            read.operators.append(token)
            sign = _MARKS.get(token, "NOT")
            at += 1
            if sign == "PLUS":
                word = tokens[at][1]
                quoted = tokens[at][0] == "quoted"
                read.terms += [] if quoted else [word]
                _operand(read, str(Term(word[1:-1] if quoted else word)), joined=not expecting)
                expecting, at = False, at + 1
                continue
            if expecting:
                read.parts.append("NOT")
                if kind == "mark" and tokens[at][0] == "word":
                    read.terms.append(tokens[at][1])
                    _operand(read, str(Term(tokens[at][1])), joined=False)
                    expecting, at = False, at + 1
                continue
            end = _operand_end(tokens, at, one_word=kind == "mark")
            if end is None:
                return None
            inner = _read(tokens[at:end], text) if end > at else None
            if inner is None or not inner.parts or inner.without:
                return None
            read.terms += inner.terms
            read.operators += inner.operators
            read.quoted += inner.quoted
            excluded = " ".join(inner.parts)
            if read.depth:
                read.parts += ["AND", "NOT", f"({excluded})"]
            else:
                read.without.append(f"({excluded})")
            at = end
            continue
        if kind == "op":
            if expecting:
                return None
            read.operators.append(token)
            read.parts.append(_OPERATORS.get(token, token.upper()))
            expecting = True
        elif kind == "quoted":
            read.quoted += 1
            _operand(read, str(Term(token[1:-1])), joined=not expecting)
            expecting = False
        elif kind == "open":
            if not expecting:
                read.parts.append("AND")
            read.parts.append("(")
            read.depth += 1
            expecting = True
        else:
            if expecting or not read.depth:
                return None
            read.parts.append(")")
            read.depth -= 1
        at += 1
    flush()
    return None if (expecting and read.parts) or read.depth else read


def _outermost(parts: list[str]) -> list[str]:
    """The parts outside parentheses."""
    depth, found = 0, []
    for part in parts:
        depth += (part == "(") - (part == ")")
        found += [] if depth else [part]
    return found


def _operand(read: _Text, term: str, *, joined: bool) -> None:
    read.parts += ["AND", term] if joined else [term]


def _marks(tokens: list[tuple[str, str, int]], at: int) -> bool:
    """Whether a mark stands before something that it can be the mark of."""
    sign, following = tokens[at][1], tokens[at + 1]
    if following[2] != tokens[at][2] + 1:
        return False
    if following[0] == "word":
        return bool(_DASHED.fullmatch(following[1])) and following[1].lower() not in _PROSE | _LOOSE
    return following[0] == "quoted" or (following[0] == "open" and sign != "+")


def _operand_end(tokens: list[tuple[str, str, int]], at: int, *, one_word: bool) -> int | None:
    """Where the operand of a NOT that begins at a token ends."""
    if at == len(tokens):
        return None
    kind = tokens[at][0]
    if kind == "open":
        depth = 0
        for end in range(at, len(tokens)):
            depth += (tokens[end][0] == "open") - (tokens[end][0] == "close")
            if not depth:
                return end + 1
        return None
    if kind == "quoted" or (kind == "word" and one_word):
        return at + 1
    end = at
    while end < len(tokens) and tokens[end][0] == "word":
        end += 1
    return end if end > at else None


def _only_quotations(tokens: list[tuple[str, str, int]]) -> bool:
    """Whether there is nothing but quotations, parentheses and operators: operators may then be in small letters."""
    return all(kind != "word" for kind, *_ in tokens) and sum(kind == "quoted" for kind, *_ in tokens) > 1


def _is_typed(read: _Text, text: str) -> bool:
    """Whether the form of a text that can be read as logic says that it was meant so."""
    if not read.terms:
        return True  # Quotations and operators, and nothing beside them.
    said = [word for term in read.terms for word in term.split()]
    outside = re.sub(_TOKEN.pattern.split("|(?P<open>")[0], "", text)
    if _SYMBOLS.search(outside) or re.search(r"[?!.,:](?=\s|$)", outside):
        return False
    if any(word.lower() in _PROSE or word in _CODE for word in said) or not any(map(str.islower, said)):
        return False
    if any({term.split()[0].lower(), term.split()[-1].lower()} & _LOOSE for term in read.terms):
        return False
    marks = [sign for sign in read.operators if sign in _MARKS]
    if "-" in marks and (_PROGRAM.match(said[0].lower()) or len(said) > 12):
        return False
    if "+" in marks and not text.lstrip().startswith("+"):
        return False
    if marks or read.quoted or "(" in read.parts:
        return True
    return not _is_name(read)


def _is_name(read: _Text) -> bool:
    """Whether one ``&``, ``|`` or ``OR`` between unquoted words may belong to a name: "rock & roll", "Portland OR"."""
    signs = set(read.operators)
    if signs <= {"&", "&&"}:
        return True
    capitals = [term[0].isupper() for term in read.terms]
    if signs <= {"|", "||"}:
        return any(capitals) or any(len(term.split()) > 3 for term in read.terms)
    return signs == {"OR"} and capitals[0] and not all(capitals)
