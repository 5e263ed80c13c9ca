"""The exclusion cues of English that are statements: one row a cue."""

from __future__ import annotations

from typing import Final

from logical_retriever.transform.languages.table import ANYWHERE, CLAUSE_START, Kind, cues

_RELATIVE_BEFORE: Final = (
    "(that|which|who|if|when|why|where|how|because|what|as|do|people|someone|person|thing|does|should|and why)",
    "(why|when|what|if|how do|how can|whether) ...",
)

# What is said of oneself after "I'm tired of", and names nothing that was asked for.
_OWN_TROUBLES: Final = ("(it|me|that|this|waiting|paying|being|work|my)",)
_NOT_WANTED: Final = ("(it|me|them|that|him|her|to|a lot|much|something|how|what|him to|you|lose|a visa|my)",)

STATEMENTS: Final = (
    *cues(
        Kind.CLAUSE,
        "(please|pls|and|just) (don't|do not|dont) say {x} :: a first language to learn, please don't say Python",
        at=ANYWHERE,
        only_before=("[the|a|an|just] *",),
        never_after=("(if|when|that|to|they|people|who|you|we|i|the*) ...", "<no> ..."),
        never_before=("(to|that|how|it|it's|you|sorry|i|what|hi|hello|no|yes|thanks|thank|goodbye|anything|so|this)",),
    ),
    *cues(
        Kind.CLAUSE,
        "<im> not [<very>] [<very>] <sought> {x} :: When was she born? I'm not interested in her family.",
        alone=True,
        at=ANYWHERE,
        never_after=_RELATIVE_BEFORE,
        never_before=_OWN_TROUBLES,
    ),
    *cues(
        Kind.CLAUSE,
        "<im> [so|really|just|getting|a bit|all|both] <tired> (of|with) [<hearing>] {x} :: I'm fed up with the Sicilian. Other openings?",
        alone=True,
        personal=True,
        at=ANYWHERE,
        never_after=_RELATIVE_BEFORE,
        never_before=_OWN_TROUBLES,
    ),
    *cues(
        Kind.CLAUSE,
        "[so|really|just|a bit] (sick|sick and tired|sick to death|tired|bored|fed up) (of|with) [<hearing>] {x}"
        " :: tired of sudoku, any other puzzles?",
        alone=True,
        personal=True,
        never_before=_OWN_TROUBLES,
    ),
    *cues(
        Kind.CLAUSE,
        "(not|no|not really|not that|not too) [<very>] (into|interested in|looking for|asking for|asking about|talking about|a fan of|keen on|fond of|big on) {x}"
        " :: thrillers, not into horror",
        alone=True,
        never_before=_OWN_TROUBLES,
    ),
    *cues(
        Kind.CLAUSE,
        "(my|our) * [*] (hates|dislikes|loathes|can't stand|can't bear|can't have|cannot have|can't eat|cannot eat|doesn't eat|doesn't like|won't eat|is allergic to|is sick of)"
        " {x} :: Muffins for school? My daughter can't have nuts.",
        "[the|my|our|his|her] (hubby|mum|mom|dad|gran|granny|grandma|grandad|grandpa|nan|sister|brother|son|daughter|mother in law|father in law|mother-in-law|father-in-law|flatmate|roommate)"
        " [really|just] (hates|can't stand|can't have|can't eat|won't eat|doesn't eat|doesn't like|won't touch|is allergic to|is sick of) {x}"
        " :: hubby can't stand coriander, any thai dishes?",
        "(the|my|our|his|her) [*] (kids|children|boys|girls|grandchildren|grandkids|family|guests|friends|parents|others|wife|husband|boyfriend|girlfriend|toddler|baby|boss|team"
        "|bride|groom|couple|client|girls|boys|lads|twins|teens|teenagers)"
        " (hate|don't eat|don't like|won't eat|won't touch|can't eat|can't have|can't stand|don't do|are allergic to|are sick of|are bored of|hates|won't watch|won't have|refuse to eat|refuses to eat)"
        " {x} :: What can I cook tonight? The kids won't eat mushrooms.",
        "(my|our) * [*] (has|have|'s|won't|will not|doesn't|does not|don't) (banned|vetoed|forbidden us|forbidden me|accept|allow) {x}"
        " :: sources for an essay on energy, my prof won't accept wikipedia",
        "* [*] (is|are) (allergic to|intolerant to|intolerant of) {x} :: a cake for the whole class, one child is allergic to nuts",
        "(allergic to|allergy to|intolerant to) {x} so (those|they|that|it|these|that's|it's|they're) [are|is] (out|off the table|a no|no good|off limits)"
        " :: pain relief options, pt is allergic to nsaids so those are off the table",
        "(but|and) (they|he|she) [all|both|really|just] (hate|hates|can't stand|won't eat|don't eat|doesn't eat|don't like|doesn't like|can't eat|can't have|are allergic to|is allergic to)"
        " {x} :: things to do with teenagers, but they hate museums",
        personal=True,
        at=ANYWHERE,
        never_after=_RELATIVE_BEFORE,
        never_before=("(it|me|them|that|him|her|this|how|when|to)",),
    ),
    *cues(
        Kind.CLAUSE,
        "<i> [<adverb>] (hate|hates|dislikes|loathes|can't stand|can't bear|cannot stand|despise|dislike|loathe|detest|can't have|cannot have|can't use"
        "|cannot use|can't eat|cannot eat|can't drink|cannot drink|can't tolerate|cannot tolerate|can't do|cannot do) {x} :: Thrillers? I hate horror.",
        "<im> (not able to|unable to|not allowed to|not supposed to) (take|eat|have|drink|use|do) {x}"
        " :: What helps with a headache? I am not able to take ibuprofen.",
        "<i> [<adverb>] <dont> [<adverb>] (eat|drink|wear) {x} :: We don't eat pork. What can I put in a soup?",
        "<i> [<adverb>] <dont> [<adverb>] (like|enjoy|love) {x} :: I need a film for tonight. I don't like horror.",
        "(i'm|im|i am|we're|he's|she's) [<adverb>|not] (allergic to|bored with) {x} :: dinner ideas, I'm allergic to nuts",
        "(i|we) [just] (did|saw|visited|watched|read|went to|had|tried|cooked|ate|played) {x} (last time|last week|last month|last year|last term|last season|last summer|yesterday|last night|the other day)"
        " :: We did the Louvre last time. Which museums should we visit in Paris?",
        alone=True,
        personal=True,
        at=ANYWHERE,
        never_after=_RELATIVE_BEFORE,
        never_before=("(it|me|them|that|him|her|this|how|when|to|much|my *)",),
    ),
    *cues(
        Kind.CLAUSE,
        "<i> (refuse to|won't|will not) (use|eat|buy|watch|read|go to|stay in|wear|touch) {x}"
        " :: Ways to get rid of slugs? I refuse to use pellets.",
        "(my|our|the) * [*] (told|advised|asked) (me|us|him|her) to (avoid|stay off|cut out|give up|stop eating) {x}"
        " :: My doctor told me to avoid grapefruit. Which fruits can I eat?",
        "(i|we) (can't|cannot) take {x} :: My back hurts. I can't take ibuprofen. What can I do?",
        "(i|we|he|she) (have to|must|should|had to|need to|has to) (cut out|give up|stay off|stop eating|stop drinking) {x}"
        " :: I have to cut out dairy. What desserts can I make?",
        personal=True,
        at=ANYWHERE,
        never_after=_RELATIVE_BEFORE,
        never_before=(
            "(it|me|them|that|him|her|this|how|when|to|a|an|the|my *|any more|much|time|care|part|credit|photos|enough)",
        ),
    ),
    *cues(
        Kind.CLAUSE,
        "<i> [<adverb>] <dont> [<adverb>|even] <want> [<hear>] (anything|any|more|advice|information|info|to know) [<topic>|on|with|for] {x}"
        " :: British suffragettes? I don't want anything on Pankhurst.",
        "<i> (do not|don't|dont) (ever|<adverb>) want to (know|hear|see|read) [about|anything about] {x}"
        " :: tea, I don't ever want to hear about mint",
        "(i'd|i would) (prefer|rather|like) not (to <talk>|to <list>|<talk>|<list>|to hear about|hear about|to know about"
        "|to read about|to ask about|to learn about|to inquire about|to see|see) {x} :: tea, I'd prefer not to hear about mint",
        "(i'd|i would|id) (rather steer clear of|rather stay away from|rather not have|rather not use|rather avoid|rather skip|prefer to avoid|like to avoid|like to skip) {x} :: tea, I'd rather avoid mint",
        "<i> (want to|would like to|need to|am trying to) (avoid|steer clear of|stay away from|skip) {x} :: tea. I want to avoid mint.",
        at=ANYWHERE,
        alone=True,
        never_after=_RELATIVE_BEFORE,
        never_before=_NOT_WANTED,
    ),
    *cues(
        Kind.CLAUSE,
        "<i> [<adverb>] <dont> [<adverb>|even] <want> [<hear>] [<topic>|on|with|for] {x} :: Cakes for Sunday? I don't want chocolate.",
        at=ANYWHERE,
        alone=True,
        personal=True,
        never_after=_RELATIVE_BEFORE,
        never_before=_NOT_WANTED,
    ),
    *cues(
        Kind.CLAUSE,
        "<im> not (buying|getting|having|reading|watching|eating|drinking|using|going to|wearing|paying for|cooking|making) (another|any|any more|more|a|yet another) {x}"
        " :: cheap phones, I'm not buying another Samsung",
        at=CLAUSE_START,
        alone=True,
        personal=True,
        never_after=_RELATIVE_BEFORE,
    ),
    *cues(
        Kind.CLAUSE,
        "(she|he|they|she's|he's|they've) [already] [has|have|owns|got] (enough|plenty of|loads of|lots of|tons of|too many) {x}"
        " :: present ideas for a teacher, she's got enough mugs",
        at=ANYWHERE,
        asking=True,
        never_before=("(time|money|energy|friends|space|problems|trouble|experience|of|to|pain|on)",),
    ),
    *cues(
        Kind.CLAUSE,
        "(don't|dont) want (a|an|another) {x} :: Looking for a used family car. Don't want a diesel.",
        at=CLAUSE_START,
        asking=True,
    ),
    *cues(
        Kind.CLAUSE,
        "(she|he|they) already (has|have|owns|own|got) {x} :: gift for my dad's 70th, he already has every tool",
        at=ANYWHERE,
        only_after=("(gift|gifts|present|presents) ...", "(gift|gifts|present|presents) ... ,"),
    ),
    *cues(
        Kind.CLAUSE,
        "(don't|dont) (want|need|mean|care about|care for) [anything|any|to hear] [about|on|to do with] {x} :: teas, don't want mint",
        never_before=("(to|it|me|a|you)",),
        at=CLAUSE_START,
    ),
    *cues(
        Kind.CLAUSE,
        "<i> know (what|how|where|who) {x} (is|are|was|were|works|work|means|mean|does|do) :: I know what mint is. Which other teas are there?",
        "<i> (already know|already knew|know already|know all|know enough|know plenty|'m familiar with) [<enough>] {x} :: Explain tea. I already know about mint.",
        "<i> (know|'ve heard) (all|everything|enough|plenty) (about|of|on) {x} :: Explain tea. I know all about mint.",
        "<i> know about {x} already :: Explain tea. I know about mint already.",
        "<ive> already (read|seen|heard|tried|done|got|covered|had|been to|used|have|know|use|own|tested|watched|visited|played|finished|listened to) [<enough>] {x}"
        " :: Explain tea. I've already read about mint.",
        "<i> (couldn't|could not|could) care less about {x} :: Explain solar panels, but I couldn't care less about subsidies.",
        "<ive> [already] (heard|read|seen|know|know about|have|got|done) {x} so (skip|leave out|no need for|not|no) (those|that|them|it|these) [one|ones]"
        " :: Tell me about the moon landing. I've heard the conspiracy theories, so skip those.",
        "<ive> (seen|heard|had|read|got|have|done) (enough|plenty) [of|about|on] {x} :: methods? I have enough on interviews.",
        "<ive> had (my|our) fill of {x} :: which dating app for over 50s, I've had my fill of Tinder",
        "(<im> already familiar with|already familiar with) {x} :: Explain tea. I'm already familiar with mint.",
        "(i've|i have|we've|we have|ive) (done|covered|had|heard|seen) {x} to death :: We've done the pyramids to death; what else did they build?",
        personal=True,
        at=ANYWHERE,
        never_after=_RELATIVE_BEFORE,
        never_before=(
            "(to|that|is|it|this|everything|nothing|my|i|by|all|a lot|the answer|the basics|her|him|them|us|me|you)",
        ),
    ),
    *cues(
        Kind.CLAUSE,
        "(i've|i have|we've|we have|ive|i|we) [already|just|all] (done|seen|read|tried|been to|had|visited|watched|played|got|have|own) {x} :: Recommend trails near Seattle, but I've done Mount Si.",
        at=ANYWHERE,
        only_after=("but",),
        never_before=("(to|no|not|a|it|some|never|problem*|trouble|questions)",),
    ),
    *cues(
        Kind.CLAUSE,
        "<ive> [already|now|just] (read|seen|watched|played|tried|done|visited|heard) (all of|everything by|everything from|all by|every|all the) {x}"
        " :: I should like a detective novel. I have already read everything by Agatha Christie.",
        asking=True,
        personal=True,
        at=ANYWHERE,
    ),
    *cues(
        Kind.CLAUSE,
        "(i've|i have|we've|we have|ive) [already|just] (done|seen|read|been to|visited|watched|played) [all] (the|all) {x}"
        " :: a weekend in Berlin with teenagers, we've done the museums",
        asking=True,
        personal=True,
        never_before=("(right|same|best|only|first|math|maths|research|reading|work|job|thing|one|other)",),
    ),
    *cues(
        Kind.CLAUSE,
        "(i've|i have|we've|we have|ive) [already|just] (done|seen|read|been to|visited|watched|played|finished) {name}"
        " :: what are some good Netflix series, I've seen Breaking Bad",
        asking=True,
        personal=True,
        only_after=("(good|best|great|some|any|similar|recommend|suggest|more) ... ,",),
    ),
    *cues(
        Kind.CLAUSE,
        "(i've|i have|we've|we have|ive|already) ruled out {x} :: I've ruled out mint. What else calms the stomach?",
        at=ANYWHERE,
        never_after=_RELATIVE_BEFORE,
    ),
    *cues(
        Kind.CLAUSE,
        "(i've|i have|we've|we have|ive|already|i already|we already) [already|also] {x} :: My payment is stuck. I've already emailed support. What else can I do?",
        elsewhere=True,
        only_before=("*ed",),
        never_before=(
            "(need*|want*|look*|tried|wonder*|us|decid*|heard|seem*|hop*|start*|notic*|receiv*|chang*|upgrad*|mov*|bas*|interest*)",
        ),
    ),
    *cues(
        Kind.CLAUSE,
        "[i've|i have|we've|we have|ive|i|we] (got|have|has|had|own|using|tried|done|read|seen|know|checked|searched|asked|restarted) {x} already :: podcasts for a long drive (got Serial already)",
        "(leave|save|park) {x} (for later|for another day|for now|for next time|for another time) :: Explain tea. Park mint for later.",
        "(i'd|i would|we'd) [much] rather not (watch|see|read|eat|visit|have|do|go to|get|use|buy|play) {x} :: A film for tonight. I'd rather not watch a war movie.",
        never_before=("(to|it|that|been|no|not)",),
        alone=True,
    ),
    *cues(
        Kind.CLAUSE,
        "[i've|i have|we've|we have|ive|have|i|we] [already] (checked|tested|verified|covered|bumped|increased|restarted|reinstalled|rebooted|replaced|swapped|cleared|reset|disabled) {x} :: Query is slow. We've checked indexes. What else?",
        "(i|we) [already] (know|speak) {x} :: What other programming languages should I learn? I know Python and Java.",
        "[i've|i have|we've|we have|ive|i|we] [already] (tried|looked at|been to|done|read|watched|seen|visited|played) {x} :: Query is slow. Tried adding an index. Which other options are there?",
        "(it's|it is|its|this is|that's) not {x} :: VPN drops. It's not the router. What else could cause it?",
        "(it|that|this) (isn't|wasn't|isnt) {x} :: VPN drops. It isn't the router. What else could cause it?",
        "{x} (isn't|is not|wasn't|was not|aren't|are not) it :: VPN drops. The router isn't it. What else could it be?",
        "{x} (didn't|did not|doesn't|hasn't|don't|haven't) (agree with me|agree with us|suit me|suit us|help|work|helped|worked|fix it|change anything|make a difference) [here|for me|for us] :: VPN drops. A restart didn't help. What else could cause it?",
        "{x} (is|are|look|looks) (fine|ok|okay|working|new|good) [too] :: VPN drops. The router is fine. What else could cause it?",
        elsewhere=True,
        never_before=(
            "(how|what|why|where|when|who|you|i|he|she|they|there|he's|in|out|with|if|for)",
            "(to|that|it|this|everything|nothing|my|all|working|sure|clear|because|just|only|a|an|about|safe|possible|*ing $)",
        ),
    ),
    *cues(
        Kind.CLAUSE,
        "(it's|it is|its) not {x} :: query slow since the upgrade - it's not missing indexes and it's not stale statistics",
        only_before=("* [*] [*] and (it's|its|it is|also) not *",),
    ),
    *cues(
        Kind.CLAUSE,
        "(it's|it is|its) not {x} :: query slow since the upgrade - it's not missing indexes and it's not stale statistics",
        at=ANYWHERE,
        only_after=("(it's|it is|its) not * [*] [*] and",),
    ),
    *cues(
        Kind.CLAUSE,
        "(yes|yeah|yep|ok|okay|sure) <i> know about {x} :: Yes I know about restarting the router. What could fix slow wifi?",
        "ruled out {x} :: app crashes on launch, ruled out proguard and hermes",
        at=CLAUSE_START,
    ),
    *cues(
        Kind.CLAUSE,
        "(i've|i have|we've|we have) [already] got the {x} (one|ones) ... :: I need the fall prevention protocol. I've got the pediatrics one printed.",
        asking=True,
    ),
    *cues(
        Kind.CLAUSE,
        "(don't|do not|dont) say {x} :: find me a laptop for college, dont say macbook",
        at=CLAUSE_START,
        asking=True,
        never_before=("(a|to|that|how|it|it's|you|sorry|i|what|hi|hello|no|yes|thanks|goodbye|anything|so|this|much)",),
    ),
    *cues(
        Kind.CLAUSE,
        "(my|our|the) * [*] (said|told me|told us|asked me|asked us) not to (write about|use|mention|include|cover|focus on|talk about|pick|choose) {x}"
        " :: My teacher said not to write about Robespierre. What else could I focus on?",
        elsewhere=True,
    ),
    *cues(
        Kind.CLAUSE,
        "(they've|she's|he's|they have|she has|he has|we've|i've) [already] been to {x} (lots of times|many times|loads of times|before|already|twice|several times)"
        " :: A week in Scotland with my parents. They've been to Edinburgh lots of times.",
        never_before=("(a|an|the (doctor*|gp|vet*|dentist))",),
        asking=True,
    ),
    *cues(
        Kind.CLAUSE,
        "[the|my] only (thing|things|kind|genre) (i|we) (dislike|hate|don't like|can't stand|don't want|avoid) (is|are) {x} :: films for tonight, the only thing I dislike is musicals",
        never_before=("(*ing|that|when|how|to|my|the way)",),
    ),
    *cues(
        Kind.CLAUSE,
        "(heard|read|seen|had|know|got|known) (enough about|enough of|enough on|all about|plenty about|plenty of) {x} :: heard enough about mint, which teas are there?",
        "(already|already know|already have|already tried|already did|already seen|already done|already got) {x} :: tea? already tried mint",
        "(done|tried|seen|been to) {x} (already|to death) :: seen the Louvre already. What else is in Paris?",
    ),
    *cues(
        Kind.CLAUSE,
        "(it's|it is|its) [definitely|really|just|also] not {x} :: old film about a dog. It's not Beethoven.",
        "it [definitely|really] (isn't|isnt|wasn't|is definitely not|is certainly not) {x} :: old film about a dog. It isn't Beethoven.",
        only_before=("(the|about|late|any)",),
        never_before=("the (case|end|same|best|first|only|point|worst|right|way)",),
    ),
    *cues(
        Kind.CLAUSE,
        "(it's|it is|its) [definitely|certainly|really|just|also] not (the|a|an) [first|second|original|new|old|same] {name} :: old film about a dog. It's not the original Beethoven.",
        "(it's|it is|its) [definitely|certainly|really|just|also] not {name} :: old film about a dog. It's not Beethoven.",
        "it [definitely|certainly|really] (isn't|isnt|wasn't) [the|a|an] [first|second|original|new|old] {name} :: All I know is it definitely isn't a Beethoven sequel. Old film about a dog.",
        "it [definitely|really] (isn't|isnt|wasn't|is definitely not|is certainly not) {name} :: old film about a dog. It isn't Beethoven.",
        at=ANYWHERE,
        never_after=("(if|because|since|that|why|when|whether|how|but|what) ...",),
    ),
    *cues(
        Kind.CLAUSE,
        "{x} (is not|isn't|isnt|are not|aren't|arent|is really not|are really not|isn't really) [really] <refused> [<tail>]"
        " :: Who invented the radio? Marconi is not what I'm after.",
        "{x} (isn't|is not|wasn't|was not|aren't|are not) (the cause|the problem|the reason|the culprit|the issue|to blame) :: VPN drops, what could it be? The router isn't the problem.",
        "{x} (is|are) (something|things|a topic|topics) (i'd rather not|i would rather not|i prefer not to|i don't want to|we don't need to) (hear|hear about|read about|read|see|discuss|go into|know) :: Ways to contest a decision; court is something I'd rather not read about.",
        "{x} (is|are) (live|in use|in place|set up|installed|running) already :: payment options, iDEAL is live already",
        "{x} (i not|i no|i don't|i dont) (want|eat|need|like|drink) :: recommend a restaurant, fish I not eat",
        "{x} not <refused> [<tail>] :: back stretches, yoga's really not my thing",
        "{x} (wouldn't|would not|won't|will not) (suit me|suit us|interest me) [either] :: A walking holiday. Coach tours would not suit me.",
        "{x} need not apply :: Used family car under 8000. Diesels need not apply.",
        "{x} (i|we) [already] know (it|that|them|those) [already] :: information about visas, the Blue Card I know it already",
        "{x} (doesn't|does not|don't|do not|doesnt|dont) (interest me|interest us|count|appeal|appeal to me|appeal to us|help|help me|help us|work for me|work for us|concern us|concern me|matter to us)"
        " :: museums? Anime doesn't interest me.",
        "{x} (i|we) [already|'ve already|have already] (know|covered|read|seen|done|tried|got|have|had|used|tested|understand) [already|about|well|well enough|of] :: Which capitals are cheap? Prague we know already.",
        "{x} (i've|we've|i have|we have|ive) [already] (got bookmarked|got saved|bookmarked|saved|covered|read|seen|done|tried|got|had|used|checked|tested|ruled out|been to|sorted) [already] :: Which rules apply to contractors? Permanent staff I've already covered.",
        "{x} (is|are|'s) [already] (sorted|covered|handled|a given|well known|taken care of|banned|settled) [already] [<tail>] :: Which taxes apply? VAT is already covered.",
        "{x} (needn't|doesn't need to|don't need to|need not|does not need to) be (included|covered|mentioned|listed|in there|in it) :: Which taxes apply? VAT needn't be included.",
        "{x} (won't do|wouldn't do|will not do|won't work for us|won't work for me|isn't possible here|goes without saying|can go|doesn't apply|do not apply|doesn't apply to us) :: Which taxes apply? VAT doesn't apply to us.",
        "{x} <handled> [<tail>] :: apple tree pests; aphids I can deal with",
        "{x} (not needed|not wanted|not required|not interested|not my thing) [omit|skip] :: causes of sink marks, warping not needed",
        at=CLAUSE_START,
        never_after=("(<be>|it|that|this|which|who|i|we|what|they)",),
    ),
)
