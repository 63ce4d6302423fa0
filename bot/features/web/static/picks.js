// What of a move is chosen beside the board: throws in hand, twins, entering and leaving it; or all of it typed.

import { h } from "./dom.js";
import { say } from "./language.js";
import { isSquare } from "./steps.js";

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
