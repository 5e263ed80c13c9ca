/**
 * The package's default semantics and its cut, over passages that are all at hand. `semantics/calibrated.py` and
 * `search/cut.py` say why; the tests hold this to them, and the constants come from there.
 */

const sigmoid = (x) => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)));
const softplus = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
const logSoftplus = (x) => (x < -30 ? x : Math.log(Math.max(softplus(x), 1e-300)));
const logAdd = (x, y) => Math.max(x, y) + Math.log1p(Math.exp(-Math.abs(x - y)));

/** Negations at the terms, chains of one operator in one node, and nothing said twice in a chain. */
function normal(node, inside = false) {
  const not = node.not !== inside;
  if (!node.children) return { ...node, not };
  const op = not ? (node.op === "and" ? "or" : "and") : node.op;
  const parts = node.children.map((child) => normal(child, not));
  const flat = parts.flatMap((part) => (part.op === op ? part.children : [part]));
  if (flat.length === 1) return flat[0];
  return { op, not: false, children: flat };
}

/** Terms that stand below an even number of negations, or an odd one, each once, in order. */
function termsOf(node, excluded) {
  if (!node.children) return node.not === excluded ? [node.text] : [];
  return [...new Set(node.children.flatMap((child) => termsOf(child, excluded)))];
}

/** Scores of all passages, with the values they were made of. `corpus` gives z of a text and w of a bag of words. */
function compose(query, question, settings, corpus, c) {
  const share = settings.words;
  const forVectors = Math.min(1, 2 - 2 * share);
  const forWords = Math.min(1, 2 * share);
  const onset = c.onset + forWords * c.onset_lexical;
  const weight = c.question + forWords * c.question_lexical;
  const wanted = termsOf(query, false);
  const excluded = termsOf(query, true);
  const rows = [...Array(corpus.count).keys()];

  const zOf = (text) => corpus.standardised(text).map((z) => (forVectors > 0 ? z * forVectors : 0));
  const wOf = (text, without, keeping) =>
    share > 0 ? corpus.byWords(text, without, keeping).map((found) => forWords * c.lexical * found) : null;
  const join = (z, w) =>
    w === null ? z : z.map((one, at) => Math.min(one, 0) + Math.sqrt(Math.max(one, 0) ** 2 + w[at] ** 2 + 1e-30));

  const values = new Map(); // of terms: truth, strength, vectors, words, each a value for every passage
  let asked = null;
  if (question !== null) {
    const bag = wanted.includes(question) || !excluded.length ? [question] : [question, excluded, wanted];
    asked = join(zOf(question), wOf(...bag));
  }
  function evidenceFor(text) {
    const z = zOf(text);
    const w = wOf(text);
    const strength = join(z, w);
    values.set(text, { truth: strength.map((e) => sigmoid(e - onset)), strength, vectors: z, words: w });
    return strength;
  }
  function positive(text) {
    const own = evidenceFor(text);
    return own.map((e, at) => logSoftplus((asked === null ? e : (e + weight * asked[at]) / (1 + weight)) - onset));
  }
  function negative(text) {
    const z = zOf(text);
    const w = wOf(text, wanted);
    const x = z.map((one) => c.slope * (one - settings.threshold));
    const odds = z.map((_, at) => (w === null ? 0 : c.exclusion_lexical * w[at]));
    if (!wanted.includes(text)) {
      const truth = x.map((one, at) => 1 - (1 - sigmoid(one)) / (1 + odds[at]));
      values.set(text, { truth, strength: join(z, w), vectors: z, words: w });
    }
    return x.map((one, at) => -(softplus(one) + Math.log1p(odds[at])));
  }
  const both = (combine) => (one, other) => one.map((value, at) => combine(value, other[at]));
  function scores(node) {
    if (!node.children) return node.not ? negative(node.text) : positive(node.text);
    const once = new Map(node.children.map((child) => [JSON.stringify(child), child]));
    const parts = [...once.values()];
    if (node.op === "or") return parts.map(scores).reduce(both(logAdd));
    const least = (some) => some.map(scores).reduce(both(Math.min));
    const wants = parts.filter((part) => termsOf(part, false).length);
    const excludes = parts.filter((part) => !termsOf(part, false).length);
    return [wants, excludes].filter((some) => some.length).map(least).reduce(both((x, y) => x + y));
  }
  const alone = !query.children && !query.not;
  return { scores: alone ? evidenceFor(query.text) : scores(query), values, onset, rows, alone, wanted, excluded };
}

/** Passages by a number of each, the greatest first, ties by id. */
const ranking = (by, rows, ids) => [...rows].sort((i, j) => by[j] - by[i] || (ids[i] < ids[j] ? -1 : 1));

/** Relevance in [0, 1] of composed scores, in their order. */
function relevanceOf(query, { scores, values, rows, onset, alone, wanted }, corpus, r) {
  if (!wanted.length) {
    return scores.map(Math.exp).map((x) => (x > 1 ? 1 - r.edge / x : r.edge + (1 - 2 * r.edge) * x));
  }
  const first = ranking(scores, rows, corpus.ids).slice(0, alone ? 1 : r.seen);
  function close(node) {
    if (!node.children) {
      if (node.not) return null;
      const { words } = values.get(node.text);
      const vectors = corpus.closeness(node.text);
      return first.map((row) => Math.hypot(vectors[row], words === null ? 0 : words[row]));
    }
    const parts = node.children.map(close).filter((part) => part !== null);
    const together = node.op === "and" ? Math.min : Math.max;
    return parts.length ? parts.reduce((one, other) => one.map((value, at) => together(value, other[at]))) : null;
  }
  const evidence = (score) => {
    const amount = Math.exp(Math.min(score, 700));
    return onset + (amount < 1e-8 ? score : amount + Math.log(-Math.expm1(-amount)));
  };
  const heights = scores.map((score) => logSoftplus(alone ? score : evidence(score)));
  const best = heights[first[0]];
  const base = r.best * best + r.close * Math.min(Math.max(...close(query)), r.closest) + r.base;
  return heights.map((height) => 1 / (1 + Math.exp(-(r.fall * (height - best) + base))));
}

/** Passages that stay, best first, and those of the best k that are clearly about something excluded. */
function cut(query, composed, settings, corpus, c) {
  const { scores, values, excluded, wanted } = composed;
  const first = (by) => ranking(by, composed.rows, corpus.ids);
  const ranked = first(scores);
  const about = settings.drop === true ? c.about : settings.drop;
  const drops = settings.drop !== false && excluded.length > 0;

  function sharesOf(text, found) {
    const { strength } = values.get(text);
    const here = Math.max(...found.map((row) => strength[row]));
    let most = c.least;
    if (here >= c.perhaps * c.least) {
      const plain = compose(term(text), null, settings, corpus, c.constants);
      most = Math.max(c.least, here, ...first(plain.scores).slice(0, c.best).map((row) => strength[row]));
    }
    const alike = wanted.filter((other) => other !== text).map((other) => [values.get(other).strength, corpus.alike(text, other)]);
    return new Map(
      found.map((row) => {
        const share = Math.min(1, Math.max(0, strength[row] / most));
        const brought = Math.max(0, ...alike.map(([of, much]) => much * Math.max(of[row], 0)));
        return [row, strength[row] - brought < c.own ? Math.min(share, c.perhaps) : share];
      }),
    );
  }

  /** The excluded term for which a passage goes, whether the node holds of it, and how true what it wants is. */
  function blocking(node, row, shares) {
    if (!node.children) {
      const truth = node.not ? null : values.get(node.text).truth[row];
      if (!node.not) return [null, truth >= c.holds, truth];
      return shares.get(node.text).get(row) >= about ? [node.text, false, null] : [null, true, null];
    }
    const parts = node.children.map((child) => blocking(child, row, shares));
    const blocks = parts.find(([text]) => text !== null)?.[0] ?? null;
    const truths = parts.map(([, , truth]) => truth).filter((truth) => truth !== null);
    const wants = truths.length > 0;
    if (node.op === "and") return [blocks, parts.every(([, holds]) => holds), wants ? Math.min(...truths) : null];
    const against = Math.max(0, ...parts.filter(([text]) => text !== null).map(([, , truth]) => truth ?? 0));
    const excused = parts.some(([, holds, truth]) => holds && (truth === null || truth >= against));
    return [excused ? null : blocks, excused, wants ? Math.max(...truths) : null];
  }

  let number = drops ? 2 * settings.k + c.margin : settings.k;
  for (;;) {
    const found = ranked.slice(0, number);
    const shares = new Map(drops ? excluded.map((text) => [text, sharesOf(text, found)]) : []);
    const stays = [];
    const out = [];
    found.forEach((row, place) => {
      const blocks = drops ? blocking(query, row, shares)[0] : null;
      if (blocks === null) stays.push(row);
      else if (place < settings.k) out.push({ row, term: blocks, share: shares.get(blocks).get(row) });
    });
    if (stays.length >= settings.k || found.length < number) return { stays: stays.slice(0, settings.k), out };
    number *= c.growth;
  }
}
