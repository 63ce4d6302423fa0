// Inside Discord: the page as an Activity, in a frame of Discord's client.
//
// Only this much of the embedded protocol is spoken: a handshake, the person's consent, and links that
// the client opens. No token comes here: the code goes to the bot, which asks Discord who it is about.

import { ask, carry, Refused, through } from "./api.js";
import { say } from "./language.js";

const [HANDSHAKE, FRAME, CLOSE] = [0, 1, 2];
const PATIENCE = 15_000;
const INSTANT = 500; // milliseconds: nobody refuses a dialog faster

const query = new URLSearchParams(location.search);
/** Whether the page was opened by Discord. */
export const embedded = query.has("frame_id") && window.parent !== window;

// In a window of its own, the client is the one that opened it.
const client = embedded ? (window.parent.opener ?? window.parent) : null;
const waiting = new Map();
let parents = [];
let origin = null; // of the client, once it has spoken
let ready = null;
let count = 0;

function hear(event) {
  if (event.source !== client || !parents.includes(event.origin) || !Array.isArray(event.data)) return;
  const [opcode, said] = event.data;
  if (opcode === CLOSE) return fail(said?.message);
  if (opcode !== FRAME || said === null || typeof said !== "object") return;
  if (said.cmd === "DISPATCH" && said.evt === "READY") {
    origin = event.origin;
    return ready?.();
  }
  const asked = waiting.get(said.nonce);
  waiting.delete(said.nonce);
  if (said.evt === "ERROR") asked?.reject(new Error(said.data?.message));
  else asked?.resolve(said.data);
}

function fail(reason) {
  for (const asked of waiting.values()) asked.reject(new Error(reason));
  waiting.clear();
}

/** Have the client do something; only the one that answered the handshake hears of it. */
function command(cmd, args) {
  count += 1;
  const nonce = `${Date.now()}-${count}`;
  return new Promise((resolve, reject) => {
    waiting.set(nonce, { resolve, reject });
    client.postMessage([FRAME, { cmd, args, nonce }], origin);
  });
}

/** Where the client is, as far as the browser says; its answer is checked in any case. */
function whereabouts() {
  const above = location.ancestorOrigins?.[0] ?? (document.referrer && new URL(document.referrer).origin);
  if (above && !parents.includes(above)) throw new Refused(say("This page is open in a frame that isn't Discord's."), 403);
  return above || "*";
}

async function handshake(application) {
  const target = whereabouts();
  addEventListener("message", hear);
  await new Promise((resolve, reject) => {
    ready = resolve;
    setTimeout(() => reject(new Refused(say("Discord isn't answering. Close this and open it again."), 408)), PATIENCE);
    client.postMessage([HANDSHAKE, { v: 1, encoding: "json", client_id: application, frame_id: query.get("frame_id") }], target);
  });
}

async function about() {
  try {
    through("./");
    return await ask("/api/activity");
  } catch (error) {
    if (error instanceof Refused && error.status !== 404) throw error;
    through(".proxy/"); // where Discord's proxy passes nothing else on
    return ask("/api/activity");
  }
}

async function consent(application) {
  const wanted = { client_id: application, response_type: "code", state: "", scope: ["identify"] };
  const began = performance.now();
  try {
    return await command("AUTHORIZE", { ...wanted, prompt: "none" });
  } catch (error) {
    const refused = error.message?.includes("access_denied") || performance.now() - began > INSTANT;
    if (refused) throw error;
    return command("AUTHORIZE", wanted);
  }
}

/** Find out who this is, and return the match to show first; throws Refused with why not. */
export async function enter() {
  const { application, parents: known } = await about();
  if (origin === null) {
    parents = [...known, location.origin]; // Discord's proxy may have a frame of its own in between
    await handshake(application);
  }
  const { code } = await consent(application).catch(() => {
    throw new Refused(say("Discord didn't say who you are. To play here, allow it to."), 403);
  });
  const { secret, match } = await ask("/api/activity", { code, channel: query.get("channel_id") ?? "", guild: query.get("guild_id") ?? "" });
  carry(secret);
  return match;
}

/** Open a link outside, as frames cannot. */
function follow(event) {
  const link = event.target.closest?.("a[href]");
  if (!link || new URL(link.href).origin === location.origin || !/^https?:$/.test(link.protocol)) return;
  event.preventDefault();
  command("OPEN_EXTERNAL_LINK", { url: link.href }).catch(() => window.open(link.href, "_blank", "noopener"));
}

if (embedded) document.addEventListener("click", follow);
