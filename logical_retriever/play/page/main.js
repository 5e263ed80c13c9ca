/** Ties the page together: state, what is asked of the engine, what is shown. */

const engine = remoteEngine();
let state = fromFragment(location.hash);
let about = { examples: [], fields: {}, most: 10_000 };
let shown = null; // the last answer
let asking = false;
let again = false;

const editor = blocksEditor(byId("blocks"), (tree) => {
  const text = printQuery(tree);
  byId("query").value = text ?? "";
  mistake(null);
  if (text !== null) update({ query: text });
});

function update(changes) {
  state = { ...state, ...changes };
  remember();
  controls();
  ask();
}

const remember = afterwards(150, () => history.replaceState(null, "", `#${toFragment(state)}`));

function controls() {
  for (const [id, says] of Object.entries(SLIDERS)) {
    byId(id).value = state[id];
    byId(`${id}-says`).textContent = says(state[id]);
    byId(id).setAttribute("aria-valuetext", `${state[id]}: ${says(state[id])}`);
  }
  byId("k").max = about.most;
  if (document.activeElement !== byId("k")) byId("k").value = state.k;
  byId("unedited").hidden = state.query === null || !state.q.trim();
  byId("python").textContent = toPython(state);
}

/** Asks, one question at a time: while a slider is dragged, the newest position is asked next, the others never. */
async function ask() {
  if (!state.q.trim() && state.query === null) return;
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  do {
    again = false;
    const asked = state;
    document.body.classList.add("busy");
    byId("waiting").hidden = shown !== null;
    try {
      const answer = await engine.ask({ question: asked.q, query: asked.query, ...settings(asked) });
      if (!again || shown === null) show(answer, asked);
    } catch (error) {
      if (!again) trouble(error);
    }
    document.body.classList.remove("busy");
    byId("waiting").hidden = true;
  } while (again);
  asking = false;
}

function show(answer, asked) {
  shown = answer;
  byId("trouble").replaceChildren();
  for (const id of ["reading", "knobs", "sides", "rankings", "told"]) byId(id).hidden = false;
  if (asked.query === null) {
    editor.show(parseQuery(answer.query));
    byId("query").value = answer.query;
    mistake(null);
  }
  byId("reader").textContent = asked.query === null ? answer.read_by : "as you edited it";
  const aside = [];
  if (answer.problem !== null) aside.push(answer.problem);
  if (answer.routed !== null) aside.push(`Searched for as it stands: ${answer.routed}`);
  byId("aside").textContent = aside.join("\n");
  showAnswer(answer);
}

function trouble(error) {
  if (error instanceof Trouble || error instanceof QueryMistake) {
    if (state.query !== null && (error.span ?? error.at) != null && byId("reading").hidden === false) return mistake(error.message);
    byId("trouble").replaceChildren(el("p", { textContent: error.message }), el("p", { className: "soft", textContent: error.hint ?? "" }));
    byId("status").textContent = "";
    return undefined;
  }
  throw error;
}

function mistake(text) {
  byId("mistake").textContent = text ?? "";
  byId("query").setAttribute("aria-invalid", String(text !== null));
}

function grow() {
  const field = byId("question");
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, 180)}px`;
}

function begin() {
  const restored = state;
  byId("question").value = restored.q;
  grow();
  controls();
  if (restored.query !== null) {
    byId("query").value = restored.query;
    byId("reading").hidden = false;
    try {
      editor.show(parseQuery(restored.query));
    } catch (error) {
      mistake(error.message);
    }
  }
  ask();
}

byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const question = byId("question").value;
  if (!question.trim()) {
    byId("trouble").replaceChildren(el("p", { textContent: "There is no question: type one." }));
    return;
  }
  update({ q: question, query: null });
});
byId("question").addEventListener("input", grow);
window.addEventListener("resize", grow);
byId("question").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    byId("ask").requestSubmit();
  }
});
byId("query").addEventListener("input", () => {
  const text = byId("query").value;
  try {
    editor.show(parseQuery(text));
    mistake(null);
    update({ query: text });
  } catch (error) {
    if (!(error instanceof QueryMistake)) throw error;
    mistake(`${error.message} (at character ${error.at + 1})`);
  }
});
byId("unedited").addEventListener("click", () => {
  update({ query: null });
  byId("query").focus();
});
for (const id of Object.keys(SLIDERS)) byId(id).addEventListener("input", (event) => update({ [id]: Number(event.target.value) }));
byId("k").addEventListener("input", (event) => {
  const k = Number(event.target.value);
  if (Number.isInteger(k) && k >= 1 && k <= about.most) update({ k });
});
byId("sides").addEventListener("change", (event) => {
  byId("rankings").dataset.side = event.target.value;
});

async function copied(button, text) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy it from the address bar or below";
  }
  setTimeout(() => (button.textContent = label), 1600);
}
byId("share").addEventListener("click", () => {
  history.replaceState(null, "", `#${toFragment(state)}`);
  copied(byId("share"), location.href);
});
byId("copy-python").addEventListener("click", () => copied(byId("copy-python"), toPython(state)));
window.addEventListener("hashchange", () => {
  state = fromFragment(location.hash);
  begin();
});

function theme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("theme").textContent = dark ? "Light" : "Dark"; // what a click makes of it
}
byId("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme !== "dark"));
theme(matchMedia("(prefers-color-scheme: dark)").matches);

try {
  about = await engine.about();
  const count = about.count === null ? "" : `${about.count.toLocaleString("en")} passages`;
  byId("collection").replaceChildren(el("bdi", { textContent: about.name }), count ? ` · ${count}` : "");
  byId("examples").replaceChildren(
    ...about.examples.map((question) =>
      el("button", {
        type: "button",
        textContent: question,
        onclick: () => {
          byId("question").value = question;
          grow();
          update({ q: question, query: null });
        },
      }),
    ),
  );
  byId("fields").replaceChildren(...Object.entries(about.fields).map(([value, label]) => el("option", { value, label })));
  begin();
} catch (error) {
  trouble(error);
}
