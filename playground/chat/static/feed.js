// The message list of the open channel: rendering, scrolling and loading.

import { compareIds, h, isThread } from "./dom.js";
import { say, written } from "./language.js";
import { messageElement, spoken } from "./message.js";
import { isLoading } from "./world.js";

const NEAR = 80;
const PAGE = 50;

/**
 * Events: "seen" (the newest message of the open channel is in view).
 */
export class Feed extends EventTarget {
  #world;
  #link;
  #context;
  #pane;
  #list;
  #older;
  #newer;
  #voice;
  #memory = new Map();
  #states = new Map();
  #exhausted = new Set();
  #loading = null;
  #atBottom = true;
  #scrollTop = 0;
  #firstUnread = null;

  constructor({ world, link, pane, list, older, newer, voice, person }) {
    super();
    this.#world = world;
    this.#link = link;
    this.#pane = pane;
    this.#list = list;
    this.#older = older;
    this.#newer = newer;
    this.#voice = voice;
    this.#context = { person };
    pane.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    pane.addEventListener("keydown", (event) => this.#keys(event));
    newer.addEventListener("click", () => this.toBottom());
    // Pictures that arrive late must not push the newest message out of view.
    new ResizeObserver(() => this.#atBottom && this.#stick()).observe(list);
    new ResizeObserver(() => this.#atBottom && this.#stick()).observe(pane);
    world.addEventListener("message", ({ detail }) => this.#arrived(detail));
    world.addEventListener("gone", ({ detail }) => this.#gone(detail));
  }

  get atBottom() {
    return this.#atBottom;
  }

  /** Show no channel. */
  close() {
    this.#list.dataset.channel = "";
    this.#newer.hidden = true;
    this.#drawAll();
    this.#older.replaceChildren();
  }

  /** Show a channel's end, or the part around one of its messages. */
  async open(channel, { message = null } = {}) {
    const switched = this.#list.dataset.channel !== channel;
    this.#list.dataset.channel = channel;
    this.#newer.hidden = true;
    if (switched) {
      const { count } = this.#world.unread(channel);
      this.#firstUnread = count;
      this.#atBottom = true;
      this.#drawAll();
    }
    if (!this.#world.hasLatest(channel)) {
      this.#list.setAttribute("aria-busy", "true");
      try {
        const { messages, more } = await this.#link.ask("history", { channel, limit: PAGE });
        this.#world.putLatest(channel, messages);
        this.#exhausted[more ? "delete" : "add"](channel);
      } catch (refusal) {
        if (refusal.code !== "offline" && this.#list.dataset.channel === channel) this.#older.textContent = refusal.message;
        return;
      } finally {
        this.#list.removeAttribute("aria-busy");
      }
      if (this.#list.dataset.channel !== channel) return;
      this.#drawAll();
    }
    if (message) await this.#reveal(channel, message);
    else this.#seen();
    if (switched && !message && this.#alone()) this.#toTop();
  }

  toBottom() {
    this.#atBottom = true;
    this.#scrollTo(this.#pane.scrollHeight);
    this.#seen();
  }

  /** Show an error on a message until it changes or is used again. */
  mark(channel, id, state) {
    if (state) this.#states.set(id, state);
    else this.#states.delete(id);
    const message = this.#world.message(channel, id);
    if (message && this.#list.dataset.channel === channel) this.#redraw(message);
  }

  // ------------------------------------------------------------------------------- drawing

  #drawAll() {
    const channel = this.#list.dataset.channel;
    const messages = this.#world.messages(channel);
    const nodes = [];
    const fresh = this.#firstUnread ? messages.at(-this.#firstUnread) : null;
    messages.forEach((message, index) => {
      const before = messages[index - 1];
      if (!before || day(before) !== day(message)) nodes.push(dayLine(message));
      if (message === fresh) nodes.push(h("li.new-line", { "aria-label": say("New messages") }, h("span", {}, say("New"))));
      nodes.push(this.#draw(message, before));
    });
    this.#list.replaceChildren(...nodes);
    this.#head();
    if (this.#atBottom) this.#stick();
  }

  #head() {
    const channel = this.#world.channel(this.#list.dataset.channel);
    const all = this.#exhausted.has(channel?.id);
    const name = channel && this.#world.channelName(channel);
    this.#older.replaceChildren(
      ...(all && channel
        ? [h("h2", {}, channel.type === 1 ? name : say("Welcome to {channel}", { channel: `#${name}` })), h("p", {}, channel.topic || (channel.type === 1 ? say("Only the two of you can read this.") : say("This is the start of the channel.")))]
        : [h("p.loading-older", {}, say("Loading earlier messages…"))]),
    );
  }

  #draw(message, before) {
    if (!this.#memory.has(message.id)) this.#memory.set(message.id, { open: new Set(), chosen: new Map() });
    const channel = message.channel_id;
    const act = (op, fields) => this.#act(message, op, fields);
    return messageElement(message, before, {
      world: this.#world,
      memory: this.#memory.get(message.id),
      failed: this.#states.get(message.id)?.failed,
      busy: this.#states.get(message.id)?.busy,
      press: (component) => act("press", { custom_id: component.custom_id }),
      choose: (component, values) => {
        this.#memory.get(message.id).chosen.set(component.custom_id, values);
        act("choose", { custom_id: component.custom_id, values });
      },
      dismiss: () => this.#link.ask("dismiss", { channel, message: message.id }).catch((refusal) => this.mark(channel, message.id, { failed: refusal.message })),
      person: this.#context.person,
      channel,
    });
  }

  async #act(message, op, fields) {
    const { id, channel_id: channel } = message;
    if (this.#states.get(id)?.busy) return;
    this.mark(channel, id, { busy: fields.custom_id });
    try {
      await this.#link.ask(op, { channel, message: id, ...fields });
      this.mark(channel, id, null);
    } catch (refusal) {
      this.mark(channel, id, { failed: refusal.message });
    }
  }

  #redraw(message) {
    const old = this.#element(message.id);
    if (!old) return;
    const messages = this.#world.messages(message.channel_id);
    const before = messages[messages.findIndex(({ id }) => id === message.id) - 1];
    const fresh = this.#draw(message, before);
    const focus = old.contains(document.activeElement) ? document.activeElement : null;
    const wanted = focus?.closest("[data-custom-id]")?.dataset.customId;
    old.replaceWith(fresh);
    if (focus) {
      // The focus stays where it was if that element still exists.
      const heir = wanted ? fresh.querySelector(`[data-custom-id="${CSS.escape(wanted)}"]`) : null;
      const target = heir?.matches("button") ? heir : heir?.querySelector("button");
      (target && !target.disabled ? target : fresh).focus({ preventScroll: true });
    }
    if (this.#atBottom) this.#stick();
  }

  #element(id) {
    return this.#list.querySelector(`[data-id="${id}"]`);
  }

  // --------------------------------------------------------------------------------- news

  #arrived({ channel, message, fresh }) {
    if (this.#states.get(message.id)?.failed) this.#states.delete(message.id);
    if (channel !== this.#list.dataset.channel) return;
    if (!fresh) {
      // Menu choices belong to the message's previous state.
      this.#memory.get(message.id)?.chosen.clear();
      const was = this.#element(message.id)?.querySelector(".thinking");
      this.#redraw(message);
      if (was && !isLoading(message)) this.#say(message);
      return;
    }
    const messages = this.#world.messages(channel);
    const index = messages.findIndex(({ id }) => id === message.id);
    const before = messages[index - 1];
    const after = messages[index + 1];
    const place = after ? this.#element(after.id) : null;
    const nodes = [!before || day(before) !== day(message) ? dayLine(message) : null, this.#draw(message, before)].filter(Boolean);
    for (const node of nodes) this.#list.insertBefore(node, place);
    if (after) this.#redraw(after);
    const mine = message.author.id === this.#world.me.id || message.interaction_metadata?.user?.id === this.#world.me.id;
    if (this.#alone() && !mine) this.#toTop();
    else if (this.#atBottom || mine) this.toBottom();
    else this.#newer.hidden = false;
    this.#say(message);
  }

  #say(message) {
    if (message.author.id === this.#world.me.id || isLoading(message)) return;
    this.#voice.textContent = spoken(message, this.#world);
  }

  #gone({ channel, id }) {
    if (channel !== this.#list.dataset.channel) return;
    const element = this.#element(id);
    if (!element) return;
    const next = element.nextElementSibling;
    const focused = element.contains(document.activeElement);
    const above = element.previousElementSibling;
    element.remove();
    if (above?.matches(".day") && (!next || next.matches(".day"))) above.remove();
    const after = next?.dataset.id && this.#world.message(channel, next.dataset.id);
    if (after) this.#redraw(after);
    if (focused) (next?.dataset.id ? this.#element(next.dataset.id) : this.#list.lastElementChild ?? this.#pane)?.focus();
  }

  // ------------------------------------------------------------------------------ scrolling

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.#pane;
    const was = this.#atBottom;
    // Only scrolling up leaves the end: a picture that loads after the last scroll is followed.
    const up = scrollTop < this.#scrollTop;
    this.#scrollTop = scrollTop;
    this.#atBottom = scrollHeight - scrollTop - clientHeight < NEAR || (was && !up);
    if (this.#atBottom && !was) this.#seen();
    if (this.#atBottom) this.#newer.hidden = true;
    if (scrollTop < 300) this.#loadOlder();
  }

  #stick() {
    if (!this.#alone()) this.#scrollTo(this.#pane.scrollHeight);
  }

  /** The only message of a channel, such as a long welcome, is read from its beginning; a thread's is to be answered. */
  #alone() {
    const channel = this.#world.channel(this.#list.dataset.channel);
    return this.#world.messages(this.#list.dataset.channel).length === 1 && channel && !isThread(channel);
  }

  /** Show the beginning, and follow what comes next. */
  #toTop() {
    this.#scrollTo(0);
    this.#seen();
  }

  #scrollTo(top) {
    this.#pane.scrollTop = top;
    this.#scrollTop = this.#pane.scrollTop;
  }

  #seen() {
    this.#newer.hidden = true;
    this.dispatchEvent(new CustomEvent("seen"));
  }

  async #loadOlder() {
    const channel = this.#list.dataset.channel;
    if (!channel || this.#exhausted.has(channel) || !this.#world.hasLatest(channel)) return false;
    this.#loading ??= this.#fetchOlder(channel).finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #fetchOlder(channel) {
    const [oldest] = this.#world.messages(channel);
    if (!oldest) return false;
    try {
      const { messages, more } = await this.#link.ask("history", { channel, before: oldest.id, limit: PAGE });
      this.#world.putOlder(channel, messages);
      if (!more) this.#exhausted.add(channel);
    } catch {
      return false;
    }
    if (this.#list.dataset.channel !== channel) return false;
    const fromEnd = this.#pane.scrollHeight - this.#pane.scrollTop;
    const focused = document.activeElement?.closest?.("[data-id]")?.dataset.id;
    this.#drawAll();
    if (!this.#atBottom) this.#pane.scrollTop = this.#pane.scrollHeight - fromEnd;
    if (focused) this.#element(focused)?.focus({ preventScroll: true });
    return true;
  }

  async #reveal(channel, id) {
    while (!this.#element(id)) {
      const [oldest] = this.#world.messages(channel);
      if (!oldest || compareIds(id, oldest.id) > 0 || !(await this.#loadOlder())) return;
    }
    this.#atBottom = false;
    const element = this.#element(id);
    element.scrollIntoView({ block: "center" });
    element.focus({ preventScroll: true });
    element.classList.add("found");
    element.addEventListener("animationend", () => element.classList.remove("found"), { once: true });
  }

  /** Arrow keys move between messages once one has the focus. */
  #keys(event) {
    const here = event.target.closest("[data-id]");
    if (event.target !== here && event.target !== this.#pane) return;
    const all = [...this.#list.querySelectorAll("[data-id]")];
    const at = all.indexOf(here);
    const next = { ArrowUp: at < 0 ? all.length - 1 : at - 1, ArrowDown: at < 0 ? all.length - 1 : at + 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined || !all[next]) return;
    event.preventDefault();
    all[next].focus();
    all[next].scrollIntoView({ block: "nearest" });
  }
}

function day(message) {
  return new Date(message.timestamp).toDateString();
}

function dayLine(message) {
  const words = written(new Date(message.timestamp), { dateStyle: "long" });
  return h("li.day", { "aria-label": words }, h("span", {}, words));
}

