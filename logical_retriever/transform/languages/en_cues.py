"""The exclusion cues of English that are prepositions and participles: one row a cue, with a question that it reads."""

from __future__ import annotations

from typing import Final

from logical_retriever.transform.languages.table import ANYWHERE, CLAUSE_START, Kind, cues

# A gerund after a preposition or a form of "be" states a fact: "criticised for ignoring", "a policy of excluding".
_GOVERNED: Final = (
    "(for|by|of|about|from|in|on|<be>|to|as|against|despite|through|after|before|when|or|not|never|why)",
    "(stop|stopped|avoid|keep|kept|started|began|policy|policies|law|laws|rule|rules|clause|clauses|museum)",
)
# After a negation an exception means "only": "never sold to anyone other than X".
_REVERSED: Final = ("<no> ...",)
_PLACED: Final = (
    "(far|wide|miles|worlds|years|metres|meters|km|fall|falls|fell|fallen|come|stand|stands|grow|grew|live|lives)",
    "(lived|living|drift|drifted|drifting)",
    "(set|sets|setting|tells|telling|told|takes|keeps|kept|pull|pulled|pulls|taken) ...",
    "tell (me|us|him|her|it|them|you|twins|*s|these|those)",
)
# What is done to all but some is one thing to do: "delete all files except pdf", "catch exceptions other than KeyError".
_DONE: Final = (
    "^ [how to|how do i|how can i|how do you|how do we] (make|delete|drop|select|run|copy|move|replace|catch|strip|match"
    "|rename|kill|close|disable|uninstall|keep|get all|get every|get everything|hide|print|commit|merge) ...",
)
_STATED: Final = "^ (i|we|he|she|it|they|my *|our *) ..."
_NUMBER: Final = "(one|two|three|four|five|six|seven|eight|nine|ten|zero|#*)"

PHRASES: Final = (
    *cues(
        Kind.PHRASE,
        "(excluding|excl.|excl|exclude:|excluding:) {x} :: tea excluding green tea",
        never_after=_GOVERNED,
        never_before=("(women|men|children|people|* from) from", "* from *ing"),
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "(except|excepting|except for|excepting for) {x} :: tea except for green tea",
        "(except in relation to) {x} :: Ruhr politics except in relation to coal",
        never_after=(*_REVERSED, *_DONE, "(try|catch|python|sql|minus|the|an|union|intersect|and|or)"),
        never_before=(
            "(block|blocks|clause|statement|keyword|exception|exceptions|operator|vs|versus|finally|or|query)",
            "(as|when|if|by|under|with|that|where|to|from|through|during|while|because|me|us|you|him|myself)",
        ),
        tight=True,
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "other than {x} :: tea other than green tea",
        never_after=(*_REVERSED, *_DONE, "(more|less|rather|little|no)"),
        never_before=("(in name|that|this|being)",),
        tight=True,
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "(apart|aside) (from|of) {x} :: tea apart from green tea",
        never_after=(*_REVERSED, *_PLACED),
        never_before=("(each other|one another|being)",),
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "besides {x} :: tea besides green tea",
        never_after=_REVERSED,
        never_before=("(is|are|was|were|<do>|<can>|me|us|you|myself|that|this|it)",),
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "with (the|an|one) [sole|single|only|notable] (exception|exclusion) of {x} :: tea with the exception of mint",
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "(ignoring|omitting|disregarding|discounting|skipping|skipping over|exclusive of|leaving out|not including"
        "|not counting|not mentioning|not discussing|not considering) {x} :: Rome, skipping the Vatican",
        "(leaving|setting|putting) aside {x} :: tea, leaving aside green tea",
        "(leaving|setting|putting) {x} (aside|to one side|to the side) :: Leaving pip aside, which tools lock versions?",
        "(leaving|keeping) {x} (out of it|out of this|out of the picture|out) :: tea, keeping green tea out of it",
        at=ANYWHERE,
        never_after=_GOVERNED,
        never_before=(
            "(breakfast|meals|school|class|work|a grade|a class|lunch|this|it|*ing) (this|at|in|for|on|to|today)",
        )
        + ("the exhibition",),
    ),
    *cues(
        Kind.PHRASE,
        "avoiding {x} :: yoga for bad knees avoiding downward dog",
        at=ANYWHERE,
        fragment=True,
        only_after=(
            "(route|routes|directions|hikes|walks|exercises|workout|workouts|yoga|stretches|recipes|meals) ...",
        ),
        never_after=("(for|on|by|of|about|at|to|while|when|and|is|are|as|in|people|kids|*ers|someone|who)",),
    ),
    *cues(
        Kind.PHRASE,
        "avoiding <talking> {x} :: the novel, avoiding mentioning mint",
        "avoiding [any|all] (<mention>|<facts>) <about> {x} :: the novel, avoiding any mention of its ending",
        at=CLAUSE_START,
    ),
    *cues(
        Kind.PHRASE,
        "(in addition to|outside of|outside|on top of) {x} :: what other teas are there in addition to mint?",
        only_after=("(other|else|another|more) ...",),
    ),
    *cues(Kind.PHRASE, "in addition to {x} :: In addition to mint, which teas are there?", only_after=("^",)),
    *cues(
        Kind.PHRASE,
        "on top of {x} :: On top of mint, what other teas are there?",
        only_after=("^",),
        fragment=True,
    ),
    *cues(
        Kind.PHRASE,
        "but {x} :: Who else but Shakespeare wrote plays?",
        only_after=("(who|what|where|everyone|everybody|everything) else",),
    ),
    *cues(
        Kind.PHRASE,
        "[literally|really|just] (anything|anyone|anybody|anywhere|everything|everyone|any place) (but|except) {x} :: jazz trumpeters, anyone but Miles Davis",
        at=CLAUSE_START,
        tight=True,
        never_before=("(not|also|i|we|<wh>|that|if|it|they|you|they're|it's|<be>|no)",),
    ),
    *cues(
        Kind.PHRASE,
        "but {x} :: tell me about any tea but mint",
        only_after=(
            "(tell me|show me|give me|find|want|list|need|take|recommend|suggest|open to|read|watch|like|eat|try|up for|love) ... (anything|anyone|any *|anywhere)",
        ),
        never_after=("<no> ...",),
        never_before=("(not|also|i|we|what|how|that|if|when|it|they|you|they're|it's|<be>|no|the kitchen sink)",),
    ),
    *cues(
        Kind.PHRASE,
        "but {name} :: sales figures for all states but Texas",
        only_after=("(all|every|each|any) * [*]",),
        tight=True,
    ),
    *cues(
        Kind.PHRASE, "to the exclusion of {x} :: Focus on mint to the exclusion of price", only_after=("focus* ...",)
    ),
    *cues(
        Kind.PHRASE,
        "unrelated to {x} :: information unrelated to green tea",
        only_after=("(information|details|content|work|works|topic|topics|aspect|aspects|is|are)",),
    ),
    *cues(
        Kind.PHRASE,
        "beyond [just|merely|only] {x} :: uses of chlorhexidine beyond its role in dry socket",
        never_after=(
            "<no> ...",
            "(go|goes|going|went|far|well|way|and|lies|live|life|road ...|extend*|see|look|world)",
        ),
        only_before=("(its|his|her|their|just|merely)", "(the obvious|the usual|the basics)"),
    ),
    *cues(
        Kind.PHRASE,
        "beyond [just|merely|only] {x} :: an introduction to Japanese cuisine beyond sushi",
        only_after=(
            "(what|which) (benefits|options|uses|features|services|reasons|causes) ...",
            "(introduction|guide|cuisine|food|ideas|options|tips|recipes|uses|things|anything|something|models|ways|methods|techniques|metrics|strategies) ...",
            ",",
        ),
        never_after=("<no> ...", "(go|goes|going|went|far|well|way|and|lies|live|life|see|look|world)"),
        never_before=(
            "(doubt|recognition|repair|belief|compare|measure|words|what|that|this|which|a|the bridge|good)",
        ),
    ),
    *cues(
        Kind.PHRASE,
        "(instead of|in place of|in lieu of) {x} :: Can you recommend mint instead of green tea?",
        only_after=("(recommend|suggest|tell|show|find|want|prefer|like|looking for|describe|introduce|provide) ...",),
        never_after=("(that|who|which|whose|where|us|use|used|uses|using) ...",),
    ),
    *cues(
        Kind.PHRASE,
        "rather than {x} :: Could you suggest comedies rather than the tragedies?",
        only_after=("(recommend|suggest|tell me|show me|looking for|introduce me) ...",),
        never_after=("(that|who|which|whose|where|us|use|used|uses|using|prefer*|why) ...",),
    ),
    *cues(
        Kind.PHRASE,
        "(instead of|rather than) {x} :: instead of coffee, what do people drink?",
        at=CLAUSE_START,
        fragment=True,
        never_before=("* [*] [*] (can|could|should|may|shall) (i|we|you|one)",),
    ),
    *cues(
        Kind.PHRASE,
        "(instead of|rather than) {x} :: after school clubs for boys instead of football",
        only_after=("<choices> ...",),
        fragment=True,
        never_before=("* [*] [*] (can|could|should|may|shall) (i|we|you|one)",),
    ),
    *cues(
        Kind.PHRASE,
        "if {x} (is|are) (contraindicated|not an option|off the table|ruled out)"
        " :: If silver and iodine are contraindicated, what dressings can I use?",
        at=CLAUSE_START,
        never_before=("(it|that|this|there|they|he|she|the site|the server|he's|someone)",),
    ),
    *cues(
        Kind.PHRASE,
        "without (pulling in|resorting to|relying on|having to use|using) {x} :: How do I parse large xml files in python without using lxml?",
        never_after=("<no>",),
        never_before=("(a|an|my|your|them|it|this|that|up|one)",),
    ),
    *cues(
        Kind.PHRASE,
        "rather than {x} :: Books about mint rather than tea",
        only_after=("(focus|focusing|focuses|focused|about|interested in|concentrating on|information on) ...",),
        never_after=("(who|which|prefer|why) ...",),
    ),
    *cues(
        Kind.PHRASE,
        "minus {x} :: everything she wrote minus the crime novels",
        never_after=(
            "(plus or|at|of|is|to|a|the|degrees|what's|temperature|temperatures|or|equals)",
            _NUMBER,
            "(x|y|n)",
        ),
        never_before=(_NUMBER, "(sign|signs|symbol|infinity|degrees|x|y|z|n|sum|button|something)"),
    ),
    *cues(
        Kind.PHRASE,
        "without [specifically|explicitly|even|ever|also|actually] <talking> {x} :: tea without mentioning green tea",
        "(without|with no) [making] [any|an|the] <mention> (of|to|for|about|on) {x} :: tea with no mention of mint",
        "(without|with no|w/o) [any] [<kind>] <facts> <about> {x} :: tea without any information about mint",
        "(without|w/o) taking {x} into (account|consideration) :: tea without taking mint into account",
        "(without|w/o) taking into (account|consideration) {x} :: tea without taking into account the price",
        "without (all the|all that|the whole|the usual) {x} :: Tokyo without all the temples",
        never_after=("<no>",),
    ),
    *cues(
        Kind.PHRASE,
        "without (using|involving|following|covering|addressing|providing|giving|sharing|adding) {x}"
        " :: Who reads the magazine, without using any information from its publisher?",
        never_after=("<no>",),
        only_before=("(any|anything|<own>|[the] <facts>|[the] <mention>)",),
    ),
    *cues(
        Kind.PHRASE,
        "without {name} :: an introduction to tea without Assam",
        only_after=("(introduction|overview|summary|profile|biography|description|outline) ...",),
    ),
    *cues(
        Kind.PHRASE,
        "without {name} :: monitoring stacks for a small cluster without Prometheus",
        only_after=(
            "^ ... (ideas|options|tools|stacks|libraries|frameworks|alternatives|ways|songs|films|books|games) ...",
        ),
        never_after=("<no> ...", "(<can>|<do>|<be>|i|we|he|she|they|<wh>|live|survive) ..."),
    ),
    *cues(
        Kind.PHRASE,
        "without (the|all the|any of the) {x} :: a summary of the treaty without the finance chapter",
        only_after=(
            "(introduction|overview|summary|explanation|history|guide|version|list|account|recap|synopsis|outline) ...",
        ),
        never_after=("<no> ...", "(<can>|<do>|i|we|they) ..."),
    ),
    *cues(
        Kind.PHRASE,
        "(preferably|ideally|hopefully) (without|w/o) {x} :: bedtime stories, preferably without witches",
        at=ANYWHERE,
        asking=True,
        never_before=("(a|an|my|your|being|having|any|success|luck|*ing)",),
        never_after=("<no> ...", _STATED),
    ),
    *cues(
        Kind.PHRASE,
        "excluded {x} :: ways to learn English, excluded the courses",
        at=CLAUSE_START,
        never_before=("(from|by|because|since|in|as|at|for)",),
    ),
    *cues(
        Kind.PHRASE,
        "(if|when) (we|you|i) (forget|forget about|don't count|leave aside|leave out|ignore|exclude|disregard|set aside|discount|put aside) {x} :: What causes hair loss if we leave aside the menopause?",
        "(once|if|when) (we|you|i) (take|rule) {x} (off the table|out of the equation|off the list) :: causes of hyponatremia once you take diuretics off the table",
        "(if|when) (we|you|i) leave {x} (aside|out|out of it) :: What causes hair loss if we leave the menopause out of it?",
        at=ANYWHERE,
    ),
    *cues(
        Kind.PHRASE,
        "(ex|ex-) {name} :: customs rules for samples, ex UK",
        at=CLAUSE_START,
        fragment=True,
    ),
    *cues(
        Kind.PHRASE,
        "(bar|save|save for) {name} :: everything about the Tudors bar Henry VIII",
        only_after=("(everything|everyone|everybody|all|anything|anyone|any|every|whole|entire) ...",),
    ),
    *cues(
        Kind.PHRASE,
        "(anything|anyone|something|someone|anywhere) [but] (else but|else than|else besides) {x} :: pasta ideas, anything else but carbonara",
        "(as opposed to|in contrast to) {x} :: Tell me about football in America as opposed to soccer",
        "(with the exclusion of|exclusive of|to the exclusion of|short of) {x} :: tea, with the exclusion of mint",
        "with {x} (excluded|kept out|kept out of it|kept out of this|left out of it|left out|omitted|taken out|removed) :: population of Denmark with Greenland left out",
        never_after=("<no> ...", "(fall*|stop*|cut|run|ran|just|nothing)"),
    ),
    *cues(
        Kind.PHRASE,
        "sans {x} :: vegetarian recipes sans aubergine",
        never_before=("(serif|souci|francisco)",),
        fragment=True,
    ),
    *cues(
        Kind.PHRASE,
        "(w/o|w/out) {x} :: how to lower cholesterol w/o statins",
        never_before=("(a|an|my|your|having|being|any|*ing)",),
    ),
    *cues(
        Kind.PHRASE,
        "(without|with no) {x} :: a romance novel without major fantasy elements",
        only_before=(
            "[any|major|much|too much|explicit|graphic|overt|all the] (aliens|vampires|zombies|cliffhangers|swearing|cheating|fantasy|romance|horror|violence|spice|smut|sex"
            "|magic|gore|politics|religion|drama|sexual|romantic|supernatural|sexual content)",
        ),
        only_after=(
            "(book|books|novel|novels|film|films|movie|movies|story|stories|series|show|shows|game|games|fantasy|sci-fi|thriller|thrillers|mystery|romance) ...",
        ),
    ),
    *cues(
        Kind.PHRASE,
        "{x} (aside|excluded|excepted|notwithstanding|not included|not counted) :: women in the war, nursing aside",
        "{x} (is out|are out|is off the table|are off the table|off the table|is off limits|not needed|ruled out|not applicable) :: How do I clean leather? Vinegar is out.",
        "{x} (left out|set aside|put aside) :: Where are building permits, the city centre left out?",
        never_after=("(<be>|and|or|been|feel|felt|get|gets|getting|being|of|to|from|from|an)",),
    ),
)
