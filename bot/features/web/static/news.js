// News of the matches on screen: the windows of one browser share one stream.

import { listen } from "./api.js";

const NAME = "board-news";
const SILENCE = 50_000;
const LOOK = 15_000;

/**
 * Calls `heard` with "connected", "lost", "over", "turns", "silent" if it was for long, "watched" if what
 * a window looks at may have changed before it listened, and "changed 12" for match 12, from the first
 * `watch` on. "hidden" says that some match cannot be seen: who sees theirs
 * watches it again. One window holds the stream; where windows cannot find out about each other, each
 * holds its own.
 */
export class News {
  #heard;
  #match; // null if none is looked at
  #name = Math.random().toString(36).slice(2);
  #matches = new Map();
  #stream = null;
  #leads = false;
  #last = Date.now();
  #channel = null;
  #wanted = true;
  #release = () => undefined;

  constructor(heard, { shared = true } = {}) {
    this.#heard = heard;
    if (shared && "BroadcastChannel" in window && navigator.locks) {
      this.#channel = new BroadcastChannel(NAME);
      this.#channel.onmessage = ({ data }) => this.#told(data);
      addEventListener("pagehide", () => this.#tell({ window: this.#name, match: null }));
      addEventListener("pageshow", () => this.#tell({ window: this.#name, match: this.#match ?? null }));
      this.#stand();
    } else this.#lead();
    setInterval(() => this.#check(), LOOK);
  }

  /** Look at a match from now on, or at none. */
  watch(match) {
    this.#match = match;
    this.#note(this.#name, match);
    this.#tell({ window: this.#name, match });
    if (this.#leads) this.#open();
  }

  /** Open the stream anew: it may be as dead as what else was asked. */
  again() {
    if (!this.#leads) return this.#tell({ again: true });
    this.#stream?.signal.abort();
    if (this.#match !== undefined) this.#open();
    return undefined;
  }

  /** Hear nothing any more. */
  close() {
    this.#heard = () => undefined;
    this.#leads = this.#wanted = false;
    this.#stream?.signal.abort();
    this.#release();
  }

  #stand(options = {}) {
    const held = () =>
      new Promise((release) => {
        this.#release = release;
        this.#lead();
      });
    navigator.locks.request(NAME, options, held).catch(() => {
      // Another window holds the stream now, as this one was asleep.
      this.#leads = false;
      this.#stream?.signal.abort();
      if (this.#wanted) this.#stand();
    });
  }

  #lead() {
    if (!this.#wanted) return this.#release();
    this.#leads = true;
    this.#tell({ ask: true });
    if (this.#match !== undefined) this.#open();
    return undefined;
  }

  #told(data) {
    if (data.ask) return this.#tell({ window: this.#name, match: this.#match ?? null });
    if (data.again) return this.#leads ? this.again() : undefined;
    if (data.news) return this.#hear(data.news);
    this.#note(data.window, data.match);
    if (this.#leads && data.match !== null && !this.#open()) this.#tell({ news: "watched" });
    return undefined;
  }

  #note(window, match) {
    if (match === null) this.#matches.delete(window);
    else this.#matches.set(window, match);
  }

  #tell(data) {
    this.#channel?.postMessage(data);
  }

  #hear(news) {
    this.#last = Date.now();
    if (news !== "waiting" && news !== "hello") this.#heard(news);
  }

  /** Open the stream, unless one is open that tells all that is watched; return whether it was opened. */
  #open() {
    const wanted = [...new Set(this.#matches.values())].slice(-8);
    if (this.#stream && !this.#stream.signal.signal.aborted && wanted.every((match) => this.#stream.matches.includes(match))) return false;
    this.#stream?.signal.abort();
    const signal = new AbortController();
    this.#stream = { matches: wanted, signal };
    listen(`/api/news?${wanted.map((match) => `match=${match}`).join("&")}`, signal.signal, (news) => {
      if (signal.signal.aborted) return;
      if (news === "hidden") {
        signal.abort();
        this.#matches.clear();
        this.#open();
      }
      this.#pass(news);
    });
    return true;
  }

  #pass(news) {
    this.#tell({ news });
    this.#hear(news);
  }

  /** What says nothing for long is dead, even if nobody has closed it. */
  #check() {
    if (document.visibilityState !== "visible" || Date.now() - this.#last < SILENCE || this.#match === undefined) return;
    this.#last = Date.now();
    this.#heard("silent"); // a proxy that holds news back holds back no answer
    if (this.#leads) this.again();
    else this.#stand({ steal: true });
  }
}
