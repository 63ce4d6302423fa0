// Moves that are tried or planned on the board: nothing here is played.

import { ask } from "./api.js";
import { h } from "./dom.js";
import { say } from "./language.js";
import { markdown } from "./markdown.js";

/** A line of moves from a turn of a match on. `view` is what the board shows of it. */
export class Draft {
  view = null;
  line = [];
  #base;
  #kind;

  /** `kind` is "try" or "plan", `base` the turn it begins at. */
  constructor(kind, base) {
    this.#kind = kind;
    this.#base = base;
  }

  /** The version of the match that it began with. */
  get version() {
    return this.#base.version;
  }

  get plans() {
    return this.#kind === "plan";
  }

  /** Begin, go on by a move's steps, or go back: `line` is all of it. */
  async go(line, { keep = false } = {}) {
    const { match, version, ply } = this.#base;
    const asked = this.plans ? { version, line, keep } : { ply, line };
    this.view = await ask(`/api/matches/${match}/${this.plans ? "plans" : "tries"}`, asked);
    this.line = line;
  }

  /** Play a move in it; an answer of one's own is planned from then on. */
  play(steps) {
    return this.go([...this.line, steps], { keep: this.plans });
  }

  async remove(number) {
    this.view = await ask(`/api/matches/${this.#base.match}/plans`, { version: this.#base.version, line: [], remove: number });
    this.line = [];
  }
}

/** What stands above the board while it shows a draft: what it is, and the ways back. */
export function banner(draft, world, { go, remove, leave, moved }) {
  const button = (words, act, style = "secondary") => h(`button.button.${style}`, { type: "button", onclick: act }, words);
  const planned = draft.view.planned.map((one) =>
    h("li", {}, markdown(one.words, world, { inline: true }), " ", h("button.button.secondary", { type: "button", "aria-label": `${say("Remove")}: ${one.words.replaceAll("*", "")}`, onclick: () => remove(one.id) }, say("Remove"))),
  );
  return [
    h("strong", {}, draft.view.label),
    moved ? h("span", {}, say("The match has moved on.")) : null,
    draft.line.length ? button(say("Undo"), () => go(draft.line.slice(0, -1))) : null,
    draft.line.length > 1 ? button(say("Start over"), () => go([])) : null,
    button(say("Back to the match"), leave, "primary"),
    planned.length ? h("ol.planned", {}, planned) : null,
  ].filter(Boolean);
}
