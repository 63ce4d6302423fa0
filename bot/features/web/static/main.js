// The page: signs in, shows a match, and passes on what its reader does.

import { ask, Refused } from "./api.js";
import { Board } from "./board.js";
import { components } from "./components.js";
import { h, icon } from "./dom.js";
import { banner, Draft } from "./drafts.js";
import { embedded, enter } from "./embed.js";
import { ofBrowser, say, speak } from "./language.js";
import { markdown } from "./markdown.js";
import { dialog, openForm } from "./modal.js";
import { News } from "./news.js";
import { chips } from "./picks.js";
import { Choosing } from "./steps.js";

const parts = Object.fromEntries(["games", "match", "heading", "draft", "board", "prompt", "choosing", "history", "story", "controls", "notice", "lost", "called"].map((id) => [id, document.getElementById(id)]));
const board = new Board(parts.board, (square) => tap(square));
const names = new Map();
const places = new Map(); // channels that answers mention
const MOST_SEEN = 60;
const memory = { open: new Set(), chosen: new Map() };

let view = null; // the match as it stands
let shown = null; // what is on the board: the match, an earlier turn of it, or a draft
let draft = null; // moves tried or planned, while the board shows them
let choosing = new Choosing([]);
let news = null;
let busy = false;
let waiting = null; // other matches in which it is this person's turn

const world = {
  me: null,
  people: [],
  channels: [],
  guild: { roles: [] },
  person: (id) => (names.has(id) ? { id, username: names.get(id) } : undefined),
  role: () => undefined,
  channel: (id) => (places.has(id) ? { id, name: places.get(id) } : undefined),
  openChannel: () => undefined,
};

function learn(people = {}) {
  for (const [id, name] of Object.entries(people)) names.set(id, name);
}

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
    if (error instanceof Refused && error.status === 401) return signedOut();
    failed(error);
    if (error instanceof Refused && view) await refresh().catch(() => undefined);
  } finally {
    busy = false;
    document.body.removeAttribute("aria-busy");
  }
}

function failed(error) {
  tell(error instanceof Refused ? error.message : say("Not connected. Trying again…"));
}

function signedOut() {
  news?.close();
  parts.match.hidden = parts.games.hidden = parts.lost.hidden = true;
  if (embedded) tell(say("You're signed out. Close this and open it again to play on."));
  else tell((view ? `${say("You're signed out.")} ` : "") + say("Press **Open the board** below a board in Discord, behind *More*. It gives you a link to this page."));
}

async function start() {
  speak(ofBrowser());
  parts.board.classList.toggle("large", stored("large") === true);
  const asked = new URLSearchParams(location.hash.slice(1));
  const link = asked.get("open");
  let match = Number(asked.get("match")) || null;
  if (link) {
    // Used up now: it must not stay in the history.
    history.replaceState(null, "", location.pathname);
    const opened = await ask("/api/session", { link });
    match = opened.match;
  }
  if (embedded) match = await enter();
  // Both at once; a match that cannot be shown is asked for again, to tell why.
  const early = match ? ask(address(match)).catch(() => undefined) : undefined;
  const found = await ask("/api/matches");
  speak(found.locale);
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
  endDraft();
  board.clear();
  history.replaceState(null, "", `#match=${match}`);
  show(early ?? (await ask(address(match))));
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
  }
  if (view && (told === "connected" || told === `changed ${view.match}`)) refresh().catch(() => undefined);
  if (told === "connected" || told === "turns") list().catch(() => undefined);
  return undefined;
}

async function refresh() {
  const fresh = await ask(`/api/matches/${view.match}?since=${view.ply}`);
  if (fresh.match === view?.match) show(fresh);
}

async function list() {
  games(await ask("/api/matches"));
}

/** Show this person's games, those that wait for them first, and tell of those that have begun to wait. */
function games({ matches, people }) {
  learn(people);
  const named = (game) => markdown(`${game.title} · ${game.others.join(", ")}`, world, { inline: true });
  parts.games.hidden = !matches.some((game) => game.match !== view?.match);
  parts.games.replaceChildren(
    ...matches.map((game) =>
      h(
        "button.button.secondary",
        { type: "button", "aria-current": game.match === view?.match ? "page" : null, onclick: () => attempt(() => open(game.match).then(list)) },
        game.turn ? h("span.turn", {}, "● ") : null,
        named(game),
        game.turn ? ` (${say("your turn")})` : null,
      ),
    ),
  );
  parts.games.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  const known = waiting?.map((game) => game.match);
  waiting = matches.filter((game) => game.turn && game.match !== view?.match);
  const called = waiting.find((game) => known && !known.includes(game.match));
  if (called) parts.called.textContent = say("Your turn: {game}", { game: h("span", {}, named(called)).textContent });
  titled();
  if (view && shown === view && !view.turn) mark();
}

function titled() {
  const calls = view?.turn ? "● " : waiting?.length ? `(${waiting.length}) ` : "";
  if (view) document.title = `${calls}${view.title} · #${view.match}`;
}

/** Which turn of each match this browser has shown last. */
const seen = {
  get: (match) => (stored("seen") ?? []).find(([number]) => number === match)?.[1],
  set: (match, ply) => store("seen", [...(stored("seen") ?? []).filter(([number]) => number !== match).slice(-MOST_SEEN), [match, ply]]),
};

function stored(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function store(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Some browsers store nothing. Then the page begins anew each time.
  }
}

function show(fresh) {
  learn(fresh.people);
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
  zoomed();
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
  parts.controls.replaceChildren(...components(view.controls, { world, memory, press, choose }));
  if (view.turn) parts.controls.prepend(typing());
  slider.max = String(view.ply);
  slider.value = String(position.ply);
  turn.textContent = say("Move {number} of {all}", { number: position.ply, all: view.ply });
  now.hidden = position.ply === view.ply;
  now.textContent = say("Now");
}

const turn = h("span.turn-shown", { id: "turn" });
const slider = h("input", { type: "range", min: "0", "aria-labelledby": "turn", oninput: () => back(Number(slider.value)).catch(failed) });
const now = h("button.button.secondary", { type: "button", hidden: true, onclick: () => back(view.ply) });
const zoom = h("button.button.secondary", { type: "button", hidden: true, onclick: () => enlarge(!parts.board.classList.contains("large")) }, icon("plus"));
parts.history.replaceChildren(turn, slider, now, zoom);

/** Squares that are too small for a finger can be made larger; then the board scrolls. */
function enlarge(large) {
  store("large", large);
  parts.board.classList.toggle("large", large);
  zoomed();
}

function zoomed() {
  const large = parts.board.classList.contains("large");
  zoom.hidden = !large && !board.small;
  zoom.setAttribute("aria-label", say("Larger squares"));
  zoom.title = say("Larger squares");
  zoom.setAttribute("aria-pressed", String(large));
}

addEventListener("resize", () => view && zoomed());

let wanted = null;

async function back(ply) {
  wanted = ply;
  if (ply === view.ply) return present();
  const since = shown && !draft && ply > shown.ply ? `&since=${shown.ply}` : "";
  const then = await ask(`/api/matches/${view.match}?ply=${ply}${since}`);
  if (wanted !== ply || draft) return undefined;
  learn(then.people);
  draw(then);
  return words(then);
}

// Choosing a move.

function live() {
  return !busy && (draft ? shown === draft.view : shown === view && view.turn);
}

function mark() {
  const can = draft || (shown === view && view.turn) ? choosing.next : new Map();
  const labelled = ([name, moves]) => [name, moves.length === 1 ? moves[0].label : choosing.path.length ? say("{count} moves", { count: moves.length }) : say("can move")];
  board.mark(new Map([...can].map(labelled)), choosing.path);
  const complete = choosing.complete;
  const asks = complete.length > 1 || can.size || (view.confirm && !draft);
  const undo = choosing.path.length ? h("button.button.secondary", { type: "button", onclick: () => { choosing.undo(); mark(); } }, say("Undo")) : null;
  const picks = [
    ...(asks ? complete : []).map((move) => h("button.button.success", { type: "button", onclick: () => chosen(move) }, move.label)),
    ...chips(can, (name) => tap(name)),
    hinted(),
    undo,
    ...(can.size || choosing.path.length ? [] : onward()),
  ].filter(Boolean);
  const asking = can.size > 0 || choosing.path.length > 0;
  parts.choosing.hidden = !asking && !picks.length;
  parts.choosing.setAttribute("aria-label", say("Your move"));
  keepingFocus(parts.choosing, () => parts.choosing.replaceChildren(...(picks.length ? picks : [say("Tap a marked square.")])));
}

function hinted() {
  const hint = shown === view && !choosing.path.length ? view.hint : null;
  return hint && h("button.button.primary", { type: "button", onclick: () => play({ steps: hint.steps }) }, say("Play it"));
}

/** The way to the next match that waits, once nothing is to be done here. */
function onward() {
  const next = shown === view && !draft ? waiting?.[0] : null;
  if (!next) return [];
  const others = markdown(`${next.title} · ${next.others.join(", ")}`, world, { inline: true });
  return [h("button.button.primary.onward", { type: "button", onclick: () => attempt(() => open(next.match).then(list)) }, `${say("Next game")}: `, others)];
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
    show(await ask(`/api/matches/${view.match}/moves`, { version: view.version, ...move }));
    list().catch(() => undefined);
  });
}

function typing() {
  const field = h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: say("Type a move"), "aria-label": say("Type a move") });
  return h("form.typing", { onsubmit: (event) => { event.preventDefault(); play({ text: field.value }); } }, field, h("button.button.secondary", { type: "submit" }, say("Play")));
}

// Beside the match: moves tried or planned, and hints.

/** Do on the board what a control does, if the board can; return whether it does. */
function onBoard({ custom_id: address }) {
  const [prefix, match, ply, steps] = address.split(":");
  if (match !== String(view.match) || steps) return false;
  if (prefix === "hint") hint();
  else if (prefix === "plan") begin("plan", view.ply);
  else if (prefix === "try") begin("try", Number(ply) === view.ply ? (shown.ply ?? view.ply) : Number(ply));
  else return false;
  asked?.close();
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
  learn(draft.view.people);
  keepingFocus(parts.draft, () => fill(parts.draft, ...banner(draft, world, { go, remove, leave, moved: draft.version !== view.version })));
  draw(draft.view);
  words(draft.view);
  turn.hidden = slider.hidden = now.hidden = parts.controls.hidden = true;
}

function leave() {
  endDraft();
  present();
}

function endDraft() {
  draft = null;
  fill(parts.draft);
  turn.hidden = slider.hidden = parts.controls.hidden = false;
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

// Controls as in Discord.

function press(component) {
  return onBoard(component) ? undefined : use({ custom_id: component.custom_id });
}

function choose(component, values) {
  return use({ custom_id: component.custom_id, type: component.type, values });
}

function use(pressed) {
  return attempt(async () => answered(await ask(`/api/matches/${view.match}/presses`, pressed)));
}

let asked = null;

async function answered({ answers, people, channels = {} }) {
  learn(people);
  for (const [id, name] of Object.entries(channels)) places.set(id, name);
  asked?.close();
  const answer = answers.at(-1);
  if (answer?.kind === "form") {
    openForm(answer, world, async (fields) => answered(await ask(`/api/matches/${view.match}/presses`, { custom_id: answer.custom_id, fields })));
  } else if (answer) {
    asked = dialog({ title: view.title, classes: "wide", content: h("div.answer", {}, components(answer.components, { world, memory, press, choose })) });
  }
  await refresh();
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
  if (choosing.path.length) {
    choosing.clear();
    mark();
  } else if (draft) leave();
});

// Channels are named here, and elsewhere.
document.addEventListener("click", (event) => {
  if (event.target.closest?.('a[href^="#c/"]')) event.preventDefault();
});

// Meanwhile, a turn may have come in another match.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && view && !busy) Promise.all([refresh(), list()]).catch(() => undefined);
});

attempt(start);
