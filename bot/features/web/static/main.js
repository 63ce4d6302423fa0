// The page: signs in, shows a match, and passes on what its reader does.

import { ask, Refused } from "./api.js";
import { Board } from "./board.js";
import { Controls } from "./controls.js";
import { h } from "./dom.js";
import { banner, Draft } from "./drafts.js";
import { embedded, enter } from "./embed.js";
import { Games } from "./games.js";
import { History } from "./history.js";
import { ofBrowser, say, speak } from "./language.js";
import { markdown } from "./markdown.js";
import { seen } from "./memory.js";
import { News } from "./news.js";
import { learn, world } from "./people.js";
import { chips } from "./picks.js";
import { Choosing } from "./steps.js";

const parts = Object.fromEntries(["games", "match", "heading", "draft", "board", "prompt", "offers", "choosing", "history", "story", "typing", "controls", "notice", "lost", "called"].map((id) => [id, document.getElementById(id)]));
const board = new Board(parts.board, (square) => tap(square));
const turns = new History({ part: parts.history, root: parts.board, board, go: back });
const list = new Games({ list: parts.games, called: parts.called, open: (match) => attempt(() => open(match).then(look)) });
const controls = new Controls({ parts, attempt, onBoard, refresh: () => Promise.all([refresh(), look()]) });
const AGAIN = 3000;
const typed = h("input", { type: "text", autocomplete: "off", spellcheck: "false" });

let view = null; // the match as it stands
let shown = null; // what is on the board: the match, an earlier turn of it, or a draft
let draft = null; // moves tried or planned, while the board shows them
let choosing = new Choosing([]);
let news = null;
let busy = false;
let offline = false; // whether the notice says so
let link = new URLSearchParams(location.hash.slice(1)).get("open"); // until it is used

function tell(words) {
  // What is outside an open dialog cannot be seen or reached.
  (document.querySelector("dialog[open]") ?? document.getElementById("page")).append(parts.notice);
  parts.notice.replaceChildren(markdown(words, world));
  parts.notice.hidden = false;
}

async function attempt(work) {
  if (busy) return;
  busy = true;
  document.body.setAttribute("aria-busy", "true");
  try {
    parts.notice.hidden = true;
    await work();
  } catch (error) {
    failed(error);
    if (error instanceof Refused && error.status !== 401 && view) await refresh().catch(() => undefined);
  } finally {
    busy = false;
    document.body.removeAttribute("aria-busy");
  }
}

function failed(error) {
  if (error instanceof Refused && error.status === 401) return signedOut();
  offline = !(error instanceof Refused);
  if (offline && !news) setTimeout(() => attempt(start), AGAIN);
  return tell(offline ? say("Not connected. Trying again…") : error.message);
}

function signedOut() {
  news?.close();
  controls.close();
  parts.match.hidden = parts.games.hidden = parts.lost.hidden = true;
  if (embedded) tell(say("You're signed out. Close this and open it again to play on."));
  else tell((view ? `${say("You're signed out.")} ` : "") + say("Press **Open the board** below a board in Discord, behind *More*. It gives you a link to this page."));
}

async function start() {
  speak(ofBrowser());
  let match = Number(new URLSearchParams(location.hash.slice(1)).get("match")) || null;
  if (link) {
    // Used up now: it must not stay in the history.
    history.replaceState(null, "", location.pathname);
    ({ match } = await ask("/api/session", { link }));
    link = null;
    if (match) history.replaceState(null, "", `#match=${match}`);
  }
  if (embedded) match = await enter();
  // Both at once; a match that cannot be shown is asked for again, to tell why.
  const early = match ? ask(address(match)).catch(() => undefined) : undefined;
  const found = await ask("/api/matches");
  speak(found.locale);
  typing();
  const first = match ?? found.matches[0]?.match;
  news = new News(heard, { shared: !embedded });
  if (first) await open(first, await early);
  else tell(say("You have no games going. Start one in Discord with `/play`."));
  games(found);
}

function address(match) {
  const since = seen.get(match);
  return `/api/matches/${match}${since === undefined ? "" : `?since=${since}`}`;
}

async function open(match, early) {
  view = shown = null;
  typed.value = "";
  endDraft();
  board.clear();
  history.replaceState(null, "", `#match=${match}`);
  if (early) show(early);
  else await current(address(match));
  news.watch(match);
}

let losing = null;

function heard(told) {
  if (told === "over") return signedOut();
  if (told === "lost") {
    losing ??= setTimeout(() => {
      parts.lost.hidden = false;
      parts.lost.textContent = say("Not connected. Trying again…");
    }, 1000);
    return undefined;
  }
  if (told === "connected") {
    clearTimeout(losing);
    losing = null;
    parts.lost.hidden = true;
    if (offline) parts.notice.hidden = true;
    offline = false;
  }
  if (view && (told === "connected" || told === `changed ${view.match}`)) refresh().catch(() => undefined);
  if (told === "connected" || told === "turns") look().catch(() => undefined);
  return undefined;
}

let count = 0; // of questions how the match stands
let latest = 0; // the last one whose answer is shown

/** Show how a match stands, unless what is shown is newer, or another match is open. */
async function current(path, body) {
  count += 1;
  const [number, match] = [count, view?.match];
  const fresh = await ask(path, body);
  // A question asked during a move may be answered with the turn before it. Of one turn, the last asked is newest.
  const newer = view ? fresh.version - view.version || number - latest : 1;
  if (newer < 0 || match !== view?.match) return;
  latest = number;
  show(fresh);
}

function refresh() {
  return current(`/api/matches/${view.match}?since=${view.ply}`);
}

let looks = 0;

async function look() {
  const number = (looks += 1);
  const found = await ask("/api/matches");
  if (number === looks) games(found);
}

function games(found) {
  list.show(found, view?.match);
  titled();
  if (view && shown === view && !view.turn) mark();
}

function titled() {
  const calls = view?.turn ? "● " : list.waiting ? `(${list.waiting}) ` : "";
  if (view) document.title = `${calls}${view.title} · #${view.match}`;
}

// What is on the board.

function show(fresh) {
  learn(fresh);
  const changed = view === null || fresh.version !== view.version || fresh.over !== view.over;
  const now = shown === view;
  // A hint stays until the next turn.
  view = changed || !view.hint ? fresh : { ...fresh, hint: view.hint };
  parts.match.hidden = false;
  seen.set(view.match, view.ply);
  if (draft) {
    if (changed) drafted();
  } else if (changed) draw(view);
  else if (now) shown = view;
  if (shown === view) words(view);
  titled();
}

function draw(position) {
  document.documentElement.dataset.board = position.theme;
  if (position !== shown) choosing = new Choosing(position.moves);
  shown = position;
  const { scene, alt } = position.hint ?? position;
  board.show(scene, alt, position);
  parts.board.classList.toggle("earlier", !draft && position.ply !== view.ply);
  parts.board.classList.toggle("drafted", Boolean(draft));
  mark();
  turns.measure();
}

/** Draw a part of the page anew, with the focus on its first button if it was in it. */
function keepingFocus(part, work) {
  const had = part.contains(document.activeElement);
  work();
  if (had) (part.querySelector("button") ?? parts.board.querySelector('[tabindex="0"]'))?.focus();
}

/** Put words or elements into a part of the page, unless they are there: they would be read out again. */
function fill(part, ...children) {
  const fresh = h("div", {}, ...children);
  if (part.innerHTML !== fresh.innerHTML || part.querySelector("button")) part.replaceChildren(...fresh.childNodes);
}

function words(position) {
  fill(parts.heading, markdown(view.heading, world));
  const told = [position.hint?.words, position.story, position.clock, position.note].filter(Boolean).join("\n");
  fill(parts.prompt, h("div.text", {}, markdown(position.prompt, world)));
  fill(parts.story, h("div.text", {}, markdown(told, world)));
  if (draft) return;
  controls.show(view);
  parts.typing.hidden = !view.turn;
  turns.show(position.ply, view.ply);
}

/** Show a turn of the match; return the one that is on the board then. */
async function back(ply) {
  const { match } = view;
  try {
    if (ply === view.ply) present();
    else {
      const since = shown && ply > shown.ply ? `&since=${shown.ply}` : "";
      const then = await ask(`/api/matches/${match}?ply=${ply}${since}`);
      if (match !== view?.match || draft) return view?.ply;
      learn(then);
      draw(then);
      words(then);
    }
  } catch (error) {
    failed(error);
  }
  return shown?.ply;
}

// Choosing a move.

function live() {
  return !busy && (draft ? shown === draft.view : shown === view && view.turn);
}

function mark() {
  const open = draft || (shown === view && view.turn);
  const can = open ? choosing.next : new Map();
  const labelled = ([name, moves]) => [name, moves.length === 1 ? moves[0].label : choosing.path.length ? say("{count} moves", { count: moves.length }) : say("can move")];
  board.mark(new Map([...can].map(labelled)), choosing.path, open ? choosing.starts : new Set());
  const complete = choosing.complete;
  const asks = complete.length > 1 || can.size || (view.confirm && !draft);
  const asking = can.size > 0 || choosing.path.length > 0;
  const undo = choosing.path.length ? h("button.button.secondary", { type: "button", onclick: () => { choosing.undo(); mark(); } }, say("Undo")) : null;
  const picks = [
    ...(asks ? complete : []).map((move) => h("button.button.success", { type: "button", onclick: () => chosen(move) }, move.label)),
    ...chips(can, (name) => tap(name)),
    hinted(),
    undo,
    asking || shown !== view ? null : list.next(),
  ].filter(Boolean);
  parts.choosing.hidden = !asking && !picks.length;
  parts.choosing.setAttribute("aria-label", say("Your move"));
  keepingFocus(parts.choosing, () => parts.choosing.replaceChildren(...(picks.length ? picks : [say("Tap a marked square.")])));
}

function hinted() {
  const hint = shown === view && !choosing.path.length ? view.hint : null;
  return hint && h("button.button.primary", { type: "button", onclick: () => play({ steps: hint.steps }) }, say("Play it"));
}

function tap(name) {
  if (!live() || !choosing.tap(name)) return undefined;
  const [move, ...others] = choosing.complete;
  if (move && !others.length && !choosing.next.size && (draft || !view.confirm)) return chosen(move);
  return mark();
}

function chosen(move) {
  return draft ? attempt(() => draft.play(move.steps).then(() => drafted())) : play({ steps: move.steps });
}

function play(move) {
  return attempt(async () => {
    await current(`/api/matches/${view.match}/moves`, { version: view.version, ...move });
    typed.value = "";
    look().catch(() => undefined);
  });
}

/** The field for moves that are typed, in the reader's language. */
function typing() {
  typed.placeholder = say("Type a move");
  typed.setAttribute("aria-label", typed.placeholder);
  parts.typing.replaceChildren(typed, h("button.button.secondary", { type: "submit" }, say("Play")));
}

parts.typing.addEventListener("submit", (event) => {
  event.preventDefault();
  play({ text: typed.value });
});

// Beside the match: moves tried or planned, and hints.

/** Do on the board what a control does, if the board can; return whether it does. */
function onBoard({ custom_id: address }) {
  const [prefix, match, ply, steps] = address.split(":");
  if (match !== String(view.match) || steps) return false;
  if (prefix === "hint") hint();
  else if (prefix === "plan") begin("plan", view.ply);
  else if (prefix === "try") begin("try", Number(ply) === view.ply ? (shown.ply ?? view.ply) : Number(ply));
  else return false;
  controls.close();
  return true;
}

function begin(kind, ply) {
  return attempt(async () => {
    const begun = new Draft(kind, { match: view.match, version: view.version, ply });
    await begun.go([]);
    draft = begun;
    drafted();
  });
}

function drafted() {
  const go = (line) => attempt(() => draft.go(line).then(() => drafted()));
  const remove = (number) => attempt(() => draft.remove(number).then(() => drafted()));
  learn(draft.view);
  keepingFocus(parts.draft, () => fill(parts.draft, ...banner(draft, world, { go, remove, leave, moved: draft.version !== view.version })));
  draw(draft.view);
  words(draft.view);
  aside(true);
}

/** Hide what has nothing to do with a draft, or show it again. */
function aside(hidden) {
  turns.hidden = parts.offers.hidden = parts.controls.hidden = hidden;
  parts.typing.hidden = hidden || !view?.turn;
}

function leave() {
  endDraft();
  present();
}

function endDraft() {
  draft = null;
  fill(parts.draft);
  aside(false);
}

/** Show the match as it stands, without what led to it. */
function present(more = {}) {
  view = { ...view, ...more, film: [], thrown: false };
  draw(view);
  words(view);
}

function hint() {
  return attempt(async () => {
    const found = await ask(`/api/matches/${view.match}/hints`, {});
    if (found.version !== view.version) return;
    present({ hint: found });
  });
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
  const held = board.putBack();
  if (choosing.path.length) {
    choosing.clear();
    mark();
  } else if (draft && !held) leave();
});

// Channels are named here, and elsewhere.
document.addEventListener("click", (event) => {
  if (event.target.closest?.('a[href^="#c/"]')) event.preventDefault();
});

// Meanwhile, a turn may have come in another match.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && view && !busy) Promise.all([refresh(), look()]).catch(() => undefined);
});

attempt(start);
