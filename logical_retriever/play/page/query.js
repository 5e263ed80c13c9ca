/**
 * The language of logical queries, as the package's grammar has it: NOT binds tightest, then AND, then OR.
 *
 * A node is {op, not, text} for a term or a condition, {op, not, children} for "and" and "or". NOT is a mark of what it
 * stands before; of NOT NOT the outer one marks a group of one.
 */

const OPERATOR = /^(AND|OR|NOT|&&?|\|\|?)(?![^\s"()[\]])/;
const NAMES = { AND: "and", "&": "and", "&&": "and", OR: "or", "|": "or", "||": "or", NOT: "not" };
const DEEPEST = 64;

class QueryMistake extends Error {
  constructor(message, at) {
    super(message);
    this.at = at;
  }
}

const term = (text, not = false) => ({ op: "term", not, text });
const condition = (text, not = false) => ({ op: "cond", not, text });
const group = (op, children, not = false) => ({ op, not, children });
const negated = (node) => (node.not ? group("and", [node], true) : { ...node, not: true });

function tokens(text) {
  const found = [];
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at, at + 1_000_000);
    const blank = /^\s+/.exec(rest);
    if (blank) {
      at += blank[0].length;
      continue;
    }
    let match;
    if (rest[0] === "(" || rest[0] === ")") {
      found.push({ kind: rest[0], at });
      at += 1;
    } else if ((match = OPERATOR.exec(rest))) {
      found.push({ kind: NAMES[match[1]], at });
      at += match[0].length;
    } else if (/^[!-](?=["([])/.test(rest)) {
      found.push({ kind: "not", at });
      at += 1;
    } else if (rest[0] === '"') {
      match = /^"((?:[^"\\]|\\[^])*)"/.exec(rest);
      if (!match) throw new QueryMistake('A quote that begins here does not end: add a ".', at);
      const said = match[1].replace(/\\(["\\])/g, "$1");
      if (!said.trim()) throw new QueryMistake("There is nothing between these quotes.", at);
      found.push({ kind: "term", text: said, at });
      at += match[0].length;
    } else if (rest[0] === "[") {
      match = /^\[((?:[^[\]"]|"(?:[^"\\]|\\[^])*"|\[(?:[^[\]"]|"(?:[^"\\]|\\[^])*")*\])*)\]/.exec(rest);
      if (!match) throw new QueryMistake("A condition that begins here does not end: add a ].", at);
      found.push({ kind: "cond", text: match[1].trim(), at });
      at += match[0].length;
    } else {
      // Words up to an operator are one term.
      const words = [];
      let end = 0;
      for (;;) {
        const gap = /^\s*/.exec(rest.slice(end))[0].length;
        const from = end + gap;
        const tail = rest.slice(from);
        if (OPERATOR.test(tail) || /^[!-](?=["([])/.test(tail)) break;
        const word = /^[^\s"()[\]“”„‟«»＂]+/.exec(tail);
        if (!word) break;
        words.push(rest.slice(end, from) && words.length ? rest.slice(end, from) + word[0] : word[0]);
        end = from + word[0].length;
      }
      if (!words.length) throw new QueryMistake(`${rest[0]} cannot stand here: use straight quotes, ".`, at);
      found.push({ kind: "term", text: words.join(""), at });
      at += end;
    }
  }
  return found;
}

/** Reads a query; throws a QueryMistake that says where. */
function parseQuery(text) {
  const read = tokens(text);
  let next = 0;
  const here = () => read[next] ?? { kind: "end", at: text.length };

  function chain(op, operand, depth) {
    const parts = [operand(depth)];
    while (here().kind === op) {
      next += 1;
      parts.push(operand(depth));
    }
    return parts.length === 1 ? parts[0] : group(op, parts);
  }
  function disjunction(depth) {
    return chain("or", conjunction, depth);
  }
  function conjunction(depth) {
    return chain("and", negation, depth);
  }
  function negation(depth) {
    if (depth > DEEPEST) throw new QueryMistake("This is nested too deeply.", here().at);
    const token = here();
    next += 1;
    switch (token.kind) {
      case "not":
        return negated(negation(depth + 1));
      case "(": {
        const inside = disjunction(depth + 1);
        if (here().kind !== ")") throw new QueryMistake("A ) is missing.", here().at);
        next += 1;
        return inside;
      }
      case "term":
        return term(token.text);
      case "cond":
        return condition(token.text);
      case "end":
        throw new QueryMistake("A term is missing at the end.", token.at);
      default:
        throw new QueryMistake("A term is missing before this.", token.at);
    }
  }
  if (!read.length) throw new QueryMistake("There is no query.", 0);
  const tree = disjunction(0);
  if (next < read.length) throw new QueryMistake("An AND or OR is missing before this.", here().at);
  return tree;
}

const quoted = (text) => `"${text.replace(/\\/g, "\\\\").replace(/"/g, '\\"')}"`;

/** Spells a query canonically; null where nothing is in it. Blocks that are still empty are passed over. */
function printQuery(node) {
  const spelled = spell(node);
  return spelled === null ? null : spelled.text;
}

function spell(node) {
  let said;
  if (node.op === "term" || node.op === "cond") {
    if (!node.text.trim()) return null;
    said = { text: node.op === "term" ? quoted(node.text) : `[${node.text}]`, kind: "leaf" };
  } else {
    const parts = node.children.map(spell).filter((part) => part !== null);
    if (!parts.length) return null;
    const loose = node.op === "and" ? ["and", "or"] : ["or"];
    const operands = parts.map((part) => (loose.includes(part.kind) ? `(${part.text})` : part.text));
    said =
      parts.length === 1 ? parts[0] : { text: operands.join(node.op === "and" ? " AND " : " OR "), kind: node.op };
  }
  if (!node.not) return said;
  return { text: `NOT ${["and", "or"].includes(said.kind) ? `(${said.text})` : said.text}`, kind: "leaf" };
}
