// The page: signs in, shows a match, and passes on what its reader does.

import { ask, Lost, Refused } from "./api.js";
import { Board } from "./board.js";
import { Asked, Attempts, Unsure, whenBack } from "./connection.js";
import { Controls } from "./controls.js";
import { fill, h, keepingFocus } from "./dom.js";
import { banner, Draft } from "./drafts.js";
import { embedded, enter } from "./embed.js";
import { Games } from "./games.js";
import { History } from "./history.js";
import { ofBrowser, say, speak } from "./language.js";
import { markdown } from "./markdown.js";
import { seen } from "./memory.js";
import { News } from "./news.js";
import { learn, world } from "./people.js";
import { advised, chips, meanings, Typing, undoing, whole } from "./picks.js";
import { Choosing } from "./steps.js";

const parts = Object.fromEntries(["games", "match", "heading", "draft", "board", "prompt", "offers", "choosing", "history", "story", "typing", "controls", "notice", "told", "lost", "called"].map((id) => [id, document.getElementById(id)]));
const board = new Board(parts.board, (square) => tap(square));
const turns = new History({ part: parts.history, root: parts.board, board, go: back });
const attempts = new Attempts(parts, failed);
const attempt = (work) => attempts.do(work);
const unsure = new Unsure(attempts);
const list = new Games({ list: parts.games, called: parts.called, open: go });
const controls = new Controls({ parts, attempt, onBoard, renew });
const match = new Asked({ ask: () => ask(address(here)), show, heard: (error) => renewed("match", error) });
const matches = new Asked({ ask: () => ask("/api/matches"), show: games, heard: (error) => renewed("matches", error) });
const typing = new Typing(parts.typing, (text) => play({ text }));
const AGAIN = 3000;

let here = null; // the number of the match that is open
let view = null; // that match as it stands, once it is known
let shown = null; // what is on the board: the match, an earlier turn of it, or a draft
let draft = null; // moves tried or planned, while the board shows them
let choosing = new Choosing([]);
let news = null;
let unwatched = false; // whether news of that match have ended, as another cannot be seen
let link = new URLSearchParams(location.hash.slice(1)).get("open"); // until it is used

/** See to it that what could not be done can be done soon. */
function failed(error) {
  if (error.status === 401) signedOut();
  else if (news) {
    if (error instanceof Lost) reconnect();
    renew();
  } else if (error instanceof Lost || error.passes) setTimeout(() => attempt(start), AGAIN);
}

function reconnect() {
  attempts.lost("matches");
  if (here !== null) attempts.lost("match");
  news.again();
}

/** Show how everything stands, as soon as there is an answer. */
function renew() {
  if (here !== null) match.now();
  matches.now();
}

/** Hear how that went; return whether to ask again. */
function renewed(part, error) {
  if (error instanceof Lost || error?.passes) attempts.lost(part);
  else attempts.found(part);
  if (error === null) return false;
  if (!(error instanceof Lost || error instanceof Refused)) throw error;
  if (error.status === 401) signedOut();
  else if (part === "match" && !error.passes && error instanceof Refused) hide(error.message);
  return error.status !== 401;
}

/** Show a match no longer, unless its reader may see it again. */
function hide(words) {
  if (view) attempts.tell(words);
  forget();
  parts.match.hidden = true;
}

function signedOut() {
  news?.close();
  match.stop();
  matches.stop();
  controls.close();
  attempts.settle();
  parts.match.hidden = parts.games.hidden = true;
  if (embedded) attempts.tell(say("You're signed out. Close this and open it again to play on."));
  else attempts.tell((view ? `${say("You're signed out.")} ` : "") + say("Press **Open the board** below a board in Discord, behind *More*. It gives you a link to this page."));
}

async function start() {
  speak(ofBrowser());
  let asked = Number(new URLSearchParams(location.hash.slice(1)).get("match")) || null;
  if (link) {
    // Used up now: it must not stay in the history.
    history.replaceState(null, "", location.pathname);
    ({ match: asked } = await ask("/api/session", { link }));
    link = null;
    if (asked) history.replaceState(null, "", `#match=${asked}`);
  }
  if (embedded) asked = await enter();
  // Both at once; a match that cannot be shown is asked for again, to tell why.
  const early = asked ? ask(address(asked)).catch(() => undefined) : undefined;
  const found = await ask("/api/matches");
  speak(found.locale);
  typing.show();
  const first = asked ?? found.matches[0]?.match;
  news = new News(heard, { shared: !embedded });
  if (!first) {
    news.watch(null);
    attempts.tell(say("You have no games going. Start one in Discord with `/play`."));
  }
  try {
    if (first) await open(first, await early);
  } finally {
    games(found, true);
  }
}

function address(match) {
  const since = view?.ply ?? seen.get(match);
  return `/api/matches/${match}${since === undefined ? "" : `?since=${since}`}`;
}

/** Open a match; if that fails, it is tried again. */
async function open(number, early) {
  here = number;
  forget();
  typing.clear();
  history.replaceState(null, "", `#match=${number}`);
  try {
    if (early) show(early, true);
    else await match.once();
  } finally {
    parts.match.hidden = view === null;
    news.watch(number);
  }
}

function go(number) {
  return attempt(() => open(number).then(() => matches.now()));
}

function forget() {
  view = shown = null;
  choosing = new Choosing([]);
  endDraft();
  board.clear();
}

function heard(told) {
  if (told === "hidden") unwatched = true; // until it is clear which match that is
  if (told === "over") signedOut();
  else if (told === "lost") attempts.lost("news");
  else if (told === "turns") matches.now();
  else if (told === `changed ${here}` && !view?.over) match.now();
  else if (told === `changed ${here}` || !told.startsWith("changed")) renew(); // its rematch may be another match
  if (told === "connected") attempts.found("news");
}

/** Show the games of an answer, if it is the newest. */
function games(found, newer) {
  if (!newer) return false;
  list.show(found, here);
  list.title(view);
  if (view && shown === view && !view.turn) mark();
  if (here === null && found.matches.length) go(found.matches[0].match); // the first of their games has begun
  return true;
}

// What is on the board.

/** Show a match as it stands, unless what is shown is newer, or another match is open; return whether it is. */
function show(fresh, newer) {
  if (fresh.match !== here) return false;
  // A question asked during a move may be answered with the turn before it. Of one turn, the last asked is newest.
  if (view && fresh.version < view.version) return false;
  if (view && fresh.version === view.version && !newer) return false;
  learn(fresh);
  const changed = view === null || fresh.version !== view.version || fresh.over !== view.over;
  const now = shown === view;
  // A hint stays until the next turn.
  view = changed || !view.hint ? fresh : { ...fresh, hint: view.hint };
  if (parts.match.hidden) attempts.hush();
  if (parts.match.hidden || unwatched) news.watch(here);
  parts.match.hidden = unwatched = false;
  seen.set(view.match, view.ply);
  if (draft) {
    if (changed) drafted();
  } else if (changed) draw(view);
  else if (now) shown = view;
  if (shown === view) words(view);
  else if (!draft) controls.show(view);
  list.title(view);
  if (unsure.heard(view)) typing.clear();
  return true;
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

function words(position) {
  fill(parts.heading, markdown(view.heading, world));
  const told = [position.hint?.words, position.story, position.clock, position.note].filter(Boolean).join("\n");
  fill(parts.prompt, h("div.text", {}, markdown(position.prompt, world)));
  fill(parts.story, h("div.text", {}, markdown(told, world)));
  if (draft) return;
  controls.show(view);
  parts.typing.hidden = !view.turn;
  turns.show(position, view);
}

/** Show a turn of the match, at most the last; return the one that is on the board then. */
async function back(ply) {
  const number = here;
  try {
    if (view && ply >= view.ply) present();
    else {
      const since = shown && ply > shown.ply ? `&since=${shown.ply}` : "";
      const then = await ask(`/api/matches/${number}?ply=${ply}${since}`);
      if (number !== here || !view || draft) return view?.ply ?? 0;
      learn(then);
      draw(then);
      words(then);
    }
  } catch (error) {
    attempts.failed(error);
  }
  return (shown ?? view)?.ply ?? 0;
}

// Choosing a move.

function live() {
  return !attempts.busy && (draft ? shown === draft.view : shown === view && view?.turn);
}

function mark() {
  const open = draft || (shown === view && view.turn);
  const can = open ? choosing.next : new Map();
  board.mark(meanings(can, choosing.path), choosing.path, open ? choosing.starts : new Set());
  const complete = choosing.complete;
  const asks = complete.length > 1 || can.size || (view.confirm && !draft);
  const asking = can.size > 0 || choosing.path.length > 0;
  const picks = [
    ...whole(asks ? complete : [], chosen),
    ...chips(can, tap),
    choosing.path.length ? undoing(undo) : hinted(),
    asking || shown !== view ? null : list.next(),
  ].filter(Boolean);
  parts.choosing.hidden = !asking && !picks.length;
  parts.choosing.setAttribute("aria-label", say("Your move"));
  keepingFocus(parts.choosing, () => board.entrance, () => parts.choosing.replaceChildren(...(picks.length ? picks : [say("Tap a marked square.")])));
}

function hinted() {
  return shown === view && view.hint ? advised(view.hint, play) : null;
}

function undo() {
  choosing.undo();
  mark();
}

function tap(name) {
  if (!live() || !choosing.tap(name)) return undefined;
  const [move, ...others] = choosing.complete;
  if (move && !others.length && !choosing.next.size && (draft || !view.confirm)) return chosen(move);
  return mark();
}

function chosen(move) {
  return draft ? drafting(() => draft.play(move.steps)) : play({ steps: move.steps });
}

function play(move) {
  return attempt(async () => {
    const before = view;
    unsure.lost(null);
    try {
      await match.once(() => ask(`/api/matches/${before.match}/moves`, { version: before.version, ...move }));
    } catch (error) {
      if (error instanceof Lost) unsure.lost(before);
      choosing.clear();
      if (view) mark();
      throw error;
    }
    typing.clear();
    matches.now();
  });
}

// Beside the match: moves tried or planned, and hints.

/** Do on the board what a control does, if the board can; return whether it does. */
function onBoard({ custom_id: address }) {
  const [prefix, match, ply, steps] = address.split(":");
  if (!view || match !== String(here) || steps) return false;
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
    if (!view) return;
    draft = begun;
    drafted();
  });
}

/** Go on with a draft, unless it is left meanwhile. */
function drafting(work) {
  const begun = draft;
  return attempt(async () => {
    try {
      await work();
    } finally {
      choosing.clear();
      if (draft === begun) drafted();
    }
  });
}

function drafted() {
  const go = (line) => drafting(() => draft.go(line));
  const remove = (number) => drafting(() => draft.remove(number));
  learn(draft.view);
  keepingFocus(parts.draft, () => board.entrance, () => fill(parts.draft, ...banner(draft, world, { go, remove, leave, moved: draft.version !== view.version })));
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
    if (found.version !== view?.version) return;
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

// Meanwhile, a turn may have come in another match.
whenBack((found) => {
  if (found && news) reconnect();
  if (news) renew();
});

attempt(start);
