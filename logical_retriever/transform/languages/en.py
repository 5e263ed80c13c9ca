"""English."""

from __future__ import annotations

from typing import Final

from logical_retriever.transform.languages.en_clauses import INSTRUCTIONS
from logical_retriever.transform.languages.en_cues import PHRASES
from logical_retriever.transform.languages.en_hurried import HURRIED
from logical_retriever.transform.languages.en_lists import LISTS
from logical_retriever.transform.languages.en_not import LISTED
from logical_retriever.transform.languages.en_relatives import RELATIVES
from logical_retriever.transform.languages.en_restate import restate
from logical_retriever.transform.languages.en_statements import STATEMENTS
from logical_retriever.transform.languages.table import Language, words

_AUXILIARIES: Final = words(
    "is are was were be been has have had do does did can could will would should may might must shall isn't aren't"
    " wasn't weren't hasn't haven't hadn't don't doesn't didn't can't couldn't won't wouldn't shouldn't"
)
_VERBS: Final = words(
    "make makes made cause causes contain contains happen happens use uses work works affect affects help helps need"
    " needs want wants play plays win wins won write wrote take takes took give gives gave have go goes went get gets"
    " got live lives become becomes became eat eats drink drinks run runs ran grow grows grew sell sells sold speak"
    " speaks spoke build builds built hold holds held begin begins began come comes came keep keeps kept lead leads led"
    " produce produces star stars starred appear appears pay pays paid cost costs apply applies exist exists form forms"
    " include includes support supports protect protects block blocks treat treats prevent prevents reduce reduces"
    " increase increases influence influences contribute contributes relate relates change changes shape shapes differ"
    " differs compare compares drive drives drove teach teaches taught fight fights fought sing sings sang buy buys"
    " bought cover covers host hosts run say says said show shows showed score scores scored clean cleans kill kills"
    " attract attracts fit fits suit suits serve serves stop stops trigger triggers excuse excuses determine determines"
    " occur occurs side sides study studies border borders remain remains survive survives belong belongs fall falls"
    " talk talks taste tastes rust rusts fly flies swim swims bite bites sting smell smells melt melts burn burns freeze"
    " freezes boil float floats sink sinks bloom lay lays mate breed breeds sound sounds look looks feel feels mean means"
    " stay stays stand stands sit sits turn turns lose loses lost find finds found know knows knew think thinks thought"
    " tell tells told call calls leave leaves left ask asks try tries see sees saw send sends sent bring brings brought"
    " carry carries raise raises rise rises rose join joins joined own owns beat beats hit hits catch catches spread"
    " spreads pass passes sign signs ratify trade trades export exports import imports charge charges accept accepts"
    " deliver delivers open opens close closes ban bans recognise recognize handle handles solve solves fix fixes"
    " replace replaces improve improves damage damages harm harms boost boosts lower lowers raise relieve relieves ease"
    " make tolerate store stores run runs ship ships integrate integrates match matches visit visits"
    " count counts qualify qualifies offer offers provide provides allow allows require requires let lets feed feeds"
)
_CHOICES: Final = ("* (ideas|recipes|recs|recommendations|suggestions)",)
_WISHES: Final = (
    *_CHOICES,
    "(i'd|i would|we'd|we would|i should|we should) (like|love|appreciate|prefer)",
    "(i|we) [just|only|really] (want|need|seek|search|search for|look for) [some|a|an|to know|something]",
    "(i'm|i am|im|we're|we are|i was|we were) [just|only|really] (asking|curious|thinking) (about|of)",
    "(i'm|i am|im|we're|we are) [currently|only|really|just] (looking|searching|hoping|interested|after|trying)",
    "* and i are (looking|hoping|searching|planning) (for|to)",
    "looking to (get|find|buy|book|rent|join|hire|try|visit|go)",
    "(looking for|recommend|suggest|tell me|give me|show me|any (ideas|suggestions|recommendations|recs|thoughts|advice|tips))",
    "(something|anything) (new|else|similar|like|more|that)",
    "(mum|mom|dad|granny|grandma|grandpa|she|he|they|my *|our *) (wants|needs|want|need|would like) (a|an|some|something|new)",
    "(what|which|how|where|who|whats|wheres)",
    "^ (planning|organising|organizing|arranging) (a|an|our|my)",
    "(tryna|trying to|try to) (find|get|buy|choose)",
    "^ (need|want|wanted|seeking|in search of|after) (a|an|some|something|ideas|new|good|cheap)",
)


def english() -> Language:
    """The table of English."""
    return Language(
        code="en",
        cues=(*PHRASES, *LISTED, *HURRIED, *INSTRUCTIONS, *STATEMENTS, *RELATIVES),
        lists=LISTS,
        signs=(
            "(not|no|nor|neither|nothing|without|w/o|excluding|excl|except|besides|other than|apart from|aside from|aside)",
            "(instead of|rather than|minus|skip|skipping|omit|ignore|ignoring|exclude|forget|avoid|non|leave out|spare me)",
            "(isn't|isnt|aren't|arent|don't|dont|doesn't|doesnt|barring|never mind|anything but|anyone but|sick of)",
            "(didn't|wasn't|weren't|excluded|left out|tired of|fed up|enough of|enough about|already (know|read|tried|seen))",
            "(hate|can't stand|already|else|instead|unless|ruled out|beyond|unlike|different from|left out|sans|don't need|nor)",
        ),
        shields=_SHIELDS,
        facts=_FACTS,
        and_words=("and", "&", "plus", "as well as", "and also", "adn", "and besides"),
        or_words=("or", "and/or", "or even"),
        nor_words=("nor", "or even", "and nor", "no"),
        light=(
            "[any|all|the|some|an|a|more] [<kind>] [of the] (<mention>|<facts>) (<about>|in relation to|specific to)",
            "(anything|anyone|anybody|any|something|someone|those|the ones) [specific|else|at all] (<about>|written by|by|involving|with)",
            "(those|the ones|anything|anyone) (that|who|which) (is|are|were|was) [about|from|by|in]",
            "(about|of|on|to|for|from|regarding|concerning|involving|including|mentioning|related to|to do with|any of)",
            "[that|which] (involve|involves|include|includes|contain|contains|require|requires) [any]",
            "(the fact that|that|any|anything|and|just|merely|please|also|even|the whole|all the)",
            "(the one|the ones|ones|that one|the bit|the bits|the part|the parts|the stuff|those) (about|on|with|where|from|in|of|by)",
            "(the usual|the typical|all that|all of the|nothing|not|no|either|neither|too much|the obvious|but)",
            "(looking at|hearing about|reading about|talking about|advice on|anyone (from|in))",
        ),
        light_after=(
            "(please|kindly|pls|plz|thanks|thank you|for a moment|for a second|for a minute|for a change|needed|necessary|involved|whatsoever|though|tho|haha|lol|either|anymore|any more|at all|for once|for now|this time)",
            "(then|in it mind|in them mind|mind you|or anything like that)",
            "(and so on|etc|or anything|or whatever|in any way|if possible|again|advice|of course)",
            "(as well|too|i guess|imo|btw|ok|okay|obviously|and (stuff|such|the like|all that)|type stuff|already|yet)",
        ),
        maybe=words("possibly preferably ideally hopefully maybe with also only just"),
        ones=("ones", "one"),
        pronouns=("his", "her", "its", "their"),
        owned="{owner}'s {thing}",
        of="of",
        bare=r"the (?!.* of )[^'\" ]+(?: [^'\" ]+){0,2}$",
        empty=words("that those these them it this anything him her one ones all everything something which")
        + (
            "those ones",
            "that one",
            "that again",
            "the obvious",
            "the usual",
            "all that",
            "the one",
            "any of those",
            "too much",
            "those ones",
            "these ones",
        ),
        articles=words("the a an my your his her its our their this these those some any"),
        prepositions=words(
            "of in on at to for from by with about into through during between among against under over near around"
            " after before since as than like per via within across inside until"
        ),
        inner_prepositions=words("of by about with from"),
        resumes=words("because cos so unless although though whereas but if none nobody"),
        auxiliaries=_AUXILIARIES,
        copulas=words("is are was were be been isn't aren't wasn't weren't"),
        verbs=_VERBS,
        verb_ending=r"[a-z]{3,}ed",
        participle_ending=r"(?:[a-z]{3,}ed|spoken|made|written|set|found|known|based|born|sold|grown|built|drawn)",
        plural_ending=r"[a-z-]{2,}[a-rt-z]s|[a-z]+sses|people|children|men|women|music|food|stuff|ideas?|recipe|playlist|menu|anything|something",
        article_before=r"(?:the |an? |(?:The|An?) (?=[a-z]))",
        objects=words("me us"),
        own=words("my our"),
        so=("so", "therefore"),
        kinds=words(
            "any some good best great nice cheap easy quick simple popular recommended affordable decent fun similar"
            " everything anything something somewhere someone more other another all"
        ),
        question_words=words(
            "what which who whom whose where when why how whats hows wheres whos what's who's how's where's"
        ),
        relatives=words("who which whose whom where when that"),
        choosing=words("which who whom whose"),
        subjects=words("i we you they he she i'm i've i'd i'll we've we're we'd it's that's they're you're"),
        states=words("i'm im we're he's she's it's its they're"),
        empty_subjects=words("there it this that you we i they he she"),
        opens_clause=(
            "[and|but|so|then|or] (what|how|why|what's|how's|who's|where's) *",
            "[and|but|so|then] (what|which|who|where|when|how|why) (else|other)",
            "[and|but|so|then] [in|on|at|to|from|by|for|with|of|through|during|under] (what|which|who|whom|whose|where|when) (else|other)",
            "[and|but|so|then] (is|are|was|were|do|does|did|can|could|has|have|will|would|should|isn't|aren't|don't)"
            " (there|you|we|i|he|she|it|they|this|that|these|those|the|any|anyone|someone|somebody|anybody|my|your)",
            "[and|but|so|then] (please|tell|give|list|describe|find|explain|name|show|provide|discuss|introduce|summarize"
            "|summarise|recommend|suggest|focus on|focusing on|identify|let's|any [*] (ideas|suggestions|recommendations|other|others|good|recs|tips|options|alternatives|thoughts))",
            "(something|somewhere|someone|anything|more) *",
            "[and|but|so|then] (i|i'm|i'd|i've|i'll|we|we're|we've|we'd|we'll)",
        ),
        asked=(
            "(please|kindly|hi|hello|i want|i need|i'd like|i'm looking|(can|could|would|will) you)",
            "(provide|give|write|describe|explain|discuss|introduce|summarise|summarize|list|outline|explore|examine|analyse"
            "|analyze|compare|tell|show|find|recommend|suggest|name|present|share|look|focus|talk)",
            "... (profile|overview|summary|introduction|life story|biography|description)",
        ),
        reasons=(
            "[and|so] (i|we|he|she|they|it|that|those|these|everyone|everybody|you)(|'m|'ve|'d|'s|'re|'ll) *",
            "(ive|weve|theyre|youre|hes|shes|thats) *",
            "(our|my|his|her) * (is|are|has|have|had|does|did|can|can't|hates|said|says|won't|doesn't)",
            "im *",
            "(because|cause|cos|since|as (i|we|it|they|that|she|he)|that's|it's|we're|i'm|you're|they're|there's|too|way too)",
            "[i|we] [already] (got|had|have|tried|done|did|seen|checked|swapped|replaced|read|know|used|been|own|hate|covered) (that|it|this|them|those|these|one|already|there|yesterday|last|before|enough)",
            "thanks",
        ),
        requests=(
            "[please|kindly] (can|could|would|will) (you|someone|anyone|anybody|we|i) [please] (tell|show|give|inform) [me|us]"
            " [a little bit|a little|a bit|something|anything|more|some] [about]",
            "[please|kindly] [(can|could|would|will) (you|we|i|someone|anyone)] [please] (provide|share|list|name|describe|explain|introduce"
            "|discuss|recommend|find out|look up|look for|find|suggest|offer|outline|explore|examine|analyze|analyse) [me|us] [with]",
            "[please|kindly] (tell|show|give|inform) [me|us] [a little bit|a little|a bit|something|anything|more|some] [about]",
            "[please|kindly] (can|could|would) (you|we|i|someone|anyone)",
            "please",
            "(i'm|i am|im|we're|we are) [currently|really|just] (looking|searching) for",
            "(looking|searching) for",
            "you can tell [me|us] about",
            "(i'd|i would) (like|love) (to know|to learn|to hear|to read) (about|more about)",
            "(i|we) (want|need|wanted) to (know|learn|hear|read) [more] about",
            "(does|do) (anyone|anybody|someone) have any (recommendations|suggestions|ideas|recs) for",
            "[does|do] (anyone|anybody|any1|someone|you) know [of|about] (a|an|any|some)",
            "(i was|i'm|i am|im|was|just) wondering (if|whether) (you|anyone|someone|anybody|there are|there's|there is) [know|knows|can recommend|could recommend|could suggest] [of]",
            "[any|the|some|more|an|a] [brief|basic|main|general|detailed|specific] [brief|basic|main|general|detailed|specific]"
            " (information|info|details|introduction|overview|summary|insight|insights) (about|of|on|to|into|regarding|related to)",
            "(and|right|okay|so|either)",
        ),
        courtesies=(
            "(please|pls|plz|thanks|thank you|thx|ty|cheers|ta) [a lot|very much|so much|in advance|everyone|all|guys|mate]",
            "(hi|hello|hey|hiya|dear all|good (morning|afternoon|evening)) [there|all|everyone|guys|folks|team|love|dear|darling|sweetheart|mate]",
            "(sorry|if possible|if you can|if you could|much appreciated|any help is appreciated|much obliged)",
            "(ok|okay|right|so|well|hmm|um|oh|yeah) [and] [now|then]",
        ),
        elsewhere=words("else other remaining rest another others"),
        leads=(
            "(but|and|also|while|whilst|though|however|yet|so|specifically|especially|particularly|preferably|just|only)",
            "(let's|lets|you should|you must|i want you to|i'd like you to|if possible|maybe|ideally|then)",
            "(i'd say|i would say|i mean|of course|naturally|possibly|hopefully|for once|oh|pls|plz|and also|but also|definitely|certainly|obviously|honestly|actually|basically)",
        ),
        links=("(that|which|with|or)",),
        alternatives=(
            "(or|and) [if not|else] (failing that|failing this)",
            "(or|and|or,|and,) if (that's|there's|it's|that is|there is|there are|it is|that isn't|there isn't|it isn't|there aren't) (not|none|no|nothing|too|any|one|available|possible|an option|in|out|there|taken) [there|available|possible|an option|around|any|one|in stock]",
            "or (at least|just|simply|instead)",
            "(plan b|second choice|as a fallback|as a second choice|or as a fallback)",
            "(failing that|failing which|or else|or otherwise|or alternatively|alternatively|if not then|or if not|otherwise)",
        ),
        opens_sentence=words(
            "what which who whose where when why how is are was were do does did can could please also additionally exclude"
            " omit ignore skip avoid leave don't i i'm i'd i've we we're and but focus tell give"
        ),
        abbreviations=words(
            "vs st mt ft dr mr mrs ms prof rev hon gen col capt sgt gov sen rep jr sr no nos vol vols op ed eds cf ca al"
            " etc inc ltd co corp dept univ approx fig pp excl incl esp e.g i.e u.s u.k"
        ),
        spelling=words(
            "except excluding without besides apart aside other than instead rather ignoring leaving skipping don't not"
            " exclude about from and mention including already neither"
        ),
        real_words=words(
            "expect side excepts expects accept their there then that form aspect part parts insides aide asides ton on nod no"
            " adn an ad nad tan thank thanks hat rater mother bother others ether leavings ignore ignoring abut fro for"
            " farm from rom rather ready alread bout don't don it's dint tone note knot nt mentions mansion motion"
            " than thane tha hen ten neither either apartm a part otter order outer oath iam ore"
        ),
        adjective_ending=r"[A-Z\d]+|[\w-]+(?:an|ish|ese|ench|utch|eek|ic|al|i)",
        no_names=words(
            "find show provide describe explain list name write compare recommend suggest summarize summarise outline"
            " introduce discuss explore examine analyze analyse share looking additionally besides would will should has have"
            ""
            " visiting travelling traveling going staying planning moving watching reading trying love loved if it in on at for from hi hello my our your there any"
        ),
        particles=words("of the de van von la le del da di al bin du der den"),
        pairs=(
            "(salt|mac|fish|rock|rhythm|bed|research|trial|pros|law|supply|peace|war|black|arts|bread|gin|nuts|peanut butter)"
            " (and|&) (pepper|cheese|chips|roll|blues|breakfast|development|error|cons|order|demand|quiet|peace|white|crafts"
            "|butter|tonic|bolts|jelly)",
        ),
        only=("(anything|anyone|anybody|any)[ *] [*] [*] (other than|but|except|besides|apart from|aside from)",),
        things=(
            "(what|which) [*] [*] *s (can|could|should|would|do|are|is|shall|might|may|work|go|fit|suit|need)",
            "(what's|what is|whats|anything) (worth|good|on|new)",
            "(do you have|have you got|is there|are there) (any|anything|something|some|a good)",
            "(what|which|where|how) [*] [*] [*] (can|could|should|shall) (i|we|you|he|she|they) *",
            "(recommend|suggest|suggestions|ideas|recommendations|recs|looking for|show me|find me|give me)",
        ),
        choices=_CHOICES,
        degrees=words("very too overly really super mega so extremely ridiculously insanely"),
        approving=(
            "(fine|good|ok|okay|great|welcome|nice|perfect|lovely|acceptable|cool|alright|best|preferred|all right)",
        ),
        refers_back=("(for|of|in|with|by) (this|these|those) *", "the same"),
        wishes=_WISHES,
        restate=restate,
    )


# They hide a cue.
_SHIELDS: Final = (
    "not (only|just|simply|merely|necessarily|because|to mention|so much|least|yet|sure|enough|too long|long|far|until)",
    "(no longer|no more than|no less than|no later than|no matter|no doubt|no idea|no wonder|no clue|no one|no problem)",
    "(no|nos) #*",
    "(why|if|whether|whether or|and why) (not|don't|doesn't|dont|didn't|isn't|aren't|can't|won't|no)",
    # Whole words, and no part of the wish is left out.
    *(
        f"{non}(stick|profit|fiction|stop|binary|native|verbal|disclosure|compete|linear|zero|refundable|alcoholic|toxic"
        "|resident*|smok*|performance|payment|negative|null|trivial|invasive|renewable|blocking|local|public|commercial"
        "|violent|existent|euclidean|newtonian|abelian|gaussian|hermitian|markovian|hodgkin*)"
        for non in ("non ", "non-")
    ),
    "(love is|yes or|yes and) (no|not)",
    "(say|says|saying|said) no",
    # A title: "who sings the song no woman no cry".
    "the (song|film|movie|album|track|single|novel|book|show|series|play) no * no",
    "the (song|track|single|album) no",
    "(called|titled|named|entitled) (no|not)",
    "(forget|ignore|skip|avoid|exclude|omit) (me|it|to|list|lists|level|connection|connections|link|links|button)",
    "(how|ways|way|how can i|how do i|how to|tips|trying|able|supposed|have|easy|best way) to (not|avoid|skip|ignore|exclude|forget|omit)",
    "(do|does|can|could|did|should) (i|you|we|they|people|it|he|she) (not|avoid|skip|ignore|exclude|forget|omit)",
    # A question after what is not so: "What should baby food not contain?", not "can you find me snacks not store bought".
    *(
        f"{asked} * [*] [*] [*] not (contain|include|have|be|eat|drink|do|use|say|give|take|wear|go|put|mix|feed|buy|touch|ask"
        "|bring|wash|tell|mention|require|need|exceed|cover|cause|get|make|grow|marry|win|sell|visit|support|teach|pay|smoke"
        "|send|sign|accept|apply|happen|want|know|see)"
        for asked in (
            "(should|must|may|might|shall|do|does|did)",
            "<wh> (can|could|would|will)",
            "<wh> * (can|could|would|will)",
        )
    ),
    "<be> (anything|nothing|something) (but|other than) (a|an)",
    "(doctors|reporters|engineers|rebel|lawyers|teachers) without (borders|a cause)",
    "(to|would|can't) help but",
    # What is added to a price is part of it: "price of a kettle excluding VAT".
    "(excluding|excl|excl.|exclusive of|before|without) (vat|gst|tax|taxes|sales tax|postage|shipping|delivery)",
    "never mind that",
    "don't forget",
)
# They explain a sign that no cue has read.
_FACTS: Final = (
    "(or|and) (not|don't|doesn't|dont|didn't|isn't|aren't|can't|won't)",
    "(isn't|isnt|aren't|wasn't|don't|doesn't|didn't|haven't|won't|can't) (it|there|they|you|we|he|she|that)",
    "(is|are|was|were|am|'s|'re|i'm|be|been|being|still|it's) not (*ed|*ing|able|allowed|available|possible|a|the same)",
    "(do|does|did|can|could|will|would|should|may|might|must|has|have|had) not",
    "(don't|do not|dont) (forget|worry|know|understand|get|think|mind|have to|need to|work|exist|hesitate|panic|remember)",
    "<i> (don't|do not|dont) (have|know|understand|get|think|mind|remember|see|believe|eat|drink|drive|speak|own)",
    "(it|they|he|she|you|people) (doesn't|don't|do not|does not|doesnt|dont|didn't) *",
    "(when|where|why|what|how|if) (i|you|we|he|she|it|they|my *|your *) (don't|dont|didn't|doesn't|isn't|aren't|not)",
    "(without|w/o) (a|an|my|your|his|her|its|their|our|being|having|any|*ing|success|doubt|fail|warning|notice|question)",
    "(with|has|have|had|having|there is|there's|there are|is|are|was|were|got|gets|get) no",
    "(won't|can't|cannot|couldn't|wouldn't|never|hardly|rarely|hasn't|haven't|hadn't)",
    "(tell|or) (no|not)",
)
