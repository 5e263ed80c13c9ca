"""Hurried questions in Romance languages: things to choose from, and what is refused after them, without a comma."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from logical_retriever.transform.languages.table import ANYWHERE, Cue, Kind, cues, phrases

CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "fr": phrases(
            "recettes, idées, plats, desserts, repas, dîners, entrées, gâteaux, soupes, salades, cocktails, restaurants, restos,"
            " bars, hôtels, campings, films, séries, livres, romans, bd, chansons, podcasts, cadeaux, jeux, activités,"
            " sorties, balades, randonnées, randos, plages, vols, vacances, voyages"
        ),
        "es": phrases(
            "recetas, ideas, platos, postres, comidas, cenas, desayunos, tapas, tartas, sopas, ensaladas, cócteles,"
            " restaurantes, bares, hoteles, películas, pelis, series, libros, novelas, canciones, podcasts, regalos,"
            " juegos, actividades, planes, excursiones, rutas, playas, vuelos, vacaciones, viajes"
        ),
        "it": phrases(
            "ricette, idee, piatti, primi, secondi, contorni, dolci, antipasti, pranzi, cene, torte, zuppe, insalate,"
            " cocktail, ristoranti, locali, hotel, alberghi, film, serie, libri, romanzi, canzoni, podcast, regali, giochi,"
            " attività, gite, escursioni, spiagge, voli, vacanze, viaggi"
        ),
        "pt": phrases(
            "receitas, ideias, pratos, sobremesas, refeições, jantares, almoços, lanches, bolos, sopas, saladas,"
            " restaurantes, bares, hotéis, filmes, séries, livros, romances, músicas, podcasts, presentes, prendas,"
            " jogos, atividades, passeios, trilhos, trilhas, praias, voos, férias, viagens"
        ),
    }
)
"""Things that are asked for in the plural: what follows is about these and states nothing."""

# What is asked for may be praised for lacking it: "hôtels pas de frais", "ricette niente forno".
_LACKING: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "fr": (
            "[de|d'] (four|cuisson|frais|caution|acompte|visa|passeport|pub|pubs|publicité|inscription|réservation|wifi|"
            "internet|son|paroles|texte|argent|attente|stress|prise de tête|matériel|expérience|quoi|quelqu'un|chance|mal|"
            "réseau|problème*|souci*|limite*|supplément*|engagement|sous-titres|téléchargement|compte|mise à jour)",
            "[de|d'] (neige|pluie|soleil|vent|voiture|permis|vélo|diplôme|bac|temps|panique|saison|mon|ma|mes|ton|ta|tes|notre|ce|"
            "cette|ces)",
        ),
        "es": (
            "[de] (horno|cocinar|cocción|gastos|depósito|fianza|visado|pasaporte|anuncios|publicidad|registro|reserva|wifi|"
            "internet|sonido|letra|dinero|espera|estrés|material|experiencia|nada|problema*|límite*|suplemento*|subtítulos|"
            "descarga*|cuenta|particular|especial|nuevo|raro|caro*|complicado*|más|que|lo que|eso)",
            "[de] (nieve|lluvia|sol|viento|coche|carné de conducir|título|tiempo|pánico|mi|mis|tu|este|esta|esto|todo)",
        ),
        "it": (
            "[di|da] (forno|cottura|spese|caparra|deposito|visto|passaporto|pubblicità|registrazione|prenotazione|wifi|"
            "internet|audio|testo|soldi|attesa|stress|materiale|esperienza|male|problem*|limit*|supplement*|sottotitoli|"
            "download|account|che|di che|di speciale|di particolare|di nuovo|di complicato|altro|da fare|da vedere)",
            "[di] (neve|pioggia|sole|vento|auto|macchina|patente|diploma|tempo|panico|mio|mia|questo|questa|stop|profit|limits|"
            "vax|logo|global|way|comment|fly|frost)",
        ),
        "pt": (
            "[de] (forno|cozinhar|custos|taxas|caução|depósito|visto|passaporte|anúncios|publicidade|registo|cadastro|"
            "reserva|wifi|internet|som|letra|dinheiro|espera|stress|estresse|material|experiência|nada|problema*|limite*|"
            "suplemento*|legendas|download*|conta|especial|novo|caro*|complicado*|mais|que|isso)",
            "[de] (neve|chuva|sol|vento|carro|carta|diploma|tempo|pânico|meu|minha|teu|este|esta)",
        ),
    }
)
_STATES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "fr": "(ne|n'*|est|sont|a|ont|ai|c'est|il|elle|on|j'*|je|qui|que|qu'*|pourquoi|quand|si|mon|ma|mes|ou|y|plus)",
        "es": "(no|es|son|está|están|hay|ha|han|tengo|tiene|tienen|que|por qué|cuando|si|mi|mis|o|se|me|sabe|saben|pasa)",
        "it": "(non|è|sono|ha|hanno|c'è|ho|che|perché|quando|se|mio|mia|miei|o|si|mi|ci|sa|serve|servono|fa|fanno)",
        "pt": "(não|é|são|está|estão|há|tem|têm|tenho|que|porque|por que|quando|se|meu|minha|ou|me|sabe|fazem|faz)",
    }
)
_REFUSED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "fr": "pas (de|d') {x} :: recettes faciles pas de poisson",
        "es": "nada de {x} :: cenas fáciles nada de pescado",
        "it": "(niente|no) {x} :: ricette veloci niente pesce",
        "pt": "nada de {x} :: receitas fáceis nada de peixe",
    }
)

HURRIED: Final[Mapping[str, tuple[Cue, ...]]] = MappingProxyType(
    {
        code: cues(
            Kind.LIST,
            refused,
            at=ANYWHERE,
            fragment=True,
            only_after=("<choices> ...",),
            never_before=_LACKING[code],
            never_after=(f"{_STATES[code]} ...", _STATES[code], f"... {_STATES[code]} ..."),
        )
        for code, refused in _REFUSED.items()
    }
)
