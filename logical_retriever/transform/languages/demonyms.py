"""Words for what is from a country, by the country's names in a list of values."""

from __future__ import annotations

from typing import Final, NamedTuple

from logical_retriever.transform.languages.table import words


class Demonym(NamedTuple):
    """The countries that a demonym names.

    Attributes:
        countries: Names of the one country that it names.
        others: Countries that it may name as well: where a list has one of them, what is meant is not certain.
    """

    countries: frozenset[str]
    others: frozenset[str]


_LINES: Final = """
afghan: Afghanistan
algerian: Algeria
american: United States, United States of America, USA, U.S.A., US, U.S., America
argentine: Argentina
argentinian: Argentina
australian: Australia
austrian: Austria
bangladeshi: Bangladesh
belgian: Belgium
bolivian: Bolivia
brazilian: Brazil
british: United Kingdom, UK, U.K., Great Britain, Britain, GB | England, Scotland, Wales, Northern Ireland
bulgarian: Bulgaria
cambodian: Cambodia
canadian: Canada
chilean: Chile
chinese: China, People's Republic of China, PRC | Hong Kong, Taiwan
colombian: Colombia
croatian: Croatia | Yugoslavia
cuban: Cuba
czech: Czech Republic, Czechia | Czechoslovakia
danish: Denmark
dutch: Netherlands, The Netherlands, Holland
egyptian: Egypt
estonian: Estonia | Soviet Union, USSR
ethiopian: Ethiopia
finnish: Finland
french: France
german: Germany | West Germany, East Germany, German Democratic Republic, GDR
ghanaian: Ghana
greek: Greece
hungarian: Hungary
icelandic: Iceland
indian: India
indonesian: Indonesia
iranian: Iran
iraqi: Iraq
irish: Ireland | Northern Ireland
israeli: Israel
italian: Italy
jamaican: Jamaica
japanese: Japan
jordanian: Jordan
kenyan: Kenya
korean: Korea, South Korea, Republic of Korea | North Korea
lebanese: Lebanon
lithuanian: Lithuania | Soviet Union, USSR
malaysian: Malaysia
mexican: Mexico
mongolian: Mongolia
moroccan: Morocco
nepalese: Nepal
nigerian: Nigeria
norwegian: Norway
pakistani: Pakistan
palestinian: Palestine
peruvian: Peru
philippine: Philippines, The Philippines
polish: Poland
portuguese: Portugal
romanian: Romania
russian: Russia, Russian Federation | Soviet Union, USSR
saudi: Saudi Arabia
scottish: Scotland
senegalese: Senegal
serbian: Serbia | Yugoslavia
singaporean: Singapore
slovak: Slovakia | Czechoslovakia
south african: South Africa
south korean: South Korea, Republic of Korea
soviet: Soviet Union, USSR
spanish: Spain
swedish: Sweden
swiss: Switzerland
taiwanese: Taiwan
thai: Thailand
tunisian: Tunisia
turkish: Turkey, Türkiye
ukrainian: Ukraine | Soviet Union, USSR
uruguayan: Uruguay
venezuelan: Venezuela
vietnamese: Vietnam, Viet Nam
welsh: Wales
"""


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in text.split(",") if name.strip())


def _demonym(line: str) -> tuple[str, Demonym]:
    name, _, countries = line.partition(": ")
    own, _, others = countries.partition("|")
    return name, Demonym(_names(own), _names(others))


DEMONYMS: Final = {"en": dict(map(_demonym, _LINES.strip().splitlines()))}
"""By language; "English" is none, which means a language more often."""
DIVIDING: Final = {
    "en": frozenset(
        words(
            "north south east west northern southern eastern western central latin native african asian pan old ancient"
            " non un anti anglo franco indo"
        )
    )
}
"""Words before a demonym that make another of it: "Latin American"."""
EVENTS: Final = {"en": frozenset(words("war wars revolution"))}
"""Words after a demonym with which it names what a film or a book is about: "Spanish war films"."""
EVERYDAY: Final = {"en": frozenset({"polish"})}
"""Demonyms that are other words in small letters."""
