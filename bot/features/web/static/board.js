// The board: an SVG whose squares can be tapped, dragged to, and reached by the arrow keys.

const MOVES_FOR = 220;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  #root;
  #tapped;
  #svg = null;
  #squares = new Map();
  #focused = null;
  #pressed = null;

  /** Show a board in `root`; `tapped(square)` is called for each square tapped. */
  constructor(root, tapped) {
    this.#root = root;
    this.#tapped = tapped;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Show a scene (parts of an SVG) with its description; men that moved since the last one are seen to move. */
  show({ view, board, moving, squares }, description, { animate = true } = {}) {
    const markup = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${view}">${board}${moving}${squares}</svg>`;
    const before = this.#svg;
    const had = this.#root.contains(document.activeElement) ? this.#focused : null;
    const made = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
    this.#svg = document.importNode(made, true);
    this.#svg.setAttribute("role", "group");
    this.#svg.setAttribute("aria-label", description);
    const [, , width, height] = view.split(" ");
    this.#svg.style.setProperty("--ratio", width / height);
    this.#squares = new Map([...this.#svg.querySelectorAll(".squares [data-square]")].map((hit) => [hit.dataset.square, hit]));
    this.#root.replaceChildren(this.#svg);
    if (before && animate && !still.matches) this.#animate(before);
    if (had !== null && this.#squares.has(had)) this.#focus(had);
  }

  /** Mark what can be tapped (names with what a tap means), and what has been. */
  mark(choices, chosen) {
    this.#svg.classList.toggle("choosing", chosen.length > 0);
    for (const [name, hit] of this.#squares) {
      const label = choices.get(name);
      hit.classList.toggle("can", label !== undefined);
      hit.classList.toggle("chosen", chosen.includes(name));
      hit.setAttribute("role", "button");
      hit.setAttribute("aria-label", label === undefined ? name : `${name}: ${label}`);
      hit.setAttribute("aria-disabled", String(label === undefined && !chosen.includes(name)));
      hit.setAttribute("aria-pressed", String(chosen.includes(name)));
      hit.setAttribute("tabindex", "-1");
    }
    const first = this.#squares.has(this.#focused) ? this.#focused : ([...choices.keys()].find((name) => this.#squares.has(name)) ?? this.#squares.keys().next().value);
    this.#squares.get(first)?.setAttribute("tabindex", "0");
  }

  #square(event) {
    const hit = document.elementsFromPoint(event.clientX, event.clientY).find((one) => one.matches(".squares [data-square]"));
    return hit?.dataset.square ?? null;
  }

  #down(event) {
    if (event.button !== 0) return;
    this.#pressed = this.#square(event);
  }

  #up(event) {
    const [from, to] = [this.#pressed, this.#square(event)];
    this.#pressed = null;
    if (from === null || to === null) return;
    this.#focus(to, false);
    this.#tapped(from);
    if (to !== from) this.#tapped(to);
  }

  #key(event) {
    const name = event.target.dataset?.square;
    if (!name) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const next = this.#towards(name, step);
      if (next) this.#focus(next);
    } else if (event.key === "Enter" || event.key === " ") this.#tapped(name);
    else return;
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

  #animate(before) {
    const places = (svg) => [...svg.querySelectorAll(".token")].map((token) => ({ token, look: token.dataset.kind, x: Number(token.getAttribute("x")), y: Number(token.getAttribute("y")) }));
    const gone = places(before);
    const come = places(this.#svg).filter((one) => {
      const same = gone.findIndex((other) => other.look === one.look && other.x === one.x && other.y === one.y);
      if (same >= 0) gone.splice(same, 1);
      return same < 0;
    });
    for (const one of come) {
      const from = gone.findIndex((other) => other.look === one.look);
      if (from < 0) continue;
      const [old] = gone.splice(from, 1);
      const shift = `translate(${old.x - one.x}px, ${old.y - one.y}px)`;
      one.token.animate([{ transform: shift }, { transform: "none" }], { duration: MOVES_FOR, easing: "ease-out" });
    }
  }
}
