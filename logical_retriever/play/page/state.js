/** The page's state, its two spellings as a link and as Python, and what its sliders mean to the retriever. */

const BEGINNING = Object.freeze({ q: "", query: null, k: 5, strict: 50, words: 50 });

/** Strictness from 0 to 100 as the constants that the retriever takes; 50 is what it does by itself. */
function exclusion(strict) {
  const threshold = round(6 + (50 - strict) * 0.12);
  if (strict === 50) return { threshold, drop: true };
  if (strict <= 20) return { threshold, drop: false };
  return { threshold, drop: strict < 50 ? round(1 - ((strict - 20) / 30) * 0.05) : round(0.95 - (strict - 50) * 0.013) };
}

const round = (number) => Math.round(number * 10_000) / 10_000;

function strictSays(strict) {
  const { drop } = exclusion(strict);
  if (drop === false) return strict === 0 ? "hardly counts; nothing is left out" : "ranked lower; nothing is left out";
  if (strict < 50) return "only the clearest are left out";
  if (strict === 50) return "what is clearly about it is left out";
  return `what is ${strict < 77 ? "largely" : "even partly"} about it is left out`;
}

function wordsSays(words) {
  if (words === 0) return "vectors alone";
  if (words === 100) return "words alone";
  if (words === 50) return "both count in full";
  return words < 50 ? `words count ${2 * words}%` : `vectors count ${2 * (100 - words)}%`;
}

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
  };
}

/** A Python string literal: JSON's, but for its half characters, is one. */
const literal = (text) => JSON.stringify(text);

function toPython(state, setup) {
  const { threshold, drop } = exclusion(state.strict);
  const constants = state.strict === 50 ? "" : `CalibratedConstants(threshold=${threshold})`;
  const words = state.words === 50 ? "" : `words=${state.words / 100}`;
  const semantics = [constants, words].filter(Boolean).join(", ");
  const settings = [`k=${state.k}`];
  if (semantics) settings.push(`semantics=CalibratedSemantics(${semantics})`);
  if (drop !== true) settings.push(`drop_excluded=${drop === false ? "False" : drop}`);
  const asked =
    state.query === null
      ? `documents = retriever.retrieve(${literal(state.q)})`
      : `documents = retriever.search(${literal(state.query)}).documents`;
  const used = setup.filter((line) => !line.includes("CalibratedSemantics") || semantics);
  return [
    ...used,
    `retriever = LogicalRetriever(store, embedder, ${settings.join(", ")})`,
    asked,
    "for document in documents:",
    '    print(f"{document.relevance:.2f}  {document.text[:90]}")',
  ].join("\n");
}
