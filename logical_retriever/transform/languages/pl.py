"""Polish: a short table. After "ale nie" stands a verb as often as a thing, so it counts only after what asks for things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from logical_retriever.transform.languages.signs import sign_phrases
from logical_retriever.transform.languages.table import Cue, Kind, Language, cues, phrases, words

_LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "not": words("nie nic nikt nigdy nigdzie żaden żadna żadne żadnych żadnego żadnej ani brak"),
    "wanted": phrases(
        "szukam, szukamy, poszukuję, polećcie, poleć, polecicie, polecacie, polecasz, polecą, podaj, zaproponuj,"
        " zaproponujcie, doradźcie, doradź, potrzebuję, chcę, chciałbym, chciałabym, przepisy, przepis, pomysły, pomysł,"
        " filmy, film, seriale, serial, książki, książka, książkę, książek, powieści, artykuły, gry, prezent, prezenty,"
        " prezentu, muzyka, muzykę, piosenki, restauracje, hotele, miasta, miast, kraje, miejsca, atrakcje, wycieczki,"
        " wakacje w, zwierzęta, rośliny, rowery, sporty, języki, desery, ciasta, ciasto na, sałatki, zupy, dania, obiad,"
        " na obiad, na kolację, potrawy, owoce, warzywa, zabawki, podcasty, opowiedz, napisz, opisz, jakie, jaki, jaką,"
        " które, gdzie, ćwiczenia, psy, rasy"
    ),
    "but": phrases(
        "ale, ale proszę, ale raczej, ale najlepiej, byle, tylko, raczej, najlepiej, proszę, poproszę, lecz, i, w żadnym"
        " razie, na pewno, absolutnie"
    ),
    "verb": words(
        "*ję *uje *ują *aje *ają *ieje *łem *łam *łeś *łaś *ował *owała *owali *cie *ć *się jest są był była było były"
        " ma mam mają może mogę mogą można wiem wie wiedzą chcę chce chcą działa działają umie umieją lubi lubię lubią"
        " musi muszę muszą trzeba wolno warto da daje widzi widać słychać boli robi robię robią idzie jedzie świeci"
        " pali zapala odpala gryzie szczeka śpi chodzi leci jem je jedzą pije piję będzie będą znam zna kocha ładuje"
        " włącza *am otwiera wychodzi przechodzi pomaga pomogło pisze mówi gra biega żyje rośnie rosną kwitnie"
    ),
    "adverb": words(
        "tylko tak taki taka takie takich za zbyt bardzo zawsze wszystko wszyscy wszystkie całkiem do końca od razu teraz"
        " dziś dzisiaj już jeszcze mniej więcej dłużej drogo tanio *szego *szej *ższy *ższa *ższe *jszy *jsza *jsze daleko długo szybko źle dobrze łatwo trudno drogie"
        " drogi droga długie długi ciężkie trudne skomplikowane słodkie ostre tłuste nudne duże wielkie małe straszne"
        " smutne głośne stare nowe każdy każda każde"
    ),
    "seen": phrases(
        "znam, znamy, widziałem, widziałam, widzieliśmy, czytałem, czytałam, przeczytałem, przeczytałam, byłem, byłam,"
        " byliśmy, próbowałem, próbowałam, próbowaliśmy, mamy, mam, zwiedziłem, zwiedziłam, zwiedziliśmy, oglądałem,"
        " oglądałam, robiłem, robiłam, robiliśmy, był, była, było, były, sprawdzałem, sprawdzałam"
    ),
}
# "nic oprócz X" asks for X alone, "wszystko działa oprócz X" says what is wrong, "czy oprócz X trzeba" adds to it.
_REVERSED: Final = (
    "(nic|nikt|nikogo|niczego|nigdzie|nigdy|żaden|żadna|żadne|żadnych|żadnego) ...",
    "(działa|działają|je|zjada|lubi|pije|boi) ...",
    "czy",
    "(trzeba|potrzeba|wymagane jest) (coś|czegoś)",
    "czy (muszę|mogę|potrzebuję|trzeba|można|powinienem|powinnam|mam|mają|warto|należy) ...",
)
_AFTER_WANTED: Final = ("<wanted> ... [<but>]", "<wanted> ... , [<but>]")
_ABSENT: Final = (
    "(innych|innego|innej|problemów|problemu|objawów|wątpliwości|zmian|pytań|bólu|gorączki|pieniędzy|czasu|ochoty|prądu|"
    "efektów|efektu|wyników|odpowiedzi|szans|pomysłu|pomysłów|dodatkowych|doświadczenia|wykształcenia|znajomości|razu|trochę)",
)

_CUES: Final[tuple[Cue, ...]] = (
    *cues(
        Kind.PHRASE,
        "(oprócz|prócz) {x} :: Jakie zwierzęta żyją w Puszczy Białowieskiej oprócz żubrów?",
        never_before=(
            "(tego|tych|tej|mnie|siebie|jednego|jednej|dwóch|ciebie)",
            "... (też|także|również|nikt|nic|nikogo)",
            "... , (nikt|nic|nikogo)",
        ),
        never_after=_REVERSED,
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "(oprócz|prócz|poza) {x} jeszcze :: Kto oprócz Lewandowskiego jeszcze grał w Bayernie?",
        never_before=("(tego|tych|tej|mnie|siebie|tym)",),
        never_after=_REVERSED,
    ),
    *cues(
        Kind.PHRASE,
        "(z|za) wyjątkiem {x} :: Miasta w Polsce z wyjątkiem Warszawy",
        "z (wyłączeniem|wylaczeniem|pominięciem) {x} :: Historia Rzymu z pominięciem cesarstwa",
        "(wyłączając|wylaczajac|wykluczając|pomijając|wyjąwszy) {x} :: Stolice Europy, wyłączając Londyn",
        "nie (licząc|wliczając|uwzględniając) {x} :: Języki programowania, nie licząc Javy",
        never_before=("(tego|tych|tej|fakt|faktu|to|już|kwestię|że|sytuacji|przypadków|... (też|także|również))",),
        never_after=_REVERSED,
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "poza {x} :: Poza Skłodowską-Curie, kto z Polaków dostał Nobla?",
        only_after=("^",),
        only_before=("... , (kto|co|jaki|jaka|jakie|jakich|które|który|która|gdzie|ile|czy)",),
        never_before=("(tym|sezonem|domem|pracą|szkołą|zasięgiem|kontrolą|prawem|siecią|godzinami|trasą)",),
    ),
    *cues(
        Kind.PHRASE,
        "poza {x} :: Co poza Wawelem warto zobaczyć w Krakowie?",
        only_after=("(co|kto|kogo|czego|gdzie|coś|inne|innego|wszystko|wszystkie|wszyscy|jeszcze)",),
        never_before=(
            "(tym|sezonem|domem|miastem|pracą|szkołą|zasięgiem|kontrolą|prawem|siecią|godzinami|trasą|granicami|granicą|"
            "krajem|unią|ue|europą|polską|budynkiem|mieszkaniem)",
        ),
        tight=True,
    ),
    *cues(
        Kind.LIST,
        "(tylko|byle|byleby|wszystko byle) nie [w|na|o|z|ze|do|od|dla] {x} :: przepisy z dynią, tylko nie zupa",
        fragment=True,
        never_before=("(<verb>|<adverb>)",),
    ),
    *cues(
        Kind.LIST,
        "nie [w|na|o|z|ze|do|od|dla] {x} :: Pomysły na prezent dla mamy, ale nie kwiaty",
        fragment=True,
        only_after=("<wanted> ... (ale|lecz) [raczej|na pewno]", "<wanted> ... , (ale|lecz) [raczej|na pewno]"),
        never_before=("(<verb>|<adverb>)",),
    ),
    *cues(
        Kind.LIST,
        "w żadnym (razie|wypadku) [nie] {x} :: Nauka gry na instrumencie, w żadnym razie flet",
        fragment=True,
        never_before=("(<verb>|<adverb>)",),
    ),
    *cues(
        Kind.LIST,
        "(żadnych|żadnego|żadnej) {x} :: Pomysły na obiad, żadnych ryb",
        "(nic|niczego) (o|z|ze|od|na temat|w stylu) {x} :: Powieści skandynawskie, nic o wojnie",
        "(ani|ani o|ani z) {x} :: Pomysły na obiad, ani ryba ani kurczak",
        fragment=True,
        only_after=_AFTER_WANTED,
        never_before=(*_ABSENT, "(<verb>|nie|tego|tych|nich|mną)"),
    ),
    *cues(
        Kind.LIST,
        "(żadnych|żadnego|żadnej) {x} :: Szukam filmu na wieczór. Żadnych horrorów.",
        "(nic|niczego) (o|z|ze|od|na temat|w stylu) {x} :: Szukam książki. Nic o wojnie, proszę.",
        asking=True,
        never_after=("(,|:|;|-|–|—)",),
        never_before=(*_ABSENT, "(<verb>|nie|tego|tych|nich|mną)"),
    ),
    *cues(
        Kind.LIST,
        "bez {x} :: Opowiedz mi o powstaniu warszawskim, ale bez Małego Powstańca",
        fragment=True,
        only_after=("<wanted> ... <but>", "<wanted> ... , <but>"),
        never_before=("(problemów|problemu|wątpliwości|sensu|przesady|wyjątku|tego|końca|przerwy|pośpiechu)",),
    ),
    *cues(
        Kind.CLAUSE,
        "{x} (odpada|odpadają) :: Szukam prezentu dla taty, książki odpadają",
        only_after=("(szukam|szukamy|polećcie|jakie|pomysły|prezent|wakacje) ... , [*] [*] *",),
    ),
    *cues(
        Kind.CLAUSE,
        "{x} już <seen> ... :: Co zobaczyć w Krakowie? Wawel już widziałem.",
        "{x} (mnie|nas) nie (interesuje|interesują) ... :: Wyjazd do Japonii, Tokio nas nie interesuje",
        "{x} (proszę|raczej|lepiej) nie :: Podcasty do zasypiania, kryminały raczej nie",
        personal=True,
    ),
    *cues(
        Kind.CLAUSE,
        "(pomiń|pomińmy|pomińcie|wyklucz|wykluczcie|unikaj|unikajcie|odpuść|daruj sobie|zignoruj|ignoruj) {x} :: Opowiedz"
        " o II wojnie światowej, pomiń Stalingrad",
        "nie (mów|mówcie|wspominaj|opowiadaj|pisz) [mi|nam] o {x} :: Opowiedz o starożytnym Egipcie, ale nie mów o"
        " piramidach",
        "nie (polecaj|polecajcie|proponuj|proponujcie|podawaj|dawaj) [mi|nam] {x} :: Seriale na weekend, nie polecajcie"
        " Wiedźmina",
        never_before=("(<verb>|że|żeby|o tym|już|niczego|nic|tego)",),
        personal=True,
    ),
    *cues(
        Kind.CLAUSE,
        "(nie chcę|nie chcemy|nie lubię|nie lubimy|nie jem|nie jemy|nie piję) [już|żadnych|żadnego] {x} :: Pomysły na"
        " obiad. Nie lubię ryb.",
        "(mam dość|mamy dość|mam dosyć|mamy dosyć) {x} :: Pomysły na obiad, mam dość makaronu",
        "(moje dzieci|dzieci|mój mąż|mąż|moja żona|żona) nie (lubią|lubi|jedzą|je|jada|jadają) {x} :: Co ugotować na"
        " obiad? Dzieci nie jedzą ryb.",
        never_before=("(<verb>|że|żeby|już|niczego|nic|dzieci|tego)",),
        never_after=("(ale|a|lecz)",),
        personal=True,
    ),
)


def polish() -> Language:
    """The table of Polish."""
    return Language(
        code="pl",
        cues=_CUES,
        lists=_LISTS,
        signs=(*sign_phrases("pl", "exclusion"), *sign_phrases("pl", "negation")),
        shields=(
            *sign_phrases("pl", "harmless"),
            "(dlaczego|czemu|z jakiego powodu) ... <not>",
            "nie (tylko|ma za co|ma sprawy|wiem|licząc się)",
            "(oprócz|prócz|poza) (tego|tym|nim|nimi)",
        ),
        facts=(
            "(gdy|kiedy|jeśli|jeżeli|jak|że|żeby|który|która|które|którzy|których|czy|bo|choć) ... <not>",
            "(ja|on|ona|oni|mój|moja|moje|mojego|nasz|nasza|kto|co|ktoś) ... <not>",
            "nie <verb>",
            "(czy|jak|ile|można|wolno|żyć|jeździć|jazda|mieszkać) ... bez",
            "(ale|i|lub|albo|czy) nie",
        ),
        and_words=words("i oraz a"),
        or_words=words("lub albo czy"),
        nor_words=words("ani"),
        light=(
            "(ten|ta|to|te|tych|tego|tej|jakiś|jakieś|jakichś|mój|moja|moje)",
            "(wszystko|coś|cokolwiek|słowa|słowo|rzeczy|informacje|wszystkie) (o|z|na temat|związane z|co dotyczy)",
            "(temat|tematu|temacie)",
            "(nie|o|z|ze|w|we|na|do|od|dla|samych|samego|tylko|znowu|znów|kolejnych|kolejnego|żadnych)",
        ),
        light_after=(
            "(proszę|dzięki|dziękuję|itp|itd|i tak dalej|oczywiście|tym razem|też|jednak|w ogóle|jeśli można|już)",
        ),
        empty=words(
            "ten ta to te tego tej tym tych nim nią nich ich ja ty my wy on ona oni co kto wszystko wszyscy nic"
            " coś tak nie tam tu inne inny więcej mnie siebie"
        ),
        articles=words("ten ta to te tego tej tych mój moja moje nasz nasza nasze"),
        prepositions=words(
            "z ze w we na do od dla o po przed przez przy pod nad za bez między u podczas według dzięki wśród obok bo"
        ),
        resumes=words("bo ponieważ gdyż kiedy gdy jeśli żeby więc choć"),
        auxiliaries=words(
            "jest są był była było były będzie będą ma mają mam miał miała może mogą mogę można musi muszą muszę trzeba"
            " wolno warto należy chce chcą powinien powinna powinno powinny zostało został została zostały"
        ),
        verbs=words(
            "żyją żyje pomaga pomagają rosną rośnie produkują produkuje zawierają zawiera grają gra grał grała używają"
            " używa powodują powoduje mówią mówi leżą leży kosztują kosztuje działają działa jedzą je piją pije zapylają"
            " zapyla dostał dostała dostali wygrał wygrała wygrali zdobył zdobyła zdobyli należą należy występują"
            " występuje polecasz polecacie znajdują znajduje obchodzi obchodzą pływają latają"
        ),
        question_words=words(
            "kto co kogo czego komu czemu jaki jaka jakie jakich jaką jakim który która które których którą gdzie kiedy"
            " jak ile dlaczego skąd dokąd czym czy"
        ),
        subjects=words("ja ty on ona my wy oni one"),
        requests=(
            "(czy możesz|czy możecie|możesz|możecie|czy mógłbyś|czy mogłabyś|czy ktoś może|mógłby ktoś) [mi|nam]"
            " (polecić|powiedzieć|wyjaśnić|podać|doradzić|zaproponować|pomóc znaleźć) [jakieś|jakiś]",
            "(poleć|polećcie|podaj|opowiedz|powiedz|wyjaśnij|zaproponuj|pokaż|znajdź|napisz|opisz|wymień|doradźcie|"
            "doradź) [mi|nam] [proszę] [coś|jakieś|jakiś] [o|na temat]",
            "(szukam|szukamy|poszukuję|potrzebuję|potrzebujemy|chcę|chciałbym|chciałabym|interesuje mnie) [kupić|znaleźć|"
            "dowiedzieć się|wiedzieć|poczytać] [czegoś|jakiegoś|jakiejś|jakichś] [o|na temat]",
        ),
        courtesies=(
            "(proszę|dzięki|dzięki z góry|dziękuję|z góry dziękuję|z góry dzięki|cześć|hej|witam|dzień dobry|dobry"
            " wieczór|ok|okej|tak|no|pozdrawiam|pozdro)",
        ),
        elsewhere=("jeszcze",),
        leads=phrases(
            "ale, i, oraz, też, także, tylko, raczej, najlepiej, proszę, poproszę, byle, lecz, no, po prostu, zwłaszcza,"
            " jednak, a, absolutnie, na pewno, może być wszystko, obojętnie co"
        ),
        alternatives=("(albo ewentualnie|ewentualnie|lub ewentualnie)",),
        opens_sentence=words("kto co jaki jaka jakie gdzie kiedy jak ile dlaczego czy szukam chcę nie ale poleć podaj"),
        abbreviations=words("np itp itd m.in min max dr prof ul r w tys mln zł nr św tzw ok godz"),
        relatives=words("który która które których którą którzy co gdzie"),
        choosing=words("który która które jakie jaki jaka"),
        copulas=words("jest są był była było były"),
        kinds=words("fajne dobre najlepsze ciekawe tanie ładne inne jakieś"),
        own=words("mój moja moje nasz nasza"),
        inner_prepositions=words("z ze w we na do od o"),
        opens_clause=(
            "(kto|co|jaki|jaka|jakie|jakich|który|która|które|gdzie|kiedy|jak|ile|dlaczego|czy|szukam|szukamy|chcę|poleć|"
            "polećcie|podaj|opowiedz|proszę podać)",
        ),
        asked=("(podaj|opowiedz|poleć|polećcie|wymień|napisz|szukam|chcę|możesz)",),
        reasons=(
            "(bo|ponieważ|gdyż|mam uczulenie|jestem|jesteśmy|już|nie lubię|nie znoszę|mam|mamy|za drogo|tam byliśmy|tam"
            " byłem|tam byłam)",
        ),
        wishes=("(szukam|szukamy|potrzebuję|chciałbym|chciałabym|polećcie|poleć|podaj|jakie)",),
        spelling=words("wyjątkiem"),
        pairs=("(sól i pieprz|wojna i pokój|biel i czerń)",),
        only=("(nic|nikt) [innego|inny] (oprócz|poza|jak|niż)",),
        refers_back=("(ten sam|ta sama|to samo|te same)",),
        things=("(co (ugotować|zrobić|zjeść|kupić)|pomysły|przepisy|jakie|polećcie|poleć|szukam)",),
        capitals_are_names=False,
        pairs_are_names=False,
    )
