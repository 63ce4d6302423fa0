// Fingers and mice on the board: squares are tapped, men are dragged.

/** Pixels that a fingertip needs. */
export const FINGER = 44;
const SLIP = 10; // pixels by which a tap may slip

/**
 * What is pressed on a board in `root`. Squares that can be tapped have the class `can`, those already
 * tapped `chosen`, and those from which a man can be dragged `goes`.
 */
export class Pointer {
  #root;
  #tapped;
  #held = null;

  /** `begun()` is called when the board is pressed, `tapped(square)` for each square tapped. */
  constructor(root, { begun, tapped }) {
    this.#root = root;
    this.#tapped = tapped;
    root.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !root.firstElementChild) return;
      const second = this.#held !== null && this.#held.id !== event.pointerId;
      begun();
      this.putBack();
      if (!second) this.#hold(event); // two fingers move nothing
    });
    root.addEventListener("pointermove", (event) => this.#drag(event));
    root.addEventListener("pointerup", (event) => this.#release(event));
    // A man is dragged, not the page. Chromium heeds no touch-action on parts of an SVG.
    root.addEventListener("touchmove", (event) => this.#held?.man && event.preventDefault(), { passive: false });
    root.addEventListener("pointercancel", (event) => event.pointerId === this.#held?.id && this.putBack());
  }

  /** Put back what is held, if anything; return whether it was. */
  putBack() {
    if (!this.#held) return false;
    if (this.#held.man) this.#held.man.style.transform = "";
    this.#held = null;
    return true;
  }

  /** The square at a point. For a finger, the nearest of those that can be tapped, if it misses them. */
  #square({ clientX: x, clientY: y, pointerType }) {
    const hit = document.elementsFromPoint(x, y).find((one) => this.#root.contains(one) && one.matches(".squares [data-square]"));
    let best = hit?.dataset.square ?? null;
    if (pointerType === "mouse" || hit?.matches(".can, .chosen, .goes")) return best;
    let least = FINGER / 2;
    for (const one of this.#root.querySelectorAll(".squares .can")) {
      const box = one.getBoundingClientRect();
      const away = Math.hypot(x - box.x - box.width / 2, y - box.y - box.height / 2);
      if (away < least) [best, least] = [one.dataset.square, away];
    }
    return best;
  }

  #is(name, kind) {
    return this.#root.querySelector(`.squares [data-square="${name}"]`)?.matches(kind) ?? false;
  }

  #hold(event) {
    const name = this.#square(event);
    const men = this.#is(name, ".goes") ? this.#root.querySelectorAll(`.token[data-man][data-square="${name}"]`) : [];
    this.#held = { name, man: [...men].at(-1), id: event.pointerId, x: event.clientX, y: event.clientY, far: false };
  }

  #drag(event) {
    const { man, id, x, y } = this.#held ?? {};
    if (id !== event.pointerId) return;
    this.#held.far ||= Math.hypot(event.clientX - x, event.clientY - y) > SLIP;
    if (!man) return;
    if (!this.#root.hasPointerCapture(id)) {
      this.#root.setPointerCapture(id); // so that it is also heard where he is let go, beside the board
      man.parentNode.append(man);
    }
    const scale = man.ownerSVGElement.getScreenCTM().a;
    man.style.transform = `translate(${(event.clientX - x) / scale}px, ${(event.clientY - y) / scale}px)`;
  }

  #release(event) {
    const { name, man, id, far } = this.#held ?? {};
    if (id !== event.pointerId) return;
    this.putBack();
    if (!far || !man) {
      if (name !== null && (!far || this.#square(event) === name)) this.#tapped(name);
      return;
    }
    // A man chosen before is not put back by dragging him.
    if (!this.#is(name, ".chosen")) this.#tapped(name);
    const to = this.#square(event);
    if (to !== name && this.#is(to, ".can")) this.#tapped(to);
  }
}
