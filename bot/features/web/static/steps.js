// Which squares and steps a move is chosen by. No elements here.

const SQUARE = /[a-z]\d{1,2}/g;

/**
 * What one taps for a step: its squares, or the step itself where it names none.
 * "e2&" and "e2" are the same square; which one is meant is asked where both are possible.
 */
function taps(step) {
  return step.match(SQUARE) ?? [step];
}

/** Moves being chosen: `moves` are {steps, label, to}; nothing else is known of the game. */
export class Choosing {
  #moves;
  #path = [];
  #goal = null;

  constructor(moves) {
    this.#moves = moves.map((move) => ({ ...move, path: move.steps.flatMap(taps) }));
  }

  /** What has been tapped so far. */
  get path() {
    return this.#goal === null ? [...this.#path] : [...this.#path, this.#goal];
  }

  get #left() {
    return this.#moves.filter(({ path, to }) => this.#path.every((tap, index) => path[index] === tap) && (this.#goal === null || to === this.#goal));
  }

  /** What can be tapped next, by name, each with the moves that it leaves: a step, or where a man ends. */
  get next() {
    const found = new Map();
    if (this.#goal !== null) return found;
    const left = this.#left;
    const add = (tap, move) => found.set(tap, [...(found.get(tap) ?? []), move]);
    for (const move of left) if (move.path.length > this.#path.length) add(move.path[this.#path.length], move);
    const steps = new Set(found.keys());
    for (const move of left) {
      // A man who goes by throws is also moved by tapping his last square.
      if (move.to && !move.path.includes(move.to) && !steps.has(move.to) && move.path.length > this.#path.length && (this.#path.length || !isSquare(move.path[0]))) add(move.to, move);
    }
    return found;
  }

  /** The squares from which a man can be dragged: where moves begin or go on, but for those he has left. */
  get starts() {
    const last = this.#path.findLast(isSquare);
    const begun = [...this.#moves.map(({ path }) => ({ path, at: 0 })), ...this.#left.map(({ path }) => ({ path, at: this.#path.length }))];
    const found = begun.filter(({ path, at }) => path.length > at + 1).map(({ path, at }) => path[at]);
    return new Set(found.filter((name) => isSquare(name) && (name === last || !this.#path.includes(name))));
  }

  /** The moves that are complete with what has been tapped: several if only their wording differs. */
  get complete() {
    return this.#goal === null ? this.#left.filter(({ path }) => path.length === this.#path.length) : this.#left;
  }

  /** Tap something; a first square chosen anew begins again. Return whether that was possible. */
  tap(name) {
    const next = this.next;
    if (next.has(name)) {
      if (next.get(name).some(({ path }) => path[this.#path.length] === name)) this.#path.push(name);
      else this.#goal = name;
      return true;
    }
    const before = this.path;
    this.clear();
    if (before.length && before[0] !== name && this.next.has(name)) return this.tap(name);
    const again = before.length > 0 && before.at(-1) === name;
    this.#path = again ? before.slice(0, -1) : before;
    return again;
  }

  /** Take back the last tap. */
  undo() {
    if (this.#goal === null) this.#path.pop();
    this.#goal = null;
  }

  /** Begin again. */
  clear() {
    this.#path = [];
    this.#goal = null;
  }
}

export const isSquare = (name) => /^[a-z]\d{1,2}$/.test(name);
