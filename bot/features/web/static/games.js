// A person's games: those that wait for them, and the way from one to the next.

import { h } from "./dom.js";
import { say } from "./language.js";
import { learn, named } from "./people.js";

export class Games {
  #list;
  #called;
  #open;
  #waiting = null;

  /** Show games in `list`, and say in `called` which have begun to wait; `open(match)` shows one. */
  constructor({ list, called, open }) {
    this.#list = list;
    this.#called = called;
    this.#open = open;
  }

  /** Show an answer of the server's; `current` is the match on screen. */
  show({ matches, people }, current) {
    learn({ people });
    const here = (game) => game.match === current;
    this.#list.hidden = matches.every(here);
    this.#list.setAttribute("aria-label", say("Games"));
    this.#list.replaceChildren(...matches.map((game) => this.#button(game, here(game))));
    this.#list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    const known = this.#waiting?.map((game) => game.match);
    this.#waiting = matches.filter((game) => game.turn && !here(game));
    const called = this.#waiting.find((game) => known && !known.includes(game.match));
    if (called) this.#called.textContent = say("Your turn: {game}", { game: h("span", {}, named(called)).textContent });
  }

  /** Call in the title of the page, too, beside the match on screen. */
  title(view) {
    if (!view) return;
    const others = this.#waiting?.length ?? 0;
    const calls = view.turn ? "● " : others ? `(${others}) ` : "";
    document.title = `${calls}${view.title} · #${view.match}`;
  }

  #button(game, here) {
    return h(
      "button.button.secondary",
      { type: "button", "aria-current": here ? "page" : null, onclick: () => this.#open(game.match) },
      game.turn ? h("span.turn", {}, "● ") : null,
      named(game),
      game.turn ? ` (${say("your turn")})` : null,
    );
  }

  /** A button to the next one that waits, if any does. */
  next() {
    const [next] = this.#waiting ?? [];
    return next && h("button.button.primary.onward", { type: "button", onclick: () => this.#open(next.match) }, `${say("Next game")}: `, named(next));
  }
}
