"""Italian: prepositions are joined to articles ("all'infuori della"), and "non" negates verbs as well as wishes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from logical_retriever.transform.languages.hurried import CHOICES, HURRIED
from logical_retriever.transform.languages.signs import sign_phrases
from logical_retriever.transform.languages.table import ANYWHERE, Cue, Kind, Language, cues, phrases, words

_LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "di": words("di del dello della dell' dei degli delle d'"),
    "a": words("a al allo alla all' ai agli alle ad"),
    "da": words("da dal dallo dalla dall' dai dagli dalle"),
    "art": words("il lo la i gli le l' un uno una un'"),
    "fact": phrases(
        "è, sono, era, erano, ho, ha, hanno, hai, abbiamo, c'è, ci sono, posso, può, possono, so, sa, sanno, va,"
        " vanno, vedo, vede, funziona, funzionano, parte, accende, capisco, trovo, riesco, riesce, risponde, arriva,"
        " lascia, apre, esiste, esistono, fa, fanno, deve, devono, fu, vale, importa, ricordo, mangia, mangiano,"
        " dorme, contiene, contengono, perdono, perde, pago, paga, vuole, vogliono, decido, temono, serve il, carica,"
        " carica più, sia, si può, piove, stampa"
    ),
    "known": phrases(
        "lo conosco già, la conosco già, li conosco già, le conosco già, già lo conosco, già la conosco, già li"
        " conosco, già le conosco, la conosciamo già, lo conosciamo già, li conosciamo già, conosco già, l'ho già"
        " visto, l'ho già vista, li ho già visti, le ho già viste, l'ho già letto, l'ho già letta, li ho già letti,"
        " l'ho già studiato, l'ho già studiata, l'ho già provato, l'ho già provata, l'ho già fatto, l'ho già fatta, li"
        " ho già provati, già visto, già vista, già visti, già viste, già fatto, già fatta, già letto, ce l'ho già, ce"
        " li ho già, ci sono già stato, ci sono già stata, ci siamo già stati, l'abbiamo già visto, l'abbiamo già"
        " vista, lo so già, lo sanno tutti, la so a memoria, lo so a memoria, li so a memoria, le so a memoria, la so"
        " già, li so già"
    ),
    "refused": phrases(
        "evitiamolo, evitiamola, evitiamoli, evitiamole, evitalo, evitala, evitali, evitale, lascialo perdere,"
        " lasciala perdere, lasciali perdere, lasciale perdere, lasciamolo perdere, lasciamola perdere, lasciamoli"
        " perdere, saltalo, saltala, saltali, saltale, puoi saltarlo, puoi saltarla, puoi saltarli, puoi saltarle,"
        " puoi lasciarlo fuori, puoi lasciarla fuori, non mi interessa, non mi interessano, non ci interessa, non"
        " m'interessa, non mi piace, non mi piacciono, non lo voglio, non la voglio, non li voglio, non le voglio, non"
        " ne voglio, no grazie, no per favore, anche no, meglio di no, meglio evitare, non serve, non servono, non"
        " conta, non contano, non vale, non valgono, lo lasciamo fuori, la lasciamo fuori, li lasciamo fuori, le"
        " lasciamo fuori, lo lasciamo da parte, la lasciamo da parte, li lasciamo da parte, le lasciamo da parte, lo"
        " escludo, la escludo, li escludo, le escludo, mi annoia, mi annoiano, basta, non mi va, non mi vanno, non"
        " nominarlo, non nominarla, non menzionarlo, non menzionarla, da evitare, da escludere, non lo mangio, non la"
        " mangio, non li mangio, non ne mangio, non ne parliamo"
    ),
    "drop": phrases(
        "evita, evitate, evitiamo, salta, saltate, ometti, omettete, escludi, escludete, tralascia, tralasciate,"
        " ignora, ignorate, dimentica, dimenticati, dimenticate, lascia perdere, lascia stare, lascia fuori, lascia da"
        " parte, lasciamo perdere, lasciate perdere, risparmiami, risparmiatemi, togli, togliete, elimina, scarta,"
        " scartate"
    ),
    "tell": phrases(
        "parlarmi, parlare, menzionare, nominare, citare, includere, inserire, mettere, consigliarmi, consigliare,"
        " propormi, proporre, darmi, dirmi, raccontarmi, mostrarmi, suggerirmi, tirare fuori, considerare"
    ),
    "tell_inf": phrases(
        "contare, menzionare, parlare, includere, citare, nominare, considerare, toccare, passare per, tener conto,"
        " tenere conto, tirare in ballo, entrare"
    ),
}
# "niente tranne X" asks for X alone.
_REVERSED: Final = ("(niente|nulla|nessuno|nessun|nessuna|mai) ...",)
_VERBS_AFTER_NON: Final = (
    "(solo|soltanto|solamente|mi|ti|si|ci|vi|ne|lo|li|è|sono|era|erano|ho|ha|hanno|hai|abbiamo|c'è|ci sono|posso|può|"
    "possono|"
    "voglio|vuole|vogliono|so|sa|sanno|va|vanno|vedo|vede|funziona|funzionano|parte|accende|capisco|trovo|riesco|"
    "riesce|"
    "risponde|arriva|arrivano|lascia|apre|esiste|esistono|fa|fanno|faccio|deve|devono|devo|fu|vale|importa|ricordo|"
    "molto|"
    "troppo|così|più|meno|sempre|necessariamente|credo|conosco|mangio|mangia|mangiano|dorme|dormo|usa|usano|contiene|"
    "contengono|piace|piacciono|adatto|adatta|adatti|adatte|male|bene|ancora|già|sia|siano|serve|servono|essere|"
    "avere|fare|"
    "dire|tanto|proprio|appena|basta|oltre|lontano|lontani)",
)

_CUES: Final[tuple[Cue, ...]] = (
    *cues(
        Kind.PHRASE,
        "{x} (escluso|esclusa|esclusi|escluse|a parte|eccettuato|eccettuati) :: Terapie per l'insonnia, farmaci"
        " esclusi grazie",
    ),
    *cues(
        Kind.PHRASE,
        "(tranne|eccetto|fuorché|eccettuato|eccettuata|eccettuati|eccettuate) [<art>|che] {x} :: dolci natalizi"
        " tranne il"
        " panettone",
        "salvo {x} :: Uffici comunali di Roma, salvo l'anagrafe",
        never_before=(
            "(che|errori|errore|imprevisti|se|quando|omissioni|intese|complicazioni|disdetta|diversa|buon|casi)",
        ),
        never_after=("(sano e|trarre in|in)", *_REVERSED),
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "[fatta|fatto|con|con l'|a|ad] eccezione (<di>|fatta per) {x} :: strumenti musicali ad eccezione della"
        " chitarra",
        "(fatta|fatto) eccezione per {x} :: Tutte le religioni monoteiste, fatta eccezione per il cristianesimo",
        "(all'infuori|al di fuori|al di là|ad esclusione|a esclusione|con esclusione) <di> {x} :: strumenti musicali"
        " all'infuori della chitarra",
        "(escluso|esclusa|esclusi|escluse|escludendo|tralasciando|evitando|omettendo|lasciando perdere) [<art>] {x} ::"
        " Rimedi per il mal di schiena, escluso il nuoto",
        "lasciando (da parte|fuori|stare) {x} :: Storia di Roma, lasciando da parte gli imperatori",
        "mettendo da parte {x} :: Storia di Roma, mettendo da parte gli imperatori",
        "senza <tell_inf> [<di>|<a>|<art>|in] {x} :: Parlami di Roma antica senza menzionare i gladiatori",
        "oltre <a> {x} :: Quali paesi oltre all'Italia producono prosecco?",
        "(diverso|diversa|diversi|diverse) <da> {x} :: Linguaggi di programmazione diversi da Python",
        "(anziché|piuttosto che) {x} :: Cereali piuttosto che riso",
    ),
    *cues(
        Kind.PHRASE,
        "a parte {x} :: Quali città della Sicilia meritano una visita, a parte Palermo?",
        never_before=("(questo|ciò|quello|gli scherzi|scherzi|che)",),
        never_after=("(presi|preso|presa|messi|messo|stanza)",),
    ),
    *cues(
        Kind.PHRASE,
        "(invece|al posto) <di> {x} :: Al posto del caffè, cosa si beve per svegliarsi?",
        only_after=("^",),
    ),
    *cues(
        Kind.PHRASE,
        "meno {x} :: Filosofi greci dopo Socrate, meno Platone che l'ho già studiato",
        only_after=("^", "(tutto|tutti|tutte|qualsiasi|qualunque|chiunque) ..."),
        never_after=("(o|più o|per lo|a|né|almeno|molto|ancora|sempre)",),
        never_before=("(di|che|male|caro|cari|costoso|tempo|grassi|zuccheri|conosciuti|noti|note|possibile|del|\\d*)",),
    ),
    *cues(
        Kind.LIST,
        "(non|no) {name} :: un portatile per l'università ma non Apple",
        "non [<art>] (il|i|gli|un|uno|una|un'|l'|del|della|dei|degli|delle|al|alla|con|di|su|sul|sulla|a) {x} :: sughi"
        " veloci per la pasta ma non il pesto",
        "non (la|le|lo|sulle|sui|nel|nella) {x} :: piatti del Sud, ma non la parmigiana",
        "no {x} :: animali domestici per appartamento (no gatti)",
        never_before=_VERBS_AFTER_NON,
    ),
    *cues(
        Kind.LIST,
        "non {x} :: animali per appartamento, ma non gatti",
        only_after=("(ma|però|e|purché|basta)",),
        never_before=_VERBS_AFTER_NON,
    ),
    *cues(
        Kind.LIST,
        "non (il|lo|la|i|gli|le|l'|un|una) {x} :: apple il frutto non la marca",
        at=ANYWHERE,
        only_after=("(il|lo|la|i|gli|le|un|una) *", "l'*"),
        never_before=_VERBS_AFTER_NON,
        never_after=("(è|sono|era|erano|perché|se|quando|che|chi|come|ha|c'è|ci) ...",),
    ),
    *cues(
        Kind.LIST,
        "(in nessun caso|per nessun motivo|di certo non|sicuramente non|certamente non|assolutamente non|proprio non|"
        "mai e poi mai)"
        " {x} :: Imparare uno strumento, ma assolutamente non il flauto",
        "né {x} :: Idee per cena, né pasta né riso",
        "(niente|nulla) [<di>|con|su|sul|sulla|in|a base di|che abbia a che fare con|a] {x} :: Film di Totò, niente"
        " in bianco"
        " e nero",
        "(nessun|nessuna|nessuno) {x} :: Film per bambini, nessun cartone Disney",
        "tutto tranne {x} :: Sport di squadra, tutto tranne il calcio",
        "neanche {x} :: Dolci estivi, neanche gelato",
        never_before=("(da|più|male|di che|di grave|problema|dubbio|paura|panico|di nuovo|di particolare|affatto)",),
    ),
    *cues(
        Kind.LIST,
        "senza {x} :: Regali per bambini, ma senza schermi",
        only_after=("(ma|però|meglio|possibilmente|preferibilmente|rigorosamente)",),
        never_before=(
            "(fili|dubbio|che|altro|dover|dovere|spendere|pagare|avere|fare|andare|usare|essere|sapere|limiti|problemi|"
            "impegno|fretta|fine|farmi|farsi|lavare|perdere|mai)",
        ),
    ),
    *cues(
        Kind.CLAUSE,
        "(ai|a) [mio|mia|miei|nostri] (figli|bambini|ragazzi|moglie|marito|figlio|figlia|madre|padre|genitori|amici|ospiti) non (piace|piacciono) {x} :: Cene veloci. Ai bambini non piace la pasta.",
        "(i|gli|mio|mia) [miei|nostri] (figli|bambini|ragazzi|moglie|marito|figlio|figlia|madre|padre|genitori|amici|ospiti) (odiano|odia|non mangiano|non mangia|non sopportano|non sopporta|non bevono|non beve) {x} :: Cene veloci. I bambini odiano i broccoli.",
        personal=True,
    ),
    *cues(
        Kind.CLAUSE,
        "{x} [però|invece|quello|quella|ormai] <known> ... :: Cosa vedere a Firenze? Gli Uffizi li conosco già.",
        "{x} [però|invece|quello|quella|per favore] <refused> ... :: Mi dici qualche sport da fare in inverno? Lo"
        " sci però"
        " evitiamolo, mi annoia.",
        "{x} (l'ho|l'abbiamo|li ho|li abbiamo|le ho|le abbiamo|ne ho|ne abbiamo) già ... :: ricette con la zucca, la"
        " vellutata"
        " l'abbiamo già mangiata tre volte",
        "{x} (l'ho|l'abbiamo|li ho|le ho|li abbiamo) (capito|capita|capiti|capite|visto|vista|provato|provata|letto|"
        "letta|fatto|"
        "fatta|studiato|studiata|escluso|esclusa) ... :: Come funzionano gli interessi? La parte sugli interessi"
        " composti l'ho"
        " capita.",
        "{x} non (mi|ci) (interessa|interessano|piace|piacciono|va|vanno|convince|convincono|serve|servono|attira|"
        "attirano) ... ::"
        " Viaggio in Giappone, Tokyo non ci interessa",
        "{x} (astenersi|non mi preoccupa|non mi preoccupano|non è un problema|non sono un problema|non è il punto|non c'entra) ..."
        " :: Podcast per dormire, gialli astenersi",
        "{x} (è|sono) (escluso|esclusa|esclusi|escluse|da escludere|da evitare|fuori discussione) ... :: Animali per"
        " allergici, i"
        " gatti sono esclusi",
        "non (serve|c'è bisogno <di>|occorre|è necessario|devi) [che] (parlare|parli|menzionare|citare|spiegare|"
        "includere|nominare)"
        " [<di>|su] {x} :: Riassumi la Rivoluzione. Non serve parlare di Robespierre.",
        "<drop> {x} :: Consigliami esercizi per la schiena, evita gli addominali",
        "(lascia|lasciate|lasciamo) {x} (fuori|da parte|stare|perdere) :: Storia di Roma, lascia Nerone da parte",
        "(conosco già|conosciamo già|ho già visto|ho già letto|ho già provato|ho già fatto|ho già visitato|abbiamo"
        " già visto|"
        "abbiamo già visitato|so già|sono già stato a|siamo già stati a|siamo già stati agli|siamo già stati al|siamo già stati in|già conosco) [tutto su|<di>] {x} :: Cosa"
        " vedere a"
        " Firenze? Conosco già gli Uffizi.",
        "non <tell> [<di>|su] {x} :: Storia di Roma, ma non parlarmi di Nerone",
        "non (parlarmi|nominarmi|citarmi|propormi|consigliarmi|darmi|mostrarmi|suggerirmi|includere|mettere) [<di>]"
        " {x} ::"
        " Storia di Roma, non citarmi Nerone",
        "(non voglio|non vogliamo|non cerco|non mi interessa|non mi interessano|non mi piace|non mi piacciono|non"
        " sopporto|non"
        " mangio|non bevo|non ho bisogno <di>|non mi serve|non mi servono|non amo) [più|altri|altre|vedere|sapere"
        " <di>|niente"
        " con] {x} :: Cene veloci. Non voglio pasta.",
        "(sono|siamo) (allergico|allergica|allergici|intollerante) (a|al|alla|ai|alle|agli) {x} :: Sono allergico alle noci, che dolci posso fare?",
        "ha già (troppi|troppe|molti|molte|tanti|tante|abbastanza) {x} :: Un regalo per mio padre, ha già troppe cravatte",
        "[sono|siamo] (stufo|stufa|stanco|stanca|stufi) <di> {x} :: Cene veloci, sono stufo della pasta",
        "(basta|ne ho abbastanza) (con|<di>) {x} :: Cene veloci, basta con la pasta",
        "(basta|purché|a patto|a condizione|l'importante è) [che] non (sia|siano|si tratti <di>|c'entri|c'entrino)"
        " {x} :: auto"
        " ibride usate sotto i 15mila, basta che non sia una Toyota",
        "di {x} (ne ho abbastanza|ho abbastanza|faccio a meno|posso fare a meno) :: Cene veloci. Di pasta ne ho"
        " abbastanza.",
    ),
    *cues(
        Kind.CLAUSE,
        "{x} no :: Regali per mio padre, cravatte no",
        never_after=("(che|chi|perché|se|come|quando|o|già|ancora|io|questo|è|fu|ma)",),
    ),
    *cues(
        Kind.RELATIVE,
        "che non (sia|siano|fosse|fossero) [<di>|come|con] {x} :: Romanzi di Calvino che non siano Il barone rampante",
        "che non (c'entri|c'entrino|abbia a che fare|abbiano a che fare) con {x} :: Storia d'Italia che non c'entri"
        " con la guerra",
        never_before=(
            "(molto|troppo|così|caro|cara|cari|care|difficile|difficili|lungo|lunga|lunghi|lunghe|grande|grandi|"
            "piccante|piccanti|noioso|noiosa|noiosi|pesante|pesanti|pericoloso|pericolosa|solo|uguale|costoso|costosi)",
        ),
    ),
)


def italian() -> Language:
    """The table of Italian."""
    return Language(
        code="it",
        cues=(*_CUES, *HURRIED["it"]),
        lists={**_LISTS, "choices": CHOICES["it"]},
        signs=(*sign_phrases("it", "exclusion"), *sign_phrases("it", "negation")),
        shields=(
            *sign_phrases("it", "harmless"),
            "(perché|se|quando|come mai) ... (non|mai|niente|nessuno)",
            "(come mai|perché|o|e|ma|ora|forse|certo|ovvio|io|tu) no",
        ),
        facts=(
            "non [mi|ti|si|ci|vi|ne|lo|la|li|le|gli|me|se|ce] [lo|la|li|le|ne] <fact>",
            "(mio|mia|miei|mie|tuo|tua|il|lo|la|i|gli|le|l'*|un|una|questo|questa|nostro|nostra) (*) [*] non",
            "(il|lo|la|i|gli|le|mio|mia) ... (mai|niente|nulla|nessuno|nessun|nessuna)",
            "(posso|può|possono|come|quanto|vivere|viaggiare|guidare|tempo|possibile|legale|entrare) ... senza",
            "senza (*are|*ere|*ire|*arsi|*ersi|*irsi|*rre)",
            "non (*ato|*ati|*ata|*ate|*uto|*uti|*ito|*iti)",
            "(o|ma|perché|se|ancora) no",
            "meno",
            "oltre (# *|#|a #)",
        ),
        and_words=words("e ed nonché"),
        or_words=(
            "o",
            "oppure",
        ),
        nor_words=("né",),
        light=(
            "(il|lo|la|i|gli|le|un|uno|una|questo|questa|questi|quel|quella|quelli|quelle|quello)",
            "(l'|un')",
            "(di|del|dello|della|dei|degli|delle|su|sul|sulla|sui|con|a|al|alla|ai|in|nel|nella)",
            "(dell'|all'|sull'|nell'|d')",
            "[la] parte (su|sul|sullo|sulla|sugli|sulle|sui|di|del|dello|della|dei|degli|delle|dell')",
            "(la parte|cose|roba|argomenti|informazioni|dettagli|tutto ciò|qualsiasi cosa) (di|del|della|su|sul|sulla|"
            "riguardo a|che riguarda|che abbia a che fare con)",
            "(ancora|sempre|solo|soltanto|altri|altre|altra|alcun|alcuna|nessun|neanche|più|anche|tutti|tutte)",
        ),
        light_after=(
            "(per favore|per piacere|grazie|ecc|eccetera|e così via|o simili|stavolta|questa volta|ovviamente|"
            "chiaramente|però|in particolare|se possibile|dai|già|invece|appunto)",
        ),
        owned="{thing} di {owner}",
        empty=words(
            "quello quella quelli quelle questo questa ciò lo la li le ne io tu me te lui lei che tutto niente altro"
            " così ora perché come già se o meglio ci si"
        ),
        articles=words(
            "il lo la i gli le l' un uno una un' del della dei degli delle mio mia questo questa questi queste"
        ),
        prepositions=words(
            "di del dello della dell' dei degli delle a al alla ai alle da dal dalla in nel nella nei con su sul"
            " sulla per tra fra contro senza durante dopo prima"
        ),
        resumes=words("perché poiché siccome se quando anche dato visto che per quindi"),
        auxiliaries=words(
            "è sono era erano ha hanno aveva avevano può possono deve devono fu furono sarà saranno va vanno c'è fa"
            " fanno sa sanno vuole vogliono viene vengono"
        ),
        verbs=words(
            "producono produce contengono contiene aiutano aiuta esiste esistono vivono vive parlano parla causano"
            " causa provocano provoca crescono cresce giocano gioca usano usa vincono vinto vinse appartengono"
            " meritano merita valgono vale costano costa mangiano mangia bevono servono serve funzionano funziona"
            " inquina inquinano impollinano consigli consigliate confinano fanno partecipano influenzano influenza"
        ),
        question_words=words(
            "che chi cosa quale quali qual come quando dove quanto quanta quanti quante perché cos'è dov'è com'è"
        ),
        subjects=words("io tu lui lei noi voi loro si mi ti ci"),
        requests=(
            "(puoi|potresti|può|potrebbe|potete|mi puoi|mi sai|sai) [dirmi|consigliarmi|spiegarmi|darmi|suggerirmi|"
            "parlarmi|aiutarmi a trovare|dire|consigliare] [<di>|su] [<art>|qualche]",
            "[e] (dimmi|dammi|riassumi|riassumimi|consigliami|parlami|raccontami|spiegami|mostrami|trovami|"
            "suggeriscimi|elencami|mi dici|mi consigli|spiega|elenca|consiglia|mi suggerisci|mi trovi|mi parli) [<di>|"
            "su|sul|sulla|sui|sulle|qualche|qualcosa su] [<art>]",
            "(cerco|cerchiamo|vorrei|vorremmo|voglio|mi serve|mi servono|sto cercando|ho bisogno <di>|mi piacerebbe) "
            "[sapere|capire|imparare|trovare|conoscere|comprare|leggere|vedere|informazioni] [<di>|su|sul|sulla|sui] "
            "[<art>|qualche]",
        ),
        courtesies=(
            "(per favore|per piacere|grazie|grazie mille|grazie in anticipo|ciao|salve|buongiorno|buonasera|ok|va "
            "bene|allora|scusa|scusate|dai|sì|bene|saluti)",
        ),
        elsewhere=(
            "altro",
            "sennò",
        ),
        leads=phrases(
            "ma, e, però, anche, per favore, ed, solo, meglio, inoltre, tutto, tutti, tutte, qualsiasi cosa,"
            " possibilmente, preferibilmente, soprattutto, magari, bensì, insomma, stavolta, rigorosamente"
        ),
        alternatives=("(oppure|o altrimenti|o in alternativa|in alternativa)",),
        opens_sentence=words(
            "che chi cosa quale quali come quando dove quanto perché mi non ma e vorrei cerco il la gli lo"
        ),
        abbreviations=words("ecc sig dott prof avv ing p es pag n art s max min ca"),
        real_words=words("mano mento note sena"),
        relatives=words("che cui quale quali dove chi"),
        copulas=words("è sono era erano"),
        particles=words("di del della dei degli delle da la il lo e san"),
        inner_prepositions=words("di del dello della dell' dei degli delle a al alla in con su"),
        empty_subjects=(
            "ci",
            "c'è",
        ),
        opens_clause=(
            "(che|chi|cosa|quale|quali|qual|come|quando|dove|quanto|quanti|quante|perché|cos'è|ci sono|c'è|puoi|"
            "potresti|dimmi|dammi|parlami|raccontami|spiegami|consigliami|cerco|vorrei|mi)",
        ),
        asked=("(dimmi|dammi|parlami|raccontami|spiegami|consigliami|puoi|potresti|cerco|vorrei|mi)",),
        reasons=(
            "[quello|quella|quelli|quelle|che] (<known>|<refused>)",
            "(perché|che ho già|che già|che l'ho|che non|poiché|siccome|dato che|visto che|mi annoia|mi annoiano|mi "
            "ha stufato|ormai|è troppo|sono troppo|troppo|sono allergico|sono allergica|già|non mi|non li|non le|non "
            "lo|non la|l'ho|li ho|le ho|ce l'ho|ci sono già|ci siamo già)",
        ),
        things=(
            "(che|cosa|quali|quale|dove) [*] [*] (posso|possiamo|può|possono|cucino|preparo|consigli|consigliate|c'è|ci sono)",
            "(idee|ricette|consigli|suggerimenti|consigliami|cerco)",
        ),
        wishes=("(cerco|vorrei sapere|ho bisogno|mi piacerebbe|consigliami|quale|quali|cosa)",),
        spelling=words("tranne eccetto escluso esclusa eccezione"),
        pairs=("(bianco e nero|sale e pepe|guerra e pace|frutta e verdura|cacio e pepe|tira e molla)",),
        only=("(niente|nulla|nessuno|nessun|nessuna) [altro|altra] (che|tranne|se non|eccetto|all'infuori)",),
        refers_back=("(lo stesso|la stessa|gli stessi|le stesse)",),
        pairs_are_names=False,
    )
