// Where a person writes: plain messages, and commands with their options as fields.

import { avatar, displayName, freshId, h, icon } from "./dom.js";
import { KIND, fitting, leaves, local, named, pairs, read } from "./commands.js";
import { channelOffers } from "./components.js";
import { ListPopup, bestFirst } from "./listbox.js";

const PAUSE = 180;

/**
 * The composer in `box`.
 * `link` sends, `world` knows, `channel()` gives the open channel, `say(text)` tells a status.
 */
export class Composer {
  #world;
  #link;
  #channel;
  #box;
  #problem;
  #status;
  #text;
  #palette;
  #form = null;

  constructor({ world, link, channel, box, problem, status }) {
    this.#world = world;
    this.#link = link;
    this.#channel = channel;
    this.#box = box;
    this.#problem = problem;
    this.#status = status;
    this.#text = h("textarea.say", {
      id: "say",
      rows: "1",
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-haspopup": "listbox",
      maxlength: "2000",
      autocomplete: "off",
      oninput: () => this.#typed(),
      onkeydown: (event) => this.#keys(event),
      onblur: () => this.#palette.hide(),
      onfocus: () => this.#suggest(),
    });
    this.#palette = new ListPopup({ label: "Commands", control: this.#text, onpick: (item) => this.#enter(item.leaf), wide: true });
    this.#plain();
    // What was typed before the commands were known is read again.
    world.addEventListener("commands", () => !this.#form && this.#text.value.startsWith("/") && this.#typed());
  }

  focus() {
    (this.#form?.first ?? this.#text).focus();
  }

  /** Begin a command as if "/" had been typed. */
  startCommand() {
    if (!this.#form) {
      this.#text.value = "/";
      this.#text.focus();
      this.#typed();
    }
  }

  insert(words) {
    if (this.#form) return;
    const gap = this.#text.value && !/\s$/.test(this.#text.value) ? " " : "";
    this.#text.value += `${gap}${words} `;
    this.#text.focus();
    this.#typed();
  }

  /** Name the place that is written to. */
  place(name) {
    this.#text.placeholder = `Message ${name}`;
    this.#text.setAttribute("aria-label", `Message ${name}. Type a slash for commands.`);
  }

  #plain({ keep = "" } = {}) {
    this.#form?.close();
    this.#form = null;
    this.#text.value = keep;
    const send = h("button.send", { type: "button", "aria-label": "Send", onclick: () => this.#say() }, icon("send"));
    const slash = h("button.slash", { type: "button", "aria-label": "Use a command", title: "Use a command", onclick: () => this.startCommand() }, "/");
    this.#box.replaceChildren(slash, this.#text, send);
    this.#box.classList.remove("commanding");
    this.#grow();
  }

  #typed() {
    this.#tell("");
    this.#grow();
    const text = this.#text.value;
    const found = text.startsWith("/") && named(this.#leaves(), text.replace(/\n/g, " "));
    if (found) this.#enter(found.leaf, found.rest);
    else this.#suggest();
  }

  #leaves() {
    return leaves(this.#world.commands, this.#world.me?.locale);
  }

  #suggest() {
    const text = this.#text.value;
    if (this.#form || document.activeElement !== this.#text || !/^\/[^\n]*$/.test(text)) {
      this.#palette.hide();
      return;
    }
    const found = fitting(this.#leaves(), text.slice(1));
    const status = found.length ? "" : this.#world.commands.length ? "No command is called that." : "The bot has not told its commands yet.";
    this.#palette.show(this.#box);
    this.#palette.set(
      found.map((leaf) => ({ value: leaf.shown, label: leaf.shown, detail: leaf.description, leaf, aside: signature(leaf, this.#world.me?.locale) })),
      { status },
    );
  }

  #keys(event) {
    if (this.#palette.key(event)) return;
    if (event.key === "Tab" && this.#palette.open && this.#palette.active) {
      event.preventDefault();
      this.#enter(this.#palette.active.leaf);
    } else if (event.key === "Escape" && this.#text.value.startsWith("/")) {
      event.preventDefault();
      event.stopPropagation();
      if (this.#palette.open) this.#palette.hide();
      this.#text.value = "";
      this.#grow();
    } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.#say();
    }
  }

  #grow() {
    this.#text.style.height = "auto";
    if (this.#text.isConnected) this.#text.style.height = `${Math.min(this.#text.scrollHeight, 200)}px`;
  }

  async #say() {
    const content = this.#text.value.trim();
    if (!content) return;
    if (content.startsWith("/")) {
      this.#tell("No command is called that. Choose one from the list, or begin with another sign to write a message.");
      return;
    }
    this.#text.value = "";
    this.#grow();
    try {
      await this.#link.ask("say", { channel: this.#channel(), content: this.#mentions(content) });
    } catch (refusal) {
      if (!this.#text.value) this.#text.value = content;
      this.#grow();
      this.#tell(refusal.message);
    }
  }

  /** "@Ben" and "#games" as the marks that mention them. */
  #mentions(content) {
    const people = this.#world.people.map((user) => [`@${displayName(user)}`, `<@${user.id}>`]);
    const channels = this.#world.channels.filter((channel) => channel.name).map((channel) => [`#${channel.name}`, `<#${channel.id}>`]);
    let out = content;
    for (const [name, mark] of [...people, ...channels].sort((one, other) => other[0].length - one[0].length)) {
      const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      out = out.replace(new RegExp(`(?<![\\p{L}\\p{N}<])${escaped}(?![\\p{L}\\p{N}])`, "giu"), mark);
    }
    return out;
  }

  // ------------------------------------------------------------------------------ commands

  #enter(leaf, rest = "", values = null) {
    this.#palette.hide();
    this.#tell("");
    this.#form = new CommandForm({
      leaf,
      world: this.#world,
      link: this.#link,
      channel: this.#channel,
      send: (options, draft) => this.#send(leaf, options, draft),
      leave: (keep = "") => {
        this.#plain({ keep });
        this.#text.focus();
        this.#suggest();
      },
      tell: (words) => this.#tell(words),
    });
    this.#box.replaceChildren(this.#form.element);
    this.#box.classList.add("commanding");
    if (values) this.#form.fill(values);
    else if (rest) this.#form.paste(rest);
    this.#form.focusNext();
  }

  async #send(leaf, options, draft) {
    const channel = this.#channel();
    this.#plain();
    this.#text.focus();
    this.#status.textContent = `Sending ${leaf.shown}…`;
    try {
      await this.#link.ask("slash", { channel, path: leaf.path, options });
    } catch (refusal) {
      this.#tell(refusal.message);
      // What was refused before the bot saw it can be mended: give the words back.
      const idle = !this.#form && !this.#text.value && channel === this.#channel();
      if (idle && refusal.code === "refused") {
        this.#enter(leaf, "", draft);
        this.#tell(refusal.message);
      }
    } finally {
      this.#status.textContent = "";
    }
  }

  #tell(words) {
    this.#problem.textContent = words;
    this.#problem.hidden = !words;
  }
}

function signature(leaf, locale) {
  return leaf.options.filter((option) => option.required).map((option) => local(option, "name", locale)).join(" ");
}

/** A chosen command with its options as fields. */
class CommandForm {
  #context;
  #leaf;
  #fields = [];
  #row;
  #more;
  #hint;

  constructor(context) {
    this.#context = context;
    this.#leaf = context.leaf;
    const hintId = freshId("hint");
    this.#hint = h("p.command-hint", { id: hintId }, this.#leaf.description);
    this.#row = h("div.command-fields");
    this.#more = h("div.command-more");
    const leave = h("button.icon-button", { type: "button", "aria-label": "Leave the command", title: "Leave the command (Escape)", onclick: () => context.leave() }, icon("close"));
    const send = h("button.send", { type: "submit", "aria-label": "Send command", onkeydown: (event) => this.#escape(event) }, icon("send"));
    this.element = h(
      "form.command",
      { novalidate: true, "aria-label": `Command ${this.#leaf.shown}`, onsubmit: (event) => this.#submit(event) },
      h("div.command-top", {}, h("strong.command-name", {}, this.#leaf.shown), this.#hint, leave),
      h("div.command-main", {}, this.#row, send),
      this.#more,
    );
    this.element.addEventListener("keydown", (event) => this.#escape(event));
    for (const option of this.#leaf.options) if (option.required) this.#add(option);
    this.#offer();
    this.send = send;
  }

  get first() {
    return this.#fields.find((field) => !field.input.value)?.input ?? this.#fields[0]?.input ?? this.send;
  }

  close() {
    for (const field of this.#fields) field.close();
  }

  /** Go to the first field that still wants something, else to the last one. */
  focusNext() {
    const empty = this.#fields.find((field) => !field.input.value && field.option.required);
    (empty?.input ?? this.#fields.at(-1)?.input ?? this.send).focus();
  }

  paste(text) {
    const names = this.#leaf.options.map((option) => this.#name(option));
    const found = pairs(text, names);
    if (!found.size && this.#leaf.options.length) {
      const [option] = this.#leaf.options;
      this.#field(option).type(text);
      return;
    }
    for (const option of this.#leaf.options) {
      const words = found.get(this.#name(option).toLowerCase());
      if (words !== undefined) this.#field(option).type(words);
    }
  }

  fill(draft) {
    for (const [name, entry] of Object.entries(draft)) {
      const option = this.#leaf.options.find((other) => other.name === name);
      if (option) this.#field(option).put(entry);
    }
  }

  #name(option) {
    return local(option, "name", this.#context.world.me?.locale);
  }

  #field(option) {
    return this.#fields.find((field) => field.option === option) ?? this.#add(option);
  }

  #add(option) {
    const field = new OptionField({
      option,
      world: this.#context.world,
      hint: (words, wrong = false) => {
        this.#hint.textContent = words;
        this.#hint.classList.toggle("wrong", wrong);
      },
      ask: (text) => this.#complete(option, text),
      done: () => this.focusNext(),
      drop: () => this.#drop(option),
    });
    this.#fields.push(field);
    this.#row.append(field.element);
    return field;
  }

  #drop(option) {
    const at = this.#fields.findIndex((field) => field.option === option);
    const before = this.#fields[at - 1];
    if (option.required) {
      if (before) before.input.focus();
      else this.#context.leave(this.#leaf.shown);
      return;
    }
    this.#fields[at].close();
    this.#fields[at].element.remove();
    this.#fields.splice(at, 1);
    this.#offer();
    (before?.input ?? this.first).focus();
  }

  /** The optional options that are not filled in, each a button that adds its field. */
  #offer() {
    const left = this.#leaf.options.filter((option) => !this.#fields.some((field) => field.option === option));
    this.#more.hidden = !left.length;
    this.#more.replaceChildren(
      ...left.map((option) =>
        h("button.add-option", { type: "button", title: local(option, "description", this.#context.world.me?.locale), onclick: () => {
          const field = this.#add(option);
          this.#offer();
          field.input.focus();
        } }, icon("plus"), this.#name(option)),
      ),
    );
  }

  async #complete(option, text) {
    const options = {};
    for (const field of this.#fields) {
      if (field.option === option) continue;
      const { value } = field.resolve();
      if (value !== undefined) options[field.option.name] = value;
    }
    const { channel, link } = this.#context;
    const answer = await link.ask("autocomplete", {
      channel: channel(),
      path: this.#leaf.path,
      options: { ...options, [option.name]: text },
      focused: option.name,
    });
    return answer.choices;
  }

  #submit(event) {
    event.preventDefault();
    const options = {};
    const draft = {};
    for (const field of this.#fields) {
      const answer = field.resolve();
      if (answer.empty && !field.option.required) continue;
      const problem = answer.empty ? "This one is needed." : answer.problem;
      if (problem) {
        field.input.focus();
        field.complain(problem);
        return;
      }
      options[field.option.name] = answer.value;
      draft[field.option.name] = { value: answer.value, label: field.input.value };
    }
    this.#context.send(options, draft);
  }

  #escape(event) {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    this.#context.leave();
  }
}

/** One option: a field, with a list where there is something to choose from. */
class OptionField {
  #picked = null;
  #popup = null;
  #timer = null;
  #question = 0;
  #context;
  #name;
  #locale;

  constructor(context) {
    const { option, world } = context;
    this.#context = context;
    this.option = option;
    this.#locale = world.me?.locale;
    this.#name = local(option, "name", this.#locale);
    const id = freshId("option");
    this.listed = this.#hasList();
    this.input = h("input", {
      id,
      type: "text",
      size: "8",
      autocomplete: "off",
      spellcheck: "false",
      inputmode: [KIND.INTEGER, KIND.NUMBER].includes(option.type) && !option.autocomplete && !option.choices?.length ? "decimal" : null,
      role: this.listed ? "combobox" : null,
      "aria-autocomplete": this.listed ? "list" : null,
      "aria-required": String(Boolean(option.required)),
      dataset: { option: option.name },
      oninput: () => this.#typed(),
      onfocus: () => this.#focused(),
      onblur: () => this.#blurred(),
      onkeydown: (event) => this.#keys(event),
    });
    this.element = h("div.command-field", {}, h("label", { for: id }, this.#name), h("span.grow", {}, this.input));
    if (this.listed) this.#popup = new ListPopup({ label: this.#name, control: this.input, onpick: (item) => this.#pick(item) });
  }

  #hasList() {
    const { type, choices, autocomplete } = this.option;
    return Boolean(autocomplete || choices?.length || [KIND.BOOLEAN, KIND.USER, KIND.CHANNEL, KIND.ROLE, KIND.MENTIONABLE].includes(type));
  }

  close() {
    clearTimeout(this.#timer);
    this.#question += 1;
    this.#popup?.hide();
  }

  /** Put words in as if typed. */
  type(words) {
    this.input.value = words;
    this.#grow();
  }

  put({ value, label }) {
    this.#picked = { value, label };
    this.type(label);
  }

  /** What the field stands for: {value}, {empty: true} or {problem}. */
  resolve() {
    const words = this.input.value;
    if (this.#picked?.label === words) return { value: this.#picked.value };
    if (!words.trim()) return { empty: true };
    if (this.option.autocomplete) return read(this.option, words, { strict: false });
    if (this.listed) {
      const plain = words.trim().replace(/^[@#]/, "").toLowerCase();
      const same = this.#items().find((item) => [item.label.toLowerCase().replace(/^[@#]/, ""), item.keywords?.toLowerCase()].includes(plain));
      return same ? { value: same.value } : { problem: "Please choose one from the list." };
    }
    return read(this.option, words);
  }

  complain(words) {
    this.#context.hint(`${this.#name}: ${words}`, true);
    this.input.setAttribute("aria-invalid", "true");
    this.element.classList.add("wrong");
  }

  #items() {
    const { world } = this.#context;
    const { type, choices, channel_types: types } = this.option;
    const people = () => world.people.map((user) => ({ value: user.id, label: displayName(user), detail: user.bot ? "app" : user.username, keywords: user.username, lead: () => avatar(user, "tiny") }));
    const roles = () => (world.guild.roles ?? []).map((role) => ({ value: role.id, label: role.name === "@everyone" ? role.name : `@${role.name}`, lead: () => h("span.role-dot") }));
    if (choices?.length) return choices.map((choice) => ({ value: choice.value, label: local(choice, "name", this.#locale), keywords: String(choice.value) }));
    switch (type) {
      case KIND.BOOLEAN: return [{ value: true, label: "True" }, { value: false, label: "False" }];
      case KIND.USER: return people();
      case KIND.ROLE: return roles();
      case KIND.MENTIONABLE: return [...people(), ...roles()];
      case KIND.CHANNEL: return channelOffers(world, types);
      default: return [];
    }
  }

  #typed() {
    this.#picked = null;
    this.input.removeAttribute("aria-invalid");
    this.element.classList.remove("wrong");
    this.#context.hint(this.#about());
    this.#grow();
    this.#suggest();
  }

  #about() {
    return `${this.#name}: ${local(this.option, "description", this.#locale)}${this.option.required ? "" : " (optional)"}`;
  }

  #focused() {
    this.#context.hint(this.#about());
    if (this.#picked?.label !== this.input.value || !this.input.value) this.#suggest();
  }

  #blurred() {
    this.#popup?.hide();
    const answer = this.resolve();
    if (answer.problem) this.complain(answer.problem);
  }

  #suggest() {
    if (!this.#popup) return;
    if (this.option.autocomplete) {
      this.#askBot();
      return;
    }
    const found = bestFirst(this.#items(), this.input.value.replace(/^[@#]/, ""));
    this.#popup.show(this.element, this.element.closest(".composer"));
    this.#popup.set(found, { status: found.length ? "" : "Nothing fits that.", active: this.#start(found) });
  }

  /** With nothing typed in an option that may stay empty, Enter sends rather than picks. */
  #start(found) {
    const words = this.input.value.trim().toLowerCase();
    if (!found.length || (!words && !this.option.required)) return -1;
    return Math.max(0, found.findIndex((item) => item.label.toLowerCase() === words || String(item.value).toLowerCase() === words));
  }

  /** Ask the bot a moment after the last key; only the answer to the newest question counts. */
  #askBot() {
    clearTimeout(this.#timer);
    this.#question += 1;
    const question = this.#question;
    this.#popup.show(this.element, this.element.closest(".composer"));
    this.#popup.set(this.#popup.items, { status: "Loading…", active: -1 });
    this.#timer = setTimeout(async () => {
      let found = [];
      let status = "";
      try {
        const choices = await this.#context.ask(this.input.value);
        found = choices.map((choice) => ({ value: choice.value, label: local(choice, "name", this.#locale) }));
        status = found.length ? "" : "The bot has no suggestion for that.";
      } catch (refusal) {
        status = refusal.message;
      }
      if (question !== this.#question || document.activeElement !== this.input) return;
      this.#popup.show(this.element, this.element.closest(".composer"));
      this.#popup.set(found, { status, active: this.#start(found) });
    }, PAUSE);
  }

  #pick(item, { stay = false } = {}) {
    clearTimeout(this.#timer);
    this.#question += 1;
    this.put(item);
    this.#popup.hide();
    this.element.classList.remove("wrong");
    this.input.removeAttribute("aria-invalid");
    if (!stay) this.#context.done();
  }

  #keys(event) {
    if (this.#popup?.key(event)) return;
    if (event.key === "Escape" && this.#popup?.open) {
      event.preventDefault();
      event.stopPropagation();
      this.#popup.hide();
    } else if (event.key === "Tab" && !event.shiftKey && this.#popup?.open && this.#popup.active && this.input.value.trim()) {
      this.#pick(this.#popup.active, { stay: true });
    } else if (event.key === "ArrowDown" && this.#popup && !this.#popup.open) {
      event.preventDefault();
      this.#suggest();
    } else if (event.key === "Backspace" && !this.input.value) {
      event.preventDefault();
      this.#context.drop();
    }
  }

  #grow() {
    this.input.parentElement.dataset.words = this.input.value;
  }
}
