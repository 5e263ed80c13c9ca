"""Text to tree."""

from __future__ import annotations

from logical_retriever.errors import InvalidArgumentError, LogicalSyntaxError, Span
from logical_retriever.query._nodes import LogicalQuery
from logical_retriever.query._values import SURROGATE


def parse(text: str) -> LogicalQuery:
    r"""Read a logical query.

    NOT binds tighter than AND, AND tighter than OR; parentheses group. A chain of one operator gives one node
    with all its operands; a parenthesised chain within a chain stays a node of its own. Parentheses that change
    nothing leave no trace.

    **Quoted terms** stand between straight double quotes and hold any text, newlines included. ``\"`` is a quote
    and ``\\`` a backslash; any other backslash is a backslash.

    **Unquoted terms** are runs of words up to an operator, a parenthesis or a quote; white space between the words
    becomes one space. A word is everything up to white space, a parenthesis, a bracket or a straight quote, so
    ``AT&T``, ``a|b``, ``-5``, ``-la`` and ``state-of-the-art`` are words. Typographic double quotes must be quoted, and
    a run that begins and ends with a single quote or backtick is refused: each is most likely a wrong kind of quote.

    **Conditions** on metadata stand between brackets, wherever a term may: ``[year >= 1990]``, ``[language != "en"]``,
    ``[genres contains "western"]``, ``[country in ["France", "Italy"]]``, ``[country not in ["France"]]``,
    ``[director exists]``. Names that are not letters, digits, ``_``, ``.`` and ``-`` stand in double quotes, as texts
    do; other values are numbers, ``true``, ``false``, dates (``2020-01-31``) and times (``2020-01-31T12:30:00Z``).

    **Operators** are ``AND``, ``OR`` and ``NOT``, in upper case and as whole words (``and`` and ``ANDY`` are words).
    ``&`` and ``&&`` are AND, ``|`` and ``||`` are OR where they are whole words. ``!`` and ``-`` are NOT directly
    before a quote, ``(`` or ``[``, and before a word of three letters or more if no other words follow it:
    ``-"bone health"``, ``!(a OR b)`` and the end of ``tea -milk`` are negations, ``git checkout -quiet branch`` is one
    term. An exclusion needs no AND before it, and excludes from everything on its left: ``a OR b NOT c`` is
    ``(a OR b) AND NOT c``.

    Args:
        text: The query, of any length: reading takes time linear in it.

    Returns:
        The query. Every term keeps the span of the text it was read from, with its quotes.

    Raises:
        LogicalSyntaxError: The text is not a logical query, or not valid Unicode.
        QueryLimitError: The query has more than ``MAX_TERMS`` terms and conditions, or more than ``MAX_DEPTH`` levels.
        InvalidArgumentError: ``text`` is no text.

    Examples:
        >>> parse('"vitamin D" AND NOT ("bone health" OR skin)')
        And(operands=(Term(text='vitamin D'), Not(operand=Or(operands=(Term(text='bone health'), Term(text='skin'))))))
        >>> print(parse('cats & dogs | -"AT&T"'))
        "cats" AND "dogs" OR NOT "AT&T"
        >>> parse('"cats" and "dogs"')
        Traceback (most recent call last):
        logical_retriever.errors.LogicalSyntaxError: "and" is not an operator as it is written. (characters 7-10)
          "cats" and "dogs"
                 ^^^
        Expected an operator in upper case.
        Hint: Operators are words in upper case, with white space around them: AND, OR, NOT, AND NOT.
        More: docs/errors.md#logicalsyntaxerror
    """
    if not isinstance(text, str):
        raise InvalidArgumentError(
            f"A query is parsed from text, got {type(text).__name__}.",
            hint="Give a str; a query is parsed already.",
        )
    if surrogate := SURROGATE.search(text):
        raise LogicalSyntaxError(
            "The text is not valid Unicode.",
            text=text,
            span=Span(*surrogate.span()),
            expected=("a character",),
            hint="Decode the text with the encoding it was written in, most often UTF-8, before parsing it.",
        )
    from logical_retriever.query._grammar import read  # lark is loaded by the first query

    return read(text)
