// Speaks with the server.

/** What a person cannot do, in words for them. */
export class Refused extends Error {
  constructor(words, status) {
    super(words);
    this.status = status;
  }
}

// Wherever this file came from, the rest is beside it: inside Discord, addresses may begin with /.proxy/.
let root = new URL("../", import.meta.url);
let secret = null;

const at = (path) => new URL(path.replace(/^\//, ""), root);

/** From now on, send the secret of a session: inside Discord, browsers give the page no cookies. */
export function carry(given) {
  secret = given;
}

/** From now on, ask below another address. */
export function through(prefix) {
  root = new URL(prefix, root);
}

function asked(more = {}) {
  return { "X-Board": "1", ...more, ...(secret === null ? {} : { Authorization: `Bearer ${secret}` }) };
}

/** Put what only this page may load, the addresses of files in an answer, into its memory. */
async function loaded(said) {
  if (typeof said === "string" && said.startsWith("/api/files/")) {
    const answer = await fetch(at(said), { headers: asked(), credentials: "same-origin" }).catch(() => null);
    return answer?.ok ? URL.createObjectURL(await answer.blob()) : said;
  }
  if (Array.isArray(said)) return Promise.all(said.map(loaded));
  if (said === null || typeof said !== "object") return said;
  return Object.fromEntries(await Promise.all(Object.entries(said).map(async ([name, value]) => [name, await loaded(value)])));
}

/** Ask the server; without `body` it changes nothing. Throws Refused, or TypeError without a connection. */
export async function ask(path, body, method = body === undefined ? "GET" : "POST") {
  const answer = await fetch(at(path), {
    method,
    headers: asked(body === undefined ? {} : { "Content-Type": "application/json" }),
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
  });
  const said = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(said.error ?? answer.statusText, answer.status);
  // Elements would load what a control shows without the secret.
  return secret !== null && path.endsWith("/presses") ? loaded(said) : said;
}

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

/**
 * Listen to a stream of news until `signal` aborts: `heard(news)` for each, and "connected", "lost",
 * "over" without a session, "hidden" if it is not for this person. A lost connection is opened again,
 * after growing pauses.
 */
export async function listen(path, signal, heard) {
  let pause = FIRST_PAUSE;
  while (!signal.aborted) {
    try {
      const answer = await fetch(at(path), { signal, headers: asked(), cache: "no-store", credentials: "same-origin" });
      if (answer.status === 401 || answer.status === 403) return heard("over");
      if (answer.status === 404) return heard("hidden");
      if (!answer.ok) throw new TypeError(answer.statusText);
      heard("connected");
      pause = FIRST_PAUSE;
      let rest = "";
      for await (const part of pieces(answer.body.pipeThrough(new TextDecoderStream()).getReader())) {
        const told = (rest + part).split("\n\n");
        rest = told.pop();
        for (const one of told) heard(one.replace(/^data: /, ""));
      }
    } catch (error) {
      if (signal.aborted) return undefined;
    }
    heard("lost");
    await new Promise((done) => setTimeout(done, pause * (0.5 + Math.random())));
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
  return undefined;
}

async function* pieces(reader) {
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}
