"""Dutch: a short table. "zonder" and "geen" are mostly facts, so they count only after what asks for things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from logical_retriever.transform.languages.signs import sign_phrases
from logical_retriever.transform.languages.table import Cue, Kind, Language, cues, phrases, words

_LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "not": words("niet geen niets niks nooit niemand nergens noch"),
    "wanted": phrases(
        "zoek, zoeken, gezocht, zin in, wil, willen, welke, welk, tips, ideeën, recepten, recept, suggesties, cadeau,"
        " cadeaus, films, film, series, serie, boeken, boek, romans, artikelen, verhalen, spelletjes, spellen, muziek,"
        " restaurants, hotels, steden, landen, dorpen, stranden, eilanden, geef, noem, vertel, toon, adviseer, aanraden,"
        " activiteiten, uitjes, uitje, hobby's, huisdieren, huisdier, gerechten, bestemmingen, wandelingen,"
        " wandelroutes, podcasts, liedjes, fietsen, meubels, planten, sporten, talen, dieren, salades, soepen, toetjes,"
        " taarten, wijnen, bieren, fruit, groenten, speelgoed, beroepen, honden, strandvakantie, stedentrip, reis,"
        " vakantie in, weekendje"
    ),
    "but": phrases(
        "maar, maar dan, maar liever, maar alsjeblieft, maar aub, liever, graag, liefst, alsjeblieft, alstublieft, aub,"
        " svp, dus, zeker, vooral, absoluut, in ieder geval, bij voorkeur, het liefst, alleen"
    ),
    "already": phrases(
        "al, al gezien, al gelezen, al geprobeerd, al bezocht, al gehad, al gedaan, al geweest, al eens gezien, al"
        " eens gelezen, al eens geprobeerd, al eens gedaan, al eens gehad, al vaak gezien, al vaak gedaan, al uit"
    ),
    "owner": phrases("mijn kinderen, de kinderen, onze kinderen, mijn vrouw, mijn man, mijn vriend, mijn vriendin"),
}
# "niets behalve X" asks for X alone, "alles werkt behalve X" says what is wrong.
_REVERSED: Final = (
    "(niets|niks|niemand|nergens|nooit|geen) ...",
    "(is|zijn|was|waren)",
    "alles geprobeerd",
    "(werkt|werken|doet|doen|gaat|gaan|ging|functioneert|functioneren) ...",
    "(man|vrouw|kind|zoon|dochter|hond|kat|baby) ...",
)
# What is not there, and nobody asked for.
_ABSENT: Final = (
    "(idee|probleem|problemen|zin|tijd|geld|zorgen|haast|wonder|keuze|ervaring|reactie|antwoord|koorts|pijn|klachten|"
    "uitslag|symptomen|last|jeuk|diarree|bloed|zwelling|eetlust|griep|corona|lekkage|diploma's|... in huis|... thuis|... bij de hand|schade|stroom|licht|internet|"
    "verbinding|geluid|beeld|signaal|bereik|warm water|water|toegang|"
    "foutmelding|garantie|bon|baan|huis|auto|oven|rijbewijs|diploma|andere|enkele|enkel|sprake|moeite|punt|"
    "verschil|kans|toestemming|recht|zekerheid|paniek|stress)",
)
_AFTER_NIET: Final = (
    "(alleen|te|zo|meer|waar|echt|erg|heel|veel|goed|altijd|eens|weten|zeker|nodig|mogelijk|omdat|als|wanneer|hoe|"
    "wat|waarom|dat|om|vergeten|verkeerd|goedkoop|duur|ver|lang|groot|klein|druk|zwaar|moeilijk|zoet|pittig|snel)",
)
_NO_WISH: Final = ("(is|zijn|gaat|gaan|werkt|kan|kunnen|mag|mogen|waarom|als|of)",)
_AFTER_WANTED: Final = ("<wanted> ... [<but>]", "<wanted> ... , [<but>]")

_CUES: Final[tuple[Cue, ...]] = (
    *cues(
        Kind.PHRASE,
        "{x} (uitgezonderd|niet meegerekend|niet meegeteld|niet inbegrepen|buiten beschouwing gelaten|daargelaten) ::"
        " Belgische bieren, trappist uitgezonderd",
    ),
    *cues(
        Kind.PHRASE,
        "behalve {x} :: Welke landen behalve Duitsland hebben de euro?",
        never_before=(
            "(dat|als|wanneer|om|toen|indien|misschien|dan|natuurlijk|ik|mij|me|jij|jou|één|een paar)",
            "... (ook|niemand|niets|niks|nooit)",
            "... , (niemand|niets|niks)",
        ),
        never_after=_REVERSED,
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "behalve {x} [ook] nog [meer|verder] :: Wie heeft behalve Messi nog de Gouden Bal gewonnen?",
        never_after=_REVERSED,
    ),
    *cues(
        Kind.PHRASE,
        "(met uitzondering|onder uitsluiting) van {x} :: Geschiedenis van Rome met uitzondering van de keizertijd",
        "uitgezonderd {x} :: Belgische bieren uitgezonderd trappist",
        "afgezien van {x} :: Componisten uit de barok afgezien van Bach",
        "(niet meegerekend|niet meegeteld|niet inbegrepen) {x} :: Hoofdsteden van Europa, niet meegerekend Londen",
        "zonder (te spreken over|te praten over|in te gaan op|te noemen|te vermelden) {x} :: Vertel over Rome zonder in"
        " te gaan op de gladiatoren",
        never_before=("(dat|het feit|dit|of)",),
    ),
    *cues(
        Kind.PHRASE,
        "zonder {x} te (noemen|vermelden|bespreken|behandelen) :: Vertel over Rome zonder de gladiatoren te noemen",
    ),
    *cues(
        Kind.PHRASE,
        "op {x} na :: Alle Nederlandse provincies op Limburg na",
        only_after=("^", "(alle|alles|iedereen|elk|elke|ieder|iedere) ..."),
        only_before=("$",),
    ),
    *cues(
        Kind.PHRASE,
        "naast {x} :: Naast honing, wat helpt er nog meer tegen hoesten?",
        only_after=("^",),
        only_before=("... , (wat|welke|welk|wie) ... (nog|meer|anders|andere|nog meer|verder)",),
    ),
    *cues(
        Kind.PHRASE,
        "in plaats van {x} :: In plaats van koffie, wat kan ik 's ochtends drinken?",
        only_after=("^",),
        only_before=("... , (wat|welke|welk|wie|hoe|waar)",),
        never_before=("(te|dat|... te)",),
    ),
    *cues(
        Kind.LIST,
        "(alles behalve|iets anders dan|eens iets anders dan) {x} :: Sporten voor beginners, alles behalve hardlopen",
        "in geen geval {x} :: Een instrument leren, in geen geval blokfluit",
        "(niets|niks) (over|van|met|uit) {x} :: Romans uit Scandinavië, niets van Jo Nesbø",
        never_before=("(te maken|mij|jou|zo|dat|gemerkt|gehoord|... te maken)",),
    ),
    *cues(
        Kind.LIST,
        "niet [weer|alweer] over {x} :: Artikelen over klimaatverandering, maar niet over vlees",
        fragment=True,
        never_after=_NO_WISH,
    ),
    *cues(
        Kind.LIST,
        "niet [weer|alweer] (uit|met|in|op|van|de|het|een|die|dat) {x} :: strandvakantie in september, maar niet in"
        " Spanje",
        "niet {name} :: ik zoek een laptop voor school, maar niet Apple",
        fragment=True,
        only_after=_AFTER_WANTED,
        never_before=_AFTER_NIET,
        never_after=_NO_WISH,
    ),
    *cues(
        Kind.LIST,
        "niet (de|het) {x} :: jaguar het dier, niet de auto",
        fragment=True,
        only_after=("(de|het) *",),
        never_after=_NO_WISH,
    ),
    *cues(
        Kind.LIST,
        "[weer|alweer] geen {x} :: Leuke films voor kinderen, maar geen Disney",
        fragment=True,
        only_after=_AFTER_WANTED,
        never_before=_ABSENT,
    ),
    *cues(
        Kind.LIST,
        "geen {name} :: goedkope telefoon maar geen Samsung",
        fragment=True,
        only_after=("maar",),
        never_before=_ABSENT,
    ),
    *cues(
        Kind.LIST,
        "[weer|alweer] geen {x} :: Ideeën voor een kinderfeestje (geen zwembad)",
        fragment=True,
        asking=True,
        never_after=("(,|:|;|-|–|—|maar|en)", "<but>"),
        never_before=_ABSENT,
    ),
    *cues(
        Kind.LIST,
        "zonder {x} :: Salades voor bij de barbecue, maar zonder mayonaise",
        fragment=True,
        only_after=(*_AFTER_WANTED, "(liever|liefst|graag|bij voorkeur|het liefst)"),
        never_after=("(,|:|;|-|–|—)",),
        never_before=("(te|dat|om|al|meer|problemen|twijfel|... te)",),
    ),
    *cues(
        Kind.LIST,
        "noch {x} :: Programmeertalen voor het web, noch PHP noch Java",
        fragment=True,
    ),
    *cues(
        Kind.CLAUSE,
        "{x} (hoeft|hoeven) niet ... :: verzekeringen die je als zzp'er nodig hebt, AOV hoeft niet want die heb ik al",
        "{x} (telt|tellen) niet mee ... :: Wat is de oudste stad van Nederland? Maastricht telt niet mee",
        "{x} (valt|vallen) af :: Vakantie aan zee, Spanje valt af",
        "{x} (is|zijn) (geen optie|uitgesloten|taboe) :: Huisdieren bij een allergie, katten zijn geen optie",
        "{x} (alsjeblieft|liever|maar|dan|aub|svp) niet :: Podcasts om bij in slaap te vallen, true crime liever niet",
        "{x} (ken|heb|weet) ik <already> ... :: Wat te zien in Rome? Het Colosseum heb ik al gezien",
        "{x} (zijn we|zijn wij|ben ik) (al|al eens|al vaak) geweest ... :: Uitjes met kinderen, de Efteling zijn we al"
        " geweest",
        "{x} (kennen|hebben|hadden) (we|wij) <already> ... :: Recepten met pompoen, soep hebben we al gehad",
        "{x} (interesseert|interesseren) (me|mij|ons) niet ... :: Reis naar Japan, Tokio interesseert ons niet",
        "{x} (ben ik|zijn we) [wel|inmiddels|een beetje|nu|echt] (beu|zat) ... :: Ideeën voor het eten, pasta zijn we"
        " beu",
        personal=True,
    ),
    *cues(
        Kind.CLAUSE,
        "(als|zolang|mits) het [maar] geen {x} (is|zijn|wordt) :: Tips tegen muggen, als het maar geen gif is",
        "(laat|laten we) {x} (weg|achterwege|buiten beschouwing|erbuiten) :: Taart voor een verjaardag, laat de noten"
        " weg",
        "sla {x} over :: Vertel me over de Tweede Wereldoorlog, sla D-day over",
        "begin niet over {x} :: Vertel me over Rome, maar begin niet over de gladiatoren",
        "(vertel|zeg) [me|mij|ons] (niets|niks) over {x} :: Het oude Egypte, vertel me niets over piramides",
        "(noem|vermeld|vermijd|negeer|vergeet|oversla) [niet|geen] {x} :: Bezienswaardigheden in Parijs, vermijd het"
        " Louvre",
        "(geef|toon) [me|mij|ons] geen {x} :: Ideeën voor het weekend, geef me geen musea",
        "(ik wil|we willen|wij willen|ik hoef|we hoeven|ik zoek|ik lust|ik eet|ik drink|we eten) [liever|echt] geen"
        " {x} :: Ideeën voor een cadeau. Ik wil geen boek.",
        "{x} (heeft|hebben) (ze|hij|zij) al (genoeg|zat|meer dan genoeg) :: Een cadeau voor mijn moeder, parfum heeft ze al genoeg",
        "(ze|hij|zij) (heeft|hebben) al genoeg {x} :: Een cadeau voor mijn moeder, ze heeft al genoeg parfum",
        "(ik ben|we zijn|ben) {x} (zat|beu) :: ik ben pasta zat, ideeën voor het avondeten",
        "[ik heb|we hebben|heb] [even|wel|nu] genoeg van {x} :: Ideeën voor het eten, genoeg van pizza",
        "<owner> (lusten|lust|eten|eet) geen {x} :: Wat zal ik koken? De kinderen lusten geen spruitjes.",
        never_before=("(meer weet|niet|idee|probleem|kinderen|tijd)",),
        personal=True,
    ),
    *cues(
        Kind.RELATIVE,
        "die geen {x} (zijn|is) :: Honden voor beginners die geen labrador zijn",
        fragment=True,
        never_before=("(lid|probleem)",),
    ),
)


def dutch() -> Language:
    """The table of Dutch."""
    return Language(
        code="nl",
        cues=_CUES,
        lists=_LISTS,
        signs=(*sign_phrases("nl", "exclusion"), *sign_phrases("nl", "negation")),
        shields=(
            *sign_phrases("nl", "harmless"),
            "(waarom|hoezo|waardoor|hoe komt het) ... <not>",
            "(niet|geen) (meer|alleen|waar|eens|zozeer)",
            "zonder te",
            "op (een|één|twee|drie|vier|vijf) na",
            "behalve ... (is|zijn|was|heeft|kan) ... ook",
        ),
        facts=(
            "(als|wanneer|of|omdat|hoewel|zodat|dat) ... <not>",
            "(is|zijn|was|waren|ben|heeft|heb|hebben|had|kan|kunnen|kon|mag|mogen|moet|moeten|wordt|worden|wil|willen|"
            "gaat|gaan|doet|doen|werkt|start|slaapt|eet|weet|komt|komen|krijg|krijgt|vind|vindt|zie|snap|begrijp|lukt|"
            "gebeurt|leven|wonen|verliezen|hoef|hoeft|liggen|ligt|staat|betaalt|zien|horen) ... <not>",
            "<not> ... (is|zijn|was|waren|heeft|heb|hebben|kan|kunnen|mag|mogen|werkt|wil|willen|doet|gaat)",
            "(mijn|onze|zijn|haar|de|het) (*) <not>",
            "(kan|kun|mag|hoe|leven|wonen|hoelang|rijden|verboden|toegestaan) ... zonder",
            "of (niet|geen)",
        ),
        and_words=words("en alsook evenals plus"),
        or_words=words("of"),
        nor_words=words("noch"),
        light=(
            "(de|het|een|die|dat|deze|dit|mijn|onze|alle)",
            "(alles|iets|informatie|dingen|details) (over|met|van|rond|uit)",
            "[het] (onderwerp|thema|deel) [over|van]",
            "(niet|over|van|met|uit|in|weer|alweer|alleen|enkel|vooral|ook|te veel|nog meer|nog)",
        ),
        light_after=(
            "(alsjeblieft|alstublieft|aub|svp|graag|dank je|bedankt|enzovoort|enz|etc|en zo|natuurlijk|dus|deze keer|"
            "zelf|meer|dan|hoor|zijn|hebben|zien)",
        ),
        empty=words(
            "de het een die dat deze dit er hem haar hen ze ik je jij we wij u alles niets iets meer zo daar hier ook"
            " niet nu wat wie nee ja"
        ),
        articles=words("de het een die dat deze dit mijn onze ons je jouw"),
        prepositions=words(
            "van voor met in op aan bij uit naar over om onder tegen tussen door zonder tijdens na sinds rond per te tot"
            " binnen buiten langs"
        ),
        resumes=words("want omdat als wanneer hoewel zodat dus aangezien terwijl"),
        auxiliaries=words(
            "is zijn was waren ben bent heeft heb hebben hebt had hadden kan kunnen kun kon konden wordt worden werd"
            " werden zal zullen zou zouden moet moeten mag mogen wil willen hoef hoeft hoeven gaat gaan doet doen bestaat"
            " bestaan"
        ),
        verbs=words(
            "produceren produceert maken maakt helpen helpt leven leeft wonen woont groeien groeit spelen speelt spreken"
            " spreekt komen komt liggen ligt staan staat kosten kost eten eet drinken drinkt werken werkt bevatten bevat"
            " veroorzaken veroorzaakt bestuiven bestuift winnen wint won wonnen gebruiken gebruikt horen hoort grenzen"
            " passen past bieden biedt brengen brengt zwemmen vliegen"
        ),
        question_words=words("wat wie welke welk hoe waar wanneer waarom hoeveel waarmee waarvoor hoezo"),
        subjects=words("ik je jij hij zij ze we wij jullie u men er"),
        requests=(
            "(kun je|kan je|kunt u|kan iemand|weet iemand|wil je|zou je) [me|mij|ons] [een paar|wat] [zeggen|vertellen|"
            "uitleggen|aanraden|geven|noemen]",
            "(geef|noem|vertel|toon|zoek|beschrijf|som|leg) [me|mij|ons] [eens|even] [iets|meer|alles|wat|een paar|een"
            " lijst|een overzicht] [over|van|met]",
            "(ik zoek|wij zoeken|we zoeken|op zoek naar|ik ben op zoek naar|ik wil graag|ik wil|we willen|ik zou graag|"
            "ik heb zin in|zoek) [graag] [nog] [een paar]",
        ),
        courtesies=(
            "(alsjeblieft|alstublieft|aub|svp|graag|dank je|dank je wel|dankjewel|bedankt|alvast bedankt|hallo|hoi|hey|"
            "goedemorgen|goedemiddag|goedenavond|dag|ok|oké|ja|nou|groetjes|mvg)",
        ),
        elsewhere=("anders",),
        leads=phrases(
            "maar, en, ook, dus, liever, graag, wel, alsjeblieft, alstublieft, aub, svp, dan, bij voorkeur, het liefst,"
            " liefst, verder, alleen, alles mag, alles is goed, zeker, vooral, absoluut, in ieder geval, als het kan,"
            " eens, nou"
        ),
        alternatives=("(of anders|of eventueel)",),
        opens_sentence=words("wat wie welke hoe waar wanneer waarom is kan ik we maar geen niet noem geef"),
        abbreviations=words("bijv bv enz etc dr mr mw nr blz ca evt incl excl min max st prof"),
        real_words=words("behalen"),
        relatives=words("die dat welke welk wie waar wat"),
        choosing=words("welke welk wie"),
        copulas=words("is zijn was waren"),
        plural_ending=r"[a-z]{2,}(?:en|s|'s)",
        kinds=words("leuke goede beste lekkere goedkope mooie andere snelle makkelijke"),
        own=words("mijn onze"),
        particles=words("van de der den het ten ter en"),
        inner_prepositions=words("van in uit op aan over met te"),
        empty_subjects=words("er"),
        opens_clause=(
            "(wat|wie|welke|welk|hoe|waar|wanneer|waarom|zijn er|is er|kun je|kan je|kunt u|ik|we|wij|geef|noem|vertel|"
            "toon|zoek|heeft iemand|weet iemand)",
        ),
        asked=("(geef|noem|vertel|toon|zoek|kun|kan|ik|we)",),
        reasons=(
            "(want|omdat|die heb ik|dat heb ik|die hebben we|dat hebben we|die ken ik|dat ken ik|daar|daar ben ik|daar"
            " zijn we|ik ben|we zijn|ik heb|we hebben|ik ken|te duur)",
        ),
        wishes=("(ik zoek|zoek|we zoeken|ik wil|we willen|graag|welke|wat zijn|noem|geef)",),
        spelling=words("behalve uitgezonderd uitzondering"),
        pairs=("(peper en zout|zout en peper|zwart en wit|oorlog en vrede)",),
        only=("(niets|niks|niemand|geen) [anders|andere] (behalve|dan)",),
        refers_back=("(hetzelfde|dezelfde)",),
        things=("(wat (kan|kunnen|zal|zullen) (ik|we|wij) (koken|eten|maken|doen)|welke|ideeën|tips|recepten)",),
        capitals_are_names=False,
        pairs_are_names=False,
    )
