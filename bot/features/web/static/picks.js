// What of a move is chosen beside the board: throws in hand, twins, entering and leaving it.

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
