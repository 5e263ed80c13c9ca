"""The exclusion cues of English that are a bare negation, "not X", "no X", "nothing about X", and "non-X"."""

from __future__ import annotations

from typing import Final

from logical_retriever.transform.languages.en_contexts import ASKS, FACT, LACKING, MINE, RUNS
from logical_retriever.transform.languages.table import ANYWHERE, Cue, Kind, cues

LISTED: Final = (
    *cues(
        Kind.LIST,
        "(no more|no further|no|not) {x} :: beaches in Greece (no Santorini)",
        never_before=FACT,
        never_after=(ASKS, "(and|but|yet)", "(fatal|error|warning|exception):", *MINE),
        asking=True,
    ),
    *cues(
        Kind.LIST,
        "(nothing|no more) [at all] (near|close to|next to|about|on|with|regarding|concerning|related to|to do with|from|by|involving|written by"
        "|set in|like|in) {x} :: tea but nothing about mint",
        "not (about|regarding|concerning|related to|to do with|specific to|pertaining to|anything|any"
        "|interested in|looking for) {x} :: tea, not about mint",
        "(no|not) [any|more|other|further|the] (<facts>|<mention>) <about> {x} :: tea but no mention of mint",
        never_after=("only", ASKS),
        never_before=("(much|many|long|far|late|early|sure|bad|good|to|time|board|earth|purpose|hand|how|#*)",),
    ),
    *cues(
        Kind.LIST,
        "(and|but) (nothing|no <mention>|no <facts>) <topic> {x} :: tea but nothing about mint",
        "(and|but) nothing that (is|was|has been) {x} :: Which of our products do you sell, but nothing that was discontinued?",
        "but not about {x} :: Python in nature and in myth, but not about the programming language",
        at=ANYWHERE,
    ),
    *cues(
        Kind.LIST,
        "not (the|those|these) {x} :: cases about fines not the big tech ones",
        at=ANYWHERE,
        tight=True,
        never_after=(
            ASKS,
            "(and|<wh>|that|to|of|for|in|on|with|by|as|though|maybe|it's|that's|its|certainly)",
            "<no> ...",
        ),
        never_before=(
            "(only|same|best|worst|first|last|least|most|end|case|point|way|one|time|fault|other|answer|*est)",
        ),
    ),
    *cues(
        Kind.LIST,
        "not {name} :: laptops not Apple",
        at=ANYWHERE,
        tight=True,
        never_after=(
            ASKS,
            "(but|yet)",
            "(and|<wh>|that|to|of|for|in|on|with|by|as|though|maybe|it's|that's)",
            "<no> ...",
            "<be> ...",
        ),
    ),
    *cues(
        Kind.LIST,
        "not {x} :: a bar downtown, not overly pricey, not too loud",
        only_before=("(too|overly|mega|super|very|super duper) *",),
        never_before=("too (long|late|soon|far|much|many|sure|bad)",),
        never_after=(ASKS, "(but|and)", *MINE),
        fragment=True,
    ),
    *cues(
        Kind.LIST,
        "nothing {x} :: dinners with chicken, nothing spicy",
        only_before=(
            "(<adjective>|*y|*er|*al|too|that|over|under|more|like|else than|overly|mega|super|very|so|associated|involving)",
            "(fried|raw|hot|cold|long|sad|dark|cute|fancy|big|small|loud|sweet|sour|cheap|pink|black|red|*ian|*ese|*ish)",
        ),
        asking=True,
        never_before=("(*ly|but|like it|that (works|work|helps|i|we))",),
        never_after=(ASKS, "(my|our|i|we|it|there) ..."),
    ),
    *cues(
        Kind.LIST,
        "so nothing {x} :: I need snacks for the party, my father is diabetic so nothing sugary",
        at=ANYWHERE,
        asking=True,
        only_before=("(<adjective>|*y|*er|*al|too|over|under|fried|raw|hot|cold|long|sad|dark|sweet|sour|loud|pink)",),
        never_before=("(*ly|but|like it|to|new|special|else|more|happens|works|helps)",),
    ),
    *cues(
        Kind.LIST,
        "not (caused|owned|run|hosted|funded|sponsored|operated|sold|written|directed|sung|produced|recorded|performed|painted|composed|published|designed|made|co-written) by {x}"
        " :: Beatles songs not written by Lennon",
        at=ANYWHERE,
        fragment=True,
        never_before=("(hand|me|us|you|him|her|them|it|machine*|a|an|any*|default|law|request|mistake)",),
        never_after=(ASKS, RUNS, "(<wh>|that|only|is|are|was|were)"),
    ),
    *cues(
        Kind.LIST,
        "not (in|from|by|about) {name} :: hotels in Porto not in Ribeira",
        at=ANYWHERE,
        fragment=True,
        never_after=(ASKS, RUNS, "(<wh>|that|only)"),
    ),
    *cues(
        Kind.LIST,
        "not (near|close to|next to|anywhere near|around|via|by way of|with a) {x} :: hotels in Paris not near Gare du Nord",
        at=ANYWHERE,
        fragment=True,
        never_after=(ASKS, RUNS, "(<wh>|that|only|<be>)"),
        never_before=("(enough|completion|*ing|as|the (end|same|top))",),
    ),
    *cues(
        Kind.LIST,
        "[and|but] not set in {x} :: Something like Friends but funnier and not set in New York",
        at=ANYWHERE,
        fragment=True,
        never_before=("(stone|motion|place|advance|concrete|*ing)",),
    ),
    *cues(
        Kind.CLAUSE,
        "not {x} again :: dinner ideas not pasta again",
        at=ANYWHERE,
        fragment=True,
        asking=True,
        never_after=(ASKS, "(and|but|that|to|will|would|<can>|<do>|<be>) ...", "<no> ...", *MINE),
        never_before=(*FACT, "*ing"),
    ),
    *cues(
        Kind.LIST,
        "(no|not) {x} :: can you give me names for a girl not emma or mia",
        at=ANYWHERE,
        dictated=True,
        never_before=FACT,
        never_after=(ASKS, "(and|but|yet|that|*ly)", "<be> ...", "<no> ...", RUNS),
    ),
    *cues(
        Kind.LIST,
        "no {x} :: easy dinners no fish",
        at=ANYWHERE,
        fragment=True,
        only_after=("<choices> ...",),
        never_before=(*FACT, *LACKING),
        never_after=(
            ASKS,
            "(and|but|yet|that|to|of|for|in|on|with|by|there's|there|has|have|using|say|says|still|but|*ly|,|playing|crash*|freez*)",
            "<no> ...",
            "(<be>|<do>|<can>|get|gets|shows|show) ...",
            *MINE,
        ),
    ),
    *cues(
        Kind.LIST,
        "but not (for|with|by|near|on|at|like|in|from) {x} :: flights to Athens, but not with Ryanair",
        at=ANYWHERE,
        asking=True,
        fragment=True,
        never_after=(ASKS, RUNS),
        never_before=("(which|whom|me|it|them|that|what)",),
    ),
    *cues(
        Kind.LIST,
        "(but|and) not (to|as|as like) (a|an|the|another) {x} :: ideas for a weekend trip with the kids, but not to a theme park",
        at=ANYWHERE,
        asking=True,
        fragment=True,
        never_before=("(point|extent|degree|same|last|end|fullest|letter|result|rule|whole|way|first|side|good)",),
        never_after=(ASKS, RUNS, "<be> ...", "<no> ...", "(use*|work*|serve*|treat*|count*|see|seen|known) ..."),
    ),
    *cues(
        Kind.LIST,
        "(and|but) not {x} :: headphones with good bass and not overly expensive",
        at=ANYWHERE,
        asking=True,
        only_before=("(insanely|ridiculously|overly|crazy|stupidly|excessively|obscenely|super|mega) *",),
        never_after=(ASKS, *MINE, "<no> ..."),
    ),
    *cues(
        Kind.LIST,
        "(but|and) not (a|an|another) {x} :: a good film for tonight, but not a horror film",
        at=ANYWHERE,
        asking=True,
        fragment=True,
        never_before=("(single|lot|bit|few|fan|problem|real|good|big|huge|very|whole|word|clue|member|part)",),
        never_after=(ASKS, RUNS, "<be> ...", "<no> ..."),
    ),
    *cues(
        Kind.LIST,
        "(no|none|not) (by|from|with|of) {x} :: documentaries about the sea, ideally none by Cousteau",
        asking=True,
        fragment=True,
        never_before=("(me|it|them|us|that|which|these|those|this)",),
        never_after=(ASKS,),
    ),
    *cues(
        Kind.LIST,
        "neither {x} :: headache remedies, neither aspirin nor ibuprofen",
        never_before=("(of|is|side|party|did|does|do|are|was|were|can|could|will|would|has|have)",),
    ),
    *cues(
        Kind.LIST,
        "(but|and) (not|no) {x} :: songs but no ballads",
        at=ANYWHERE,
        fragment=True,
        never_before=(
            *FACT,
            "the (largest|biggest|best|worst|first|last|only|same|most|least|*est)",
            "(a|an)",
        ),
        never_after=(
            "(<be>|<do>|<can>) ...",
            "<no> ...",
            "(said|says) ...",
            "^ (my|our|his|her) ...",
            RUNS,
        ),
    ),
    *cues(
        Kind.LIST,
        "(but|and) (not|no) {x} :: what can I cook with chicken but no rice",
        at=ANYWHERE,
        only_after=(
            "(what|which *|where) [else] (can|could|should|shall) (i|we) (cook|make|eat|bake|buy|drink|watch|read|visit|see|do|go|stay|order|wear|plant|grow|give|get) ...",
        ),
        never_before=(
            *FACT,
            "(touch|see|eat|use|hear|hold|keep|drink|feel|say|sell|share|dogs|cats|children|kids|alone|together|*ing) $",
        ),
    ),
    *cues(
        Kind.LIST,
        "not (in|at|on|for|with|by|to) {x} :: hotels for our team, no hostels, not in the old town",
        only_after=("(no|not) ... ,",),
        asking=True,
        never_before=("(pain|danger|stock|shock|use|addition|time|purpose|all|least|hand)",),
    ),
    *cues(
        Kind.LIST,
        "but not {x} :: Where is the cup held, but not the price?",
        at=ANYWHERE,
        only_before=("the",),
        never_before=("the (largest|biggest|best|worst|first|last|only|same|most|least|*est)",),
    ),
    *cues(
        Kind.LIST,
        "but not {x} :: Who is in the band, but not any singers?",
        at=ANYWHERE,
        only_before=("(the|any|a|an)",),
        never_before=("the (largest|biggest|best|worst|first|last|only|same|most|least|*est)",),
        asked=True,
    ),
    *cues(
        Kind.LIST,
        "but not {name} :: Can you recommend rock bands like Giant Drag, but not Cracker?",
        at=ANYWHERE,
        asked=True,
    ),
    *cues(
        Kind.LIST,
        "but not {x} :: What causes blisters, but not the role of serum in them?",
        at=ANYWHERE,
        only_before=(
            "[the|any|specific|<own>] (role|roles|effect|effects|impact|impacts|history|reasons|causes|specifics) (of|for|on|in|behind)",
        ),
    ),
    *cues(
        Kind.LIST,
        "not {x} :: What is in Windex but not where to buy it?",
        at=ANYWHERE,
        only_after=("but",),
        only_before=("(where|how|why|what|when|whether|anything)",),
    ),
    *cues(Kind.LIST, "not {x} :: Tell me about vitamin D, not bones", only_after=(",",), never_before=FACT, asked=True),
    *cues(
        Kind.CLAUSE,
        "[but|just|only] not if (it's|it is|its|they're|they are|there's|there is|there are|it has|they have|it involves)"
        " [a|an|any] {x} :: Where should we eat in Porto? Not if it's a tourist trap.",
        "[it|they] (must not|mustn't|shouldn't|should not|can't|cannot) be (a|an|about|from|by|in|too|set in) {x}"
        " :: I'm looking for a long novel. Must not be a translation.",
        "[it|they] (must not|mustn't) be {x} :: grafana alternatives, must not be saas",
        asking=True,
        never_before=("(lot|bit|few|problem|big|real|good|able|more|less|*ed)",),
    ),
    *cues(
        Kind.CLAUSE,
        "but not if (it's|it is|its|they're|they are|it has|they have|it involves|it contains) [a|an|any] {x}"
        " :: any sci-fi but not if it has aliens",
        at=ANYWHERE,
        asking=True,
        fragment=True,
        never_before=("(absolutely|really|already|*ed|*ing|no|not|in|on|the|been)",),
    ),
    *cues(
        Kind.PHRASE,
        "unless (it's|it is|they're|there's|there is|there are|it has|they have|it involves|it contains) [a|an|any] {x}"
        " :: any good thrillers, unless there's gore",
        at=ANYWHERE,
        asking=True,
        never_before=("(absolutely|really|already|*ed|*ing|no|not|in|on|the)",),
    ),
    Cue(
        Kind.PREFIX,
        "non-{x}",
        "cheap eats in Bangkok, non-spicy please",
        only_after=("^", ","),
        asking=True,
    ),
    Cue(
        Kind.PREFIX,
        "non-{name}",
        "non-Marvel comics for a newcomer",
        only_after=(
            "^",
            "(any|some|good|best|great|popular|recommend|suggest|looking for|find|want|need|me|cheap|decent)",
        ),
        fragment=True,
    ),
)
