// The page of a link: steps through a finished game. All its words came with the page.

import { Board } from "/page/board.js";

const BLOCK = 20;
const PAUSE = 2000;
const PATIENCE = 30_000;
const root = document.getElementById("board");
const history = document.getElementById("history");
const slider = history.querySelector("input");
const turn = document.getElementById("turn");
const story = document.getElementById("story");
const moves = [...document.querySelectorAll(".moves [data-stop]")];
const board = new Board(root, () => undefined);
const blocks = new Map();

let wanted = Number(root.dataset.at);
let shown = null;

/** Return the board at a stop, with the twenty around it. */
function load(stop) {
  const block = Math.floor(stop / BLOCK);
  if (!blocks.has(block)) {
    const answer = fetch(`${root.dataset.boards}${block}`, { credentials: "omit", signal: AbortSignal.timeout(PATIENCE) }).then((got) => {
      if (got.status === 404) location.reload(); // it was ended meanwhile, which its page says
      if (!got.ok) throw new TypeError(got.statusText);
      return got.json();
    });
    answer.catch(() => blocks.delete(block));
    blocks.set(block, answer);
  }
  return blocks.get(block).then(({ parts, boards }) => {
    const { part, moving, alt, thrown } = boards[stop % BLOCK];
    // Without squares, nothing on it can be tapped or reached.
    return [{ ...parts[part], moving, squares: "" }, alt, thrown];
  });
}

async function show(stop, { quietly = false } = {}) {
  wanted = Math.max(0, Math.min(moves.length - 1, stop));
  slider.value = wanted;
  const [move, all] = [moves[wanted].dataset.move, root.dataset.turns];
  turn.textContent = turn.dataset.words.replace("{number}", move).replace("{all}", all);
  slider.setAttribute("aria-valuetext", turn.textContent);
  for (const [place, one] of moves.entries()) {
    if (place === wanted) one.setAttribute("aria-current", "step");
    else one.removeAttribute("aria-current");
  }
  for (const step of history.querySelectorAll("[data-step]")) step.setAttribute("aria-disabled", String(target(step.dataset.step) === wanted));
  const now = wanted;
  try {
    const [scene, alt, thrown] = await load(now);
    if (now !== wanted) return;
    const step = shown === null ? 0 : now - shown;
    board.show(scene, alt, { animate: Math.abs(step) === 1, thrown: thrown && step === 1 });
    root.querySelector("svg").setAttribute("role", "img");
    shown = now;
    history.hidden = false;
    if (!quietly) story.textContent = moves[now].textContent;
    // What comes next is there when it is asked for.
    for (const other of [now - 1, now + 1]) if (moves[other]) load(other).catch(() => undefined);
  } catch {
    story.textContent = root.dataset.lost;
    setTimeout(() => now === wanted && show(now), PAUSE);
  }
}

function target(step) {
  const last = moves.length - 1;
  return { first: 0, back: Math.max(0, wanted - 1), next: Math.min(last, wanted + 1), last }[step];
}

slider.addEventListener("input", () => show(Number(slider.value)));
history.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (step) show(target(step.dataset.step));
});
document.querySelector(".moves").addEventListener("click", (event) => {
  const move = event.target.closest("[data-stop]");
  if (move) show(Number(move.dataset.stop));
});
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  if (!step || event.target !== document.body || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  show(target(step));
});

show(wanted, { quietly: true });
