/** Words of texts, and what they are evidence of: the package's BM25 over passages that are all on this page. */

const K1 = 1.5;
const B = 0.75;
const LEAST_IDF = 1e-9;

/**
 * @param texts all passages
 * @param stop stop words
 * @param stems what a spelling counts as, where that is something else; of a word that no passage has, its own spelling
 */
function wordModel(texts, stop, stems) {
  const stopped = new Set(stop);
  const countsAs = new Map(Object.entries(stems));
  const counted = texts.map((text) => {
    const counts = new Map();
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
    return counts;
  });
  const lengths = counted.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const mean = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / lengths.length);
  const frequencies = new Map();
  for (const counts of counted) for (const word of counts.keys()) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);

  function* marks(text) {
    for (const match of text.matchAll(/[\p{L}\p{N}_]{2,}/gu)) {
      const spelling = match[0].toLowerCase();
      if (!stopped.has(spelling)) yield [match[0], countsAs.get(spelling) ?? spelling];
    }
  }
  function wordsOf(text) {
    return [...marks(text)].map(([, word]) => word);
  }
  const idf = (word) => {
    const seen = frequencies.get(word) ?? 0;
    return Math.log1p((texts.length - seen + 0.5) / (seen + 0.5));
  };

  /** Words of a text that none of the others has, and those that a text to keep has. */
  function distinct(text, without = [], keeping = []) {
    const shared = new Set(without.flatMap(wordsOf));
    for (const word of keeping.flatMap(wordsOf)) shared.delete(word);
    return wordsOf(text).filter((word) => !shared.has(word));
  }

  /** For each passage, how far it stands out by some words, in standard deviations of chance. */
  function evidence(words) {
    const weights = new Map();
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + idf(word));
    let total = 0;
    for (const [word, weight] of weights) if (frequencies.has(word)) total += weight;
    total = Math.max(total, LEAST_IDF);
    return counted.map((counts, row) => {
      let found = 0;
      for (const [word, weight] of weights) {
        const count = counts.get(word) ?? 0;
        if (count) found += weight * Math.min(1, ((1 + K1) * count) / (count + K1 * (1 - B + (B * lengths[row]) / mean)));
      }
      return Math.min(1, found / total) * Math.sqrt(2 * found);
    });
  }

  /** Words of a text as they stand in it that count as one of some. */
  function matched(text, words) {
    return [...new Set([...marks(text)].filter(([, word]) => words.has(word)).map(([spelling]) => spelling))];
  }

  return { distinct, evidence, matched };
}
