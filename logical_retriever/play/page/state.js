/** The page's state, its two spellings as a link and as Python, and what its sliders mean to the retriever. */

const BEGINNING = Object.freeze({ q: "", query: null, k: 5, strict: 50, words: 50, least: 0 });

/** Strictness from 0 to 100 as `drop_excluded`; 50 is what the retriever does by itself. */
function exclusion(strict) {
  if (strict === 50) return true;
  if (strict <= 20) return false;
  return round(strict < 50 ? 1 - ((strict - 20) / 30) * 0.05 : 0.95 - (strict - 50) * 0.013);
}

const round = (number) => Math.round(number * 10_000) / 10_000;

/** The retriever's settings, as the server takes them. */
const settings = ({ k, words, strict, least }) => ({ k, words: words / 100, drop_excluded: exclusion(strict), min_relevance: least / 100 });

/** What a place of each slider means. */
const SLIDERS = {
  strict(strict) {
    if (strict <= 20) return "ranked lower; nothing is left out";
    if (strict < 50) return "only the clearest are left out";
    if (strict === 50) return "what is clearly about it is left out";
    return `what is ${strict < 77 ? "largely" : "even partly"} about it is left out`;
  },
  words(words) {
    if (words === 0) return "vectors alone";
    if (words === 100) return "words alone";
    if (words === 50) return "both count in full";
    return words < 50 ? `words count ${2 * words}%` : `vectors count ${2 * (100 - words)}%`;
  },
  least: (least) => (least ? `at least ${(least / 100).toFixed(2)}` : "all are shown"),
};

function toFragment(state) {
  const pairs = Object.entries(state).filter(([name, value]) => value !== null && value !== BEGINNING[name]);
  return new URLSearchParams(pairs).toString();
}

function fromFragment(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const whole = (name, least, most) => {
    const value = Number(given.get(name) ?? BEGINNING[name]);
    return Number.isInteger(value) ? Math.min(most, Math.max(least, value)) : BEGINNING[name];
  };
  return {
    q: given.get("q") ?? "",
    query: given.get("query"),
    k: whole("k", 1, 10_000),
    strict: whole("strict", 0, 100),
    words: whole("words", 0, 100),
    least: whole("least", 0, 100),
  };
}

/** A Python string literal: JSON's, but for its half characters, is one. */
const literal = (text) => JSON.stringify(text);

function toPython(state, setup) {
  const { k, words, drop_excluded, min_relevance } = settings(state);
  const given = [`k=${k}`];
  if (words !== 0.5) given.push(`words=${words}`);
  if (drop_excluded !== true) given.push(`drop_excluded=${drop_excluded === false ? "False" : drop_excluded}`);
  if (min_relevance) given.push(`min_relevance=${min_relevance}`);
  const asked =
    state.query === null
      ? `documents = retriever.retrieve(${literal(state.q)})`
      : `documents = retriever.search(${literal(state.query)}).documents`;
  return [
    ...setup,
    `retriever = LogicalRetriever(store, embedder, ${given.join(", ")})`,
    asked,
    "for document in documents:",
    '    print(f"{document.relevance:.2f}  {document.text[:90]}")',
  ].join("\n");
}
