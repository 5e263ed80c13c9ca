"""The values of fields by the names that questions give them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from logical_retriever.query import Field, LogicalQuery, Or
from logical_retriever.query.fields import FieldInfo, Fields
from logical_retriever.transform.languages.demonyms import DEMONYMS
from logical_retriever.transform.languages.table import words
from logical_retriever.transform.rules.patterns import fold

_PEOPLE: Final = (
    "director author writer artist creator composer photographer singer regisseur autor autorin auteur realisateur "
    "autore regista"
)
_ROLES: Final = {
    "maker": f"{_PEOPLE} publisher brand manufacturer maker band editora editore marke",
    "language": "language lang sprache langue idioma lengua lingua",
    "origin": "country origin nation nationality land herkunft pays pais paese origem origen",
    "time": "year date released published publication jahr datum annee ano año anno data fecha",
}
"""The role of a field by the words of its name: the words of a language can then be those of such a field."""
ROLES: Final = tuple(_ROLES)
_ROLE_OF: Final = {fold(word): role for role, names in _ROLES.items() for word in names.split()}
_QUALITIES: Final = frozenset(
    words("color colour farbe couleur colore cor size grosse taille severity priority urgency status state level grade")
)
"""Words of names of fields whose values are qualities, of which there are no several: "Blues" are no color."""
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_AFTER_NAMES: Final = frozenset({"jr", "jr.", "sr", "sr.", "ii", "iii", "iv"})
_BEFORE_SURNAMES: Final = frozenset(words("von van de del der den di da du la le ten ter zu"))

Form: TypeAlias = Literal["own", "several", "demonym", "surname"]


class Value(NamedTuple):
    """A value of a closed list by one of its names.

    Attributes:
        field: Whose value it is.
        value: As the list has it.
        form: Of its name: its own, that of several ("westerns"), that of what is from a country, a surname alone.
    """

    field: FieldInfo
    value: Any
    form: Form = "own"

    @property
    def plural(self) -> bool:
        """Whether its name is that of several."""
        return self.form == "several"


def names_of_values(fields: Fields, plurals: Sequence[tuple[str, str]], language: str) -> dict[str, list[Value]]:
    """All names, folded and in small letters, each with the values that it may mean, one of a field.

    Args:
        fields: The fields of the collection.
        plurals: Endings of words for several things, each with that of one.
        language: Of the questions.
    """
    known: dict[str, list[Value]] = {}

    def add(name: str, value: Value) -> None:
        some = known.setdefault(name, [])
        if not any(one.field is value.field for one in some):
            some.append(value)

    for info in fields.values():
        for value in (*info.values, *info.examples):
            for name, plural in _own_names(info, value, plurals).items():
                add(name, Value(info, value, "several" if plural else "own"))
    for info in fields.values():
        role = role_of(info)
        for name, value in {
            **(_demonyms(info, language) if role == "origin" else {}),
            **(_surnames(info) if role == "maker" and _made_by_people(info) else {}),
        }.items():
            add(name, Value(info, value, "demonym" if role == "origin" else "surname"))
    return known


def _own_names(info: FieldInfo, value: Any, plurals: Sequence[tuple[str, str]]) -> dict[str, bool]:
    """The names of a value: its own, and for a list's, that of several."""
    if not isinstance(value, str) or not value.strip():
        return {}
    own = _folded(value)
    names = {own: False}
    common = info.type == "list" or (role_of(info) is None and own == value)
    common = common and not any(word in _QUALITIES for word in name_of(info).split())
    if common and not any(own.endswith(ending) for ending, _ in plurals if len(ending) == 1):
        for ending, single in plurals:
            if not single or own.endswith(single):
                stem = own.removesuffix(single) if single else own
                names.setdefault(stem + ending, True)
    return names


def _demonyms(info: FieldInfo, language: str) -> Mapping[str, str]:
    """Words for what is from a country of a closed list, where it can be from no other of the list."""
    listed = {value.strip().lower(): value for value in info.values if isinstance(value, str)}
    found = {}
    for name, demonym in DEMONYMS.get(language, {}).items():
        own = [value for said, value in listed.items() if said in demonym.countries]
        if len(own) == 1 and not demonym.others & listed.keys():
            found[name] = own[0]
    return found


def _surnames(info: FieldInfo) -> Mapping[str, str]:
    """Surnames that one value of a closed list alone ends with, and no other is."""
    owners: dict[str, list[str]] = {}
    texts = [value for value in info.values if isinstance(value, str)]
    for value in texts:
        parts = value.split()
        while len(parts) > 1 and parts[-1].lower() in _AFTER_NAMES:
            parts.pop()
        for length in range(1, len(parts)):
            owners.setdefault(_folded(" ".join(parts[-length:])), []).append(value)
            if parts[-length - 1].lower() not in _BEFORE_SURNAMES:
                break
    whole = {_folded(value) for value in texts}
    return {name: values[0] for name, values in owners.items() if len(values) == 1 and name not in whole}


def _made_by_people(info: FieldInfo) -> bool:
    return any(word in _PEOPLE.split() for word in name_of(info).split())


def _folded(value: str) -> str:
    return fold(value.strip().lower()).replace("\u2019", "'")


def one_of_values(values: Sequence[Value]) -> LogicalQuery:
    """The condition that a field has one of some values."""
    info = values[0].field
    if info.type == "list":
        each = tuple(Field(info.name).contains(one.value) for one in values)
        return each[0] if len(each) == 1 else Or(each)
    distinct = list(dict.fromkeys(one.value for one in values))
    return Field(info.name) == distinct[0] if len(distinct) == 1 else Field(info.name).in_(distinct)


def name_of(info: FieldInfo) -> str:
    """A field's name as it is said: "running_time" is "running time"."""
    return " ".join(fold(word.lower()) for word in re.findall(r"[^\W_]+", _CAMEL.sub(" ", info.name)))


def role_of(info: FieldInfo) -> str | None:
    """The role of a field, by its name and type."""
    roles = {_ROLE_OF[word] for word in name_of(info).split() if word in _ROLE_OF}
    role = roles.pop() if len(roles) == 1 else None
    return role if role != "time" or info.type in ("integer", "date", "time") else None
