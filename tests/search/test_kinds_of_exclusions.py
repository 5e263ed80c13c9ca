"""What people ask for without something, by kind, with the real encoder: what stays, and what goes.

Each line stands for a report or a habit of other tools. The passages were labelled before anything was searched.
"""

import pytest
from verifying import encoder

from logical_retriever import InMemoryStore, LogicalRetriever, StoredDocument

OTHERS = [
    "The museum opens at ten and is closed on Mondays.",
    "Whisk the eggs with sugar until they are pale.",
    "The committee meets on the first Tuesday of the month.",
    "Snow is expected above eight hundred metres.",
    "Her first novel was translated into nine languages.",
    "A bicycle chain should be oiled now and then.",
]
FLATS = {
    "Two-room flat with a sunny balcony, near the station.": "goes",
    "Bright flat, three rooms, no balcony, quiet courtyard.": "stays",
    "Flat on the second floor. Balcony: none. Lift: yes.": "stays",
    "Furnished flat by the river, rent includes heating.": "stays",
}
JOBS = {
    "Cook wanted. Weekend shifts every second week.": "goes",
    "Cook wanted for a canteen, no weekend shifts, closed in August.": "stays",
    "Cook for a school kitchen, Monday to Friday until three.": "stays",
}
CAKES = {
    "Carrot cake with walnuts and cream cheese frosting.": "goes",
    "Lemon cake without walnuts, ready in an hour.": "stays",
    "Walnut-free chocolate cake for children's parties.": "stays",
    "Sponge cake with raspberries.": "stays",
}
SOFAS = {
    "This couch seats three and has a washable cover.": "goes",
    "A sofa in oak and linen for small living rooms.": "stays",
    "How to clean a leather sofa.": "stays",
}
PLANETS = {
    "Venus is hidden by clouds of sulphuric acid.": "goes",
    "Mercury is the planet nearest to the sun.": "stays",
    "Probes that visited Mercury mapped its craters.": "stays",
}
NOTES = {
    "Changelog: version two renames three options.": "goes",
    "Docs of the search page: how to sort and filter results.": "stays",
    "The search of these docs finds words in headings first.": "stays",
}
LANGUAGES = {
    "Python lists grow as elements are appended.": "goes",
    "Java classes are compiled to bytecode.": "stays",
    "Generics were added to Java in its fifth version.": "stays",
}
YOGA = {
    "Online yoga for beginners, live on Tuesdays.": "goes",
    "Yoga in the studio on Mill Road, no online classes.": "stays",
    "Hatha yoga in the park, bring a mat.": "stays",
}
COOKS = {
    "Cook for a hotel kitchen, a diploma in catering is required.": "goes",
    "Cook for a care home, no diploma needed, training on the job.": "stays",
    "Cook for a mountain hut, from May to October.": "stays",
}
PODCASTS = {
    "A podcast on the history of chess, with advertising between the chapters.": "goes",
    "A podcast on the history of tea, free of advertising.": "stays",
    "A podcast on the history of bridges, weekly.": "stays",
}
SOUPS = {
    "Pumpkin soup with garlic and thyme.": "goes",
    "Leek soup, vegan, made without garlic.": "stays",
    "Tomato soup with basil.": "stays",
}
MIGRAINE = {
    "Aspirin, taken early, helps with an attack of migraine.": "goes",
    "Triptans are the first choice for migraine, rest in the dark helps.": "stays",
    "Regular sleep makes attacks of migraine rarer.": "stays",
}
GARDENS = {
    "Gardening for beginners: when to sow and when to prune.": "goes",
    "Chess openings for beginners.": "stays",
    "How to mend a bicycle tyre.": "stays",
}


def over(texts, **settings):
    return LogicalRetriever.from_texts([*texts, *OTHERS], encoder(), **{"k": len(texts), **settings})


CASES = [
    # What says that it has not the thing is the best answer there is.
    *(('"flat" AND NOT "balcony"', FLATS), ('"job as a cook" AND NOT "weekend shifts"', JOBS)),
    *(('"cake" AND NOT "walnuts"', CAKES), ("cook jobs but not weekend shifts", JOBS)),
    # The same in people's own words: what a thing must not have, be or need.
    *(("flat without a balcony", FLATS), ("yoga classes that are NOT online", YOGA)),
    *(("jobs as a cook not requiring a diploma", COOKS), ("history podcasts without advertising", PODCASTS)),
    *(("garlic-free soup", SOUPS), ("what helps with migraine, documents that do not contain aspirin", MIGRAINE)),
    # Nothing but an exclusion.
    *(("-gardening", GARDENS), ("NOT gardening", GARDENS), ("anything but gardening", GARDENS)),
    # The wish and what is excluded are nearly synonyms.
    *(('"sofa" AND NOT "couch"', SOFAS), ("sofa -couch", SOFAS)),
    # A bare NOT, an option of the command line.
    ("mercury NOT venus", PLANETS),
    ("search docs --no changelog", NOTES),
    # One is excluded and the other kept.
    ("not python and java", LANGUAGES),
]


@pytest.mark.parametrize(("asked", "texts"), CASES, ids=[asked for asked, _ in CASES])
def test_what_has_it_goes_and_what_says_it_has_not_stays(asked, texts):
    retriever = over(texts, k=99)
    result = retriever.search(retriever.transformer.transform(asked))
    shown, out = [one.text for one in result.documents], {one.text for one in result.left_out}
    assert {text for text, label in texts.items() if label == "goes"} == out & set(texts)
    assert {text for text, label in texts.items() if label == "stays"} == set(shown) & set(texts)
    assert shown[0] in texts or texts is GARDENS


def test_the_reason_quotes_the_sentence_that_says_so():
    result = over(FLATS).search('"flat" AND NOT "balcony"')
    [out] = result.left_out
    assert out.reason == "has it: 'Two-room flat with a sunny balcony, near the station.'"
    assert (out.term, out.verdict.has > 0.8) == ('"balcony"', True)
    shown = {one.text: str(one.decisions["balcony"]) for one in result.documents}
    assert shown["Flat on the second floor. Balcony: none. Lift: yes."] == "says it has none: 'Balcony: none.'"
    assert shown["Furnished flat by the river, rent includes heating."] == "does not name it"


def test_a_text_that_is_stored_three_times_is_shown_three_times():
    copies = ["Bright flat, three rooms, no balcony, quiet courtyard."] * 3
    result = over([*copies, *list(FLATS)[:1]], k=3).search('"flat" AND NOT "balcony"')
    assert [one.text for one in result.documents] == copies


def test_metadata_may_be_excluded_too():
    documents = [StoredDocument(text, text, {"floor": place}) for place, text in enumerate(FLATS)]
    store = InMemoryStore(documents, encoder().embed_documents(list(FLATS)))
    result = LogicalRetriever(store, encoder(), k=4).search('"flat" AND NOT [floor = 2] AND NOT "balcony"')
    assert {one.metadata["floor"] for one in result.documents} == {1, 3}
