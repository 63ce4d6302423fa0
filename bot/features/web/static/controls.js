// The controls of a match, as in Discord: what they answer is shown in a dialog.

import { ask } from "./api.js";
import { components } from "./components.js";
import { h } from "./dom.js";
import { dialog, openForm } from "./modal.js";
import { learn, world } from "./people.js";

export class Controls {
  #parts;
  #attempt;
  #onBoard;
  #renew;
  #view = null;
  #shown = null;
  #memory = { open: new Set(), chosen: new Map() };
  #press = (component) => (this.#onBoard(component) ? undefined : this.#use({ custom_id: component.custom_id }));
  #choose = (component, values) => this.#use({ custom_id: component.custom_id, type: component.type, values });

  /**
   * `parts` are the places of offers and controls. `attempt(work)` says what goes wrong, `onBoard(component)`
   * does on the board what a control does and returns whether it can, `renew()` shows the match as it is now.
   */
  constructor({ parts, attempt, onBoard, renew }) {
    this.#parts = parts;
    this.#attempt = attempt;
    this.#onBoard = onBoard;
    this.#renew = renew;
  }

  /** Show the controls of a match; those that stay keep the focus. */
  show(view) {
    this.#view = view;
    const shown = JSON.stringify([view.offers, view.controls]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const had = document.activeElement?.dataset.customId;
    this.#parts.offers.replaceChildren(...this.#drawn(view.offers));
    this.#parts.controls.replaceChildren(...this.#drawn(view.controls));
    if (had) this.#refocus(had);
  }

  /** Give the focus to a control, or to the first one if that is gone, unless something else has it. */
  #refocus(address) {
    if (document.activeElement !== document.body) return;
    (document.querySelector(`[data-custom-id="${CSS.escape(address)}"]`) ?? this.#parts.controls.querySelector("button"))?.focus();
  }

  /** Close what the last press has answered. */
  close() {
    this.dialog?.close();
  }

  #drawn(list) {
    return components(list, { world, memory: this.#memory, press: this.#press, choose: this.#choose });
  }

  #use(pressed) {
    return this.#attempt(async () => this.#answered(pressed, await this.#send(pressed)));
  }

  #send(pressed) {
    return ask(`/api/matches/${this.#view.match}/presses`, pressed);
  }

  async #answered(pressed, { answers, ...known }) {
    learn(known);
    this.close();
    const answer = answers.at(-1);
    if (answer?.kind === "form") openForm(answer, world, async (fields) => this.#answered(pressed, await this.#send({ custom_id: answer.custom_id, fields })));
    else if (answer) {
      this.dialog = dialog({ title: this.#view.title, classes: "wide", content: h("div.answer", {}, this.#drawn(answer.components)) });
      this.dialog.addEventListener("close", () => this.#refocus(pressed.custom_id));
    }
    this.#renew(); // what is answered can be pressed meanwhile
  }
}
