// The page: signs in, shows a match, and passes on what its reader does.

import { ask, listen, Refused } from "./api.js";
import { Board } from "./board.js";
import { components } from "./components.js";
import { h } from "./dom.js";
import { embedded, enter } from "./embed.js";
import { ofBrowser, say, speak } from "./language.js";
import { markdown } from "./markdown.js";
import { dialog, openForm } from "./modal.js";
import { Choosing, isSquare } from "./steps.js";

const parts = Object.fromEntries(["games", "match", "heading", "board", "prompt", "choosing", "history", "story", "controls", "notice"].map((id) => [id, document.getElementById(id)]));
const board = new Board(parts.board, (square) => tap(square));
const names = new Map();
const memory = { open: new Set(), chosen: new Map() };

let view = null; // the match as it stands
let shown = null; // what is on the board: the match, or an earlier turn of it
let choosing = new Choosing([]);
let listening = null;
let busy = false;

const world = {
  me: null,
  people: [],
  channels: [],
  guild: { roles: [] },
  person: (id) => (names.has(id) ? { id, username: names.get(id) } : undefined),
  role: () => undefined,
  channel: () => undefined,
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
    tell(error instanceof Refused ? error.message : say("Not connected. Trying again…"));
    if (error instanceof Refused && view) await refresh();
  } finally {
    busy = false;
    document.body.removeAttribute("aria-busy");
  }
}

function signedOut() {
  listening?.abort();
  parts.match.hidden = parts.games.hidden = true;
  if (embedded) tell(say("You're signed out. Close this and open it again to play on."));
  else tell(say("Press **Open the board** below a board in Discord, behind *More*. It gives you a link to this page."));
}

async function start() {
  speak(ofBrowser());
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
  const found = await ask("/api/matches");
  speak(found.locale);
  learn(found.people);
  games(found.matches, match);
  const first = match ?? found.matches[0]?.match;
  if (first) await open(first);
  else tell(say("You have no games going. Start one in Discord with `/play`."));
}

async function open(match) {
  listening?.abort();
  view = shown = null;
  history.replaceState(null, "", `#match=${match}`);
  show(await ask(`/api/matches/${match}`));
  listening = new AbortController();
  listen(match, listening.signal, (news) => {
    document.body.classList.toggle("lost", news === "lost");
    if (news === "changed" || news === "connected") refresh().catch(() => undefined);
    if (news === "over") signedOut();
  });
}

async function refresh() {
  const fresh = await ask(`/api/matches/${view.match}`);
  if (fresh.match !== view.match) return;
  show(fresh);
  const found = await ask("/api/matches");
  learn(found.people);
  games(found.matches, view.match);
}

function games(found, current) {
  parts.games.hidden = found.length < 2;
  parts.games.replaceChildren(
    ...found.map((game) =>
      h(
        "button.button.secondary",
        { type: "button", "aria-current": game.match === current ? "page" : null, onclick: () => attempt(() => open(game.match)) },
        game.turn ? h("span.turn", {}, "● ") : null,
        markdown(`${game.title} · ${game.others.join(", ")}${game.turn ? ` (${say("your turn")})` : ""}`, world, { inline: true }),
      ),
    ),
  );
  parts.games.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function show(fresh) {
  learn(fresh.people);
  const changed = view === null || fresh.version !== view.version || fresh.over !== view.over;
  const now = shown === view;
  view = fresh;
  parts.match.hidden = false;
  if (changed) {
    choosing = new Choosing(view.moves);
    draw(view);
  } else if (now) shown = view;
  if (shown === view) words(view);
}

function draw(position) {
  document.documentElement.dataset.board = position.theme;
  shown = position;
  board.show(position.scene, position.alt);
  parts.board.classList.toggle("earlier", position.ply !== view.ply);
  mark();
}

function words(position) {
  parts.heading.replaceChildren(markdown(position.heading, world));
  document.title = `${view.turn ? "● " : ""}${position.title} · #${position.match}`;
  const told = [position.story, position.clock, position.note].filter(Boolean).join("\n");
  parts.prompt.replaceChildren(h("div.text", {}, markdown(position.prompt, world)));
  parts.story.replaceChildren(h("div.text", {}, markdown(told, world)));
  parts.controls.replaceChildren(...components(view.controls, { world, memory, press, choose }));
  if (view.turn) parts.controls.prepend(typing());
  const slider = h("input", { type: "range", min: "0", max: String(view.ply), value: String(position.ply), "aria-labelledby": "turn", oninput: () => back(Number(slider.value)) });
  const turn = h("span.turn-shown", { id: "turn" }, say("Move {number} of {all}", { number: position.ply, all: view.ply }));
  parts.history.replaceChildren(turn, slider, position.ply === view.ply ? "" : h("button.button.secondary", { type: "button", onclick: () => back(view.ply) }, say("Now")));
}

let wanted = null;

async function back(ply) {
  wanted = ply;
  if (ply === view.ply) {
    draw(view);
    return words(view);
  }
  const then = await ask(`/api/matches/${view.match}?ply=${ply}`);
  if (wanted !== ply) return undefined;
  learn(then.people);
  draw(then);
  return words(then);
}

// Choosing a move.

function live() {
  return shown === view && view.turn && !busy;
}

function mark() {
  const can = shown === view && view.turn ? choosing.next : new Map();
  const labels = new Map([...can].map(([name, moves]) => [name, moves.length === 1 ? moves[0].label : say("{count} moves", { count: moves.length })]));
  board.mark(labels, choosing.path);
  parts.choosing.hidden = !can.size && !choosing.path.length;
  const chips = [...can].filter(([name]) => !isSquare(name)).map(([name, moves]) => h("button.button.primary", { type: "button", onclick: () => tap(name) }, moves.length === 1 ? moves[0].label : name));
  const undo = choosing.path.length ? h("button.button.secondary", { type: "button", onclick: () => { choosing.undo(); mark(); } }, say("Undo")) : null;
  const complete = choosing.complete;
  const plays = complete.length && (complete.length > 1 || can.size || view.confirm) ? complete.map((move) => h("button.button.success", { type: "button", onclick: () => play({ steps: move.steps }) }, move.label)) : [];
  const shownNow = [...plays, ...chips, undo].filter(Boolean);
  parts.choosing.replaceChildren(...(shownNow.length ? shownNow : [say("Tap a marked square.")]));
}

function tap(name) {
  if (!live() || !choosing.tap(name)) return;
  const complete = choosing.complete;
  if (complete.length === 1 && !choosing.next.size && !view.confirm) return play({ steps: complete[0].steps });
  mark();
}

function play(move) {
  return attempt(async () => show(await ask(`/api/matches/${view.match}/moves`, { version: view.version, ...move })));
}

function typing() {
  const field = h("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: say("Type a move"), "aria-label": say("Type a move") });
  return h("form.typing", { onsubmit: (event) => { event.preventDefault(); play({ text: field.value }); } }, field, h("button.button.secondary", { type: "submit" }, say("Play")));
}

// Controls as in Discord.

function press(component) {
  return use({ custom_id: component.custom_id });
}

function choose(component, values) {
  return use({ custom_id: component.custom_id, type: component.type, values });
}

function use(pressed) {
  return attempt(async () => answered(await ask(`/api/matches/${view.match}/presses`, pressed)));
}

let asked = null;

async function answered({ answers, people }) {
  learn(people);
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
  if (event.key === "Escape" && choosing.path.length && !document.querySelector("dialog[open]")) {
    choosing.clear();
    mark();
  }
});

// Meanwhile, a turn may have come in another match.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && view && !busy) refresh().catch(() => undefined);
});

attempt(start).then(() => undefined);
