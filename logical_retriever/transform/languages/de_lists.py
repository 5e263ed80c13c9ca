"""Word lists of the German cues: ``<kein>`` in a pattern is any of these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from logical_retriever.transform.languages.table import phrases, words

LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "von": phrases("von, vom, des, der, von der, von den, von dem"),
    "mal": phrases("mal, einmal, bitte, bitte mal, jetzt mal, diesmal, ruhig, gerne, gern, komplett, ganz"),
    "kein": words("kein keine keinen keinem keiner keines keins"),
    "weg": phrases(
        "weglassen, auslassen, rauslassen, ausklammern, ausschließen, überspringen, ignorieren, streichen, vergessen,"
        " sparen, schenken, aussparen, weg, raus, auslassen, vermeiden, umgehen, nicht erwähnen, nicht nennen, außen"
        " vor lassen, außen vor, beiseite lassen, nicht berücksichtigen, nicht vorschlagen, nicht empfehlen, nicht"
        " zeigen, nicht behandeln, lieber nicht"
    ),
    "not": words("nicht nichts kein keine keinen keinem keiner nie niemals niemand"),
    "known": phrases(
        "schon, bereits, auswendig, zur genüge, in- und auswendig, gut genug, schon alle, doch, schon zur genüge, ja"
        " schon, schon alles, halt schon, durch, schon durch, gut, hinter mir, hinter uns, schon länger, aus der schule"
    ),
    "done": phrases(
        "schon, bereits, schon mal, schon oft, schon zigmal, letztes jahr, neulich, schon gesehen, schon gelesen,"
        " schon probiert, schon versucht, schon gemacht, in bio, in der schule, schon durch, satt, durch, zuhause, zu"
        " hause, schon zuhause, bereits gesehen, bereits gelesen, ausprobiert"
    ),
    "tell": phrases(
        "erzähl, erzähle, sag, sage, sprich, rede, schreib, schreibe, bring, zeig, zeige, empfiehl, nenn, nenne,"
        " erwähn, erwähne, gib, schlag, komm, kommen sie, erzählen sie, zeigen sie, nennen sie, empfehlen sie, erwähnen sie"
    ),
    "stop": phrases(
        "vergiss, vergesst, vergessen sie, überspring, überspringe, überspringen sie, ignorier, ignoriere, ignorieren"
        " sie, vermeide, vermeiden sie, streich, streiche, spar dir, spare dir, sparen sie sich, erspar mir, erspare"
        " mir, ersparen sie mir, verschon mich mit, verschone mich mit, verzichte auf, verzichten sie auf, klammer, schließe, lass bloß"
    ),
}
