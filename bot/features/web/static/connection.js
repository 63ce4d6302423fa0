// Whether the server answers: what goes wrong is said, and what must not stay old is asked for until it comes.

import { Lost, Refused } from "./api.js";
import { say } from "./language.js";
import { markdown } from "./markdown.js";
import { world } from "./people.js";

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;
const UNSAID = 1000; // milliseconds: what is shorter is not worth a word
const STAYS = 4000; // milliseconds for which a notice stays once its reason has passed

/** Asks something until it is answered, with growing pauses. */
export class Asked {
  #ask;
  #show;
  #heard;
  #asked = 0;
  #shown = 0;
  #timer = null;
  #pause = FIRST_PAUSE;

  /**
   * `ask()` returns an answer, or rejects; `show(answer, newer)` shows it, unless it is older than what
   * is shown: `newer` says whether it was asked for later. `heard(error)` is called after the last
   * question: with null once it is answered, and if `now` failed, it returns whether to ask again.
   */
  constructor({ ask, show, heard }) {
    this.#ask = ask;
    this.#show = show;
    this.#heard = heard;
  }

  /** Ask now, and again until there is an answer. Never rejects, unless `heard` throws. */
  async now() {
    const number = this.#asked + 1;
    try {
      await this.once();
    } catch (error) {
      if (number !== this.#asked || !this.#heard(error)) return;
      this.#timer = setTimeout(() => this.now(), this.#pause * (0.5 + Math.random()));
      this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    }
  }

  /** Ask once, or something else with the same answer; rejects if that fails. */
  async once(ask = this.#ask) {
    clearTimeout(this.#timer);
    const number = (this.#asked += 1);
    const answer = await ask();
    if (this.#show(answer, number > this.#shown)) this.#shown = number;
    if (number !== this.#asked) return;
    this.#pause = FIRST_PAUSE;
    this.#heard(null);
  }

  /** Ask no more, and show nothing that still comes. */
  stop() {
    clearTimeout(this.#timer);
    this.#show = this.#heard = () => false;
  }
}

/** Does what the reader wants, one thing at a time, and says what goes wrong. */
export class Attempts {
  #parts;
  #heard;
  #busy = false;
  #missed = false; // whether what was done last found no connection
  #leaving = null;
  #lacking = new Set();
  #losing = null;
  #lacks = false; // whether that has lasted

  /**
   * `parts` are the notice, with its places of words and of a connection that was lost. `failed(error)`
   * is called after what goes wrong has been said.
   */
  constructor(parts, heard) {
    this.#parts = parts;
    this.#heard = heard;
    // What is outside an open dialog cannot be seen or reached.
    new MutationObserver(() => this.#place()).observe(document.body, { subtree: true, attributeFilter: ["open"] });
  }

  get busy() {
    return this.#busy;
  }

  async do(work) {
    if (this.#busy) return;
    this.#busy = true;
    document.body.setAttribute("aria-busy", "true");
    try {
      this.hush();
      await work();
    } catch (error) {
      this.failed(error);
    } finally {
      this.#busy = false;
      document.body.removeAttribute("aria-busy");
    }
  }

  failed(error) {
    if (error instanceof Lost) {
      this.hush();
      this.#missed = true;
      this.#parts.lost.textContent = ""; // said anew, if it was there: this was the reader's own doing
      this.#show();
    } else {
      if (!(error instanceof Refused)) console.error(error);
      this.tell(error instanceof Refused ? error.message : say("Something went wrong. Try again."));
    }
    this.#heard(error);
  }

  /** Say something, until something else is done, or for a while. */
  tell(words, { passing = false } = {}) {
    this.hush();
    this.#parts.told.replaceChildren(markdown(words, world));
    this.#show();
    if (passing) this.#leave();
  }

  /** Say nothing more, but for a connection that is lost still. */
  hush() {
    clearTimeout(this.#leaving);
    this.#missed = false;
    this.#parts.told.replaceChildren();
    this.#show();
  }

  #leave() {
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => this.hush(), STAYS);
  }

  /** Notice that a part of the page is not connected; it is said if that lasts. */
  lost(part) {
    this.#lacking.add(part);
    this.#losing ??= setTimeout(() => {
      this.#lacks = true;
      this.#show();
    }, UNSAID);
  }

  found(part) {
    this.#lacking.delete(part);
    if (!this.#lacking.size) this.settle();
  }

  /** Say nothing more of connections that are lost. */
  settle() {
    clearTimeout(this.#losing);
    this.#losing = null;
    this.#lacks = false;
    this.#show();
    if (this.#missed) this.#leave();
  }

  /** Show what there is to say; what is read out already is left as it is. */
  #show() {
    const { notice, told, lost } = this.#parts;
    const words = this.#lacks || this.#missed ? say("Not connected. Trying again…") : "";
    if (lost.textContent !== words) lost.textContent = words;
    this.#place();
    notice.hidden = !words && !told.hasChildNodes();
  }

  #place() {
    const { notice } = this.#parts;
    const place = document.querySelector("dialog[open]") ?? document.getElementById("page");
    if (notice.parentNode !== place || notice.nextSibling) place.append(notice);
  }
}

/** Finds out what became of a move whose answer was lost. */
export class Unsure {
  #attempts;
  #before = null;
  #told = false;

  constructor(attempts) {
    this.#attempts = attempts;
  }

  /** Remember how the match stood before the move; null if its answer is there. */
  lost(before) {
    this.#before = before;
    this.#told = false;
  }

  /** Say what became of it, in a match as it stands; return whether it is played. */
  heard({ match, version, ply }) {
    const before = this.#before;
    if (before?.match !== match) return false;
    if (version === before.version) {
      if (!this.#told) this.#attempts.tell(say("Your move didn't arrive. Play it again."));
      this.#told = true; // which does not keep it from coming yet
      return false;
    }
    this.#before = null;
    this.#attempts.hush();
    if (ply > before.ply) this.#attempts.tell(say("Your move was played."), { passing: true });
    return ply > before.ply;
  }
}

/** Call `work(connected)` when the page is looked at again, or the device is connected again. */
export function whenBack(work) {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") work(false);
  });
  addEventListener("online", () => work(true));
}
