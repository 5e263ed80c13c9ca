"""Portuguese, of Portugal and of Brazil."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from logical_retriever.transform.languages.hurried import CHOICES, HURRIED
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

_LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "de": words("de do da dos das d'"),
    "a": words("a o os as ao à aos às"),
    "fact": phrases(
        "é, são, está, estão, era, eram, há, tem, têm, tenho, temos, posso, pode, podem, sei, sabe, sabem, vai, vão,"
        " vou, funciona, funcionam, liga, ligam, carrega, sai, entendo, encontro, consigo, consegue, responde, chega,"
        " chegam, deixa, abre, existe, existem, faz, fazem, deve, devem, foi, foram, vale, importa, lembro, come,"
        " comem, dorme, contém, contêm, perdem, perde, pagar, paga, quer, querem, reconhece, temem, pega, adianta,"
        " aparece, decido, precisa de visto, sobe"
    ),
    "eu": phrases("eu, nós, a gente, todo mundo, toda gente, toda a gente, eles"),
    "known": phrases(
        "já conheço, já conhecemos, já conhece, já sei, já sabe, já sabemos, já vi, já vimos, já li, já lemos, já"
        " fiz, já fizemos, já tentei, já experimentei, já testei, já tenho, já temos, já visitei, já visitámos, já"
        " visitamos, já fui, já fomos, já estive, já estivemos, já estudei, conheço bem, conheço de cor, sei de cor,"
        " já sei de cor, está mais do que visto, já está visto"
    ),
    "refused": phrases(
        "não quero, não queremos, não precisa, não precisam, não é preciso, não me interessa, não me interessam, não"
        " interessa, não interessam, não gosto, não gostamos, pode pular, podem pular, pode ignorar, podes ignorar,"
        " podes saltar, podes deixar de fora, pode deixar de fora, pode deixar de lado, pode tirar, pode excluir, pode"
        " omitir, não conta, não contam, não vale, não valem, não serve, não servem, nem pensar, nem me fale, nem me"
        " fales, nem mencione, não obrigado, não obrigada, não por favor, fica de fora, ficam de fora, já chega,"
        " melhor não, não entra, não entram, estou fora, está fora de questão, estão fora de questão, deixa pra lá,"
        " deixa para lá"
    ),
    "drop": phrases(
        "evita, evite, evitem, ignora, ignore, pula, pule, salta, salte, exclui, exclua, omite, omita, descarta,"
        " descarte, esquece, esqueça, esqueçam, deixa de fora, deixe de fora, deixa de lado, deixe de lado, tira,"
        " tire, retira, retire, poupa-me, poupe-me, me poupe, dispenso, dispensa, dispense, elimina, elimine"
    ),
    "tell": phrases(
        "fales, fale, falem, menciones, mencione, incluas, inclua, ponhas, ponha, dês, dê, recomendes, recomende,"
        " contes, conte, digas, diga, cites, cite, sugiras, sugira, venhas com, venha com, mostres, mostre, indique,"
        " indiques, coloque, coloques, fala, menciona, inclui, cita, indica, coloca, sugere, mostra, traga"
    ),
    "tell_inf": phrases(
        "contar, contar com, mencionar, incluir, falar, citar, tocar, entrar em, passar por, considerar, ser, levar"
        " em conta, recorrer a"
    ),
}
# "nada exceto X" asks for X alone.
_REVERSED: Final = ("(nada|ninguém|nenhum|nenhuma|nunca) ...",)
_VERBS_AFTER_NAO: Final = (
    "(só|somente|apenas|obstante|me|te|se|nos|lhe|lhes|é|são|está|estão|era|eram|há|tem|têm|tenho|temos|posso|pode|"
    "podem|quero|"
    "quer|querem|sei|sabe|sabem|vai|vão|vou|funciona|funcionam|liga|ligam|carrega|sai|entendo|encontro|consigo|"
    "consegue|"
    "responde|chega|chegam|deixa|abre|acende|existe|existem|faz|fazem|faço|deve|devem|foi|foram|vale|importa|lembro|"
    "muito|"
    "muita|tão|tanto|mais|menos|sempre|necessariamente|passa|cabe|acho|conheço|como|come|comem|dorme|durmo|usa|usam|"
    "leva|"
    "contém|gosto|gosta|gostam|reconhece|bem|mal|assim|ainda|já|seja|sejam|preciso|precisa|fica|ficam|adianta|dá|dão|"
    "pega|"
    "ter|ser|fazer|demais|entra|aparece|aceita|sobe|grava|adequado|adequada)",
)

_CUES: Final[tuple[Cue, ...]] = (
    *cues(
        Kind.PHRASE,
        "(exceto|excepto|salvo|excetuando|exceptuando) {x} :: Que cidades do Algarve vale a pena visitar, exceto Faro?",
        never_before=("(que|erro|engano|se|quando|melhor|disposição|por)",),
        never_after=("(são e|significa|a)", *_REVERSED),
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "(com exceção|com excepção|com a exceção|à exceção|à excepção|exceção feita) <de> {x} :: instrumentos"
        " musicais com"
        " exceção do violão",
        "exceção feita a {x} :: instrumentos musicais, exceção feita a violões",
        "(excluindo|tirando|descontando|descartando|deixando de fora|deixando de lado|pondo de lado|evitando|"
        "ignorando) {x} ::"
        " Praias do Ceará tirando Jericoacoara",
        "deixando {x} (de lado|de fora) :: História de Portugal, deixando os descobrimentos de lado",
        "sem <tell_inf> [<de>|<a>|com|em] {x} :: Me fala da história do samba sem mencionar o carnaval",
        "a não ser {x} :: bebidas quentes a não ser café",
        "(diferente|diferentes) <de> {x} :: Linguagens de programação diferentes de Python",
    ),
    *cues(
        Kind.PHRASE,
        "{x} (excluído|excluída|excluídos|excluídas|à parte|de fora|fora) :: Custos de uma viagem ao Japão, voos à"
        " parte",
    ),
    *cues(
        Kind.PHRASE,
        "[para|pra] além <de> {x} :: Quais países além de Portugal falam português?",
        never_before=("(isso|isto|disso|que|mais|ser|ter)",),
    ),
    *cues(
        Kind.PHRASE,
        "(em vez|no lugar|ao invés|fora) <de> {x} :: Em vez de café, o que se bebe para acordar?",
        only_after=("^",),
        never_before=("(casa|série|moda|questão|controle|hora|época|lugar|mim|si)",),
    ),
    *cues(
        Kind.PHRASE,
        "fora {x} :: Exercícios em casa, fora abdominais",
        at=CLAUSE_START,
        never_before=("(de|da|do|das|dos|que|isso|isto)",),
    ),
    *cues(
        Kind.PHRASE,
        "menos {x} :: receitas com bacalhau, qualquer uma menos bacalhau à Brás",
        never_after=(
            "(ou|pelo|ao|muito|pouco|cada vez|é|são|seja|custa|custam|tem|têm|que|algo|de|o|a|os|as|um|ainda|nem|"
            "nada|bem|com|em|"
            "por|e|há|gastar|pesa|comer|dormir|fazer|demora|mais ou|usa|usam|gasta|bastante)",
        ),
        never_before=(
            "(de|que|mal|caro|cara|caros|caras|tempo|dinheiro|gordura|açúcar|sal|calorias|provável|conhecido|"
            "conhecidos|conhecida|conhecidas|comum|comuns|ainda|importante|gente|\\d*)",
        ),
    ),
    *cues(
        Kind.LIST,
        "não {name} :: notebook para estudar, mas não Apple",
        "não (o|os|um|uma|uns|umas|do|da|dos|das|de|com|em|sobre|no|na|ao|à) {x} :: Queria saber mais sobre Fernando"
        " Pessoa,"
        " mas não os heterónimos, se faz favor.",
        "não (a|as) {x} :: pratos da Índia, mas não as lentilhas",
        never_before=_VERBS_AFTER_NAO,
    ),
    *cues(
        Kind.LIST,
        "não {x} :: animais para apartamento, mas não gatos",
        only_after=("(mas|porém|e|só|por favor)",),
        never_before=_VERBS_AFTER_NAO,
    ),
    *cues(
        Kind.LIST,
        "não (o|a|os|as|um|uma) {x} :: apple a fruta não a marca",
        at=ANYWHERE,
        only_after=("(o|a|os|as|um|uma) *",),
        never_before=_VERBS_AFTER_NAO,
        never_after=("(é|são|era|eram|está|por que|porque|se|quando|que|quem|como|tem|há) ...",),
    ),
    *cues(
        Kind.LIST,
        "(de jeito nenhum|de forma alguma|de modo algum|de maneira nenhuma|em caso algum|em hipótese alguma|nem"
        " pensar em) {x} ::"
        " Aprender um instrumento, mas de jeito nenhum a flauta",
        "nem {x} :: Ideias para jantar, nem massa nem arroz",
        "nada <de> {x} :: Filmes brasileiros, nada de Tropa de Elite por favor",
        "nada (com|sobre|em|que seja|que tenha|a ver com|que tenha a ver com|relacionado com|relacionado a) {x} ::"
        " séries para"
        " crianças, nada com dragões",
        "(nenhum|nenhuma) {x} :: filmes para crianças, nenhum da Disney",
        "(tampouco|também não) {x} :: sobremesas de verão, também não gelado",
        "tudo menos {x} :: esportes de equipe, tudo menos futebol",
        never_after=("(de jeito|de maneira|de modo)",),
        never_before=(
            "(mais|menos|novo|particular|especial|ideia|sequer|problema|se|me|demais|mal|que|todo|todos|todas|sempre|"
            "tudo|eu|quero|posso|é)",
        ),
    ),
    *cues(
        Kind.LIST,
        "sem {x} :: Presentes para crianças, mas sem telas",
        only_after=("(mas|porém|de preferência|melhor|sempre)",),
        never_before=(
            "(fio|fios|dúvida|que|pagar|ter|fazer|ir|usar|perder|gastar|saber|poder|sair|deixar|querer|comer|dormir|"
            "problema|problemas|limite|limites|fim|nenhum|precisar|glúten|pressa)",
        ),
    ),
    *cues(
        Kind.CLAUSE,
        "(os|as|meu|minha) [meus|minhas|nossos] (filhos|crianças|miúdos|mulher|marido|filho|filha|mãe|pai|pais|amigos|convidados) (odeiam|odeia|detestam|detesta|não comem|não come|não gostam|não gosta|não bebem|não bebe) [<de>] {x} :: Jantares rápidos. Os meus filhos detestam brócolos.",
        personal=True,
    ),
    *cues(
        Kind.CLAUSE,
        "{x} [<eu>] <known> ... :: O que ver em Lisboa? Belém eu já conheço.",
        "{x} [<eu>|por favor] <refused> ... :: Aves da Amazônia. As araras pode deixar de fora.",
        "{x} já (*mos|comi|*ei|bebi|tive|fizemos) ... :: receitas de outono, sopa já comemos três vezes",
        "{x} [eu] já (*ei|*i|*imos|*amos|*emos|conheço|sei) ... :: Como funcionam os juros? A parte dos juros"
        " compostos já entendi.",
        "{x} não (me|nos|lhe) (interessa|interessam|agrada|agradam|apetece|serve|servem|convém|atrai|atraem) ... ::"
        " Viagem ao Japão,"
        " Tóquio não nos interessa",
        "{x} (não me preocupa|não me preocupam|não é problema|não são problema|não vem ao caso|não é o tema) ... ::"
        " Como me preparo"
        " para uma entrevista? A roupa não me preocupa.",
        "{x} (está|estão|fica|ficam) (fora|de fora|descartado|descartada|descartados|descartadas|excluído|excluídos|"
        "excluída) ... ::"
        " Animais para alérgicos, gatos estão fora",
        "não (precisa|precisas|é preciso|é necessário) (falar|mencionar|incluir|citar|explicar|de falar|de"
        " mencionar) [<de>|sobre] {x}"
        " :: Resuma a Revolução. Não precisa falar de Robespierre.",
        "<drop> {x} :: Aves da Amazônia, dispenso as araras",
        "(deixa|deixe|deixem) {x} (de fora|de lado|pra lá|para lá) :: História de Portugal, deixa o Salazar de lado",
        "[eu|nós|a gente] (já conheço|já conhecemos|já vi|já li|já visitei|já experimentei|já tentei|já fiz|já tenho|"
        "já sei|já"
        " estive em|já estive no|já estive na|já fui a|já fui ao|já fui à|já visitámos|já visitamos|já fomos a|já fomos ao|já"
        " fomos à|já vimos|já fizemos) [tudo sobre|<de>] {x} :: O que ver em"
        " Lisboa? Já"
        " conheço Belém.",
        "(não|nem) [me|nos] <tell> [me] [nada|mais] [<de>|sobre|em] {x} :: História do Brasil, não me fale de futebol",
        "[eu|nós] (não quero|não queremos|não busco|não procuro|não preciso de|não me interessa|não me interessam|"
        "não gosto|não"
        " suporto|não aguento|não como|não bebo|não posso comer) [nada <de>|nada com|mais|ver|saber|<de>] {x} ::"
        " Jantares"
        " rápidos. Não quero massa.",
        "já tem (muitos|muitas|demasiados|demasiadas|bastantes) {x} :: Um presente para a minha mãe, já tem muitos perfumes",
        "{x} já tem (muitos|muitas|que chegue|de sobra) :: Um presente para a minha mãe, perfumes já tem muitos",
        "(sou|somos) (alérgico|alérgica|intolerante) (a|ao|à|aos|às) {x} :: Sou alérgica a nozes, que sobremesas posso fazer?",
        "[estou|estamos|tô|já estou] (farto|farta|fartos|cansado|cansada|enjoado|enjoada|de saco cheio) <de> {x} ::"
        " Jantares"
        " rápidos, estou farto de massa",
        "chega <de> {x} :: Jantares rápidos, chega de massa",
        "(desde que|contanto que|basta que|só que) não (seja|sejam|tenha|tenham) {x} :: Carro usado, desde que não"
        " seja Fiat",
        "passo bem sem {x} :: Música para correr, passo bem sem funk",
    ),
    *cues(
        Kind.CLAUSE,
        "{x} não :: Presentes para o meu pai, gravatas não",
        never_after=("(que|quem|qual|porque|se|como|quando|ou|pois|já|ainda|por que|eu|isso|é|foi)",),
    ),
    *cues(
        Kind.RELATIVE,
        "que não (seja|sejam|fosse|fossem) [<de>|como|com] {x} :: quero trocar meu notebook, pode ser qualquer marca"
        " que não"
        " seja Apple",
        "que não (tenha|tenham) a ver com {x} :: História do Brasil que não tenha a ver com futebol",
        never_before=(
            "(muito|muita|tão|demais|caro|cara|caros|caras|difícil|difíceis|longo|longa|longos|longas|grande|grandes|"
            "picante|picantes|chato|chata|chatos|pesado|pesada|ruim|ruins|perigoso|perigosa|só|igual)",
        ),
    ),
)


def portuguese() -> Language:
    """The table of Portuguese."""
    return Language(
        code="pt",
        cues=(*_CUES, *HURRIED["pt"]),
        lists={**_LISTS, "choices": CHOICES["pt"]},
        signs=(*sign_phrases("pt", "exclusion"), *sign_phrases("pt", "negation")),
        shields=(
            *sign_phrases("pt", "harmless"),
            "(por que|porque|porquê|por quê|se|quando) ... (não|nunca|nada|ninguém)",
            "(por que|como|ou|e|pois|ainda|já|isso|eu|claro que|talvez|agora) não",
            "além (disso|disto|de tudo|do mais)",
            "(significa|quer dizer) ... (salvo|exceto|sem|menos)",
            "lá fora",
        ),
        facts=(
            "não [me|te|se|nos|lhe|o|a] <fact>",
            "(meu|minha|meus|minhas|seu|sua|o|a|os|as|um|uma|este|esta|nosso|nossa) (*) [*] não",
            "(o|a|os|as|meu|minha) ... (nunca|nada|ninguém|nenhum|nenhuma)",
            "nunca ... (se|chove|me)",
            "(posso|pode|podem|podemos|como|quanto|viver|viajar|dirigir|conduzir|tempo|possível|legal) ... sem",
            "sem (*ar|*er|*ir|ter|que)",
            "não (*ado|*ados|*ada|*adas|*ido|*idos|*ida|*idas)",
            "(ou|ainda|já|se eu) não",
            "menos",
            "fora (o|os|a|as) *",
            "(jogo|joga|jogar|deitar|deito|lá|de|por) fora",
        ),
        and_words=(
            "e",
            "bem como",
        ),
        or_words=("ou",),
        nor_words=("nem",),
        light=(
            "(o|a|os|as|um|uma|uns|umas|este|esta|estes|estas|esse|essa|aquele|aquela)",
            "(de|do|da|dos|das|sobre|com|em|no|na|nos|nas|ao|à|aos|às)",
            "[a] parte (de|do|da|dos|das|sobre|em que)",
            "(a parte|coisas|temas|assuntos|informações|detalhes|tudo|qualquer coisa) (de|do|da|sobre|relacionado com|"
            "relacionado a|que tenha a ver com)",
            "(outra vez|só|somente|sempre|mais|nenhum|nenhuma|nem|tampouco|também|falar de|de novo|qualquer)",
        ),
        light_after=(
            "(por favor|se faz favor|faz favor|pf|pfv|obrigado|obrigada|etc|e tal|e afins|ou algo assim|desta vez|"
            "dessa vez|claro|em particular|se possível|se der|né|tá|já|viu|valeu)",
        ),
        owned="{thing} de {owner}",
        empty=words(
            "isso isto aquilo o a os as esse essa esses essas ele ela eles elas eu tu você me te que quê tudo nada"
            " outro outra assim agora porque como já se ou melhor ainda claro"
        ),
        articles=words("o a os as um uma uns umas meu minha meus minhas este esta esse essa do da dos das"),
        prepositions=words(
            "de do da dos das a ao à em no na nos nas com para por pelo pela sobre entre desde até contra sem durante"
            " após"
        ),
        resumes=words("porque pois já se quando embora como que para por"),
        auxiliaries=words(
            "é são era eram foi foram está estão tem têm tinha pode podem deve devem vai vão há será serão faz fazem"
            " sabe quer querem"
        ),
        verbs=words(
            "produzem produz contêm contém ajudam ajuda existe existem vivem vive falam fala causam causa provocam"
            " provoca crescem cresce jogam joga usam usa ganharam ganhou pertencem merecem merece valem vale custam"
            " custa comem come bebem bebe servem serve funcionam funciona participam afetam afeta recomenda recomendas"
            " paga pagam poluem polui fazem posso devo fizeram fez polinizam"
        ),
        question_words=phrases(
            "que, qual, quais, quem, como, quando, onde, quanto, quanta, quantos, quantas, por que, o que"
        ),
        subjects=words("eu tu você ele ela nós eles vocês se me"),
        requests=(
            "[me|você] (pode|podes|poderia|podia|podem|consegue) [me] [dizer|recomendar|explicar|dar|indicar|ajudar a "
            "encontrar|falar de|falar sobre|sugerir] [um|uma|uns|umas|algum|alguma|alguns|algumas]",
            "[e] [me] (resuma|resume|diga|diz|dê|dá|recomende|recomenda|fale|fala|conte|conta|explique|explica|mostre|"
            "mostra|sugira|sugere|indique|indica|liste|lista|diga-me|diz-me|dá-me|fala-me|explica-me|conta-me|"
            "sugere-me|recomenda-me|mostra-me|mostre-me|indica-me|conta-me) [me] [algo] [de|do|da|dos|das|sobre] [o|"
            "a|os|as|um|uma|uns|umas|algum|alguma|"
            "alguns|algumas]",
            "[eu] (procuro|busco|preciso|quero|queria|gostaria|gostava|estou procurando|estou à procura|estou a "
            "procurar|queremos) [de] [saber mais|saber|aprender|encontrar|conhecer|comprar|ler|ver|informações] [de|"
            "sobre] [o|a|os|as|um|uma|uns|umas|algum|alguma|alguns|algumas]",
        ),
        courtesies=(
            "(por favor|se faz favor|faz favor|pf|pfv|obrigado|obrigada|muito obrigado|muito obrigada|desde já "
            "obrigado|valeu|olá|oi|bom dia|boa tarde|boa noite|ok|bom|então|agradeço|grato|grata|abraço|abraços)",
        ),
        elsewhere=(
            "mais",
            "senão",
        ),
        leads=phrases(
            "mas, e, também, por favor, só, melhor, além disso, porém, contudo, tudo, todos, todas, qualquer coisa,"
            " qualquer, qualquer uma, qualquer um, de preferência, sobretudo, e sim, desta vez, dessa vez, ou seja,"
            " principalmente"
        ),
        alternatives=("(ou então|ou em alternativa|em alternativa|senão)",),
        opens_sentence=words(
            "que qual quais quem como quando onde quanto por me não mas e quero preciso procuro o a as os eu"
        ),
        abbreviations=words("etc sr sra dr dra av núm pág p ex aprox máx mín nº prof"),
        real_words=words("meno menus se em sem"),
        relatives=words("que quem onde cujo cuja qual quais"),
        copulas=words("é são era eram está estão"),
        particles=words("de do da dos das e a o à são"),
        inner_prepositions=words("de do da dos das a ao à em no na com sobre"),
        empty_subjects=("há",),
        opens_clause=(
            "(que|o que|qual|quais|quem|como|quando|onde|quanto|quantos|quantas|por que|pode|podes|poderia|me fala|"
            "fala|diz|diga|conta|explica|recomenda|procuro|quero|queria|preciso|gostaria)",
        ),
        asked=(
            "(diga|diz|dê|dá|recomende|recomenda|fale|fala|conte|conta|explique|explica|me|pode|podes|procuro|quero|"
            "queria|preciso)",
        ),
        reasons=(
            "[isso|esse|essa|esses|essas|que|<eu>] (<known>|<refused>)",
            "(porque|pois|já que|que já|que não|já|é muito|são muito|muito|demais|sou alérgico|sou alérgica|não me|"
            "não gosto|estou|enjoei|cansei|isso já|todo mundo|toda a gente)",
        ),
        things=(
            "(que|o que|quais|qual|onde) [*] [*] (posso|podemos|pode|podem|cozinho|preparo|há|recomendas|recomenda)",
            "(ideias|receitas|sugestões|recomendações|recomenda-me|procuro)",
        ),
        wishes=("(procuro|quero saber|queria saber|preciso|gostaria|quais|qual|o que)",),
        spelling=words("exceto excepto exceção excluindo tirando"),
        pairs=("(preto e branco|sal e pimenta|guerra e paz|frutas e legumes)",),
        only=("(nada|ninguém|nenhum|nenhuma) [mais|outro|outra] (que|exceto|salvo|senão|a não ser)",),
        refers_back=("(o mesmo|a mesma|os mesmos|as mesmas)",),
        pairs_are_names=False,
    )
