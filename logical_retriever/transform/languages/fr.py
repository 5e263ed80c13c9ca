"""French: articles and "de" are elided before what is excluded, and what is excluded often opens its own sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from logical_retriever.transform.languages.hurried import CHOICES, HURRIED
from logical_retriever.transform.languages.signs import sign_phrases
from logical_retriever.transform.languages.table import ANYWHERE, Cue, Kind, Language, cues, phrases, words

_LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "de": phrases("de, d', du, des, de la, de l', à, au, aux, à la, à l'"),
    "not": words("pas plus jamais rien personne aucun aucune que ni guère"),
    "known": phrases(
        "je connais, on connaît, nous connaissons, je connais déjà, on connaît déjà, je sais déjà, on sait déjà, je"
        " les connais, je le connais, je la connais, je connais par cœur, j'ai déjà vu, j'ai déjà lu, j'ai déjà fait,"
        " j'ai déjà essayé, j'ai déjà testé, j'ai déjà visité, j'y suis déjà allé, on y est déjà allés, on a déjà vu,"
        " on a déjà fait, on a déjà essayé, je l'ai déjà, je les ai déjà, j'ai déjà, on a déjà, on en a déjà, on l'a"
        " déjà, on les a déjà, j'en ai déjà, je l'ai déjà, nous avons déjà, nous en avons déjà, je suis déjà au"
        " courant, je suis au courant, je suis déjà, je m'y connais, c'est déjà fait, c'est bon, ça je connais, ça je"
        " sais, je maîtrise, tout le monde connaît, tout le monde sait"
    ),
    "refused": phrases(
        "j'en veux pas, j'en veux plus, je n'en veux pas, je n'en veux plus, je ne veux pas, je veux pas, on n'en"
        " veut pas, on en veut pas, j'aime pas, je n'aime pas, je déteste, ça ne m'intéresse pas, ça m'intéresse pas,"
        " ne m'intéresse pas, ne m'intéressent pas, m'intéresse pas, m'intéressent pas, on peut le laisser de côté, on"
        " peut la laisser de côté, on peut les laisser de côté, tu peux le laisser de côté, tu peux la laisser de"
        " côté, tu peux les laisser de côté, on peut oublier, tu peux oublier, on oublie, on laisse tomber, on évite,"
        " on zappe, j'en ai assez, j'en ai marre, ras le bol, non merci, merci mais non, très peu pour moi, je passe,"
        " on passe, n'en parle pas, n'en parlez pas, pas la peine d'en parler, inutile d'en parler, pas la peine,"
        " c'est non, ne compte pas, ne comptent pas, est exclu, est exclue, sont exclus, sont exclues, à éviter, à"
        " exclure, je m'en passe, je m'en passerai, on s'en passera, ça suffit, à proscrire, ne me tente pas, je n'en"
        " mange pas, je n'en bois pas, me donne de l'urticaire, tu peux sauter, on peut sauter"
    ),
    "drop": phrases(
        "oublie, oubliez, oublions, évite, évitez, évitons, exclus, excluez, ignore, ignorez, zappe, zappez, saute,"
        " sautez, épargne-moi, épargnez-moi, fais l'impasse sur, faites l'impasse sur, laisse, laissez, laissons,"
        " retire, retirez, enlève, enlevez, passe sur, passez sur, bannis"
    ),
    "tell": words(
        "parle parlez mentionne mentionnez cite citez évoque évoquez propose proposez recommande recommandez"
        " conseille conseillez montre montrez donne donnez inclus incluez aborde abordez mets mettez sors sortez"
        " suggère suggérez raconte racontez"
    ),
    "tell_inf": phrases(
        "parler, mentionner, citer, évoquer, proposer, inclure, aborder, compter, passer par, revenir sur, me parler,"
        " me proposer, développer, entrer dans"
    ),
}
# "rien sauf X" asks for X alone.
_REVERSED: Final = ("(rien|personne|aucun|aucune|nulle part|jamais) ...",)
_NOT_PAS: Final = (
    "(mal|seulement|encore|toujours|trop|très|forcément|besoin|cher|chère|chers|chères|plus|du tout|question|grave|"
    "vraiment|si|que|uniquement|nécessairement|mécontent|de problème|de souci|de soucis|possible|facile|évident|sûr|"
    "sûre|"
    "loin|moins|beaucoup|assez|tout|le temps|la peine|d'accord|de panique|d'idée|d'inspiration|le choix|normal|bon|"
    "bien|"
    "après|avant|à pas|grand|compliqué|tellement|comme|en mesure|possible)",
)

_CUES: Final[tuple[Cue, ...]] = (
    *cues(
        Kind.PHRASE,
        "{x} (excepté|exceptée|exceptés|exceptées|exclu|exclue|exclus|exclues|mis à part|mise à part|mises à part|à"
        " part) ::"
        " Les animaux de Madagascar, lémuriens exceptés",
    ),
    *cues(
        Kind.PHRASE,
        "(sauf|hormis|excepté|exceptée|exceptés|exceptées) {x} :: dolmens et menhirs de Bretagne sauf Carnac",
        never_before=("(si|que|erreur|imprévu|exception|avis|indication|mention|cas|erreurs|contre)",),
        never_after=_REVERSED,
        spares=True,
    ),
    *cues(
        Kind.PHRASE,
        "(à l'exception|a l'exception|à l'exclusion|a l'exclusion|exception faite|abstraction faite) <de> {x} ::"
        " sports d'hiver à l'exception du ski",
        "en dehors <de> {x} :: Qui a marqué l'histoire du rugby, en dehors des Néo-Zélandais ?",
        "(mis à part|mise à part|mis de côté) {x} :: Peintres français, mis à part Monet",
        "en (excluant|exceptant|laissant de côté|oubliant|évitant|omettant) {x} :: Impôts locaux, en excluant la"
        " taxe foncière",
        "sans (compter|parler de|parler du|parler des|parler d'|évoquer|mentionner|inclure|citer|aborder|passer par|"
        "tenir"
        " compte de|tenir compte du|revenir sur|entrer dans) {x} :: Parle-moi de Napoléon sans évoquer Waterloo",
        "(outre|en plus de|en plus du|en plus des) {x} :: Outre la France, quels pays produisent du vin ?",
    ),
    *cues(
        Kind.PHRASE,
        "(à part|a part) {x} :: Quelles villes d'Italie visiter à part Rome ?",
        never_before=("(ça|cela|entière|égale|égales|quelques)",),
    ),
    *cues(
        Kind.PHRASE,
        "hors {x} :: Les impôts locaux en France, hors taxe foncière",
        never_before=(
            "(d'|de|du|des|ligne|service|saison|sol|jeu|piste|sujet|série|classe|pair|bord|contrôle|connexion|forfait|"
            "concours|norme|normes|la loi|taxes|champ|gel|cadre)",
        ),
    ),
    *cues(
        Kind.PHRASE,
        "(autre|autres|d'autre|d'autres|autre chose) que {x} :: Les usages de l'intelligence artificielle en"
        " médecine autres que l'imagerie",
        "plutôt que {x} :: Des céréales plutôt que du riz",
        "au lieu <de> {x} :: Au lieu du café, que boit-on pour se réveiller ?",
        never_before=("(de|d')",),
    ),
    *cues(
        Kind.PHRASE,
        "(tout|tous|toutes|n'importe quoi|n'importe lequel|n'importe laquelle) (moins|excepté) {x} :: sports, tout"
        " excepté le foot",
    ),
    *cues(
        Kind.PHRASE,
        "que {x} :: Y a-t-il d'autres causes d'hypertension que le sel ?",
        only_after=("(d'autres|autres|d'autre|autre) (*) [*|de *|du *|d'*]",),
        only_before=("(le|la|les|l'*|du|des|de la|de l'*)",),
    ),
    *cues(
        Kind.LIST,
        "[surtout] pas {x} :: idées de cadeaux pour un ado de 14 ans, pas de jeux vidéo svp",
        "non [pas] {x} :: l'apple le fruit, non pas la marque",
        never_before=_NOT_PAS,
    ),
    *cues(
        Kind.LIST,
        "pas (le|la|les|l'|un|une) {x} :: apple le fruit pas la marque",
        at=ANYWHERE,
        only_after=("(le|la|les|l'|un|une) *",),
        never_after=("(est|sont|a|ont|était|ne|n'|n'est|n'a|n'ont|c'est|pourquoi|quand|si|qui|que) ...",),
    ),
    *cues(
        Kind.LIST,
        "en aucun cas {x} :: Apprendre un instrument, en aucun cas la flûte",
        "ni {x} :: Idées de repas pour bébé, ni carottes ni épinards",
        "rien (avec|sur|de|à|au|aux|contre|du|des|à base de|qui parle de|d'|en) {x} :: recettes de lentilles, mais"
        " surtout"
        " rien avec du curry",
        "(aucun|aucune) {x} :: Films pour enfants, aucun Disney",
        "jamais <de> {x} :: Idées de desserts, jamais de chocolat",
        "(pas question|hors de question|inutile|pas la peine) <de> {x} :: Activités pour ados, pas question de foot",
        "tout sauf {x} :: Musique pour travailler, tout sauf du jazz",
        never_before=("(de|d'|plus|moins|autre|tel|telle|mal|bon|idée|problème|souci|doute|cas|spécial|particulier)",),
    ),
    *cues(
        Kind.LIST,
        "sans {x} :: Gâteaux pour le goûter, mais sans chocolat",
        only_after=("(mais|si possible|de préférence|surtout|toujours|plutôt|svp)",),
        never_before=("(que|cesse|doute|arrêt|fil|avoir|être|faire|plus|trop|se|me|te|le|la|les|y|en)",),
    ),
    *cues(
        Kind.CLAUSE,
        "(mes|mon|ma|les|nos|notre) (enfants|fils|fille|filles|mari|femme|parents|amis|invités|ados|copains|mère|père) (détestent|déteste|n'aiment pas|n'aime pas|ne mangent pas|ne mange pas|ne supportent pas|ne supporte pas|n'aiment plus|ne boivent pas) [de|d'] {x} :: que cuisiner ce soir ? les enfants n'aiment pas le poisson",
        "(ils|elles|mais il|mais elle) (détestent|déteste|n'aiment pas|n'aime pas|ne mangent pas|ne mange pas|ne supportent pas|ne supporte pas) [de|d'] {x} :: idées de sortie avec des ados, ils détestent les musées",
        personal=True,
    ),
    *cues(
        Kind.CLAUSE,
        "{x} [ça|moi|eux|elles|lui|donc] <known> ... :: Que voir en Bretagne ? Saint-Malo, on connaît déjà.",
        "{x} [ça|moi|eux|elles|lui|donc] <refused> ... :: comment isoler des combles ? la laine de verre j'en veux pas",
        "{x} (ne|n') [me|m'|nous|m'y] (intéresse|intéressent|tente|tentent|dit|disent|convient|conviennent|compte|"
        "comptent|"
        "concerne|concernent) ... :: Voyage au Japon, Tokyo ne nous intéresse pas",
        "{x} (j'ai|je l'ai|je les ai|on a|on l'a|nous avons) (compris|bien compris|déjà *|saisi|essayé|vu|lu|testé|"
        "exclu) ... :: Les"
        " intérêts ? La partie sur les intérêts composés, j'ai compris.",
        "{x} (on l'a|on les a|je l'ai|je les ai|on en a|j'en ai|nous l'avons|nous les avons) ... :: Idées pour un anniversaire, la"
        " chasse au trésor on l'a faite l'an dernier",
        "{x} (s'abstenir|ce n'est pas la question|ce n'est pas le sujet|ce n'est pas le problème) ... :: Podcasts pour m'endormir,"
        " policiers s'abstenir",
        "{x} (est|sont) (à exclure|à éviter|hors de question|hors sujet|exclu|exclue|exclus|exclues|exclus d'office)"
        " ... :: Animaux"
        " pour allergiques, les chats sont exclus",
        "(pas besoin|inutile|pas la peine|pas nécessaire|pas utile) (de|d') [me] <tell_inf> [<de>|sur] {x} :: Résume"
        " la Révolution."
        " Pas besoin de parler de Robespierre.",
        "<drop> [de côté|tomber] {x} :: Donne-moi des exercices pour le dos ; épargne-moi le yoga.",
        "(laisse|laissez|laissons) {x} (de côté|tomber) :: Explique les Alpes. Laisse les glaciers de côté.",
        "(ne|n') [me|m'|nous] <tell> (pas|plus|rien|surtout pas) [sur|<de>] {x} :: Napoléon, mais ne parle pas de"
        " Waterloo",
        "[ne|n'] <tell> [moi] [surtout] pas {x} :: Villes de France, parle pas de Paris",
        "(inutile|pas la peine|pas besoin|évite|évitez|merci de ne pas|prière de ne pas|sans) (de|d') <tell_inf>"
        " [<de>|sur]"
        " {x} :: Histoire de Paris, inutile de parler de la Révolution",
        "(je ne supporte|je ne digère|je supporte|je ne veux|je ne cherche|je ne souhaite|je n'aime|je ne mange|je"
        " ne bois|je veux|je cherche|j'aime|on ne veut|nous"
        " ne voulons|je ne prends) (pas|plus|aucun|aucune|rien|ni) {x} :: Desserts d'été. Je ne veux pas de glace.",
        "(il|elle) a déjà (plein|trop|beaucoup|assez) (de|d'|des) {x} :: Un cadeau pour mon père, il a déjà plein de cravates",
        "(je suis|on est|nous sommes) (allergique|allergiques|intolérant|intolérante) (à|au|aux|à la) {x}"
        " :: Je suis allergique aux noix, quels desserts puis-je faire ?",
        "(mon|ma) * (m'a dit|m'a conseillé) d'éviter {x} :: Mon médecin m'a dit d'éviter le sel, que puis-je manger ?",
        "(j'en ai assez|j'en ai marre|assez|marre|ras le bol|fatigué|lassé) <de> {x} :: Idées de repas, marre des"
        " pâtes",
        "(je connais|on connaît|je maîtrise|nous connaissons) [déjà|bien|par cœur] {x} :: Que voir en"
        " Bretagne ? Je connais déjà Saint-Malo.",
        "(j'ai déjà lu|j'ai déjà vu|j'ai déjà fait|j'ai déjà essayé|j'ai déjà visité|on a déjà fait|on a déjà vu|on"
        " a déjà"
        " visité) {x} :: Romans de Zola. J'ai déjà lu Germinal.",
        "(pourvu|du moment|tant) que ce (ne soit|n'est|ne sont|soit) pas {x} :: Voiture d'occasion, du moment que ce"
        " n'est"
        " pas une Renault",
    ),
    *cues(
        Kind.RELATIVE,
        "qui ne (soit|soient|sont) pas (un|une|des|de|d'|du|de la|de l'|le|la|les|l'|en|à|au) {x} :: Des films de"
        " Spielberg"
        " qui ne soient pas de la science-fiction",
        "qui n'est pas (un|une|des|de|d'|du|de la|de l'|le|la|les|l'|en|à|au) {x} :: Une voiture qui n'est pas un SUV",
        "qui (soit|soient) (autre chose que|différent de|différents de|différentes de) {x} :: Un dessert qui soit"
        " autre chose"
        " que de la glace",
    ),
)


def french() -> Language:
    """The table of French."""
    return Language(
        code="fr",
        cues=(*_CUES, *HURRIED["fr"]),
        lists={**_LISTS, "choices": CHOICES["fr"]},
        signs=(*sign_phrases("fr", "exclusion"), *sign_phrases("fr", "negation")),
        shields=(
            *sign_phrases("fr", "harmless"),
            "(ne|n') ... que",
            "n'y a que",
            "(pourquoi|si|quand|lorsque) ... (ne|n'*|pas|plus|jamais|rien)",
        ),
        facts=(
            "(il|elle|ils|elles|ça|cela|on|c'*|mon|ma|mes|notre|nos|le|la|les|l'*|un|une|des|ce|cette|ces|son|sa|ses|"
            "quel|quelle|quels|quelles|que|qu'*|est-ce) ... (ne|n'*) ... <not>",
            "(je|j'*) (ne|n'*) (arrive|sais|ai|peux|comprends|trouve|suis|vois|crois|retrouve|*arrive|*ai) ... <not>",
            "(n'est|n'a|n'ont|n'est-ce|n'a-t-elle|n'a-t-il|n'arrive|n'ai) ... <not>",
            "<not> (ne|n'*)",
            "(peut-on|puis-je|peut|peux|pouvez|comment|combien|vivre|conduire|temps|possible|autorisé|interdit|légal) "
            "... sans",
            "sans (*er|*ir|*re|avoir|être|que)",
            "(ou) (pas|non)",
            "(non|pas) [encore|très|trop|si|assez] (*é|*és|*ée|*ées)",
        ),
        and_words=(
            "et",
            "ainsi que",
        ),
        or_words=("ou",),
        nor_words=("ni",),
        light=(
            "(le|la|les|un|une|des|du|de la|de l'|de|d'|au|aux|ce|cette|ces|cet)",
            "l'",
            "(tout ce qui|ce qui|tout) (concerne|touche à|a trait à|concerne les)",
            "[le|la] (sujet|thème|question|partie|cas) (de la|de l'|des|du|de|d')",
            "(choses|trucs|infos|informations|détails|sujet|partie) (sur|à propos de|concernant|liés à)",
            "(encore|toujours|surtout|même|uniquement|trop de|plus|avec|sur|à base de|en|à|celui de|celle de|ceux de|ceux|celles)",
        ),
        light_after=(
            "(svp|s'il te plaît|s'il vous plaît|stp|merci|etc|par exemple|et tout ça|ou autre|non plus|par pitié|de "
            "grâce|ça|si possible|cette fois|cette fois-ci|en particulier|bien sûr|évidemment|déjà|donc)",
        ),
        owned="{thing} de {owner}",
        empty=phrases(
            "ça, cela, ceci, le, la, les, lui, eux, elle, elles, ce, moi, toi, celui-ci, celle-ci, ceux-là, je, tu,"
            " il, on, nous, vous, ils, tout, rien, y, en, autre chose, quoi, qui, que"
        ),
        articles=words("le la les l' un une des du de d' mon ma mes ce cette ces cet"),
        prepositions=words(
            "de du des d' à au aux en dans sur pour par avec contre chez entre vers sous depuis pendant avant après"
            " sans"
        ),
        resumes=words("parce car puisque si quand lorsque donc afin pour comme"),
        auxiliaries=words(
            "est sont était étaient a ont avait avaient peut peuvent doit doivent fut furent sera seront va vont faut"
            " fait font n'est n'a n'ont sait veut veulent"
        ),
        verbs=words(
            "produisent produit contiennent contient aident aide existe existent vivent vit parlent parle causent"
            " cause provoquent provoque poussent pousse jouent joue utilisent utilise gagnent gagne appartiennent"
            " appartient méritent mérite valent vaut coûtent coûte mangent mange boivent boit permettent permet"
            " donnent donne offrent offre sert servent fonctionnent fonctionne marchent marche conseilles recommandes"
            " conseillez restent"
        ),
        question_words=words(
            "quel quelle quels quelles qui que qu' quoi où quand comment combien pourquoi lequel laquelle lesquels"
            " lesquelles qu'est-ce est-ce qu'y"
        ),
        subjects=words("je j'ai tu il elle on nous vous ils elles c'est y"),
        requests=(
            "(peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|vous pouvez|est-ce que tu peux|est-ce que vous "
            "pouvez|tu pourrais) [me|m'|nous] [bien] (dire|expliquer|conseiller|recommander|donner|trouver|parler|"
            "proposer|aider à trouver) [de|du|des|d'|de la|de l'|un|une]",
            "(je cherche|je voudrais|j'aimerais|je veux|on cherche|nous cherchons|je souhaite|il me faut|j'ai besoin|"
            "cherche|on voudrait) [à|de|d'] [savoir|comprendre|connaître|trouver|avoir|apprendre] [de|des|du|d'|un|"
            "une|le|la|les|l'|comment]",
            "[et|puis] (donne|donnez|résume|résumez|dis|dites|explique|expliquez|parle|parlez|raconte|racontez|"
            "conseille|conseillez|recommande|recommandez|trouve|trouvez|cite|citez|propose|proposez|montre|montrez|"
            "liste|donne-moi|donnez-moi|parle-moi|parlez-moi|raconte-moi|explique-moi|dis-moi|conseille-moi|"
            "recommande-moi|propose-moi|trouve-moi|montre-moi|cite-moi) [moi|nous] [de|du|des|d'|un|une|le|la|les|l'|"
            "de la|de l']",
        ),
        courtesies=(
            "(svp|stp|s'il te plaît|s'il vous plaît|merci|merci d'avance|merci beaucoup|bonjour|bonsoir|salut|coucou|"
            "hello|ok|oui|alors|bon|bref|dis|merci bien|cordialement|bonne journée|voilà)",
        ),
        elsewhere=(
            "d'autre",
            "sinon",
        ),
        leads=phrases(
            "mais, et, surtout, aussi, donc, par contre, sinon, en revanche, plutôt, si possible, de préférence,"
            " bref, alors, tout, toutefois, cependant, n'importe quoi, n'importe lequel, juste, enfin, par pitié, ou"
            " alors, même, certainement, absolument, vraiment, sûrement, évidemment"
        ),
        alternatives=("(ou alors|ou à défaut|à défaut|sinon)",),
        opens_sentence=words(
            "quel quelle quels quelles qui que où quand comment combien pourquoi est je j'ai mais et pas sauf donne"
            " parle il on tu"
        ),
        abbreviations=words("etc m mme mlle dr st ste av bd env p cf ex max min no art"),
        real_words=words("part par hors sûr sain sains non nid pas bas"),
        relatives=words("qui que qu' dont où lequel laquelle"),
        copulas=words("est sont était étaient"),
        particles=words("de du des la le les d' l' et"),
        inner_prepositions=words("de du des d' à au aux en sur dans"),
        empty_subjects=(
            "il",
            "y",
        ),
        opens_clause=(
            "(quel|quelle|quels|quelles|qui|que|qu'est-ce|où|quand|comment|combien|pourquoi|est-ce|peux-tu|"
            "pouvez-vous|je|j'ai|j'aimerais|il y a|y a-t-il|donne|donne-moi|donnez|parle|parle-moi|raconte|"
            "raconte-moi|explique|explique-moi|trouve|cite)",
        ),
        asked=("(donne|donnez|parle|parlez|raconte|explique|expliquez|peux|pouvez|je|j'aimerais|trouve|cite|propose)",),
        reasons=(
            "[ça|moi|celui-là|celle-là|ceux-là|elle|lui|eux] (<known>|<refused>)",
            "(parce que|car|puisque|vu que|c'est trop|trop|ça|j'ai horreur|j'en ai|je suis|j'y|on y|je n'|je ne|je "
            "déteste|c'est|il est|elle est|ils sont|elles sont|j'ai déjà|on a déjà|nous avons déjà|je connais|on "
            "connaît|allergique|déjà)",
        ),
        things=(
            "(quel|quels|quelle|quelles|où) [*] [*] [*] (puis-je|peut-on|pouvons-nous|faire|manger|cuisiner|préparer)",
            "(que|quoi) [puis-je|peut-on] (manger|cuisiner|préparer)",
            "(idées|recettes|conseils|suggestions|propose|je cherche)",
        ),
        wishes=(
            "(je cherche|je voudrais|j'aimerais savoir|je veux savoir|on cherche|propose|quel|quelle|quels|quelles)",
        ),
        spelling=words("excepté exceptés exceptées hormis exception"),
        pairs=("(sel et poivre|noir et blanc|guerre et paix|fruits et légumes)",),
        only=("(rien|personne|aucun|aucune) [d'autre|autre] (sauf|que|hormis|à part)",),
        refers_back=("(le même|la même|les mêmes)",),
        pairs_are_names=False,
    )
