/** The same answers without a server: over passages and vectors that the page brought with it. */

const SHOWN_PLACES = 50;

function localEngine(data) {
  const floats = (packed) => new Float32Array(Uint8Array.from(atob(packed), (one) => one.charCodeAt(0)).buffer);
  const texts = data.passages.map((one) => one.text);
  const ids = data.passages.map((one) => one.id);
  const documents = unitRows(floats(data.documents));
  const vectors = unitRows(floats(data.vectors));
  const correlations = floats(data.correlations); // row by row, from the diagonal on
  const place = new Map(data.texts.map((text, at) => [text, at]));
  const model = wordModel(texts, data.stop, data.stems);
  const remembered = new Map();
  const once = (key, make) => {
    if (!remembered.has(key)) remembered.set(key, make());
    return remembered.get(key);
  };

  function unitRows(flat) {
    const rows = [];
    for (let start = 0; start < flat.length; start += data.dimension) {
      const row = Float64Array.from(flat.subarray(start, start + data.dimension));
      const length = Math.hypot(...row);
      rows.push(length ? row.map((one) => one / length) : row);
    }
    return rows;
  }
  const dot = (a, b) => a.reduce((sum, one, at) => sum + one * b[at], 0);
  const cosines = (text) =>
    once(`cosines ${text}`, () => documents.map((row) => Math.min(1, Math.max(-1, dot(vectors[place.get(text)], row)))));

  const corpus = {
    ids,
    count: texts.length,
    /** Calibrated cosines; of a text whose vector is not here, as if nothing stood out. */
    standardised: (text) =>
      once(`z ${text}`, () => {
        if (!place.has(text)) return texts.map(() => 0);
        const at = place.get(text);
        return cosines(text).map((cosine) => (cosine - data.means[at]) / data.deviations[at]);
      }),
    closeness: (text) => {
      const [mean, deviation] = data.unrelated;
      if (!place.has(text)) return data.passages.map(() => 0);
      return cosines(text).map((cosine) => Math.max(cosine - mean, 0) / deviation);
    },
    byWords: (text, without = [], keeping = []) =>
      once(JSON.stringify([text, without, keeping]), () => model.evidence(model.distinct(text, without, keeping))),
    alike(one, other) {
      if (!place.has(one) || !place.has(other)) return 0;
      const [i, j] = [place.get(one), place.get(other)].sort((a, b) => a - b);
      const correlation = correlations[i * data.texts.length - (i * (i - 1)) / 2 + (j - i)];
      return Math.min(1, Math.max(0, Math.min(correlation, dot(vectors[i], vectors[j]))));
    },
  };

  function read(asked) {
    if (asked.query !== null) return { query: asked.query, method: "given", read_by: "as given", written: true };
    if (Object.hasOwn(data.readings, asked.question)) return data.readings[asked.question];
    if (/["[]|\b(AND|OR|NOT)\b/.test(asked.question)) {
      try {
        parseQuery(asked.question);
        return { query: asked.question, method: "typed", read_by: "as typed", written: true };
      } catch (error) {
        if (!(error instanceof QueryMistake)) throw error;
      }
    }
    return {
      query: printQuery(term(asked.question)),
      read_by: "not at all",
      written: false,
      aside: "Without a server this page cannot read a new question: it is looked for as it stands. Type logic, such as \"vitamin D\" AND NOT \"bone health\", or edit the blocks.",
    };
  }

  function ask(asked) {
    const made = read(asked);
    const tree = parseQuery(made.query);
    if (hasCondition(tree)) {
      throw new Trouble("Conditions on metadata need a server.", "Take the condition out, or run: logical-retriever demo --web");
    }
    const question = asked.question.trim() ? asked.question : made.query;
    const plainly = !made.written && !termsOf(normal(tree), true).length;
    const query = normal(plainly ? term(question) : tree);
    const composed = compose(query, made.written ? null : question, asked, corpus, { ...data.constants, threshold: asked.threshold });
    const relevance = relevanceOf(query, composed, corpus, data.relevance);
    const { stays, out } = cut(query, composed, asked, corpus, { ...data.cut, constants: data.constants });

    const terms = [...composed.values.keys()];
    const words = new Map(
      terms.map((text) => [text, new Set(model.distinct(text, composed.wanted.includes(text) ? [] : composed.wanted))]),
    );
    const cosine = place.has(question) ? cosines(question) : null;
    const order = cosine === null ? [] : [...composed.rows].sort((i, j) => cosine[j] - cosine[i] || (ids[i] < ids[j] ? -1 : 1));
    const rank = new Map(order.slice(0, Math.max(SHOWN_PLACES, asked.k)).map((row, at) => [row, at + 1]));
    const shown = (row) => ({
      id: ids[row],
      text: texts[row],
      length: texts[row].length,
      metadata: data.passages[row].metadata,
      relevance: relevance[row],
      score: composed.scores[row],
      dense: rank.get(row) ?? null,
      terms: terms.map((text) => {
        const known = composed.values.get(text);
        return {
          text,
          truth: known.truth[row],
          strength: known.strength[row],
          vectors: known.vectors[row],
          words: known.words === null ? 0 : known.words[row],
          matched: model.matched(texts[row], words.get(text)),
        };
      }),
    });
    const gone = new Map(out.map((one) => [one.row, one.term]));
    const unknown = [...new Set([...terms, ...(made.written ? [] : [question])])].filter((text) => !place.has(text));
    const asides = unknown.map((text) => `This page has no vector of "${text.slice(0, 80)}", and nothing to make one with: only its words are looked for.`);
    if (made.aside) asides.unshift(made.aside);
    return {
      question,
      query: made.query,
      read_by: made.read_by,
      problem: null,
      routed: plainly ? "nothing is excluded: by the question's own vector and its words" : null,
      asides,
      exact: true,
      completeness: "exact: every document was scored, in this browser",
      evidence: asked.words > 0 ? "vectors and words" : "vectors",
      candidates: texts.length,
      excluded: composed.excluded,
      clear: asked.threshold - 0.6 / data.constants.slope,
      documents: stays.map(shown),
      left_out: out.map((one) => ({ ...shown(one.row), term: quoted(one.term), share: one.share })),
      plain: order.slice(0, asked.k).map((row) => ({ ...shown(row), cosine: cosine[row], out: gone.has(row) ? quoted(gone.get(row)) : null })),
      no_plain: "Plain dense retrieval needs the question's vector, and this page has none of it.",
    };
  }

  return {
    about: async () => ({ ...data.about, count: texts.length, fields: {}, most: texts.length, terms: data.texts }),
    ask: async (asked) => ask(asked),
  };
}

function hasCondition(node) {
  return node.op === "cond" || (node.children ?? []).some(hasCondition);
}
