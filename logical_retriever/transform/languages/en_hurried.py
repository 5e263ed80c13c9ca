"""The exclusion cues of English for hurried and dictated questions: no mark stands before what is excluded."""

from __future__ import annotations

from typing import Final

from logical_retriever.transform.languages.en_contexts import ASKS, FACT, FAULTS, LACKING, MINE
from logical_retriever.transform.languages.table import ANYWHERE, Kind, cues

# Nothing that is asked for goes on so: "there are no ...", "what if no ...".
RUN_ON: Final = (
    ASKS,
    "(and|but|yet|that|to|of|for|in|on|at|with|by|from|as|there's|there|has|have|using|still|but|*ly|,|playing|crash*|freez*|how|<wh>)",
    "<no> ...",
    "(<be>|<do>|can|could|will|would|should|shall|must|might|get|gets|shows|show) ...",
    "^ (my|our|his|her) ...",
    *MINE[1:],
)

HURRIED: Final = (
    *cues(
        Kind.LIST,
        "but (no|not) {x} :: can you find me a beach holiday in october but not spain we went there last year",
        at=ANYWHERE,
        dictated=True,
        never_before=(*FACT, "(<talk>|<list>)", "(*ed|*ing) $"),
        never_after=(ASKS, "<be> ...", "<no> ...", "(<wh>|that) [*] [*] (<do>|<can>) ..."),
    ),
    *cues(
        Kind.LIST,
        "but not one of (those|these|the) {x} :: find me a plumber in leeds but not one of those big companies",
        at=ANYWHERE,
        dictated=True,
    ),
    *cues(
        Kind.LIST,
        "[that is|that are|that's|thats] not (from|by|made by|made in) {x} :: papers about transformers not from openai or anthropic",
        at=ANYWHERE,
        fragment=True,
        asking=True,
        never_after=RUN_ON,
        never_before=(
            "(me|us|the start|the beginning|scratch|here|there|it|them|this|that|a|an|*ing|hand|itself|mistake|default)",
        ),
    ),
    *cues(
        Kind.RELATIVE,
        "<that> <dont> (need|depend on|rely on) {x} :: python pdf libraries that don't need java",
        fragment=True,
        asking=True,
        never_before=(
            "(a|an|to|the|much|many|any|my|your|it|*ing|water*|light|sun*|charging|ironing|regist*|login|internet|wifi|experience|oven|cook*|power|electricity|batteries|help)",
        ),
    ),
    *cues(
        Kind.LIST,
        "not (involving|including|using|requiring|containing|featuring) {x} :: studies on insomnia in adults not involving medication",
        at=ANYWHERE,
        fragment=True,
        asking=True,
        never_after=RUN_ON,
        never_before=("(it|them|this|that)",),
    ),
    *cues(
        Kind.PHRASE,
        "(without|w/out|with no) {x} :: birthday cake recipes without eggs",
        at=ANYWHERE,
        fragment=True,
        asking=True,
        only_after=(
            "(recipe|recipes|cake|cakes|dish|dishes|meal|meals|dinner|dinners|lunches|breakfasts|dessert|desserts|snack|snacks|soup|soups|salad|salads"
            "|sauce|sauces|curry|curries|smoothies|cocktails|ideas|papers|articles|studies|plans|examples|tutorial|tutorials|playlist|activities|exercises|photos) ...",
        ),
        never_before=(*LACKING, "(a|an|my|your|the|being|having|any|*ing|much|too|it|them)"),
        never_after=(*RUN_ON, "^ *"),
    ),
    *cues(
        Kind.LIST,
        "no {x} :: weekend getaways near chicago no long drives though",
        at=ANYWHERE,
        fragment=True,
        asking=True,
        only_after=("* * *",),
        never_before=(*FACT, *LACKING, *FAULTS),
        never_after=RUN_ON,
    ),
    *cues(
        Kind.LIST,
        "not {x} :: running shoes for wide feet not nike",
        at=ANYWHERE,
        fragment=True,
        asking=True,
        only_after=("* * *",),
        never_before=(
            *FACT,
            *FAULTS,
            "(*ed|*ing|*en|sent|shown|paid|met|kept|held|done|open|closed|ready|due|safe|free|full|on|in)",
        ),
        never_after=RUN_ON,
    ),
    *cues(
        Kind.LIST,
        "nothing {x} :: good movies on netflix tonight nothing scary",
        at=ANYWHERE,
        fragment=True,
        asking=True,
        only_after=("* * *",),
        only_before=(
            "(<adjective>|*y|*er|*al|too|over|under|super|very|so)",
            "(fried|raw|hot|cold|long|sad|dark|cute|fancy|big|small|loud|sweet|sour|cheap|pink|black|red)",
        ),
        never_before=("(*ly|but|like it|to|new|special|else|more|happens|works|helps)",),
        never_after=RUN_ON,
    ),
    *cues(
        Kind.CLAUSE,
        "(skip|avoid|exclude|omit|leave out|drop) {x} :: workout playlist skip the rap",
        at=ANYWHERE,
        only_before=("(the|any|all|anything) *",),
        fragment=True,
        asking=True,
        only_after=("* *",),
        never_after=RUN_ON,
    ),
    *cues(
        Kind.PHRASE,
        "anything (but|except) {x} :: christmas dinner mains anything but turkey",
        at=ANYWHERE,
        fragment=True,
        asking=True,
        only_after=("* * *",),
        never_after=RUN_ON,
    ),
    *cues(
        Kind.LIST,
        "no {x} :: gym rap playlist no drake no kanye no travis",
        at=ANYWHERE,
        fragment=True,
        asking=True,
        only_after=("* * *",),
        only_before=("* no *", "* * no *"),
        never_before=(*FACT, *LACKING),
        never_after=(ASKS, "(<be>|<do>|<can>|get|gets|shows|show|<no>|and|has|with) ...", "no", *MINE),
    ),
    *cues(
        Kind.LIST,
        "no {x} :: gym rap playlist no drake no kanye no travis",
        at=ANYWHERE,
        fragment=True,
        asking=True,
        only_after=("* * no * [*]",),
        never_before=(*FACT, *LACKING),
        never_after=("(<be>|<do>|<can>|get|gets|shows|show|has|with) ...", "no", *MINE),
    ),
)
