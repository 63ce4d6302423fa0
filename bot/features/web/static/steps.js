// Which squares and steps a move is chosen by. No elements here.

const SQUARE = /[a-z]\d{1,2}/g;

/**
 * What one taps for a step: its squares, or the step itself where it names none.
 * "e2&" and "e2" are the same square; which one is meant is asked where both are possible.
 */
export function taps(step) {
  return step.match(SQUARE) ?? [step];
}

/** Moves being chosen: `moves` are {steps, label}; nothing else is known of the game. */
export class Choosing {
  #moves;
  #path = [];

  constructor(moves) {
    this.#moves = moves.map((move) => ({ ...move, path: move.steps.flatMap(taps) }));
  }

  /** What has been tapped so far. */
  get path() {
    return [...this.#path];
  }

  /** Whether any move can be chosen. */
  get possible() {
    return this.#moves.length > 0;
  }

  get #left() {
    return this.#moves.filter(({ path }) => this.#path.every((tap, index) => path[index] === tap));
  }

  /** What can be tapped next, by name, each with the moves that it leaves. */
  get next() {
    const found = new Map();
    for (const move of this.#left) {
      const tap = move.path[this.#path.length];
      if (tap !== undefined) found.set(tap, [...(found.get(tap) ?? []), move]);
    }
    return found;
  }

  /** The moves that are complete with what has been tapped: several if only their wording differs. */
  get complete() {
    return this.#left.filter(({ path }) => path.length === this.#path.length);
  }

  /** Tap something; a first square chosen anew begins again. Return whether that was possible. */
  tap(name) {
    if (this.next.has(name)) {
      this.#path.push(name);
      return true;
    }
    const before = this.#path;
    this.#path = [];
    if (before.length && before[0] !== name && this.next.has(name)) {
      this.#path.push(name);
      return true;
    }
    const again = before.length > 0 && before.at(-1) === name;
    this.#path = again ? before.slice(0, -1) : before;
    return again;
  }

  /** Take back the last tap. */
  undo() {
    this.#path.pop();
  }

  /** Begin again. */
  clear() {
    this.#path = [];
  }
}

export const isSquare = (name) => /^[a-z]\d{1,2}$/.test(name);
