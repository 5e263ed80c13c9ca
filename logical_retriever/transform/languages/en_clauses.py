"""The exclusion cues of English that are instructions: one row a cue."""

from __future__ import annotations

from typing import Final

from logical_retriever.transform.languages.table import ANYWHERE, Kind, cues

_TECHNICAL: Final = (
    "(connection|connections|level|lists|list|link|links|button|criteria|this error|down|tracing|day|if|case|rate)"
)

INSTRUCTIONS: Final = (
    *cues(
        Kind.CLAUSE,
        "<dont> [ever|even|want to|want you to|just|you|bother to] <talk> {x} :: tea, but don't mention mint",
        "(cannot|can not|can't|must not|should not|shouldn't) (<list>|<talk>) [<kind>] (any|anything|the) {x}"
        " :: Who owns it, but cannot refer to any details about the owner?",
        "not [to] (<talk>|<list>) [any|anything|the|<own>] {x} :: Who acts in it, but not mention anything about Edison?",
        "[you] (needn't|need not|don't have to|don't need to|dont need to|dont have to) <talk> {x} :: Taxes? You needn't explain VAT.",
        "not [to] <talk> {x} :: Let's not talk about mint. What else is healthy?",
        never_before=("(that|how|what|me|it|on|in)",),
    ),
    *cues(
        Kind.CLAUSE,
        "<dont> <talk> {x} :: a text that does not mention mint",
        "<dont> (provide|include|give) (any|anything|the) (<facts>|<mention>) {x} :: a book that doesn't include any facts on fonts",
        at=ANYWHERE,
        only_after=("(please|pls|kindly|let's|lets|you to|should|must|that|which)",),
    ),
    *cues(
        Kind.CLAUSE,
        "<dont> <list> [me] {x} :: When is the show, but don't include information about tickets?",
        only_before=("[any|all|the] [<kind>] (<facts>|<mention>)", "anything (about|related|on)"),
    ),
    *cues(
        Kind.CLAUSE,
        "(don't|do not|dont|not) <list> [me] {x} :: Which beers are brewed here? Please do not list Märzen.",
        at=ANYWHERE,
        only_after=(
            "^",
            "^ (please|pls|kindly|also|and)",
            "(please|pls|kindly|let's|lets|you to)",
            "(you|that|which|answer|response|summary) (should|must)",
        ),
        never_before=("(me|it|up|in|to|for)",),
    ),
    *cues(
        Kind.CLAUSE,
        "[it|they|this|that|which|results|the results|the answer] (should not|shouldn't|must not|mustn't|shall not)"
        " (<list>|have|feature|mention|require) [any|a|an|the] {x} :: recipes for a cake, must not contain nuts",
        "[it] (can't|cannot|can not) contain [any|a|an|the] {x} :: recipes for a cake, it can't contain nuts",
        asking=True,
        never_before=("(been|to|it|them|me|more|less|enough|access|anything|up|in|for)",),
    ),
    *cues(
        Kind.CLAUSE,
        "(don't|do not|dont|does not|doesn't) <list> [me] {x} :: List dishes from Goa, and don't show pork.",
        asked=True,
    ),
    *cues(
        Kind.CLAUSE,
        "(you|we) (can|may|could|should|must) [please|just|also|safely] <drop> {x} :: Spanish dishes? You can leave out paella.",
    ),
    *cues(
        Kind.CLAUSE,
        "(<drop>|avoid|block) {x} :: Battles of the civil war. Please exclude Gettysburg.",
        at=ANYWHERE,
        only_after=("^", "(please|pls|plz|plaese|kindly|let's|lets|you to|should|must|so)", "^ (also|and|but|just)"),
        never_after=("(how|<wh>) ...", "(i|we|they|people|which) (should|must)"),
        never_before=(
            _TECHNICAL,
            "(bo|class|school|meals|lunch|rows|lines|headers|zero|null|duplicate*|first|blank) ... (in|with)",
        ),
    ),
    *cues(
        Kind.CLAUSE,
        "(<drop>|block|avoid) {x} :: tea, and exclude any facts about mint",
        at=ANYWHERE,
        only_after=("(and|but|also|,)",),
        only_before=("(any|all|the) [<kind>] (<facts>|<mention>)", "(those|anything) (about|related)"),
    ),
    *cues(Kind.CLAUSE, "<drop> {x} :: Tell me about mint, and omit tea", asked=True, never_before=(_TECHNICAL,)),
    *cues(
        Kind.CLAUSE,
        "but <drop> {x} :: logs for the auth service but skip the health checks",
        at=ANYWHERE,
        fragment=True,
        never_before=(_TECHNICAL,),
    ),
    *cues(
        Kind.CLAUSE,
        "hold the {x} :: burger recipes, hold the onions",
        at=ANYWHERE,
        only_after=("(,|-|–)",),
        fragment=True,
        never_before=("(line|door|phone|key|button|front|fort|baby|breath|note|position|title|record|camera) ...",),
    ),
    *cues(
        Kind.CLAUSE,
        "<drop> {x} :: battles of the war , skip gettysburg",
        at=ANYWHERE,
        only_after=("^ (please|pls|but|and|also|just)", ", [please|pls|but|just]"),
        never_after=("and", "(how|to) ..."),
        never_before=(_TECHNICAL,),
    ),
    *cues(
        Kind.CLAUSE,
        "[ugh|please|pls|just] stop (showing|recommending|suggesting|sending|giving|offering|listing|telling) [me|us] [about|the|more] {x}"
        " :: My order is broken, what are my options? Please stop sending me the refund article.",
        "[and] (you|they|you guys) (keep|kept) (showing|giving|recommending|suggesting|sending|offering) [me|us] {x}"
        " :: I want laptop bags and you keep showing me backpacks.",
        asking=True,
        never_before=("(it|that|this|them|to|an error|errors|error)",),
    ),
    *cues(
        Kind.CLAUSE,
        "avoid <talking> {x} :: tea, but avoid mentioning mint",
        "avoid [any|all] (<mention>|<facts>) <about> {x} :: tea, avoid any mention of mint",
    ),
    *cues(
        Kind.CLAUSE,
        "(leave|keep) {x} (out of it|out of this|out|aside|off the list|off the table) [for once|please|this time] :: Leave Shakespeare out of it: which other playwrights were there?",
        "(set|put) {x} (aside|to one side) :: Put the price to one side. Which tea is best?",
        never_before=("the (sun|rain|light|cold)", "[the] (fox*|cat*|mice|dogs) ..."),
    ),
    *cues(
        Kind.CLAUSE,
        "(leave off|leave out|stay away from|steer clear of|keep away from|don't bother with) {x} :: Tea. Steer clear of mint.",
        "(we|i) (can't|cannot|can not|don't|do not|'m not allowed to|are not allowed to|am not allowed to|aren't allowed to|may not) use {x} :: Parse JSON in Java. We can't use Jackson.",
        "(i'm|we're|i am|we are|im) not allowed [to use|to have|any] {x} :: Parse JSON in Java. I'm not allowed to use Jackson.",
        "(it|this) (can't|cannot|shouldn't|mustn't|must not|can not) be {x} :: a dessert for Sunday, it can't be chocolate",
        "(never mind|nevermind|forget|forget about|never mind about|spare me|spare us|no need for|no need to mention"
        "|enough about|enough of|anything but|no more about|no more of|no more on) {x} :: Forget Harry Potter. Other fantasy?",
        never_before=(
            "(to|that|how|password*|me|it|it's|you|sorry|i|what|my|the password|is|are|time|where|why|about it)",
        ),
    ),
)
