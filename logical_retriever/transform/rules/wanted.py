"""Makes one term of what is left of a question: gaps closed, and a request turned into what it asks for."""

from __future__ import annotations

from typing import Final

from logical_retriever.transform.rules.compiled import CompiledLanguage
from logical_retriever.transform.rules.patterns import WORD
from logical_retriever.transform.rules.text import hide, plain, quotations, sentences

_GAP: Final = " \t,;:—–-•"
_CLOSES: Final = "\n,;:.?!？！。)]"


def wanted_text(kept: list[str], language: CompiledLanguage) -> str:
    """Join what stands before, between and after the exclusions, as if they had never been there."""
    text = kept[0]
    for right in kept[1:]:
        text = _joined(text, right, language)
    text = _without_courtesies(text, language).lstrip(_GAP + ".?!").rstrip(" \t\n,;:—–-•")
    before, comma, last = text.rpartition(",")
    if comma and plain(last).strip(" .?!") in language.empty:
        text = before.rstrip()  # "a recipe for chicken, something (other than curry)"
    return _capital(text)


def _without_courtesies(text: str, language: CompiledLanguage) -> str:
    """Leave out sentences and openings that say nothing: "Hi!", "Thanks in advance."."""
    hidden = hide(plain(text), quotations(text))
    pieces = sentences(hidden, language)
    kept = [piece.of(text) for piece in pieces if not language.only_courtesies(piece.of(hidden).strip())]
    text = "".join(kept).strip() or text
    opening = language.first_courtesy.match(plain(text))
    rest = text[opening.end() :] if opening else text
    return rest if any(char.isalnum() for char in rest) else text


def statement(text: str, language: CompiledLanguage) -> str:
    """Turn a request into what it asks for and leave the rest as it is.

    Passages state; measured on the development sets, their vectors are nearer to a statement than to a request.
    """
    asked = text
    for _ in range(3):
        match = language.requests.match(plain(asked))
        rest = plain(asked[match.end() :]) if match else ""
        following = WORD.search(rest)
        if match is None or match.end() == 0 or following is None:
            break
        if following[0] in language.inner_prepositions and rest.strip().startswith(following[0]):
            break  # "list of standards": here the word is a noun.
        asked = asked[match.end() :].lstrip(" ,:")
    if language.language.restate:
        asked = language.language.restate(asked)
    single = not any(mark in asked.rstrip("?？. ") for mark in "?？\n")
    return _capital(asked.rstrip(". ") if asked == text or not single else asked.rstrip("?？. "))


def says_something(wanted: str, language: CompiledLanguage) -> bool:
    """Whether a text has a word that can be searched for."""
    return any(
        word not in language.light_words and word not in language.empty
        for word in WORD.findall(plain(wanted))
        if not language.only_courtesies(word) and not language.signs.fullmatch(word)
    )


def _joined(left: str, right: str, language: CompiledLanguage) -> str:
    left, right = left.rstrip(_GAP), right.lstrip(" \t")
    ahead = right.lstrip(_GAP)
    word = WORD.match(plain(ahead))
    asks = word is not None and left[-1:] in (".", "?", "!") and word[0] in language.question_words
    if asks or not (word and right != ahead and word[0] in language.resuming):
        right = ahead
    if left[-1:] in (".", "?", "!") and right[:1] == ".":
        right = right[1:].lstrip(" ")  # A sentence of which nothing is left has left its mark.
    if not left or left.endswith("\n") or right[:1] in ("", *_CLOSES):
        return left + right
    return f"{left} {right}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
