/** The query as blocks that can be edited: terms and conditions, NOT before any of them, AND or OR between them. */

/**
 * Keeps blocks in `place`. `changed(tree)` is called with the whole tree after every edit; `show(tree)` draws another.
 */
function blocksEditor(place, changed) {
  let root = group("and", []);

  /** The same tree with the node at a path (of positions) made anew by `make`; null takes it away. */
  function edited(node, path, make) {
    if (!path.length) return make(node);
    const children = node.children
      .map((child, at) => (at === path[0] ? edited(child, path.slice(1), make) : child))
      .filter((child) => child !== null);
    return { ...node, children };
  }

  function change(path, make, focus) {
    root = edited(root, path, make) ?? group("and", []);
    draw();
    changed(root);
    if (focus) place.querySelector(`[data-focus="${focus}"]`)?.focus();
  }

  function notButton(node, path) {
    const what = node.text ? `"${node.text.slice(0, 60)}"` : "this group";
    return el("button", {
      type: "button",
      className: "not",
      textContent: "NOT",
      title: node.not ? "Excluded: click to want it" : "Click to exclude it",
      "aria-pressed": String(node.not),
      "aria-label": `NOT ${what}`,
      "data-focus": `not-${path}`,
      onclick: () => change(path, (one) => ({ ...one, not: !one.not }), `not-${path}`),
    });
  }

  function removeButton(path, what) {
    return el("button", {
      type: "button",
      className: "remove",
      textContent: "×",
      "aria-label": `Remove ${what}`,
      onclick: () => change(path, () => null, `add-${path.slice(0, -1)}`),
    });
  }

  function leaf(node, path) {
    const isTerm = node.op === "term";
    const input = el("input", {
      value: node.text,
      size: Math.max(4, Math.min(44, node.text.length)),
      dir: "auto",
      spellcheck: false,
      autocomplete: "off",
      placeholder: isTerm ? "a term" : "year >= 2020",
      list: isTerm ? null : "fields",
      "aria-label": isTerm ? "Term" : "Condition on metadata",
      "data-focus": `text-${path}`,
    });
    input.addEventListener("input", () => {
      // Drawn anew, the field would lose the place of its cursor.
      root = edited(root, path, (one) => ({ ...one, text: input.value }));
      input.size = Math.max(4, Math.min(44, input.value.length));
      changed(root);
    });
    const kind = `${isTerm ? "term" : "cond"} ${node.not ? "unwanted" : "wanted"}`;
    return el("span", { className: `block ${kind}` }, notButton(node, path), input, removeButton(path, isTerm ? "term" : "condition"));
  }

  function adder(path, op) {
    const button = (label, made, focused) =>
      el("button", {
        type: "button",
        className: "add",
        textContent: `+ ${label}`,
        "data-focus": label === "term" ? `add-${path}` : null,
        onclick: () =>
          change(
            path,
            (one) => ({ ...one, children: [...one.children, made()] }),
            `text-${[...path, focused().length]}`,
          ),
      });
    const there = () => path.reduce((node, at) => node.children[at], root).children;
    const other = op === "and" ? "or" : "and";
    return el(
      "span",
      { className: "adders" },
      button("term", () => term(""), there),
      button("condition", () => condition(""), there),
      button("group", () => group(other, [term("")]), there),
    );
  }

  function inside(node, path) {
    const parts = [];
    node.children.forEach((child, at) => {
      if (at > 0) {
        const other = node.op === "and" ? "or" : "and";
        parts.push(
          el("button", {
            type: "button",
            className: "connective",
            textContent: node.op.toUpperCase(),
            title: `Click for ${other.toUpperCase()}`,
            "aria-label": `${node.op.toUpperCase()}: change to ${other.toUpperCase()}`,
            "data-focus": `op-${path}-${at}`,
            onclick: () => change(path, (one) => ({ ...one, op: other }), `op-${path}-${at}`),
          }),
        );
      }
      parts.push(child.children ? box(child, [...path, at]) : leaf(child, [...path, at]));
    });
    return [...parts, adder(path, node.op)];
  }

  function box(node, path) {
    return el(
      "span",
      { className: `group${node.not ? " unwanted" : ""}`, role: "group", "aria-label": "Group" },
      notButton(node, path),
      ...inside(node, path),
      removeButton(path, "group"),
    );
  }

  function draw() {
    place.replaceChildren(...inside(root, []));
  }

  return {
    show(tree) {
      // What is edited is always a group without NOT, so that there is always somewhere to add to.
      root = tree.children && !tree.not ? tree : group("and", [tree]);
      draw();
    },
  };
}
