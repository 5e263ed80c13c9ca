"""German: what is excluded stands before its cue as often as after it, and verbs end clauses."""

from __future__ import annotations

from typing import Final

from logical_retriever.transform.languages.de_lists import LISTS
from logical_retriever.transform.languages.signs import sign_phrases
from logical_retriever.transform.languages.table import (
    ANYWHERE,
    CLAUSE_START,
    Cue,
    Kind,
    Language,
    cues,
    phrases,
    words,
)

_NOT_LIST: Final = (
    "(nur|zu|so|wahr|mehr|viel|weil|dass|daß|wenn|um|ganz|sehr|allzu|immer|weit|möglich|nötig|schlimm|schlecht|"
    "verwechseln|zuletzt|minder|umsonst|ohne|selten|genug|gut|gerade|teuer|weiter|länger|vor|vergessen|sicher|klar)",
)
# "nichts außer X" asks for X alone.
_REVERSED: Final = ("(nichts|niemand|niemanden|keiner|keine|keinen|nirgends|nie) ...",)
_NO_LIST: Final = (
    "(problem|probleme|ahnung|sorge|sorgen|stress|angst|panik|frage|lust|zeit|geld|wunder|plan|witz|scherz|idee|"
    "chance|möglichkeit|ahnung|mehr|einzige|einziger|einziges|einzigen|wahl|weiteren|mühe|kosten)",
)

_CUES: Final[tuple[Cue, ...]] = (
    *cues(
        Kind.PHRASE,
        "{x} [<mal>] (ausgenommen|ausgeschlossen|ausgeklammert|weggelassen|ausgelassen|übersprungen|ignoriert) ::"
        " Nebenwirkungen von Ibuprofen, Magen mal ausgenommen",
        "{x} [<mal>] (außen vor|beiseite|außen vor gelassen|beiseite gelassen) :: Rechte als Mieter, Kaution mal außen vor",
        "{x} nicht (mitgerechnet|eingerechnet|mitgezählt|eingeschlossen) :: Kosten einer Reise, Flug nicht mitgerechnet",
    ),
    *cues(
        Kind.PHRASE,
        "(außer|ausser) {x} :: Welche Länder außer Deutschland gehören zur Eurozone?",
        never_before=(
            "(betrieb|kraft|atem|dienst|haus|gefahr|frage|sich|kontrolle|konkurrenz|acht|dass|daß|wenn|landes|rand|"
            "reichweite|mode|spesen|zweifel|vollzug|ort|gefecht|sichtweite|form|verkehr|plan|stande|bei)",
        ),
        never_after=_REVERSED,
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "ausgenommen [<von>] {x} :: Nebenwirkungen von Ibuprofen, ausgenommen Magenprobleme",
        "mit ausnahme <von> {x} :: Geschichte Roms mit Ausnahme der Kaiserzeit",
        "[mal|einmal] abgesehen <von> {x} :: Komponisten des Barock abgesehen von Bach",
        "jenseits <von> {x} :: Gründe für den Untergang Roms jenseits der Völkerwanderung",
        "unter ausschluss <von> {x} :: Ausgaben des Bundes unter Ausschluss der Zinsen",
        "nicht (mitgerechnet|eingerechnet|mitgezählt|eingeschlossen) {x} :: Kosten einer Reise, nicht mitgerechnet Flüge",
        "exklusive {x} :: Kosten einer Reise nach Japan exklusive Flug",
        "ohne (berücksichtigung|erwähnung) <von> {x} :: Geschichte Roms ohne Erwähnung der Kaiserzeit",
    ),
    *cues(
        Kind.PHRASE,
        "(von|vom) {x} [<mal>] abgesehen :: Von Bach einmal abgesehen, welche Komponisten des Barock sind wichtig?",
        at=CLAUSE_START,
    ),
    *cues(
        Kind.PHRASE,
        "(außer|ausser|neben) {x} [sonst|auch|eigentlich] noch :: Wer hat außer Messi noch den Ballon d'Or gewonnen?",
        never_after=_REVERSED,
    ),
    *cues(
        Kind.PHRASE,
        "neben {x} :: Welche Sprachen spricht man in der Schweiz neben Deutsch?",
        only_after=("^", "(welche|welcher|welches|welchen|was|wer) ..."),
        never_before=("(dem|der|den|einem|einer|mir|dir|uns|ihm|ihr|dessen|an|bei|meinem|meiner|meinen)",),
    ),
    *cues(
        Kind.LIST,
        "nicht (das|die|der|den|dem) {x} :: jaguar das tier nicht das auto",
        at=ANYWHERE,
        only_after=("(das|die|der|den) *",),
        never_after=(
            "(ist|sind|war|waren|kann|können|wird|werden|hat|haben|warum|wieso|wenn|weil|ob|gibt|lädt|geht) ...",
        ),
    ),
    *cues(
        Kind.PHRASE,
        "bis auf {x} :: Brettspiele für zwei Personen, alles bis auf Schach",
        only_after=("^", "(alles|alle|allen|jede|jeder|jedes|sämtliche) ..."),
        never_before=("(weiteres|den letzten|die knochen|ein|eine|einen)",),
    ),
    *cues(
        Kind.PHRASE,
        "(statt|anstatt|anstelle|anstelle von) {x} :: Statt Kaffee, was trinken Leute in anderen Ländern zum Wachwerden?",
        only_after=("^",),
        only_before=("... ,",),
        never_before=("(dessen|zu|dass|daß|nur|immer)",),
    ),
    *cues(
        Kind.LIST,
        "nicht [schon wieder|wieder|unbedingt|nochmal|noch mal|immer nur|gleich] {x} :: Hausmittel gegen Husten aber"
        " nicht schon wieder Honig",
        never_before=_NOT_LIST,
    ),
    *cues(
        Kind.LIST,
        "<kein> {x} :: Sportarten für Senioren, aber bitte kein Schwimmen",
        never_before=_NO_LIST,
        never_after=(
            "(mein|meine|unser|unsere|der|die|das) * (geht|ist|war|startet|springt|läuft|funktioniert|lädt|macht|druckt|zeigt) ... ,",
        ),
    ),
    *cues(
        Kind.LIST,
        "<kein> {x} :: suche Laptop für die Uni kein Apple",
        at=ANYWHERE,
        only_after=("^ (suche|brauche|gesucht|suchen|brauchen) ...",),
        never_before=_NO_LIST,
    ),
    *cues(
        Kind.LIST,
        "nichts (mit|über|zu|von|vom|zum|zur|aus|mehr über|mehr von|mehr zu|gegen) {x} :: Krimis aus Skandinavien, nur nichts von Jo Nesbø.",
        "auf (keinen fall|gar keinen fall|keinen) {x} :: Ein Instrument lernen, aber auf keinen Fall Blockflöte",
        "unter keinen umständen {x} :: Ein Instrument lernen, unter keinen Umständen Blockflöte",
        "(bloß|nur|bitte|lieber) nicht {x} :: Ein Instrument lernen, bloß nicht Blockflöte",
        "weder {x} :: Programmiersprachen fürs Web, weder PHP noch Java",
        "alles (andere als|nur nicht|nur kein|nur keine|nur keinen|außer) {x} :: Sport für Anfänger, alles nur kein Joggen",
        "jedoch ohne {x} :: Salate zum Grillen, jedoch ohne Mayo",
    ),
    *cues(
        Kind.LIST,
        "ohne {x} :: Salate zum Grillen, bitte ohne Mayonnaise",
        only_after=("(aber|bitte|jedoch|allerdings|am besten|möglichst|nur|doch)",),
        never_before=("(zu|dass|daß|weiteres|zweifel|rücksicht|umstände|... zu)",),
    ),
    *cues(
        Kind.CLAUSE,
        "(die|meine|unsere|mein|unser) (kinder|frau|mann|sohn|tochter|freunde|freundin|freund|eltern|mutter|vater|gäste|jungs|mädels) (isst|essen|mag|mögen|trinkt|trinken|verträgt|vertragen) <kein> {x} :: Was koche ich heute? Die Kinder essen keine Pilze.",
        personal=True,
    ),
    *cues(
        Kind.CLAUSE,
        "{x} (bitte|lieber|besser|diesmal|aber) nicht :: Podcasts zum Einschlafen - Krimis bitte nicht",
        "{x} (hatten wir|hatte ich|haben wir|habe ich) (letztes|letzte|letzten|gestern|neulich|kürzlich|zuletzt|erst|eben) ..."
        " :: Ideen für Kindergeburtstag, Topfschlagen hatten wir letztes Jahr",
        "{x} [<mal>] <weg> :: Ausflugsziele rund um Leipzig, den Zoo bitte weglassen",
        "(lass|lasse|lasst|lassen sie|lassen wir) [<mal>] {x} (weg|aus|raus|außen vor|beiseite|links liegen) :: Kuchen"
        " zum Geburtstag, lass bitte die Nüsse weg",
        "{x} (kannst du|kannst|kann man|können sie|könnt ihr|können wir|darfst du|dürfen sie|könntest du|lassen wir)"
        " [dir|ihr|sich|uns|euch|dir ruhig|dir gern|dir gerne|dabei] [<mal>] <weg> :: Wie kommunizieren Bienen? Den"
        " Schwänzeltanz kannst du dir sparen.",
        "(du kannst|sie können|man kann) [dir|sich] [<mal>] {x} [<mal>] <weg> :: Wie entstehen Wolken? Du kannst den Nebel weglassen.",
        "{x} (kenne ich|kenn ich|kennen wir|kenne) ... :: Ich plane eine Reise nach Island. Reykjavik kenne ich schon.",
        "{x} (habe ich|hab ich|haben wir|habe|haben) ... (verstanden|kapiert|begriffen|abgehakt|gesehen|gelesen|probiert|versucht|"
        "getestet|besucht|behandelt|gemacht|gehabt|besprochen|erledigt|ausgeschlossen|zuhause|zu hause|daheim) ... :: Wie"
        " funktionieren Zinsen? Den Zinseszins habe ich verstanden.",
        "{x} (verstehe ich|versteh ich|weiß ich|beherrsche ich|kann ich|besitze ich|nutze ich|nutzen wir) (schon|"
        "bereits) ... :: Wie"
        " funktionieren Zinsen? Den Zinseszins verstehe ich schon.",
        "{x} (brauchst du|brauchen sie|musst du|müssen sie|sollst du) [mir] nicht ... :: Wie funktionieren Zinsen?"
        " Den Zinseszins"
        " brauchst du nicht erklären.",
        "(du musst|du brauchst|sie müssen|sie brauchen) [mir] [bitte] {x} nicht (erklären|erwähnen|nennen|erläutern|"
        "zu erklären|zu"
        " erwähnen|aufführen|auflisten|beschreiben|behandeln) :: Wie funktionieren Zinsen? Du musst den Zinseszins"
        " nicht erklären.",
        "{x} (nervt|nerven|langweilt|langweilen|reicht|reichen|stört|stören) (mich|uns|mir) ... :: Ideen fürs"
        " Wochenende, Museen"
        " langweilen mich",
        "{x} (ist|sind) (out|raus|tabu|ausgeschlossen|gestrichen|keine option|nichts für mich|nicht mein ding|nicht"
        " meins|nicht"
        " gefragt|nicht erwünscht|nicht gemeint|nicht nötig|nicht dabei|nicht interessant|uninteressant|langweilig|"
        "überflüssig) ..."
        " :: Haustiere für Allergiker, Katzen sind tabu",
        "{x} (ist|sind) (mir|uns|allen|jedem) [schon|bereits|ja] [bestens] (bekannt|klar|geläufig|vertraut|egal|zu"
        " teuer) ... ::"
        " Ursachen von Haarausfall, Vererbung ist mir bekannt",
        "(ich kenne|ich kenn|wir kennen|kenne|kenn) [schon|bereits|ja schon] {x} <known> :: Ausflüge in Bayern. Wir"
        " kennen Neuschwanstein schon.",
        "(in|auf|an|im|am) {x} (war ich|waren wir|war) ... (schon|bereits|oft|genug) ... :: Städte in Italien für"
        " ein Wochenende. In Rom war ich"
        " schon.",
        "(hab|habe) [gerade|heute] keine lust [mehr] auf {x} :: Hab keine Lust auf Pizza, was gibt es sonst in der Nähe?",
        "{x} (hat|haben) (er|sie) schon (genug|genügend|reichlich|mehr als genug) :: Geschenk für meine Mutter. Parfüm hat sie schon genug.",
        "(er|sie) (hat|haben) schon (genug|genügend|so viele) {x} :: Geschenke für Oma, sie hat schon genug Kerzen",
        "(ich war|wir waren) <done> (in|auf|an|im|am) {x} :: Städte in Italien. Ich war schon in Rom.",
        "{x} (will|möchte|mag|brauche|brauch|vertrage|suche|esse|trinke|nehme|kaufe|wollen|möchten|mögen|brauchen)"
        " (ich|wir)"
        " (nicht|keine|keinen|kein) ... :: Was hilft gegen Kopfschmerzen? Tabletten will"
        " ich keine nehmen.",
        "(ich will|ich möchte|ich mag|ich brauche|ich brauch|ich suche|ich esse|ich vertrage|wir wollen|wir möchten|wir"
        " brauchen|will|möchte|mag|brauche) <kein> {x} :: Rezepte für den Herbst. Ich mag keinen Kürbis.",
        "(ich will|ich möchte|ich mag|ich brauche|wir wollen|wir möchten|will|möchte|mag) {x} nicht :: Rezepte für den Herbst. Ich mag Kürbis nicht.",
        "{x} (interessiert|interessieren|reizt|reizen) (mich|uns) ... (nicht|weniger) ... :: Berufe in der"
        " Pflege, Altenpflege interessiert mich nicht",
        "{x} (zählt|zählen|gilt|gelten|muss|müssen|soll|sollen|darf|dürfen|braucht|brauchen) [es|da|dabei|hier]"
        " nicht ... ::"
        " Sehenswürdigkeiten in Paris, der Eiffelturm muss nicht sein",
        "{x} (kommt|kommen) [für mich|für uns] nicht (in frage|infrage) ... :: Haustiere für Allergiker, Katzen"
        " kommen nicht"
        " in Frage",
        "{x} (fällt|fallen|scheidet|scheiden) ... (aus|weg|flach|raus) ... :: Urlaub im Juli, Italien fällt weg",
        "{x} (hängt|hängen) mir zum hals (raus|heraus) :: Ideen fürs Mittagessen, Nudeln hängen mir zum Hals raus",
        "<stop> {x} :: Sehenswürdigkeiten in Rom, aber erspar mir das Kolosseum",
        "<tell> [mir|uns|bitte] [bitte] nicht [schon wieder|wieder] [mit|von|über|an] {x} :: Musik zum Laufen, komm mir"
        " nicht mit Techno",
        "<tell> [mir|uns|bitte] [bitte] (nichts|nix) (von|über|zu|mit|vom) {x} :: Alte Ägypter: erzähl mir nichts über"
        " Pyramiden",
        "<tell> [mir|uns|bitte] [bitte] <kein> {x} :: Ideen fürs Wochenende, zeig mir keine Museen",
        "[ich habe|ich hab|hab|habe|haben wir] genug von {x} :: Ideen fürs Abendessen, genug von Pizza",
        "von {x} (habe ich|hab ich|haben wir) genug :: Ideen fürs Abendessen. Von Pizza habe ich genug.",
        "auf {x} (kann ich|können wir|verzichte ich|verzichten wir|möchte ich) [gern|gerne|gut] [verzichten] ::"
        " Beilagen"
        " zum Fisch, auf Reis kann ich verzichten",
        "(es soll|es darf|es sollte|soll) <kein> {x} sein :: Geschenk für Opa. Es soll kein Buch sein.",
        "hauptsache <kein> {x} :: Auto für die Stadt, Hauptsache kein Diesel",
    ),
    *cues(
        Kind.CLAUSE,
        "{x} (hatten wir|haben wir|hatte ich|habe ich|hab ich|hab|habe) ... (schon|bereits|satt|durch|genug|"
        "ausprobiert) ..."
        " :: Spiele für Kinder, Memory haben wir diese Woche schon gespielt",
    ),
    *cues(
        Kind.RELATIVE,
        "(die|der|das) <kein> {x} (ist|sind|war|waren) :: Hunde für Anfänger, die keine Labradore sind",
        "(die|der|das) nicht (von|vom|aus) {x} (ist|sind|stammt|stammen|kommt|kommen) :: Horrorromane, die nicht von"
        " King sind",
    ),
)


def german() -> Language:
    """The table of German."""
    return Language(
        code="de",
        cues=_CUES,
        lists=LISTS,
        signs=(*sign_phrases("de", "exclusion"), *sign_phrases("de", "negation")),
        shields=(
            *sign_phrases("de", "harmless"),
            "(warum|wieso|weshalb|weswegen|woran) ... (nicht|kein|keine|keinen|nie|nichts)",
            "(wenn|falls|ob|weil|obwohl) ... (nicht|kein|keine|keinen|nie|nichts)",
            "ohne (zu|dass|daß)",
            "nicht (weil|dass|daß|um|zu|wahr|genug|mehr)",
            "(das|es|er|sie|ich|wir|man|du) (geht|ist|war|kann|weiß|funktioniert|klappt|hilft|läuft) [mir|uns] [auch|"
            "noch|aber|gar|einfach] nicht",
        ),
        facts=(
            "(ist|sind|war|waren|bin|hat|hatte|kann|können|konnte|könnte|darf|dürfen|muss|müssen|wird|werden|wurde|"
            "gibt|geht|gehen|funktioniert|läuft|springt|schläft|frisst|isst|hält|weiß|weiss|wissen|kommt|kommen|lässt|"
            "klappt|hilft|stimmt|druckt|startet|lädt|reagiert|findet|verliert|zahlt|bekommt|bekomme|schafft|verstehe|"
            "versteht|kennt|grenzen|grenzt|zeigt|öffnet|braucht|reicht|liegt|steht|wächst|wachsen|trinkt|heißt|trifft|"
            "gehört|will|wollen) ... <not>",
            "ich habe <kein>",
            "<not> ... (ist|sind|war|hat|haben|kann|können|darf|dürfen|funktioniert|geht|läuft|weiß)",
            "(mein|meine|unser|unsere|sein|seine) ... <not>",
            "(kann|darf|können|dürfen|wie|ist|erlaubt|leben|auskommen|lange) ... ohne",
            "ohne ... (zu|erlaubt|möglich|gefährlich|strafbar|dass)",
            "oder (nicht|doch nicht)",
        ),
        and_words=words("und sowie u plus"),
        or_words=words("oder bzw beziehungsweise"),
        nor_words=("noch",),
        light=(
            "(der|die|das|den|dem|des|ein|eine|einen|einem|einer|eines|so ein|so eine|so einen|diese|dieser|dieses|"
            "diesen)",
            "(alles|irgendwas|etwas|was|sachen|infos|informationen|details|hinweise|themen|irgendwelche|zeug) (mit|"
            "über|zu|zum|zur|aus|rund um|was mit)",
            "[das] (thema|stichwort)",
            "(schon wieder|wieder|nochmal|unbedingt|immer nur|irgendwelche|irgendwelchen|alle|allen|sämtliche|allzu "
            "viel|nur|bitte)",
            "(von|vom|mit|über|zu|zum|zur|am|beim)",
        ),
        light_after=(
            "(bitte|danke|und so|und so weiter|oder so|und co|usw|etc|eben|halt|natürlich|selbstverständlich|mal|"
            "jetzt)",
            "(haben|nehmen|lesen|hören|sehen|essen|trinken|wissen|kaufen|machen|dabei|enthalten|vorkommen|mehr|selbst|"
            "selber|sein|schon|auch|drin|vorschlagen|anschauen)",
            "(den|die|das) [bitte] [auch|mal]",
        ),
        empty=words(
            "das die den der dem es ihn sie diese dieses diesen welche davon darüber was ich man wir du er alles mehr"
            " anderes so da dort hier"
        ),
        articles=words(
            "der die das den dem des ein eine einen einem einer eines mein meine meinen meiner unsere unser diese"
            " dieser dieses diesen"
        ),
        prepositions=words(
            "von vom zu zum zur mit in im ins an am auf aus bei beim für fürs gegen nach über um unter vor durch seit"
            " während wegen trotz zwischen"
        ),
        resumes=words("weil da denn damit sodass wenn falls obwohl sonst sondern deshalb deswegen"),
        auxiliaries=words(
            "ist sind war waren hat haben hatte hatten kann können konnte konnten wird werden wurde wurden muss"
            " müssen soll sollen sollte sollten darf dürfen will wollen mag mögen gibt gab bin bist seid habe hast"
            " könnte würde würden"
        ),
        verbs=words(
            "gehört gehören gehörte liegt liegen kommt kommen macht machen produziert produzieren enthält enthalten"
            " hilft helfen eignet eignen wächst wachsen lohnt lohnen lebt leben wirkt wirken spielt spielen passt"
            " passen verursacht verursachen beeinflusst beeinflussen spricht sprechen baut bauen gewann gewannen"
            " brauche braucht brauchen steht stehen zählt zählen bietet bieten führt führen frisst fressen isst essen"
            " trinkt trinken schmeckt schmecken kostet kosten fährt fahren gilt gelten trägt tragen hält halten läuft"
            " laufen verwendet verwenden nutzt nutzen bestäubt bestäuben empfiehlst empfehlen findet finden gehen geht"
            " reicht reichen"
        ),
        question_words=words(
            "was wer wen wem wessen wie wo wohin woher wann warum wieso weshalb welche welcher welches welchen"
            " welchem womit wofür worauf wodurch"
        ),
        subjects=words("ich du er sie es wir ihr man"),
        requests=(
            "(kannst du|könntest du|können sie|könnten sie|kannst) [mir|uns] [bitte] (sagen|erklären|empfehlen|nennen|"
            "zeigen|helfen)",
            "[und|dann|bitte] (nenn|nenne|nennen sie|zeig|zeige|gib|geben sie|empfiehl|empfehle|empfehlen sie|erklär|"
            "erkläre|erklären sie|erzähl|erzähle|erzählen sie|beschreib|beschreibe|sag|such|suche|finde) [mir|uns] "
            "[bitte] [mal] [etwas|was|mehr|einen überblick|infos|alles] [über|zu|zum|zur|von]",
            "(ich suche|ich brauche|ich bräuchte|ich möchte|ich hätte gern|ich hätte gerne|ich will|ich plane|wir "
            "suchen|wir planen|wir brauchen|suche|brauche|wir möchten|ich interessiere mich für|mich interessiert|"
            "mich würde interessieren|ich wüsste gern|ich würde gern wissen) [gerade|ab sofort]",
            "(einen|ein|eine) (überblick|zusammenfassung) (über|von|zu)",
        ),
        courtesies=(
            "(bitte|danke|dankeschön|danke schön|vielen dank|danke im voraus|danke dir|hallo|hi|hey|moin|servus|guten "
            "tag|guten morgen|guten abend|liebe grüße|lg|ok|okay|ja|gut|also|hallo zusammen|danke euch)",
        ),
        elsewhere=(
            "sonst",
            "ansonsten",
        ),
        leads=phrases(
            "aber, und, auch, bitte, nur, bloß, doch, jedoch, allerdings, lieber, möglichst, außerdem, dafür, ja,"
            " also, eben, am besten, am liebsten, und zwar, sondern, sonst, sonst noch, noch, egal was, hauptsache,"
            " alles, ganz, jetzt, dabei, gern, gerne, diesmal, egal, nein, einfach, alle"
        ),
        alternatives=("(oder sonst|oder alternativ|alternativ|ansonsten auch)",),
        opens_sentence=words(
            "was wer wie wo wann warum welche welcher welches ist sind kann können gibt ich wir aber bitte nicht kein"
            " keine nenne zeig"
        ),
        abbreviations=words("z bzw ca usw dr nr str evtl ggf u d inkl exkl st bzgl vgl etc prof hr fr min max mio tel"),
        real_words=words("satt stadt auer nich"),
        relatives=words("deren dessen denen welche welcher welches wo"),
        copulas=words("ist sind war waren"),
        particles=words("von der des und am im"),
        inner_prepositions=words("von vom in im aus mit am an zu zum zur über auf bei"),
        empty_subjects=("es",),
        opens_clause=(
            "(was|wer|wie|wo|wann|warum|wieso|womit|worauf|welche|welcher|welches|welchen|gibt es|kannst du|könnt ihr|"
            "können sie|ich|wir|nenn|nenne|zeig|zeige|empfiehl|such|suche|gib|erklär|erkläre|erzähl)",
        ),
        asked=("(nenn|nenne|zeig|zeige|gib|empfiehl|erklär|erkläre|erzähl|erzähle|kannst|können|ich|wir)",),
        reasons=(
            "(den|die|das|der|dem|diese|diesen|dort|da|davon|dafür|dazu|darüber) (kenne|kenn|kennen|kennt|hatten|"
            "hatte|haben|habe|hab|mag|mögen|will|wollen|war|waren|ist|sind|finde|finden|hasse|vertrage|weiß|wissen|"
            "steht|reicht|kann|können|bitte|brauche|brauchen|nervt|nerven|langweilt|wird|habe ich|gibt)",
            "(weil|denn|da ich|da wir|hab ich|habe ich|haben wir|hatten wir|kenne ich|kenn ich|kennen wir|war ich|"
            "waren wir|mag ich|vertrage ich|dagegen bin ich|bin|sind wir|ich bin|ich hab|ich habe|ich mag|ich "
            "vertrage|wir haben|wir waren|zu teuer|schon)",
        ),
        wishes=(
            "(ich suche|ich brauche|ich möchte|ich will wissen|ich hätte|wir suchen|wir brauchen|empfiehl|was gibt|"
            "welche)",
        ),
        spelling=words("ausgenommen abgesehen ausnahme überspringen weglassen"),
        pairs=(
            "(sturm und drang|krieg und frieden|schwarz und weiß|pfeffer und salz|salz und pfeffer|groß und klein)",
        ),
        only=("(nichts|niemand|niemanden|keiner|keine|keinen) [anderes|andere] (außer|ausser|als)",),
        refers_back=("(derselbe|dieselbe|dasselbe|gleichen)",),
        capitals_are_names=False,
        pairs_are_names=False,
    )
