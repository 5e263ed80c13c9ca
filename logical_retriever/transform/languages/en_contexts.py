"""Surroundings of a negation that states a fact, for several tables of English cues."""

from __future__ import annotations

from typing import Final

FACT: Final = (
    "(only|just|simply|merely|necessarily|because|if|when|so|that|as|to|yet|sure|every|everyone|even|able|always)",
    "(enough|matter|idea|clue|longer|doubt|wonder|much|many|need|worries|way|less|more than|thanks|problem|other)",
    "(working|really|being|having|getting|here|there|far|at|on|from|by|with|like|quite|been|in|until|after)",
    "(available|allowed|possible|required|included|found|bad|good|great|is|was|will|can|do|does|did|have|has|had)",
    "(i|we|he|she|it|they|you|going|looking|interested|expecting|hoping|<wh>|whether|for|about|of|related|than|one)",
    "<adjective> (to|for|in|on|by|at|with|as|under|from|enough|than|that|when|if|of|or|and|but)",
    # Adverbs, but not "family", "telly" or "seller-friendly".
    "(*ally|*bly|*sly|*vely|*ntly|*edly|*ingly|*fully|*tely|*rily|*ctly|only|mostly|simply|nearly|entirely|properly|particularly)",
    "(under|through|equal|part|due|of|upon|over|among|between|strictly|classified|into|member*|native)",
    "(particularly|especially|since|exactly|mind|offence|offense|luck|joke|later than|before|back|any|anything)",
    "(born|made|set|written|held|*een|using|having|being|featuring) *",
    "long (ago|enough|until|after|before|now|term|since|at)",
    "long $",
    "(fever|cough|pain|rash|nausea|vomiting|swelling|bleeding|dizziness|appetite|symptoms|itching|headache|chest pain)",
    "(ifs|strings|country for|way home|man's|time to|smoke|pain|body|means|reservations|prob|probs|prizes)",
)
# What somebody has or has not is a fact: "I rent a flat, no garden".
MINE: Final = (
    "(my|our|his|her) ...",
    "(i|we|he|she|it) (have|has|had|got|am|was|were|bought|live|rent|work|did|went|is) ...",
    "(i'm|it's|there's|i've|we've|we're) ...",
    "(i|we|he|she|it|they) (have|has|had|got|bought|rent|own|live) ... ,",
)
# What is asked for may be praised for lacking it: "holidays no deposit", "recipes no oven".
LACKING: Final = (
    "(prepayment|deposit*|passport*|visa*|money|fee|fees|card*|credit|cost*|supplement*|surcharge*|booking*|reservation*|sign*)",
    "(experience|degree|equipment|oven|cook|cooking|bake|baking|prep|fuss|wifi|internet|download*|account|login|password)",
    "(ads|ad|adverts|sound|audio|picture*|pictures|subtitle*|words|lyrics|error*|queue*|stress|rush|effort|skill*|limit*)",
    "* (needed|required|necessary|fee|fees|charge*|policy|supplement)",
)
# A thing that lacks these is broken: "headphones no sound".
FAULTS: Final = (
    "(power|lights|light|signal|picture|display|image|network|service|response|output|charge|water|heat|heating|hot water|connection"
    "|connectivity|lights|reception|dial tone|data|access|permission*|results|change*|update*|reply|answer|idea|help|email*|code)",
)
ASKS: Final = "(why|or|if|<be>|<do>|<can>|whether|either|say|says|said|am|'s|than|vs|versus|between|means|called)"

# What works here and not there is a fact: "Tests pass locally but not in CI".
RUNS: Final = "(works|work|pass|passes|fail|fails|runs|loads|opens|starts|plays) ..."
