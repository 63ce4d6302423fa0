// The board: an SVG whose squares can be tapped, dragged to, and reached by the arrow keys.

import { say } from "./language.js";
import { FINGER, Pointer } from "./pointer.js";

const MOVES_FOR = 240;
const LONGEST = 2400;
const SHORTEST = 90;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  #root;
  #tapped;
  #svg = null;
  #squares = new Map();
  #men = {};
  #focused = null;
  #pointer;
  #film = null;

  /** Show a board in `root`; `tapped(square)` is called for each square tapped. */
  constructor(root, tapped) {
    this.#root = root;
    this.#tapped = tapped;
    this.#pointer = new Pointer(root, {
      begun: () => this.#finish(),
      tapped: (square) => {
        this.#focus(square, false);
        tapped(square);
      },
    });
    root.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Show a scene (parts of an SVG) with its description. What has happened since the last one is seen
   * to happen, unless `animate` is false: first what each of `film` shows, quickly. `thrown` says
   * whether a throw led here.
   */
  show({ view, board, moving, squares, men }, description, { film = [], thrown = false, animate = true } = {}) {
    const before = this.#svg?.querySelector(".moving");
    const had = this.#root.contains(document.activeElement) ? this.#focused : null;
    this.#stop();
    this.#svg = parsed(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${view}">${board}${moving}${squares}</svg>`);
    this.#svg.setAttribute("role", "group");
    this.#svg.setAttribute("aria-label", description);
    const [, , width, height] = view.split(" ");
    this.#svg.style.setProperty("--ratio", width / height);
    this.#squares = new Map([...this.#svg.querySelectorAll(".squares [data-square]")].map((hit) => [hit.dataset.square, hit]));
    const side = this.#squares.values().next().value?.getAttribute("width") ?? 1;
    this.#svg.style.setProperty("--side", side / width);
    this.#men = men;
    this.#root.replaceChildren(this.#svg);
    if (animate && (before || film.length) && !still.matches) this.#play(before, [...film, { moving, thrown }]);
    if (had !== null && this.#squares.has(had)) this.#focus(had);
  }

  /** Show nothing, as another match comes. */
  clear() {
    this.#stop();
    this.#svg = null;
    this.#focused = null;
    this.#root.replaceChildren();
  }

  /** Put back a man who is being dragged; return whether one was. */
  putBack() {
    return this.#pointer.putBack();
  }

  /** Mark what can be tapped (names with what a tap means), what has been, and whence men can be dragged. */
  mark(choices, chosen, goes) {
    this.#svg.classList.toggle("choosing", chosen.length > 0);
    for (const [name, hit] of this.#squares) {
      const label = choices.get(name);
      hit.classList.toggle("can", label !== undefined);
      hit.classList.toggle("chosen", chosen.includes(name));
      hit.classList.toggle("goes", goes.has(name));
      hit.setAttribute("role", "button");
      hit.setAttribute("aria-label", `${name}: ${[this.#men[name] ?? say("empty"), label].filter(Boolean).join(", ")}`);
      hit.setAttribute("aria-disabled", String(label === undefined && !chosen.includes(name)));
      hit.setAttribute("aria-pressed", String(chosen.includes(name)));
      hit.setAttribute("tabindex", "-1");
    }
    const first = this.#squares.has(this.#focused) ? this.#focused : ([...choices.keys()].find((name) => this.#squares.has(name)) ?? this.#squares.keys().next().value);
    this.#squares.get(first)?.setAttribute("tabindex", "0");
  }

  /** The square that the Tab key leads to. */
  get entrance() {
    return this.#root.querySelector('[tabindex="0"]');
  }

  /** Whether squares are smaller than a fingertip. */
  get small() {
    const size = this.#squares.values().next().value?.getBoundingClientRect().width ?? FINGER;
    return size < FINGER - 0.5;
  }

  // By keyboard.

  #key(event) {
    const name = event.target.dataset?.square;
    if (!name || event.key === "Escape") return; // which the page hears
    this.#pointer.putBack();
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const next = this.#towards(name, step);
      if (next) this.#focus(next);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#finish();
      this.#tapped(name);
    } else return;
    event.preventDefault();
  }

  /** The nearest square in a direction: further to the side counts twice. */
  #towards(name, [dx, dy]) {
    const centre = (hit) => {
      const box = hit.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = centre(this.#squares.get(name));
    let [best, least] = [null, Infinity];
    for (const [other, hit] of this.#squares) {
      const [a, b] = centre(hit);
      const along = (a - x) * dx + (b - y) * dy;
      const aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
      if (along > 1 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
    }
    return best;
  }

  #focus(name, really = true) {
    for (const hit of this.#squares.values()) hit.setAttribute("tabindex", "-1");
    const hit = this.#squares.get(name);
    hit?.setAttribute("tabindex", "0");
    if (really) hit?.focus();
    this.#focused = name;
  }

  // What happened, as a film.

  #play(before, steps) {
    const pace = Math.max(SHORTEST, Math.min(MOVES_FOR, LONGEST / steps.length / 2));
    let shown = before;
    const next = () => {
      const step = steps.shift();
      const after = parsed(`<svg xmlns="http://www.w3.org/2000/svg">${step.moving}</svg>`).querySelector(".moving");
      this.#svg.querySelector(".moving").replaceWith(after);
      const changed = !shown || moved(shown, after, pace, step.thrown);
      shown = after;
      this.#film = steps.length ? { steps, timer: setTimeout(next, changed ? 2 * pace : 0) } : null;
    };
    next();
  }

  /** Show at once what the film would have come to. */
  #finish() {
    const last = this.#film?.steps.at(-1);
    this.#stop();
    if (last) this.#svg.querySelector(".moving").replaceWith(parsed(`<svg xmlns="http://www.w3.org/2000/svg">${last.moving}</svg>`).querySelector(".moving"));
  }

  #stop() {
    clearTimeout(this.#film?.timer);
    this.#film = null;
    this.#pointer.putBack();
  }
}

function parsed(markup) {
  return document.importNode(new DOMParser().parseFromString(markup, "image/svg+xml").documentElement, true);
}

const placed = (moving) => [...moving.querySelectorAll(".token")].map((token) => ({ token, look: token.dataset.kind, man: token.dataset.man !== undefined, square: token.dataset.square, x: Number(token.getAttribute("x")), y: Number(token.getAttribute("y")) }));

/** Animate what differs: men walk, those taken fade, sticks and dice fall. Return whether anything does. */
function moved(before, after, pace, thrown) {
  const gone = placed(before);
  const stays = placed(after);
  const come = stays.filter((one) => {
    const same = gone.findIndex((other) => other.look === one.look && other.x === one.x && other.y === one.y);
    if (same >= 0) gone.splice(same, 1);
    return same < 0;
  });
  const run = { duration: pace, easing: "ease-out" };
  for (const one of come.filter(({ man }) => man)) {
    const from = gone.findIndex((other) => other.look === one.look);
    const [old] = from < 0 ? [] : gone.splice(from, 1);
    if (old) one.token.animate([{ transform: `translate(${old.x - one.x}px, ${old.y - one.y}px)` }, { transform: "none" }], run);
    else one.token.animate([{ opacity: 0 }, { opacity: 1 }], run);
  }
  for (const one of gone.filter(({ man, square }) => man && square)) {
    const ghost = one.token.cloneNode();
    // Looks are defined beside the board that shows them.
    const look = before.querySelector(`[id="man-${one.look}"]`);
    if (look && !after.querySelector(`[id="man-${one.look}"]`)) after.querySelector("defs").append(look.cloneNode(true));
    after.querySelector(".tokens").append(ghost);
    ghost.animate([{ opacity: 1 }, { opacity: 0 }], { ...run, duration: 2 * pace }).onfinish = () => ghost.remove();
  }
  const fallen = thrown ? stays.filter(({ man, square }) => !man && !square) : [];
  fallen.forEach(({ token }, index) => {
    token.classList.add("falls");
    token.animate([{ transform: `translateY(-0.5px) rotate(${index % 2 ? -200 : 160}deg)`, opacity: 0 }, { transform: "none", opacity: 1 }], { ...run, duration: 1.6 * pace });
  });
  return come.length + gone.length + fallen.length > 0;
}
