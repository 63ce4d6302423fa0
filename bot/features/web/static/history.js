// Below the board: the turns before this one, and the size of its squares.

import { h, icon } from "./dom.js";
import { say } from "./language.js";
import { store, stored } from "./memory.js";

const NOW = Infinity;

export class History {
  #root;
  #board;
  #go;
  #wanted = null;
  #going = false;
  #last = 0;
  #turn = h("span.turn-shown", { id: "turn" });
  #slider = h("input", { type: "range", min: "0", "aria-labelledby": "turn", oninput: () => this.#back(Number(this.#slider.value)) });
  #now = h("button.button.secondary", { type: "button", hidden: true, onclick: () => this.#back(NOW) });
  #zoom = h("button.button.secondary", { type: "button", hidden: true, onclick: () => this.#enlarge() }, icon("plus"));

  /** Fill `part`, beside the `board` in `root`; `go(ply)` shows a turn, or the last one, unless that fails, which it says. */
  constructor({ part, root, board, go }) {
    this.#root = root;
    this.#board = board;
    this.#go = go;
    part.replaceChildren(this.#turn, this.#slider, this.#now, this.#zoom);
    root.classList.toggle("large", stored("large") === true);
    addEventListener("resize", () => this.measure());
  }

  /** Say which move is on the board, of how many; the slider stops at its throws, too. */
  show(shown, last) {
    this.#last = last.ply;
    this.#slider.max = String(last.ply);
    if (this.#wanted === null) this.#slider.value = String(shown.ply);
    this.#turn.textContent = say("Move {number} of {all}", { number: shown.move, all: last.move });
    this.#now.hidden = shown.ply === last.ply;
    this.#now.textContent = say("Now");
  }

  /** Hide or show the turns; squares can be made larger in any case. */
  set hidden(hidden) {
    this.#turn.hidden = this.#slider.hidden = hidden;
    if (hidden) this.#now.hidden = true;
  }

  /** Show turns as fast as they come, and none that is no longer wanted: the last one is wherever the match is then. */
  async #back(ply) {
    this.#wanted = ply < this.#last ? ply : NOW;
    if (this.#going) return;
    this.#going = true;
    try {
      for (let next = null; next !== this.#wanted; ) {
        next = this.#wanted;
        const shown = await this.#go(next);
        if (next === this.#wanted) this.#slider.value = String(shown);
      }
    } finally {
      this.#going = false;
      this.#wanted = null;
    }
  }

  /** Squares that are too small for a finger can be made larger; then the board scrolls. */
  #enlarge() {
    store("large", this.#root.classList.toggle("large"));
    this.measure();
  }

  /** Offer that where they are too small. */
  measure() {
    const large = this.#root.classList.contains("large");
    this.#zoom.hidden = !large && !this.#board.small;
    this.#zoom.setAttribute("aria-label", say("Larger squares"));
    this.#zoom.title = say("Larger squares");
    this.#zoom.setAttribute("aria-pressed", String(large));
  }
}
