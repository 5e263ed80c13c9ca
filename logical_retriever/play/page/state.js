/** The page's state, its two spellings as a link and as Python, and what its sliders mean to the retriever. */

const BEGINNING = Object.freeze({ q: "", query: null, k: 5, strict: 1, words: 50, least: 0 });

/** The places of the slider of strictness as `exclusion`. */
const EXCLUSION = ["rank", "drop", "strict", "certain"];

/** The retriever's settings, as the server takes them. */
const settings = ({ k, words, strict, least }) => ({ k, words: words / 100, exclusion: EXCLUSION[strict], min_relevance: least / 100 });

/** What a place of each slider means. */
const SLIDERS = {
  strict: (strict) => ["nothing is left out, it is ranked lower", "what has it or is about it is left out", "more is left out", "only what says that it lacks it is shown"][strict],
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
    strict: whole("strict", 0, 3),
    words: whole("words", 0, 100),
    least: whole("least", 0, 100),
  };
}

/** A Python string literal: JSON's, but for its half characters, is one. */
const literal = (text) => JSON.stringify(text);

function toPython(state) {
  const { k, words, exclusion, min_relevance } = settings(state);
  const given = [`k=${k}`];
  if (words !== 0.5) given.push(`words=${words}`);
  if (exclusion !== "drop") given.push(`exclusion=${literal(exclusion)}`);
  if (min_relevance) given.push(`min_relevance=${min_relevance}`);
  const asked =
    state.query === null
      ? `documents = retriever.retrieve(${literal(state.q)})`
      : `documents = retriever.search(${literal(state.query)}).documents`;
  return [
    `retriever = LogicalRetriever(store, embedder, ${given.join(", ")})`,
    asked,
    "for document in documents:",
    '    print(f"{document.relevance:.2f}  {document.text[:90]}")',
  ].join("\n");
}
