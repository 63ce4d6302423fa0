// What is chosen in words: throws in hand, twins, entering and leaving the board; or all of a move typed.

import { h } from "./dom.js";
import { say } from "./language.js";
import { isSquare } from "./steps.js";

/** What tapping each of `can` means, in words; `path` is what has been tapped so far. */
export function meanings(can, path) {
  const words = (moves) => {
    if (moves.length === 1) return moves[0].label;
    return path.length ? say("{count} moves", { count: moves.length }) : say("can move");
  };
  return new Map([...can].map(([name, moves]) => [name, words(moves)]));
}

/** Buttons for moves that need no other tap; `play(move)` is called with one. */
export function whole(moves, play) {
  return moves.map((move) => h("button.button.success", { type: "button", onclick: () => play(move) }, move.label));
}

/** A button that plays the move of a hint. */
export function advised({ steps }, play) {
  return h("button.button.primary", { type: "button", onclick: () => play({ steps }) }, say("Play it"));
}

/** A button that takes back the last tap. */
export function undoing(undo) {
  return h("button.button.secondary", { type: "button", onclick: undo }, say("Undo"));
}

/** Buttons for what can be tapped next and is no square; `tap(name)` is called with its name. */
export function chips(can, tap) {
  return [...can]
    .filter(([name]) => !isSquare(name))
    .map(([name, moves]) => {
      const [number] = name.match(/\d+/) ?? [];
      const words = moves.length === 1 ? moves[0].label : number ? say("{number}, then another throw", { number }) : name;
      return h("button.button.primary.pick", { type: "button", onclick: () => tap(name) }, number ? h("span.throw", { "aria-hidden": "true" }, number) : null, words);
    });
}

/** The field for moves that are typed, in `form`; `play(text)` plays one. */
export class Typing {
  #form;
  #field = h("input", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: "200" });

  constructor(form, play) {
    this.#form = form;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      play(this.#field.value);
    });
  }

  /** Show it in the reader's language. */
  show() {
    this.#field.placeholder = say("Type a move");
    this.#field.setAttribute("aria-label", this.#field.placeholder);
    this.#form.replaceChildren(this.#field, h("button.button.secondary", { type: "submit" }, say("Play")));
  }

  clear() {
    this.#field.value = "";
  }
}
