"""The words by which each language says conditions on metadata; phrases are written as in ``table.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from logical_retriever.transform.languages.table import phrases, words


@dataclass(frozen=True)
class ConditionWords:
    """The words of conditions in one language, in small letters and without accents.

    Attributes:
        things: What collections hold, and words for any of it, after which conditions stand: "films", "anything".
        about: Words after which meaning is said, not metadata: "about".
        inside: Others, which do not stand between a thing and its topic alone: "where", "that".
        without: Words directly before a condition that negate it: "not", "nothing", "except".
        those: Words between these and the condition that say nothing: "any", "the ones".
        by: Before who made it: "by", "directed by".
        spoken: Before its language: "in".
        origin: Before where it is from: "from".
        language: After a language's name, joined or not: "language".
        has: Before a field's own name: "with a".
        equals: Between a field's own name and a value: "is".
        said_of_time: Before a time, and saying nothing: "made", "from" before "before 1970".
        since: Times from one on, it included.
        after: Times after one.
        before: Times before one.
        until: Times up to one, it included.
        during: Times within one: "from [the]".
        decade: A decade as a regular expression, ``{d}`` for its digits and ``{w}`` for its name.
        decades: Names of the decades from the twenties to the nineties.
        said_of_number: Before a comparison of numbers, and saying nothing: "that run for".
        more: Numbers greater than one.
        least: Numbers not less than one.
        less: Numbers less than one.
        most: Numbers not greater than one.
        between: Pairs around two values, "between ... and".
        long: After a number and its unit, and saying nothing: "long".
        numbers: Words of numbers.
        units: Words of each unit, by its English name.
        plurals: Endings of words for several things, each with that of one.
        participles: Endings of fields' names, each with that of the verb: "rating", "rated".
        capitals: Whether names of languages and nations have capital letters, as the values of a list may.
    """

    things: tuple[str, ...]
    about: tuple[str, ...]
    inside: tuple[str, ...]
    without: tuple[str, ...]
    those: tuple[str, ...]
    by: tuple[str, ...]
    spoken: tuple[str, ...]
    origin: tuple[str, ...]
    language: tuple[str, ...]
    has: tuple[str, ...]
    equals: tuple[str, ...]
    said_of_time: tuple[str, ...]
    since: tuple[str, ...]
    after: tuple[str, ...]
    before: tuple[str, ...]
    until: tuple[str, ...]
    during: tuple[str, ...]
    decade: str
    decades: tuple[str, ...]
    said_of_number: tuple[str, ...]
    more: tuple[str, ...]
    least: tuple[str, ...]
    less: tuple[str, ...]
    most: tuple[str, ...]
    between: tuple[tuple[str, str], ...]
    long: tuple[str, ...]
    numbers: tuple[str, ...]
    units: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plurals: tuple[tuple[str, str], ...] = ()
    participles: tuple[tuple[str, str], ...] = ()
    capitals: bool = True


_ENGLISH: Final = ConditionWords(
    things=words(
        "film films movie movies book books novel novels story stories paper papers article articles document documents"
        " report reports post posts song songs album albums series show shows episode episodes recipe recipes video"
        " videos podcast podcasts game games product products title titles item items result results work works ticket"
        " tickets issue issues email emails message messages anything"
        " something nothing everything one ones"
    ),
    about=("(about|on|regarding|concerning)", "(that is|that are|that's) about", "(dealing|that deal|that deals) with"),
    inside=words("where who whose that which set based dealing when while how why because"),
    without=(
        "[that|which] (is|are|was|were) not",
        "[that|which] (isn't|aren't|wasn't|weren't)",
        "(that's|it's) not",
        "(not|no|non|nothing|none|without|except|excluding|avoid|skip) [for]",
        "(other than|apart from|aside from|anything but not|leave out|leaving out)",
        "[i] (don't|do not) want",
    ),
    those=("[any|all|the|a|an] (anything|those|ones|one|everything|stuff|films|movies|books)", "(any|all|the|a|an)"),
    by=("[directed|written|made|composed|published|painted|sung] by",),
    spoken=("[spoken|written|made] in",),
    origin=("[coming|made] from [the]", "made in"),
    language=phrases("language, speaking"),
    has=("(whose|with|has|have|having|of|by) [a|an|the]",),
    equals=("(is|=|:)", "of"),
    said_of_time=("(made|released|published|written|shot|from|dated|dating|dating from)", "(that is|that are|that's)"),
    since=("(since|from)", "starting (in|from)", "no (older|earlier) than"),
    after=("after", "(later|newer|younger|more recent) than"),
    before=("(before|pre)", "(earlier|older) than", "prior to"),
    until=("(until|till|up to)", "no (later|newer) than"),
    during=("(from|of)",),
    decade=r"(?:the |those )?(?:'?{d}'?s|(?:nineteen[ -])?{w})",
    decades=words("twenties thirties forties fifties sixties seventies eighties nineties"),
    said_of_number=(
        "[that|which] (run|runs|last|lasts|take|takes|cost|costs|have|has) [for]",
        "(running|lasting|costing|with|of|that is|that are|having)",
    ),
    more=("(over|above|exceeding)", "(more|longer|greater|higher|bigger|larger) than"),
    least=("at least", "(no|not) (less|fewer|shorter|lower) than", "a minimum of"),
    less=("(under|below)", "(less|fewer|shorter|lower|smaller|cheaper) than"),
    most=("at most", "(no|not) (more|longer|higher) than", "up to", "a maximum of"),
    between=(("between", "and"), ("from", "to")),
    long=("(long|or so)", "in length"),
    numbers=words("zero one two three four five six seven eight nine ten eleven twelve"),
    units={
        "minutes": words("minute minutes min mins"),
        "hours": words("hour hours"),
        "pages": words("page pages"),
        "dollars": words("dollar dollars usd"),
        "euros": words("euro euros eur"),
        "stars": words("star stars"),
        "words": words("word words"),
    },
    plurals=(("ies", "y"), ("es", ""), ("s", "")),
    participles=(("ing", "ed"),),
)

_GERMAN: Final = ConditionWords(
    things=words(
        "film filme filmen buch bucher romane roman artikel dokument dokumente bericht berichte lied lieder album alben"
        " serie serien folge folgen rezept rezepte rezepten video videos podcast podcasts spiel spiele produkt produkte"
        " titel etwas alles nichts was irgendwas werke werk studie studien"
    ),
    about=("(uber|zu|zum|zur|von uber)",),
    inside=words("wo wer deren dessen die der das welche wenn weil wie in mit"),
    without=("(nicht|kein|keine|keinen|keiner|ohne|ausser|nichts|bloss nicht|bitte nicht)",),
    those=("(etwas|die|den|alles|welche|einen|ein|eine)",),
    by=("(von|vom)",),
    spoken=("(auf|in)",),
    origin=("aus [der|dem|den]",),
    language=phrases("sprachige, sprachiger, sprachiges, sprachigen"),
    has=("(mit|deren|dessen) [einer|einem|der|dem]", "(mit|deren|dessen)"),
    equals=("(ist|=|:|von)",),
    said_of_time=("(gedreht|erschienen|veroffentlicht|geschrieben|entstanden)",),
    since=("(seit|ab)",),
    after=("nach", "(spater|neuer|junger) als"),
    before=("vor", "(fruher|alter) als"),
    until=("bis",),
    during=("(aus|von)", "(aus|in) dem jahr"),
    decade=r"(?:den |der |dem )?(?:{d}ern?(?: jahren?)?|{w}(?: jahren?)?)",
    decades=words("zwanziger dreissiger vierziger funfziger sechziger siebziger achtziger neunziger"),
    said_of_number=("(mit|von|die)",),
    more=("uber", "(mehr|langer|grosser|hoher) als"),
    least=("mindestens", "nicht (weniger|kurzer) als"),
    less=("unter", "(weniger|kurzer|kleiner|niedriger) als"),
    most=("hochstens", "maximal", "bis zu", "nicht (mehr|langer) als"),
    between=(("zwischen", "und"), ("von", "bis")),
    long=("(lang|dauern|dauert)",),
    numbers=words("null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf"),
    units={
        "minutes": words("minute minuten min"),
        "hours": words("stunde stunden"),
        "pages": words("seite seiten"),
        "euros": words("euro euros"),
    },
    plurals=(("en", ""), ("n", ""), ("s", ""), ("e", "")),
)

_FRENCH: Final = ConditionWords(
    things=words(
        "film films livre livres roman romans article articles document documents rapport rapports chanson chansons"
        " album albums serie series episode episodes recette recettes video videos jeu jeux produit produits titre"
        " titres chose tout rien oeuvre oeuvres etude etudes"
    ),
    about=("(sur|concernant)", "qui (parle|parlent|traite|traitent) (de|du|des|d')", "au sujet (de|du|des|d')"),
    inside=words("ou qui que dont quand comment pourquoi avec dans"),
    without=(
        "[(qui|ce)] n'est pas",
        "[qui] ne (sont|soit|soient) pas",
        "(pas|sans|sauf|rien|hormis|excepte|aucun|aucune) [de|d']",
    ),
    those=("(un|une|des|les|le|la|ceux|celles|de|d')",),
    by=("[realise|realises|ecrit|ecrits|dirige] par", "de"),
    spoken=("en",),
    origin=("(venant|originaire) (de|d'|du)", "(du|de la|des)"),
    language=(),
    has=("(avec|dont|ayant) [un|une|le|la]",),
    equals=("(est|=|:|de)",),
    said_of_time=("(sorti|sortis|sortie|sorties|tourne|tournes|publie|publies|ecrit|ecrits|datant)",),
    since=("depuis", "a partir de"),
    after=("apres", "(posterieur|posterieurs|posterieure) a", "plus (recent|recents|recente) que"),
    before=("avant", "(anterieur|anterieurs|anterieure) a", "plus (ancien|anciens|ancienne) que"),
    until=("jusqu'en", "jusqu'a"),
    during=("(de|des|en|d')",),
    decade=r"(?:les |des )?annees (?:{d}|{w})",
    decades=words("vingt trente quarante cinquante soixante soixante-dix quatre-vingt quatre-vingt-dix"),
    said_of_number=("(durant|de|d'|qui dure|qui durent)",),
    more=("plus (de|d'|longs que|long que)", "superieur a", "au-dessus de"),
    least=("au moins", "au minimum"),
    less=("moins (de|d')", "inferieur a", "en dessous de"),
    most=("au plus", "au maximum", "pas plus (de|d')"),
    between=(("entre", "et"), ("de", "a")),
    long=("(de long|de duree)",),
    numbers=words("zero un deux trois quatre cinq six sept huit neuf dix onze douze"),
    units={
        "minutes": words("minute minutes min"),
        "hours": words("heure heures"),
        "pages": words("page pages"),
        "euros": words("euro euros"),
    },
    plurals=(("s", ""), ("x", "")),
    capitals=False,
)

_SPANISH: Final = ConditionWords(
    things=words(
        "pelicula peliculas film filme libro libros novela novelas articulo articulos documento documentos informe"
        " informes cancion canciones album albumes serie series episodio episodios receta recetas video videos juego"
        " juegos producto productos titulo titulos algo todo nada cine obra obras estudio estudios"
    ),
    about=("(sobre|acerca de)", "que (trate|traten|trata|tratan|hable|hablen) (de|sobre)"),
    inside=words("donde que quien cuyo cuya cuando como porque con en"),
    without=("[que] no (sea|sean|es|son|este|esten|estan)", "(no|sin|salvo|excepto|nada|ninguna|ningun) [de]"),
    those=("(un|una|unos|unas|los|las|el|la|de|ninguna|ningun)",),
    by=("[dirigida|dirigidas|dirigido|escrita|escritas|escrito|escritos] por", "de"),
    spoken=("en",),
    origin=("(procedente|procedentes) de", "(de|del)"),
    language=(),
    has=("(con|cuyo|cuya|de) [un|una|el|la]",),
    equals=("(es|sea|=|:|de)",),
    said_of_time=("(estrenada|estrenadas|hecha|hechas|rodada|rodadas|publicado|publicados|escrito|escritos)",),
    since=("desde", "a partir de"),
    after=("despues de", "(posterior|posteriores) a", "mas (reciente|recientes) que"),
    before=("antes de", "(anterior|anteriores) a"),
    until=("hasta",),
    during=("(de|del)",),
    decade=r"(?:los |las )?(?:anos |decada de los )?(?:'?{d}s?|{w})",
    decades=words("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"),
    said_of_number=("(de|que duren|que dure|con)",),
    more=("mas (de|largas que|largos que)", "superior a", "por encima de"),
    least=("al menos", "por lo menos", "como minimo"),
    less=("menos de", "inferior a", "por debajo de"),
    most=("como maximo", "a lo sumo", "no mas de"),
    between=(("entre", "y"), ("de", "a")),
    long=("de duracion",),
    numbers=words("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce"),
    units={
        "minutes": words("minuto minutos min"),
        "hours": words("hora horas"),
        "pages": words("pagina paginas"),
        "euros": words("euro euros"),
    },
    plurals=(("es", ""), ("s", "")),
    capitals=False,
)

_ITALIAN: Final = ConditionWords(
    things=words(
        "film pellicola pellicole libro libri romanzo romanzi articolo articoli documento documenti rapporto rapporti"
        " canzone canzoni album serie episodio episodi ricetta ricette video gioco giochi prodotto prodotti titolo"
        " titoli qualcosa tutto niente nulla opera opere studio studi"
    ),
    about=(
        "(su|sul|sulla|sulle|sui|sullo|sugli|sull'|riguardo a)",
        "che (parla|parlano|parli|tratta|trattano) (di|del)",
    ),
    inside=words("dove che chi cui quando come perche con"),
    without=("[che] non (sia|siano|e|sono)", "(non|senza|tranne|eccetto|niente|nessun|nessuna) [di]", "a parte"),
    those=("(un|uno|una|un'|dei|degli|delle|i|gli|le|il|la|di)",),
    by=("[diretto|diretti|diretta|scritto|scritti|scritta] da", "di"),
    spoken=("in",),
    origin=("(proveniente|provenienti) (da|dal|dalla|dall')", "(dal|dalla|dall')"),
    language=(),
    has=("(con|di) [un|una|il|la]",),
    equals=("(e|=|:|di)",),
    said_of_time=("(uscito|usciti|uscita|girato|girati|pubblicato|pubblicati|scritto|scritti)",),
    since=("(dal|da|dagli)", "a partire dal"),
    after=("dopo [il|gli]", "(successivo|successivi) (al|agli)", "piu (recente|recenti) (del|degli)"),
    before=("prima (del|degli)", "(precedente|precedenti) (al|agli)"),
    until=("fino (al|agli)",),
    during=("(del|degli)",),
    decade=r"(?:gli )?anni (?:'?{d}|{w})",
    decades=words("venti trenta quaranta cinquanta sessanta settanta ottanta novanta"),
    said_of_number=("(di|che durano|che dura|della durata di)",),
    more=("piu (di|lunghi di|lungo di)", "oltre", "superiore a", "sopra"),
    least=("almeno", "non meno di"),
    less=("meno di", "inferiore a", "sotto"),
    most=("al massimo", "non piu di"),
    between=(("tra", "e"), ("fra", "e"), ("da", "a"), ("dal", "al")),
    long=("di durata",),
    numbers=words("zero uno due tre quattro cinque sei sette otto nove dieci undici dodici"),
    units={
        "minutes": words("minuto minuti min"),
        "hours": words("ora ore"),
        "pages": words("pagina pagine"),
        "euros": words("euro"),
    },
    plurals=(("i", "o"), ("i", "e"), ("e", "a")),
    capitals=False,
)

_PORTUGUESE: Final = ConditionWords(
    things=words(
        "filme filmes livro livros romance romances artigo artigos documento documentos relatorio relatorios cancao"
        " cancoes musica musicas album albuns serie series episodio episodios receita receitas video videos jogo jogos"
        " produto produtos titulo titulos algo tudo nada alguma obra obras estudo estudos"
    ),
    about=("(sobre|acerca de)", "que (fale|falem|fala|falam|trate|tratem) (de|sobre)"),
    inside=words("onde que quem cujo cuja quando como porque com"),
    without=("[que] nao (seja|sejam|e|sao)", "(nao|sem|exceto|menos|nada|nenhum|nenhuma) [de]", "a nao ser"),
    those=("(um|uma|uns|umas|os|as|o|a|de)",),
    by=("[dirigido|dirigidos|dirigida|escrito|escritos|escrita] por", "(de|do|da)"),
    spoken=("em",),
    origin=("(vindo|vindos) (de|do|da)", "(de|do|da|dos|das)"),
    language=(),
    has=("(com|cujo|cuja|de) [um|uma|o|a]",),
    equals=("(e|seja|=|:|de)",),
    said_of_time=("(lancado|lancados|feito|feitos|rodado|rodados|publicado|publicados|escrito|escritos)",),
    since=("(desde|a partir de)", "desde os"),
    after=("depois de", "apos", "(posterior|posteriores) a", "mais (recente|recentes) que"),
    before=("antes de", "(anterior|anteriores) a"),
    until=("ate",),
    during=("(de|dos)",),
    decade=r"(?:os )?(?:anos |decada de )(?:{d}|{w})",
    decades=words("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"),
    said_of_number=("(de|com|que duram|que dura|com duracao de)",),
    more=("mais (de|longos que|longo que)", "acima de", "superior a"),
    least=("pelo menos", "no minimo"),
    less=("menos de", "abaixo de", "inferior a"),
    most=("no maximo", "nao mais de"),
    between=(("entre", "e"), ("de", "a")),
    long=("de duracao",),
    numbers=words("zero um dois tres quatro cinco seis sete oito nove dez onze doze"),
    units={
        "minutes": words("minuto minutos min"),
        "hours": words("hora horas"),
        "pages": words("pagina paginas"),
        "euros": words("euro euros"),
    },
    plurals=(("s", ""), ("es", "")),
    capitals=False,
)

_TABLES: Final = (_GERMAN, _FRENCH, _SPANISH, _ITALIAN, _PORTUGUESE)
CONDITION_WORDS: Final[Mapping[str, ConditionWords]] = {
    "en": _ENGLISH, **dict(zip(("de", "fr", "es", "it", "pt"), _TABLES, strict=True))
}  # fmt: skip
"""The words of each language, by its code."""
