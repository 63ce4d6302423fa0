// The connection to the server: an automatically reconnecting WebSocket, requests and responses.

import { say } from "./language.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;

/** The server's refusal of a request; `message` is shown to the person. */
export class Refusal extends Error {
  constructor({ code = "error", message = say("Something went wrong.") } = {}) {
    super(message);
    this.code = code;
  }
}

/**
 * A connection as one person.
 * Events: "status" (detail "open" | "waiting"), "frame" (detail the decoded frame, in order).
 */
export class Link extends EventTarget {
  #as;
  #socket = null;
  #wait = FIRST_WAIT;
  #timer = null;
  #ref = 0;
  #asked = new Map();

  constructor(as) {
    super();
    this.#as = as;
    // After waking up or coming back online, reconnect without a long wait.
    const hurry = () => this.#socket === null && this.#dial();
    addEventListener("online", hurry);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && hurry());
  }

  open() {
    this.#dial();
  }

  /**
   * Send a request; resolves with the response's fields.
   * Throws a Refusal if the server refuses it, or if the connection is lost first: nothing is
   * resent automatically, since a press that went through must not be repeated.
   */
  ask(op, fields = {}) {
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) {
        reject(new Refusal({ code: "offline", message: say("Not connected right now. Try again in a moment.") }));
        return;
      }
      this.#ref += 1;
      this.#asked.set(this.#ref, { resolve, reject });
      this.#socket.send(JSON.stringify({ op, ref: this.#ref, ...fields }));
    });
  }

  #dial() {
    clearTimeout(this.#timer);
    const url = new URL("/page/ws", location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.searchParams.set("as", this.#as);
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(data)));
    socket.addEventListener("close", () => this.#lost(socket));
  }

  #receive(frame) {
    if (frame.op === "hello") {
      this.#wait = FIRST_WAIT;
      this.#say("status", "open");
    }
    if (frame.op !== "ack") {
      this.#say("frame", frame);
      return;
    }
    const asked = this.#asked.get(frame.ref);
    this.#asked.delete(frame.ref);
    // Discord's own words, such as "This interaction failed", are in the person's language.
    if (frame.error) asked?.reject(new Refusal({ ...frame.error, message: say(frame.error.message) }));
    else asked?.resolve(frame);
  }

  #lost(socket) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    for (const { reject } of this.#asked.values()) {
      reject(new Refusal({ code: "offline", message: say("The connection was lost. Check if it worked before you try again.") }));
    }
    this.#asked.clear();
    this.#say("status", "waiting");
    this.#timer = setTimeout(() => this.#dial(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #say(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
