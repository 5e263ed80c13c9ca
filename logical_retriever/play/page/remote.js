/** The server that this page came from. */

class Trouble extends Error {
  constructor(message, hint = "", span = null) {
    super(message);
    this.hint = hint;
    this.span = span;
  }
}

function remoteEngine() {
  async function call(path, body) {
    let response;
    try {
      response = await fetch(path, body && { method: "POST", headers: { "Content-Type": "application/json" }, body });
    } catch {
      throw new Trouble("The server does not answer.", "It may have ended: start it again, then ask again.");
    }
    const said = await response.json().catch(() => null);
    if (response.ok && said !== null) return said;
    if (said?.message) throw new Trouble(said.message, said.hint, said.span);
    throw new Trouble(`The server could not answer (${response.status}).`, "What it printed says more.");
  }
  return {
    about: () => call("/api/about"),
    ask: (asked) => call("/api/ask", JSON.stringify(asked)),
  };
}
