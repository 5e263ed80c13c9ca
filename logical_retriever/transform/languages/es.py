"""Spanish: "no" negates verbs as well as wishes, so what follows it decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from logical_retriever.transform.languages.hurried import CHOICES, HURRIED
from logical_retriever.transform.languages.signs import sign_phrases
from logical_retriever.transform.languages.table import ANYWHERE, Cue, Kind, Language, cues, phrases, words

_LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "de": phrases("de, del, de la, de los, de las, al, a, a la, a los, a las"),
    "clitic": phrases("lo, la, los, las, me lo, me la, me los, me las, le, te lo, eso"),
    "fact": phrases(
        "es, son, está, están, era, eran, hay, ha, han, he, hemos, tengo, tiene, tienen, tenemos, puedo, puede,"
        " pueden, podemos, sé, sabe, saben, va, van, voy, funciona, funcionan, carga, arranca, sale, salen, entiendo,"
        " encuentro, consigo, consigue, responde, llega, llegan, deja, dejan, abre, enciende, existe, existen, hace,"
        " hacen, debe, deben, fue, fueron, vale, importa, recuerdo, come, comen, duerme, contiene, contienen, pierden,"
        " pierde, pago, necesita, necesitan, paga, quiere, quieren, decido, aparece, sube, baja, pasa, hace falta,"
        " gusta el, testan"
    ),
    "known": phrases(
        "ya lo conozco, ya la conozco, ya los conozco, ya las conozco, ya lo conocemos, ya la conocemos, ya los"
        " conocemos, ya me lo sé, ya me la sé, ya me los sé, ya lo sé, ya la he visto, ya lo he visto, ya los he"
        " visto, ya las he visto, ya lo he leído, ya la he leído, ya los he leído, ya lo hago, ya lo he probado, ya la"
        " he probado, ya lo probé, ya la vi, ya lo vi, ya lo leí, ya lo tengo, ya la tengo, ya los tengo, ya las"
        " tengo, ya estuve, ya estuvimos, ya fui, ya fuimos, ya está, ya lo hemos visto, ya la hemos visto, todo el"
        " mundo lo sabe, lo conozco de sobra, me la sé de memoria, me los sé de memoria, me lo sé de memoria"
    ),
    "refused": phrases(
        "no quiero, no queremos, no lo quiero, no la quiero, no los quiero, no las quiero, no me interesa, no me"
        " interesan, no nos interesa, no nos interesan, no me gusta, no me gustan, no hace falta, no hacen falta, no"
        " cuenta, no cuentan, ni hablar, ni loco, ni loca, ni en broma, ni de broma, ni me lo menciones, ni me la"
        " menciones, ni me los menciones, ni me las menciones, ni mencionarlo, ni mencionarla, ni mencionarlos, mejor"
        " no, no gracias, no por favor, por favor no, esta vez no, lo dejamos de lado, la dejamos de lado, los dejamos"
        " de lado, las dejamos de lado, lo dejamos fuera, la dejamos fuera, los dejamos fuera, las dejamos fuera,"
        " puedes omitirlo, puedes omitirla, puedes omitirlos, puedes omitirlas, puedes saltártelo, puedes saltártela,"
        " puedes saltártelos, puedes saltártelas, descartado, descartada, descartados, descartadas, no me vale, no me"
        " valen, no me sirve, no me sirven, lo descarto, la descarto, los descarto, las descarto, no lo menciones, no"
        " la menciones, no los menciones, no las menciones, me tiene harto, me tienen harto, me tiene harta, me tienen"
        " harta, no entra, no entran"
    ),
    "drop": phrases(
        "evita, evite, evitad, evitemos, omite, omita, omitid, descarta, descarte, salta, sáltate, sáltese, ignora,"
        " ignore, quita, quite, excluye, excluya, excluid, deja fuera, deje fuera, deja de lado, deje de lado, olvida,"
        " olvide, olvídate, olvídese, ahórrame, ahórreme, prescinde, prescinda, elimina, elimine, deja aparte, suprime"
    ),
    "tell": phrases(
        "hables, hable, habléis, menciones, mencione, incluyas, incluya, pongas, ponga, des, dé, recomiendes,"
        " recomiende, cuentes, cuente, digas, diga, nombres, nombre, propongas, proponga, vengas con, venga con,"
        " enseñes, enseñe, muestres, muestre, sugieras, sugiera, expliques"
    ),
    "tell_inf": phrases(
        "contar, contar con, mencionar, incluir, hablar, nombrar, tocar, entrar en, pasar por, tener en cuenta,"
        " citar, meter, recurrir a, considerar"
    ),
}
# "nada excepto X" asks for X alone.
_REVERSED: Final = ("(nada|nadie|ningún|ninguna|ninguno|nunca) ...",)
# What negates a verb: a fact, not a wish.
_VERBS_AFTER_NO: Final = (
    "(me|te|se|nos|os|le|les|lo|solo|sólo|solamente|únicamente|obstante|es|son|está|están|era|eran|hay|ha|han|he|hemos|"
    "tengo|tiene|tienen|tenga|tenemos|puedo|puede|pueden|podemos|quiero|quiere|quieren|sé|sabe|saben|sabía|va|van|voy|"
    "funciona|funcionan|carga|arranca|sale|salen|entiendo|encuentro|consigo|consigue|responde|llega|llegan|deja|"
    "dejan|abre|"
    "enciende|existe|existen|hace|hacen|hago|debe|deben|debo|fue|fueron|vale|importa|recuerdo|muy|demasiado|tan|"
    "tanto|más|"
    "menos|mucho|siempre|necesariamente|problema|pasa|cabe|creo|conozco|como|come|comen|duerme|duermo|usa|usan|lleva|"
    "llevan|contiene|contienen|gusta|gustan|apto|aptos|apta|aptas|mal|bien|así|aún|todavía|ya|sea|sean|necesito|"
    "necesita)",
)

_CUES: Final[tuple[Cue, ...]] = (
    *cues(
        Kind.PHRASE,
        "(excepto|salvo) {x} :: ¿Qué países de Sudamérica tienen costa, excepto Chile?",
        never_before=("(que|error|si|vida|buen|cuando|en caso|por)",),
        never_after=("(significa|sano y|a)", *_REVERSED),
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "(a excepción|con excepción|con la excepción|a exclusión|aparte|con exclusión) <de> {x} :: ¿Qué ciudades de"
        " Andalucía merecen la pena, aparte de Sevilla?",
        "(exceptuando|excluyendo|descartando|quitando|omitiendo|evitando|obviando) [a] {x} :: tratamientos para el acné"
        " quitando los antibióticos",
        "dejando (de lado|fuera|aparte|a un lado) [a] {x} :: literatura del boom, dejando de lado a García Márquez",
        "dejando [a] {x} (de lado|fuera|aparte|a un lado) :: literatura del boom, dejando a García Márquez de lado",
        "sin <tell_inf> [a|<de>] {x} :: ejercicios para bajar la tensión, sin contar caminar",
        "prescindiendo <de> {x} :: Historia de Roma prescindiendo de los emperadores",
        "más allá <de> {x} :: Más allá de los coches, ¿qué contamina el aire?",
    ),
    *cues(
        Kind.PHRASE,
        "{x} (excluido|excluida|excluidos|excluidas|exceptuado|exceptuada|exceptuados|aparte) :: Costes de un viaje"
        " a Japón,"
        " vuelos aparte",
    ),
    *cues(
        Kind.PHRASE,
        "además <de> {x} :: ¿Qué países además de España producen aceite de oliva?",
        "(fuera|en vez|en lugar) <de> {x} :: En vez de café, ¿qué se bebe para despertarse?",
        only_after=("^", "(qué|cuáles|quién|quiénes|alguien|algo|algún|alguna|otro|otra|otros|otras) ..."),
        never_before=("(eso|esto|ser|que|todo|ello)",),
    ),
    *cues(
        Kind.PHRASE,
        "menos {x} :: cualquier cosa en Asturias menos Picos de Europa",
        never_after=(
            "(o|lo|al|mucho|poco|cada vez|es|son|sea|cuesta|cuestan|tiene|tienen|que|algo|de|el|la|los|las|un|aún|ni|"
            "nada|a|"
            "bastante|mucha|eran|era|hay|con|en|por|y|pesa|pesan|come|comer|dormir|gastar|hacer|echar|ni|todavía)",
        ),
        never_before=(
            "(de|que|mal|caro|cara|caros|caras|mala|tiempo|dinero|grasa|azúcar|sal|calorías|probable|conocido|"
            "conocidos|conocida|conocidas|común|comunes|aún|importante|gente|ruido|\\d*)",
        ),
    ),
    *cues(
        Kind.LIST,
        "no {name} :: portátil para estudiar pero no Apple ni Dell",
        "no (el|un|una|unos|unas|del|al|con|de|en|sobre|a) {x} :: la historia de Roma, pero no el imperio",
        "no (la|los|las) {x} :: platos de la India, pero no los curris",
        never_before=_VERBS_AFTER_NO,
    ),
    *cues(
        Kind.LIST,
        "no {x} :: mascotas para un piso pequeño, pero no gatos",
        only_after=("(pero|y|mas|por favor|eso sí)",),
        never_before=_VERBS_AFTER_NO,
    ),
    *cues(
        Kind.LIST,
        "no (el|la|los|las|un|una) {x} :: apple la fruta no la marca",
        at=ANYWHERE,
        only_after=("(el|la|los|las|un|una) *",),
        never_before=_VERBS_AFTER_NO,
        never_after=("(es|son|era|eran|está|por qué|porque|si|cuando|que|quién|cómo|tiene|hay) ...",),
    ),
    *cues(
        Kind.LIST,
        "(en ningún caso|bajo ningún concepto|de ninguna manera|ni de broma|ni loco|ni loca) {x} :: Aprender un"
        " instrumento, pero en"
        " ningún caso la flauta",
        "ni {x} :: ideas para cenar, ni pasta ni arroz",
        "nada <de> {x} :: Quiero aprender sobre la civilización maya, nada del calendario ni del fin del mundo",
        "nada (con|sobre|en|que sea|que tenga|que ver con|relacionado con) {x} :: series para niños, nada con dragones",
        "(ningún|ninguna|ninguno de) {x} :: películas para niños, ninguna de Disney",
        "tampoco {x} :: postres de verano, tampoco helado",
        "todo menos {x} :: deportes de equipo, todo menos fútbol",
        never_before=("(más|menos|nuevo|particular|especial|idea|siquiera|problema|se|me|quiero|puedo|es)",),
    ),
    *cues(
        Kind.LIST,
        "sin {x} :: Regalos para niños, pero sin pantallas",
        only_after=("(pero|y|mejor|a poder ser|preferiblemente|eso sí|siempre)",),
        never_before=(
            "(embargo|duda|que|parar|pagar|tener|hacer|ir|usar|perder|gastar|ser|saber|poder|salir|dejar|querer|"
            "comer|dormir|molestar|prisa|problema|problemas|límite|fin|ningún|necesidad)",
        ),
    ),
    *cues(
        Kind.CLAUSE,
        "(a mi|a mis|a los|a las|a nuestros) (hijos|niños|niñas|hija|hijo|mujer|marido|madre|padre|padres|amigos|invitados|chicos) no (le|les) (gusta|gustan) [nada] {x} :: Cenas rápidas. A los niños no les gusta el brócoli.",
        "(mi|mis|los|las|nuestros) (hijos|niños|niñas|hija|hijo|mujer|marido|madre|padre|padres|amigos|invitados|chicos) (odian|odia|no comen|no come|no soportan|no soporta|no beben|no bebe) {x} :: Cenas rápidas. Mis hijos odian el brócoli.",
        personal=True,
    ),
    *cues(
        Kind.CLAUSE,
        "{x} [eso|por favor] <known> ... :: Plan de fin de semana en Madrid. El Prado ya lo conozco.",
        "{x} [por favor] <refused> ... :: Opciones de poco riesgo, criptomonedas ni me las menciones.",
        "{x} [ya] (lo|la|los|las|ya) (he|hemos) ... :: platos de otoño, crema ya hemos comido tres veces",
        "{x} (abstenerse|no me preocupa|no me preocupan|no es el problema|no son el problema|no es el tema|no viene al caso) ..."
        " :: Podcasts para dormir, policiacos abstenerse",
        "{x} ya (lo|la|los|las|me lo|me la) (*) ... :: ¿Cómo funcionan los intereses? La parte del interés compuesto"
        " ya la entiendo.",
        "{x} (no) (me|nos) (interesa|interesan|gusta|gustan|apetece|apetecen|convence|convencen|va|van|sirve|sirven|"
        "vale|valen) ..."
        " :: Viaje a Japón, Tokio no nos interesa",
        "{x} (está|están|queda|quedan) (descartado|descartada|descartados|descartadas|fuera|excluido|excluida|"
        "excluidos) ... ::"
        " Mascotas para alérgicos, los gatos están descartados",
        "no (hace falta|es necesario|necesitas|tienes) (que|que me) <tell> [<de>|sobre] {x} :: Resume la Revolución."
        " No hace falta"
        " que hables de Robespierre.",
        "no (hace falta|es necesario|necesitas|hay que) (hablar|mencionar|incluir|nombrar|explicar|contar) [<de>|"
        "sobre] {x} :: Resume"
        " la Revolución. No hace falta hablar de Robespierre.",
        "<drop> [<de>] {x} :: Ejercicio en casa; olvídate de las abdominales.",
        "deja {x} (fuera|de lado|aparte) :: Historia de España, deja la guerra civil de lado",
        "(me sobra|me sobran|sobra|sobran) {x} :: ¿Cómo funciona el sistema electoral español? Me sobra el Senado.",
        "(ya conozco|ya conocemos|conozco ya|ya he visto|ya he leído|ya he probado|ya hemos visto|ya hemos estado en|"
        "ya he"
        " estado en|ya estuve en|ya estuvimos en|ya fuimos a|ya vimos|ya visitamos|ya visité|ya hicimos|ya fui a|ya tengo|ya sé|ya vi|ya leí) [a|lo de|todo sobre] {x} :: Plan de fin de"
        " semana en"
        " Madrid. Ya conozco el Prado.",
        "no [me|nos] <tell> [nada] [más] [<de>|sobre] {x} :: causas de la caída del cabello, y no me hables del estrés",
        "(no quiero|no queremos|no busco|no necesito|no me interesa|no me interesan|no me gusta|no me gustan|no"
        " soporto|no"
        " puedo con|no como|no bebo|no aguanto) [nada <de>|nada con|más|otra vez|ni|ver|saber nada"
        " <de>] {x} :: Cenas rápidas. No quiero pasta.",
        "(soy|somos) (alérgico|alérgica|alérgicos|intolerante) (a|a la|al|a los|a las) {x} :: Soy alérgica a las nueces, ¿qué postres puedo hacer?",
        "ya tiene (muchos|muchas|demasiados|demasiadas|bastantes|suficientes) {x} :: Regalo para mi madre, ya tiene muchos perfumes",
        "[estoy|estamos] (harto|harta|hartos|cansado|cansada|aburrido|aburrida) <de> {x} :: Cenas rápidas, estoy"
        " harto de la"
        " pasta",
        "(con tal|siempre|a condición) <de> que no sea {x} :: Un coche de ocasión, con tal de que no sea un Renault",
        "(mientras|siempre que|con tal que|basta que) no (sea|sean) {x} :: Un coche de ocasión, mientras no sea un"
        " Renault",
        "paso <de> {x} :: Música para correr, paso del reguetón",
    ),
    *cues(
        Kind.CLAUSE,
        "{x} no :: Regalos para mi padre, corbatas no",
        never_after=("(que|quien|qué|porque|si|cómo|cuando|o|ya|todavía|aún|por qué|yo|eso|verdad|es|fue)",),
    ),
    *cues(
        Kind.RELATIVE,
        "que no (sea|sean|fuera|fueran) [<de>|como|con] {x} :: Pintores españoles del siglo XX que no sean Picasso"
        " ni Dalí",
        "que no tenga que ver con {x} :: Historia de España que no tenga que ver con la guerra",
        "(distinto|distinta|distintos|distintas) (a|de|al|del) {x} :: Lenguajes de programación distintos de Python",
        never_before=(
            "(muy|tan|demasiado|caro|cara|caros|caras|difícil|difíciles|largo|larga|largos|largas|grande|grandes|"
            "picante|picantes|aburrido|aburrida|aburridas|pesado|pesada|malo|mala|peligroso|peligrosa|solo|igual|el mismo)",
        ),
    ),
)


def spanish() -> Language:
    """The table of Spanish."""
    return Language(
        code="es",
        cues=(*_CUES, *HURRIED["es"]),
        lists={**_LISTS, "choices": CHOICES["es"]},
        signs=(*sign_phrases("es", "exclusion"), *sign_phrases("es", "negation")),
        shields=(
            *sign_phrases("es", "harmless"),
            "(por qué|porque|si|cuando) ... (no|nunca|nada|nadie)",
            "(significa|quiere decir) ... (salvo|excepto|sin|menos)",
            "(por qué|cómo|verdad que|a que|o|cuando|ya|todavía|aún|eso|yo|él|ella|usted) no",
        ),
        facts=(
            "no [me|te|se|nos|le|les|lo|la|los|las] [me|te|se|lo|la] <fact>",
            "(mi|mis|tu|tus|su|sus|el|la|los|las|un|una|este|esta|qué|nuestro|nuestra) (*) [*] no",
            "(mi|mis|el|la|los|las) ... (nunca|jamás|nada|nadie|ningún|ninguna)",
            "nunca ... (he|ha|han|se|llueve|me)",
            "(puedo|puede|pueden|podemos|cómo|cuánto|vivir|viajar|conducir|tiempo|posible|legal) ... sin",
            "sin (*ar|*er|*ir|*arse|*arme|*erse|*irse|ni un|ni una)",
            "no (*ado|*ados|*ada|*adas|*ido|*idos|*ida|*idas)",
            "(o|ya|todavía|aún) no",
            "menos",
        ),
        and_words=phrases("y, e, así como"),
        or_words=(
            "o",
            "u",
        ),
        nor_words=("ni",),
        light=(
            "(el|la|los|las|un|una|unos|unas|lo|este|esta|estos|estas|ese|esa)",
            "(a|al|de|del|sobre|con|en) [el|la|los|las]",
            "(la parte|lo|cosas|temas|el tema|información|detalles|todo lo|cualquier cosa) (de|del|de la|sobre|"
            "relacionado con|que tenga que ver con)",
            "(otra vez|solo|sólo|siempre|más|ningún|ninguna|ni|tampoco|también|hablar de)",
        ),
        light_after=(
            "(por favor|porfa|gracias|etc|y tal|y eso|o algo así|esta vez|claro|tampoco|en particular|eso sí|ya|jaja|"
            "nunca más|si es posible|a ser posible|si puede ser)",
        ),
        owned="{thing} de {owner}",
        empty=words(
            "eso esto lo la los las ese esa esos esas ello él ella yo tú me te que qué todo nada otro otra así ahora"
            " porque cómo ya si o verdad mejor"
        ),
        articles=words("el la los las un una unos unas lo mi mis este esta estos estas al del"),
        prepositions=words("de del a al en con para por sobre entre desde hasta según tras contra sin durante"),
        resumes=words("porque pues ya si cuando aunque como que para por"),
        auxiliaries=words(
            "es son era eran fue fueron está están ha han había puede pueden debe deben va van hay tiene tienen será"
            " serán hace hacen sabe quiere quieren"
        ),
        verbs=words(
            "producen produce contienen contiene ayudan ayuda existe existen viven vive hablan habla causan causa"
            " provocan provoca crecen crece juegan juega usan usa ganan ganó ganaron pertenecen merecen merece valen"
            " vale cuestan cuesta comen come beben bebe sirven sirve funcionan funciona forman participan afectan"
            " afecta recomiendas recomiendan contaminan contamina juegan pertenece limitan tocan puedo necesito"
            " hicieron hizo"
        ),
        question_words=phrases(
            "qué, que, cuál, cuáles, quién, quiénes, cómo, cuándo, dónde, cuánto, cuánta, cuántos, cuántas, por qué,"
            " como, cual, cuales, quien, donde, cuando"
        ),
        subjects=words("yo tú él ella nosotros ellos usted se me te nos"),
        requests=(
            "[me] (puedes|podrías|puede|podría|podéis) [decirme|recomendarme|explicarme|ayudarme a encontrar|darme|"
            "hablarme de] [decir|recomendar|explicar|dar] [un|una|unos|unas|algún|alguna|algunos|algunas]",
            "[oye|por favor|y] (dime|dame|resume|resúmeme|recomiéndame|háblame|cuéntame|explícame|enséñame|muéstrame|"
            "búscame|sugiéreme|ponme|dígame|deme|explica|lista|recomienda|busca) [algo] [de|del|de la|de los|de las|"
            "sobre|acerca de] [el|la|los|las|un|una|unos|unas|algún|alguna|algunos|algunas]",
            "(busco|necesito|quiero|quisiera|queremos|buscamos|me gustaría|estoy buscando|querría) [saber|aprender|"
            "encontrar|conocer|comprar|leer|ver|información] [sobre|de] [el|la|los|las|un|una|unos|unas|algún|alguna|"
            "algunos|algunas]",
        ),
        courtesies=(
            "(por favor|porfa|porfavor|gracias|muchas gracias|gracias de antemano|mil gracias|hola|buenas|buenos días|"
            "buenas tardes|oye|oiga|vale|ok|bueno|saludos|un saludo)",
        ),
        elsewhere=(
            "más",
            "si no",
        ),
        leads=phrases(
            "pero, y, también, por favor, eso sí, sobre todo, mejor, además, aunque, solo, sólo, que, cualquier cosa,"
            " todo, todos, todas, lo que sea, cualquiera, a poder ser, preferiblemente, sino, oye, es decir, esta vez,"
            " y por favor, desde luego, por supuesto, absolutamente"
        ),
        alternatives=("(o si no|o bien|en su defecto|si no)",),
        opens_sentence=words("qué cuál cuáles quién cómo cuándo dónde por me no pero y quiero necesito busco el la"),
        abbreviations=words("etc sr sra dr dra av avda núm pág p ej aprox ee uu máx mín d"),
        real_words=words("salo saldo meno monos sien"),
        relatives=words("que quien quienes donde cuyo cuya cual cuales"),
        copulas=words("es son era eran está están"),
        particles=words("de del la las los el y san"),
        inner_prepositions=words("de del a al en con sobre"),
        empty_subjects=("hay",),
        opens_clause=(
            "[¿] (qué|cuál|cuáles|quién|quiénes|cómo|cuándo|dónde|cuánto|cuántos|cuántas|por qué|hay|puedes|podrías|"
            "dime|dame|háblame|cuéntame|explícame|recomiéndame|busco|quiero|necesito|me gustaría)",
        ),
        asked=("(dime|dame|háblame|cuéntame|explica|explícame|recomiéndame|puedes|podrías|busco|quiero|necesito)",),
        reasons=(
            "[eso|esa|ese|esos|esas|que] (<known>|<refused>)",
            "(porque|que ya|que estará|que está|que me|que no|ya que|pues|ya|me aburre|me aburren|me cansa|es muy|son "
            "muy|es demasiado|soy alérgico|soy alérgica|no me|demasiado|ya he|ya lo|ya la|ya los|ya las|estoy|me "
            "sienta|me sientan)",
        ),
        things=(
            "(qué|cuál|cuáles|dónde) [le|les|me|nos] [*] [*] (puedo|podemos|puede|pueden|preparo|cocino|como"
            "|recomiendas|recomiendan|hay)",
            "(ideas|recetas|recomendaciones|sugerencias|recomiéndame|sugiéreme|busco)",
        ),
        wishes=("(busco|quiero saber|necesito|me gustaría|queremos|recomiéndame|qué|cuál|cuáles)",),
        spelling=words("excepto excepción exceptuando excluyendo"),
        pairs=("(blanco y negro|sal y pimienta|guerra y paz|frutas y verduras)",),
        only=("(nada|nadie|ningún|ninguna) [más|otro|otra] (que|excepto|salvo|menos)",),
        refers_back=("(el mismo|la misma|los mismos|las mismas)",),
        pairs_are_names=False,
    )
