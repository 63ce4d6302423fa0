// Speaks with the server.

import { say } from "./language.js";

const PATIENCE = 30_000; // milliseconds: a connection may be dead though nobody has closed it

/** What a person cannot do, in words for them. */
export class Refused extends Error {
  constructor(words, status) {
    super(words);
    this.status = status;
  }

  /** Whether the same may be possible in a moment. */
  get passes() {
    return this.status === 429 || this.status >= 500;
  }
}

/** No answer of the server's came: whether it has done what was asked, nobody knows. */
export class Lost extends Error {
  constructor() {
    super(say("The connection was lost. Check if it worked before you try again."));
  }
}

// Wherever this file came from, the rest is beside it: inside Discord, addresses may begin with /.proxy/.
const here = new URL("../", import.meta.url);
let root = here;
let secret = null;

const at = (path) => new URL(path.replace(/^\//, ""), root);

/** From now on, send the secret of a session: inside Discord, browsers give the page no cookies. */
export function carry(given) {
  secret = given;
}

/** From now on, ask below another address beside this file. */
export function through(prefix) {
  root = new URL(prefix, here);
}

function asked(more = {}) {
  return { "X-Board": "1", ...more, ...(secret === null ? {} : { Authorization: `Bearer ${secret}` }) };
}

/** Put what only this page may load, the addresses of files in an answer, into its memory. */
async function loaded(said) {
  if (typeof said === "string" && said.startsWith("/api/files/")) {
    const answer = await fetch(at(said), { headers: asked(), credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
    const file = answer?.ok && (await answer.blob().catch(() => null));
    return file ? URL.createObjectURL(file) : said;
  }
  if (Array.isArray(said)) return Promise.all(said.map(loaded));
  if (said === null || typeof said !== "object") return said;
  return Object.fromEntries(await Promise.all(Object.entries(said).map(async ([name, value]) => [name, await loaded(value)])));
}

/** Ask the server; without `body` it changes nothing. Throws Refused, or Lost without an answer. */
export async function ask(path, body, method = body === undefined ? "GET" : "POST") {
  const { status, ok, said } = await answered(path, {
    method,
    headers: asked(body === undefined ? {} : { "Content-Type": "application/json" }),
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (!ok) throw new Refused(said.error, status);
  // Elements would load what a control shows without the secret.
  return secret !== null && path.endsWith("/presses") ? loaded(said) : said;
}

/** What is no JSON of the server's own, a proxy says that did not reach it. */
async function answered(path, request) {
  const answer = await fetch(at(path), request).catch(() => null);
  const said = await answer?.json().catch(() => null);
  if (!said || !(answer.ok || typeof said.error === "string")) throw new Lost();
  return { status: answer.status, ok: answer.ok, said };
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
      const kind = answer.headers.get("Content-Type") ?? "";
      const own = kind.startsWith("application/json");
      if (own && (answer.status === 401 || answer.status === 403)) return heard("over");
      if (own && answer.status === 404) return heard("hidden");
      if (!answer.ok || !kind.startsWith("text/event-stream")) throw new Lost();
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
