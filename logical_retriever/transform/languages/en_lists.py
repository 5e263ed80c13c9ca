"""Word lists of the English cues: ``<talk>`` in a pattern is any of these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "dont": ("do not", "don't", "dont", "does not", "doesn't", "doesnt"),
    "isnt": ("is not", "isn't", "isnt", "are not", "aren't", "arent"),
    "no": ("not", "no", "never", "none", "nothing", "nobody", "neither", "nor", "cannot", "without", "hardly")
    + ("rarely", "can't", "don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "won't", "hasn't"),
    "facts": ("information", "info", "detail", "details", "data", "facts", "specifics", "content", "contents"),
    "mention": ("mention", "mentions", "mentioning", "reference", "references", "discussion", "discussions", "regard")
    + ("consideration", "inclusion", "coverage", "description", "descriptions"),
    "about": ("about", "of", "on", "to", "for", "from", "regarding", "concerning", "related to", "relating to")
    + ("pertaining to", "surrounding", "involving", "connected to", "connected with", "linked to"),
    "topic": ("about", "on", "regarding", "concerning", "related to", "relating to", "pertaining to", "to do with"),
    "kind": ("specific", "further", "other", "detailed", "additional", "more", "particular", "relevant"),
    "own": ("his", "her", "its", "their"),
    "be": ("is", "are", "was", "were", "be", "been", "being"),
    "can": ("can", "could", "may", "might", "must", "will", "would", "should", "shall"),
    "do": ("do", "does", "did", "have", "has", "had"),
    "wh": ("what", "which", "who", "whose", "where", "when", "why", "how"),
    "adjective": ("*ed", "*able", "*ible", "*ful", "*less", "*ous", "*ive", "*ic", "*ish", "*ing", "*ant", "*ent")
    + ("safe", "legal", "native", "official", "sure", "true", "free", "open", "public", "afraid", "aware", "own"),
    "talk": ("mention", "discuss", "reference", "refer to", "talk about", "speak about", "speak of", "bring up")
    + ("touch on", "touch upon", "go into", "get into", "delve into", "dive into", "dwell on", "dwell upon")
    + ("elaborate on", "focus on", "concentrate on", "consider", "tell me about", "tell me anything about")
    + (
        "repeat",
        "explain",
        "rehash",
        "retell",
        "go over",
        "go through",
        "spend time on",
        "waste time on",
        "quote",
        "cite",
    )
    + ("define", "describe", "send me", "send", "show me", "give me", "tell me", "point me to", "offer", "offer me")
    + ("bother with", "bother me with", "start with", "start on", "go on about", "point me to", "suggest"),
    "talking": ("mentioning", "discussing", "referencing", "referring to", "referring back to", "talking about")
    + ("speaking about", "speaking of", "bringing up", "touching on", "touching upon", "touching up on", "going into")
    + ("getting into", "delving into", "diving into", "dwelling on", "dwelling upon", "elaborating on", "focusing on")
    + ("focussing on", "focusing too much on", "concentrating on", "considering", "including", "inquiring about")
    + ("asking about", "explaining", "describing", "listing", "naming", "citing", "counting", "repeating")
    + ("exploring", "detailing", "commenting on", "revealing", "giving away", "making mention of")
    + ("making any mention of", "making reference to", "making any reference to", "giving any mention of"),
    "list": ("include", "involve", "provide", "give", "list", "name", "cover", "add", "show", "present", "return")
    + ("contain", "use", "suggest", "recommend"),
    "drop": ("exclude", "omit", "ignore", "disregard", "leave out", "leave aside", "skip", "skip over", "drop")
    + ("rule out", "filter out", "cut out", "weed out", "screen out"),
    "want": ("want", "need", "care for", "care about", "care", "wish", "wanna", "mean", "fancy"),
    "hear": ("to know about", "to know", "to hear about", "to here about", "to hear", "to read about", "to read")
    + ("to see", "to learn about", "to talk about", "to get", "to get into", "to have", "to find", "to go for")
    + (
        "to deal with",
        "to go through",
        "to pay for",
        "to repeat",
        "to go back to",
        "to buy her",
        "to buy him",
        "to buy them",
    )
    + ("to get her", "to get him", "to get them", "to give her", "to give him", "to eat", "to cook", "to play", "to do")
    + ("to buy", "to watch", "to visit", "to be told about", "to use"),
    "enough": ("all about", "everything about", "enough about", "enough of", "enough on", "plenty about", "plenty of")
    + ("all of", "all the", "about", "of"),
    "ive": ("i've", "i have", "ive", "we've", "we have", "i", "we"),
    "i": ("i", "we", "she", "he"),
    "im": ("i'm", "i am", "im", "we're", "we are", "she's", "she is", "he's", "he is", "i was", "they're", "they are"),
    "that": ("that", "which", "who"),
    "very": ("really", "particularly", "too", "that", "especially", "generally", "usually", "big", "so", "very")
    + ("necessarily", "definitely", "currently", "much", "a big", "a huge", "actually"),
    "adverb": ("really", "just", "definitely", "definetly", "definately", "also", "still", "particularly", "certainly")
    + ("honestly", "absolutely", "generally", "personally", "specifically"),
    "sought": ("looking for", "asking about", "asking for", "interested in", "intrested in", "concerned with", "into")
    + ("concerned about", "after", "a fan of", "fan of", "fans of", "keen on", "fond of", "in the mood for", "up for")
    + (
        "talking about",
        "wanting",
        "crazy about",
        "mad about",
        "thinking of",
        "bothered about",
        "open to",
        "searching for",
    ),
    "tail": (
        "for us",
        "for me",
        "here",
        "in our case",
        "right now",
        "already",
        "anymore",
        "any more",
        "by now",
        "from us",
    )
    + (
        "from me",
        "at the moment",
        "elsewhere",
        "separately",
        "by someone else",
        "by another team",
        "by now",
        "today",
        "though",
    )
    + (
        "for this *",
        "to tears",
        "to death",
        "for my *",
        "for her",
        "for him",
        "of my *",
        "of this *",
        "of our *",
        "for our *",
        "in this *",
        "on site",
        "in another *",
        "in a separate *",
        "in a different *",
        "of course",
        "obviously",
        "to us",
        "to me",
        "by my *",
        "by the *",
    ),
    # Of these people ask for several, and name what none of them is or has: "easy dinners no fish".
    "choices": (
        "ideas",
        "recipes",
        "dinners",
        "lunches",
        "breakfasts",
        "desserts",
        "snacks",
        "meals",
        "toppings",
        "dishes",
    )
    + ("things to", "stuff to", "places to", "restaurants", "bars", "pubs", "cafes", "hotels", "flights", "holidays")
    + (
        "walks",
        "hikes",
        "beaches",
        "movies",
        "films",
        "songs",
        "books",
        "novels",
        "thrillers",
        "comedies",
        "documentaries",
    )
    + ("gifts", "presents", "cocktails", "smoothies", "soups", "salads", "cakes", "cookies", "recommendations", "recs")
    + (
        "clubs",
        "activities",
        "classes",
        "hobbies",
        "sports",
        "courses",
        "jobs",
        "docs",
        "articles",
        "papers",
        "tutorials",
        "guides",
        "podcasts",
        "games",
        "toys",
    ),
    "tired": ("sick", "sick and tired", "sick to death", "tired", "bored", "fed up", "done", "so over", "over")
    + ("sick to the back teeth", "sick to the teeth"),
    "hearing": ("hearing about", "reading about", "reading", "seeing", "hearing", "being told about", "looking at"),
    "refused": (
        "what i'm after",
        "what i am after",
        "what i want",
        "what i mean",
        "what i'm looking for",
        "what we want",
    )
    + (
        "the answer i'm after",
        "the answer i want",
        "my thing",
        "for me",
        "ok for me",
        "okay for me",
        "good for me",
        "an option for me",
        "of interest",
        "of interest to me",
        "relevant",
    )
    + (
        "in scope",
        "part of this",
        "relevant for me",
        "relevant to me",
        "my cup of tea",
        "an option",
        "interesting to me",
        "needed",
        "for us",
    ),
    "handled": ("is out of scope", "are out of scope", "is off topic", "are off topic", "is beyond scope")
    + ("have been excluded", "has been excluded", "were excluded", "was excluded", "have been checked")
    + ("i can deal with", "i already know", "i already know about", "i know", "i know about", "i already have")
    + ("i've got", "we've got", "we already have", "i've seen", "i've done", "we've done", "i've read", "i've tried")
    + ("i already tried", "can wait", "can stay out", "can be left out", "can be ignored", "can be skipped")
    + ("is already covered", "are already covered", "is covered", "are covered", "i've had enough of", "i don't need")
    + ("i don't want", "i dont want", "i dont need", "we don't need", "bore me", "bores me", "is a pass", "are a pass")
    + (
        "i do not want",
        "we do not want",
        "i do not need",
        "are both a no",
        "is outside the scope",
        "are outside the scope",
    )
    + (
        "can be dropped",
        "can be excluded",
        "can be omitted",
        "should be excluded",
        "should be left out",
        "should stay out",
    )
    + ("should stay out of it", "should stay out of this", "is useless to me", "are useless to me", "is useless to us")
    + ("is no use to me", "are no use to me", "has been done to death", "have been done to death", "is a non-starter")
    + (
        "have been used to death",
        "are a non-starter",
        "is overkill",
        "are overkill",
        "is a dealbreaker",
        "are a dealbreaker",
    )
    + (
        "is already done",
        "are already done",
        "is a hard no",
        "are a hard no",
        "is a hard pass",
        "are a hard pass",
        "can stay out of it",
        "can stay out of this",
    )
    + ("is generally a pass", "is out of the question", "are out of the question", "is a no", "are a no", "is a no go")
    + ("i can do without", "we can do without", "i could do without", "i can live without", "have been ruled out")
    + (
        "has been ruled out",
        "was ruled out",
        "were ruled out",
        "i've had",
        "is not possible",
        "won't work",
        "wouldn't work",
    ),
}
