// The bot's Activity in a frame over the messages, and what it asks the person.
//
// The frame is on another site, and its messages are taken only from there. What they mean, the server knows.

import { freshId, h, icon } from "./dom.js";
import { say } from "./language.js";
import { dialog } from "./modal.js";

/** What an application can be allowed, in words. */
const SCOPES = {
  identify: "Know your name and picture",
  email: "Know your email address",
  guilds: "Know which servers you're in",
  "guilds.members.read": "Know your nickname and roles in servers",
  "rpc.activities.write": "Show what you're playing",
};

export class ActivityHost {
  #link;
  #place;
  #done;
  #open = null;

  /** `place` is what the Activity covers; `done(words)` is called when it ends, with what it has to say. */
  constructor({ link, place, done }) {
    this.#link = link;
    this.#place = place;
    this.#done = done;
    addEventListener("message", (event) => this.#heard(event));
  }

  /** The Activity's part of the page, if one is open. */
  get element() {
    return this.#open?.element;
  }

  /** Open an Activity, instead of another. */
  show({ frame, name, host, query }, platform) {
    this.#remove();
    const origin = `http://${host}${location.port ? `:${location.port}` : ""}`;
    const told = new URLSearchParams({ ...query, platform });
    const around = new URLSearchParams({ chat: location.origin, title: name });
    const title = h("h2", { id: freshId("activity"), tabindex: "-1" }, name);
    const view = h("iframe.activity-frame", {
      title: name,
      src: `${origin}/.playground/?${told}#${around}`,
      sandbox: "allow-forms allow-pointer-lock allow-popups allow-popups-to-escape-sandbox allow-same-origin allow-scripts",
      allow: "autoplay; clipboard-write; fullscreen",
    });
    const element = h(
      "section.activity",
      { "aria-labelledby": title.id, onkeydown: (event) => this.#keys(event) },
      h("header.activity-head", {}, title, h("button.icon-button", { type: "button", "aria-label": say("Close"), title: say("Close"), onclick: () => this.leave() }, icon("close"))),
      view,
    );
    this.#open = { frame, origin, element, view, dialogs: new Set() };
    for (const covered of this.#place.children) covered.inert = true;
    this.#place.append(element);
    title.focus();
  }

  /** Leave the Activity, if one is open. */
  leave() {
    if (!this.#open) return;
    const { frame } = this.#open;
    this.#remove();
    this.#done("");
    this.#link.ask("leave_activity", { frame }).catch(() => undefined);
  }

  /** The Activity has ended by itself, or the connection that it needs is gone. */
  over({ frame, message }) {
    if (!this.#open || (frame && frame !== this.#open.frame)) return;
    this.#remove();
    this.#done(message ?? "");
  }

  /** Pass a message on to the Activity. */
  tell({ frame, message }) {
    if (frame === this.#open?.frame) this.#open.view.contentWindow.postMessage(message, this.#open.origin);
  }

  /** Ask the person what the Activity wants to know. Closing the question is a no. */
  ask({ frame, question }) {
    if (frame !== this.#open?.frame) return;
    const { dialogs, view } = this.#open;
    let yes = false;
    const { title, body, agree } = question.kind === "link" ? this.#leaving(question) : this.#consent(question);
    const allow = h("button.button.primary", { type: "button", onclick: () => { yes = true; root.close(); } }, agree);
    const root = dialog({ title, content: h("div.question", {}, h("div.question-words", {}, body), h("footer.dialog-foot", {}, h("button.button.secondary", { type: "button", onclick: () => root.close() }, say("Cancel")), allow)) });
    allow.focus();
    dialogs.add(root);
    root.addEventListener("close", () => {
      dialogs.delete(root);
      if (frame !== this.#open?.frame) return;
      if (yes && question.kind === "link") window.open(question.url, "_blank", "noopener,noreferrer");
      this.#link.ask("decide", { frame, nonce: question.nonce, yes }).catch(() => undefined);
      view.focus();
    });
  }

  #consent({ scopes }) {
    const name = this.#open.view.title;
    const wishes = scopes.map((scope) => h("li", {}, SCOPES[scope] ? say(SCOPES[scope]) : scope));
    return { title: say("Allow {name} to:", { name }), body: h("ul.wishes", {}, wishes), agree: say("Allow") };
  }

  #leaving({ url }) {
    return { title: say("Leave Discord?"), body: [h("p", {}, say("This link leads to:")), h("p.question-link", {}, url)], agree: say("Visit site") };
  }

  #heard({ source, origin, data }) {
    const open = this.#open;
    if (!open || source !== open.view.contentWindow || origin !== open.origin || !Array.isArray(data)) return;
    this.#link.ask("embedded", { frame: open.frame, message: data }).catch(() => undefined);
  }

  #keys(event) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    this.leave();
  }

  #remove() {
    const open = this.#open;
    this.#open = null;
    if (!open) return;
    for (const asked of open.dialogs) asked.close();
    open.element.remove();
    for (const covered of this.#place.children) covered.inert = false;
  }
}
