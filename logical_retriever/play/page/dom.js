/** Elements of the page. Texts of passages and questions become text nodes, never markup. */

const byId = (id) => document.getElementById(id);

/** An element: properties are set as they are, names with a dash and `role` as attributes, null ones not at all. */
function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name.includes("-") || name === "role" || name === "list") made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== ""));
  return made;
}

/** Runs `work` once it has not been called for so many milliseconds. */
function afterwards(milliseconds, work) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), milliseconds);
  };
}
