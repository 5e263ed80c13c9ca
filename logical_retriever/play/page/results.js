/** Two rankings side by side: cards with bars for each term, words that matched marked, and what was left out. */

const FULL = 12; // evidence, in standard deviations of chance, that fills a bar
const AT_ONCE = 50; // cards that are drawn before one asks for more

const percent = (share) => `${(100 * Math.min(1, Math.max(0, share))).toFixed(1)}%`;

/** The bar of a term: its length is the evidence, parted into what came from vectors and what from words. */
function bar(one, against) {
  const strength = one.strength ?? one.truth * FULL;
  const byVectors = Math.max(0, one.vectors ?? strength) ** 2;
  const byWords = one.words ** 2;
  const share = byVectors + byWords > 0 ? byWords / (byVectors + byWords) : 0;
  const whole = Math.max(0, strength) / FULL;
  const length = Math.min(1, whole);
  const vectors = el("i", { className: "vectors" });
  const words = el("i", { className: "byword" });
  vectors.style.width = percent(length * (1 - share));
  words.style.width = percent(length * share);
  const said = `${one.text}: ${strength.toFixed(1)} deviations, ${(one.vectors ?? strength).toFixed(1)} from vectors, ${one.words.toFixed(1)} from words`;
  return el(
    "div",
    { className: `bar${against ? " against" : ""}` },
    el("bdi", { className: "name", textContent: one.text, title: one.text }),
    el("span", { className: "track", role: "img", "aria-label": said, title: said }, vectors, words),
    el("span", { className: "number", textContent: strength.toFixed(1), "aria-hidden": "true" }),
  );
}

/** A text with the words marked that are evidence of a term, as wanted or as excluded. */
function marked(text, terms, excluded) {
  const kinds = new Map();
  for (const one of terms) {
    for (const word of one.matched) if (!kinds.has(word)) kinds.set(word, excluded.has(one.text) ? "against" : "for");
  }
  if (!kinds.size) return [text];
  const escape = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const longest = [...kinds.keys()].sort((a, b) => b.length - a.length).map(escape);
  const spaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/.test(longest.join(""));
  const edge = spaced ? ["", ""] : ["(?<![\\p{L}\\p{N}_])", "(?![\\p{L}\\p{N}_])"];
  const parts = text.split(new RegExp(`${edge[0]}(${longest.join("|")})${edge[1]}`, "u"));
  return parts.map((part, at) => (at % 2 ? el("mark", { className: kinds.get(part), textContent: part }) : part));
}

/** What a passage begins with, where that is its title. */
function titleOf({ text, metadata }) {
  const title = metadata.title ?? "";
  return title && text.startsWith(title) ? text.slice(0, title.length + /^[.!?…:]?/.exec(text.slice(title.length))[0].length) : "";
}

function metadata(document, title) {
  const pairs = Object.entries(document.metadata).filter(([name]) => name !== "title" || !title);
  if (!pairs.length) return null;
  const said = pairs.flatMap(([name, value], at) => [at ? " · " : "", el("bdi", { textContent: `${name}: ${value}` })]);
  return el("p", { className: "metadata" }, ...said);
}

/** Why a passage is left out for an excluded term, or stays although it names it. */
function decision({ term, leave_out, reason }) {
  return el("p", { className: leave_out ? "why" : "why stays", dir: "auto" }, el("bdi", { textContent: term }), ` – ${reason}`);
}

/** One passage; `place` is what stands at its left, `note` below its name. */
function card(document, { place, note = null, kind = "", excluded, key }) {
  const more = document.length > document.text.length ? ` … (${document.length.toLocaleString("en")} characters)` : "";
  const title = titleOf(document);
  const text = document.text.slice(title.length).trimStart();
  return el(
    "li",
    { className: `card ${kind}`, "data-key": key + document.id },
    el("div", { className: "place" }, ...place),
    el(
      "div",
      { className: "body" },
      el("p", { className: "id" }, el("bdi", { textContent: document.id }), note),
      title && el("h4", { dir: "auto" }, ...marked(title.replace(/\.$/, ""), document.terms, excluded)),
      el("p", { className: "passage", dir: "auto" }, ...marked(text, document.terms, excluded), more),
      ...document.terms.map((one) => bar(one, excluded.has(one.text))),
      ...document.decisions.map(decision),
      metadata(document, title),
    ),
  );
}

/** Where a document of the logical ranking stood in plain dense retrieval. */
function moved(rank, dense) {
  if (dense === null) return el("small", { textContent: "new here", title: "Plain dense retrieval has it far below" });
  if (dense === rank) return el("small", { textContent: "same place" });
  const up = dense > rank;
  return el("small", { className: up ? "up" : "down", textContent: `${up ? "▲" : "▼"} ${Math.abs(dense - rank)}`, title: `${dense}. in plain dense retrieval` });
}

/** Fills a list, some cards at once; the rest when asked for. Cards that stay glide to their new places. */
function fill(list, documents, draw) {
  const before = new Map([...list.children].map((one) => [one.dataset.key, one.getBoundingClientRect().top]));
  const show = (from) => {
    const cards = documents.slice(from, from + AT_ONCE).map((one, at) => draw(one, from + at + 1));
    list.append(...cards);
    const rest = documents.length - from - AT_ONCE;
    if (rest <= 0) return;
    const more = el("button", { type: "button", textContent: `Show ${Math.min(rest, AT_ONCE)} more of ${rest.toLocaleString("en")}` });
    const item = el("li", { className: "more" }, more);
    more.onclick = () => {
      item.remove();
      show(from + AT_ONCE);
      list.children[from + AT_ONCE]?.querySelector("p")?.scrollIntoView({ block: "nearest" });
    };
    list.append(item);
  };
  list.replaceChildren();
  show(0);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const one of list.children) {
    const was = before.get(one.dataset.key);
    const now = one.getBoundingClientRect().top;
    if (was === undefined && before.size) one.animate([{ opacity: 0 }, { opacity: 1 }], 180);
    else if (was !== undefined && Math.abs(was - now) > 1) {
      one.animate([{ transform: `translateY(${was - now}px)` }, { transform: "none" }], { duration: 220, easing: "ease-out" });
    }
  }
}

function showAnswer(answer) {
  const excluded = new Set(answer.excluded);
  const rank = new Map(answer.documents.map((one, at) => [one.id, at + 1]));
  const strong = (text) => el("strong", { textContent: text });

  fill(byId("found"), answer.documents, (one, place) =>
    card(one, {
      key: "found-",
      kind: one.leave_out ? "gone" : "",
      excluded,
      place: [strong(place), moved(place, one.dense)],
      note: el("span", { className: "score", textContent: `relevance ${one.relevance.toFixed(2)}` }),
    }),
  );
  if (!answer.documents.length) {
    byId("found").append(el("li", { className: "empty", textContent: answer.candidates ? "No passage stays." : "The collection is empty." }));
  }
  const out = answer.left_out.length;
  byId("out").hidden = !out;
  byId("out-heading").textContent = out === 1 ? "Left out: 1 passage" : `Left out: ${out.toLocaleString("en")} passages`;
  fill(byId("left-out"), answer.left_out, (one) =>
    card(one, {
      key: "out-",
      kind: "gone",
      excluded,
      place: [el("strong", { textContent: "–" }), el("small", { textContent: one.dense === null ? "" : `dense ${one.dense}` })],
    }),
  );
  const away = answer.plain.filter((one) => one.leave_out).length;
  fill(byId("dense"), answer.plain, (one, place) => {
    const at = rank.get(one.id);
    const says = one.out ? "left out there" : at === undefined ? "lower there" : at === place ? "same place" : `${at}. there`;
    return card(one, {
      key: "dense-",
      kind: one.leave_out ? "gone" : "",
      excluded,
      place: [strong(place), el("small", { textContent: says })],
      note: el("span", { className: "score", textContent: `cosine ${one.cosine.toFixed(2)}` }),
    });
  });
  if (!answer.plain.length) byId("dense").append(el("li", { className: "empty", textContent: "Nothing was found." }));
  const many = (count) => (count === 1 ? "1 passage" : `${count.toLocaleString("en")} passages`);
  byId("logical-count").textContent = many(answer.documents.length);
  byId("plain-count").textContent = away ? `${away} of ${answer.plain.length} would be left out` : many(answer.plain.length);
  byId("plain-count").classList.toggle("bad", away > 0);
  byId("completeness").textContent = `Ranking ${answer.completeness}; ${answer.candidates.toLocaleString("en")} passages scored.`;
  byId("status").textContent = `${many(answer.documents.length)} found${out ? `, ${many(out)} left out` : ""}.`;
}
