// News of the matches on screen: the windows of one browser share one stream.

import { listen } from "./api.js";

const NAME = "board-news";
const SILENCE = 50_000;
const LOOK = 15_000;

/**
 * Calls `heard` with "connected", "lost", "over", "turns", and "changed 12" for match 12. One window
 * holds the stream; where windows cannot find out about each other, each holds its own.
 */
export class News {
  #heard;
  #match = null;
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
      addEventListener("pageshow", () => this.#tell({ window: this.#name, match: this.#match }));
      this.#stand();
    } else this.#lead();
    setInterval(() => this.#check(), LOOK);
  }

  /** Look at a match from now on. */
  watch(match) {
    this.#match = match;
    this.#matches.set(this.#name, match);
    this.#tell({ window: this.#name, match });
    if (this.#leads) this.#open();
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
    if (this.#match !== null) this.#open();
    return undefined;
  }

  #told(data) {
    if (data.ask) return this.#tell({ window: this.#name, match: this.#match });
    if (data.news) return this.#hear(data.news);
    if (data.match === null) this.#matches.delete(data.window);
    else this.#matches.set(data.window, data.match);
    if (this.#leads && data.match !== null) this.#open();
    return undefined;
  }

  #tell(data) {
    this.#channel?.postMessage(data);
  }

  #hear(news) {
    this.#last = Date.now();
    if (news !== "waiting" && news !== "hello") this.#heard(news);
  }

  /** Open the stream, unless one is open that tells all that is watched. */
  #open() {
    const wanted = [...new Set(this.#matches.values())].slice(-8);
    if (this.#stream && !this.#stream.signal.signal.aborted && wanted.every((match) => this.#stream.matches.includes(match))) return;
    this.#stream?.signal.abort();
    const signal = new AbortController();
    this.#stream = { matches: wanted, signal };
    listen(`/api/news?${wanted.map((match) => `match=${match}`).join("&")}`, signal.signal, (news) => {
      if (signal.signal.aborted) return;
      if (news === "hidden") {
        // One of them can no longer be seen. Whoever looks at it finds out; the others go on.
        this.#pass("connected");
        signal.abort();
        this.#matches = new Map([[this.#name, this.#match]]);
        if (wanted.length > 1) this.#open();
      } else this.#pass(news);
    });
  }

  #pass(news) {
    this.#tell({ news });
    this.#hear(news);
  }

  /** What says nothing for long is dead, even if nobody has closed it. */
  #check() {
    if (document.visibilityState !== "visible" || Date.now() - this.#last < SILENCE || this.#match === null) return;
    this.#last = Date.now();
    this.#heard(`changed ${this.#match}`); // a proxy that holds news back holds back no answer
    if (this.#leads) {
      this.#stream?.signal.abort();
      this.#open();
    } else this.#stand({ steal: true });
  }
}
