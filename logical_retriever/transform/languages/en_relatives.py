"""The exclusion cues of English that are relative clauses: one row a cue."""

from __future__ import annotations

from typing import Final

from logical_retriever.transform.languages.table import Kind, cues

RELATIVES: Final = (
    *cues(
        Kind.RELATIVE,
        "who (doesn't|don't|doesnt|dont|does not|do not|won't|can't|cannot) (like|eat|drink|wear|enjoy|have|take|tolerate) {x} :: toys for a girl who doesn't like dolls",
        "who (hates|hate|can't stand|is allergic to|are allergic to|dislikes|dislike) {x} :: a dessert for a friend who hates chocolate",
        asking=True,
        only_after=(
            "(for|with) (a|an|my|our|the|his|her|someone|somebody|people|kids|children|guests|friends|women|men|*ers) ...",
        ),
        never_before=(
            "(reading|cooking|themselves|school|exercise|it|him|her|me|them|people|*ing|much|or|and|time|money|a|an|part)",
        ),
    ),
    *cues(
        Kind.RELATIVE,
        "(that|which) <isnt> (about|related to|regarding|concerning|pertaining to|connected to|to do with|based on) {x}"
        " :: articles on surgery that are not about transplants",
        "(and|but) <isnt> (about|related to|regarding|concerning|pertaining to) {x} :: works by her but are not about war",
        "<that> (has|have|had) nothing to do with {x} :: causes of a fast pulse that have nothing to do with anxiety",
        "(that|which) (is|are) different (from|than) {x} :: clubs that are different from Portstewart",
        "(but|and) (doesn't|don't|doesnt|dont) (involve|concern) {x} :: an IDE for Android but doesn't involve setting up a server",
        "<that> <dont> (involve|concern|require|mean|entail) {x} :: a way to clean the shower that doesn't involve bleach",
        "that <dont> (include|contain|feature|mention) {x} :: alternatives to butter that do not include margarine",
        never_before=("(it|them|him|live)",),
    ),
    *cues(
        Kind.RELATIVE,
        "(that's not|that is not|thats not) [a|an] {name} :: any crime series that's not Scandinavian",
        "(who|that) (isn't|aren't|wasn't|weren't|isnt|arent) {name} :: tell me about emperors who weren't Augustus or Nero",
        "(as|so) long as (it's|it is|they're|they are|its) not [a|an|from] {x} :: any hybrid car as long as it's not a Toyota",
        "(as|so) long as (it isn't|they aren't|it isnt) [a|an|from] {x} :: any hybrid car as long as it isn't a Toyota",
        "that (isn't|isnt|aren't|arent|is not|are not) [a|an|just|another] {x} :: pets that aren't dogs or cats",
        never_before=(
            "(the|<adjective>|in|on|at|too|very|so|as|really|only|yet|to|from|*ly|*ian|*ese|members|part|for)",
        )
        + ("(case|mammals|vertebrates|#*|by|good|bad|working|there|here|mine|yours|real|it|that)",),
        never_after=("(are|is|do|why|how) ...",),
    ),
    *cues(
        Kind.RELATIVE,
        "(that's not|thats not) [a|an] {x} :: open source alternatives to photoshop that's not gimp",
        fragment=True,
        asking=True,
        never_before=(
            "(*ed|*ing|too|working|available|open|in|on|at|about|for|the|so|very|only|just|really|yet|always|a problem|my|as|from|made|good|true|right|enough|how|what)",
        ),
    ),
    *cues(
        Kind.RELATIVE,
        "that (isn't|isnt|aren't|arent) the {x} :: a way to reach support that isn't the chatbot",
        never_before=(
            "(*est|best|worst|only|same|first|last|case|point|end|most|least|right|wrong|one|way|problem|issue)",
        ),
        never_after=("(are|is|do|why|how) ...",),
    ),
    *cues(
        Kind.RELATIVE,
        "(but|which|that) (isn't|isnt|aren't|arent) [a|an] {name} :: a book a lot like Dune but isn't Dune",
        never_before=("(*ian|*ish|*ese|*ch|*an|in|from)",),
    ),
    *cues(
        Kind.RELATIVE,
        "and (isn't|isnt|aren't|arent) [a|an] {name} :: Where in Europe is warm in March and isn't Spain?",
        only_after=("(where|which|anywhere|somewhere|something|anything) ...",),
        never_before=("(*ian|*ish|*ese|*ch|*an|in|from)",),
    ),
    *cues(
        Kind.RELATIVE,
        "and (aren't|arent) {x} :: which laptops have 32 GB and aren't gaming laptops",
        only_after=("(which|anywhere|somewhere|something|anything) ...",),
        only_before=("[*] *s $",),
        never_before=("<adjective> $",),
    ),
    *cues(
        Kind.RELATIVE,
        "that (isn't|isnt|aren't|arent) {x} :: Is there anything to do in Leeds that isn't shopping or drinking",
        only_after=(
            "(something|anything|things|stuff|activities|hobbies|sports) (to do|for|with|i can do|we can do) ...",
        ),
        never_before=("(too|so|very|boring|expensive|working|open|crowded|touristy|hard|far|safe|free|<adjective> $)",),
    ),
    *cues(
        Kind.RELATIVE,
        "<that> <dont> (have|feature) [any|a lot of|too much|so many] {x} :: fantasy series that doesn't have dragons",
        only_after=(
            "(book|books|novel|novels|film|films|movie|movies|story|stories|series|show|shows|game|games|fantasy|sci-fi|thriller|thrillers|mystery|romance) ...",
        ),
        asking=True,
        never_before=("(a|an|to|the|subtitles|sound|lyrics|words|ads)",),
    ),
    *cues(
        Kind.RELATIVE,
        "<that> <dont> (have|contain|include|use) [any|a|an] {x} (in it|in them|in there) :: pasta sauces that don't have any tomato in them",
        "<that> (haven't|hasn't) got [any|a|an] {x} (in it|in them) :: soups that haven't got lentils in them",
        "(with no|without|w/o) [any] {x} (in it|in them) :: biscuits with no nuts in them",
        asking=True,
        fragment=True,
        never_after=("^ (delete|remove|drop|find|select|hide|skip|highlight|count|fill|filter|merge|print|list) ...",),
    ),
    *cues(
        Kind.RELATIVE,
        "(but|which|that) <isnt> the {name} :: Which project builds an archive but is not the MyLifeBits project?",
    ),
)
