// The message composer and the command picker.

import { CommandForm } from "./commandform.js";
import { fitting, slashCommands, local, named } from "./commands.js";
import { displayName, h, icon } from "./dom.js";
import { say } from "./language.js";
import { ListPopup } from "./listbox.js";

/**
 * The composer in `box`.
 * `link` sends, `world` is the state, `channel()` returns the open channel, `say(text)` announces a status.
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
  #uses;
  #form = null;

  /** `uses`: {all(), count(command)}, how often commands were used. */
  constructor({ world, link, uses, channel, box, problem, status }) {
    this.#world = world;
    this.#link = link;
    this.#uses = uses;
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
    this.#palette = new ListPopup({ label: say("Commands"), control: this.#text, onpick: (item) => this.#enter(item.slash), wide: true });
    this.#plain();
    // Text typed before the commands were loaded is parsed again.
    world.addEventListener("commands", () => !this.#form && this.#text.value.startsWith("/") && this.#typed());
  }

  focus() {
    (this.#form?.first ?? this.#text).focus();
  }

  /** Start a command as if "/" had been typed. */
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

  /** Show the name of the open channel. */
  place(name) {
    this.#text.placeholder = say("Message {name}", { name });
    this.#text.setAttribute("aria-label", say("Message {name}. Type a slash for commands.", { name }));
    this.#label();
  }

  #plain({ keep = "" } = {}) {
    this.#form?.close();
    this.#form = null;
    this.#text.value = keep;
    const send = h("button.send", { type: "button", onclick: () => this.#say() }, icon("send"));
    const slash = h("button.slash", { type: "button", onclick: () => this.startCommand() }, "/");
    this.#box.replaceChildren(slash, this.#text, send);
    this.#box.classList.remove("commanding");
    this.#label();
    this.#grow();
  }

  #label() {
    if (this.#form) return;
    const slash = this.#box.querySelector(".slash");
    slash.title = say("Use a command");
    slash.setAttribute("aria-label", slash.title);
    this.#box.querySelector(".send").setAttribute("aria-label", say("Send"));
  }

  #typed() {
    this.#tell("");
    this.#grow();
    const text = this.#text.value;
    const found = text.startsWith("/") && named(this.#commands(), text.replace(/\n/g, " "));
    if (found) this.#enter(found.slash, found.rest);
    else this.#suggest();
  }

  #commands() {
    return slashCommands(this.#world.commands, this.#world.me?.locale);
  }

  #suggest() {
    const text = this.#text.value;
    if (this.#form || document.activeElement !== this.#text || !/^\/[^\n]*$/.test(text)) {
      this.#palette.hide();
      return;
    }
    const found = fitting(this.#commands(), text.slice(1), this.#uses.all());
    const status = found.length ? "" : this.#world.commands.length ? say("There's no such command.") : say("The bot hasn't registered its commands yet.");
    this.#palette.show(this.#box);
    this.#palette.set(
      found.map((slash) => ({ value: slash.shown, label: slash.shown, detail: slash.description, slash, aside: signature(slash, this.#world.me?.locale) })),
      { status },
    );
  }

  #keys(event) {
    if (this.#palette.key(event)) return;
    if (event.key === "Tab" && this.#palette.open && this.#palette.active) {
      event.preventDefault();
      this.#enter(this.#palette.active.slash);
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
      this.#tell(say("There's no such command. Pick one from the list, or start with another character to write a message."));
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

  /** Replace "@Ben" and "#games" by mentions. */
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

  #enter(slash, rest = "", values = null) {
    this.#palette.hide();
    this.#tell("");
    this.#form = new CommandForm({
      slash,
      world: this.#world,
      link: this.#link,
      channel: this.#channel,
      send: (options, draft) => this.#send(slash, options, draft),
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

  async #send(slash, options, draft) {
    const channel = this.#channel();
    this.#plain();
    this.#text.focus();
    this.#uses.count(slash.path.join(" "));
    this.#status.textContent = say("Sending {command}…", { command: slash.shown });
    try {
      await this.#link.ask("slash", { channel, path: slash.path, options });
    } catch (refusal) {
      this.#tell(refusal.message);
      // A command refused before it reached the bot can be corrected: restore the text.
      const idle = !this.#form && !this.#text.value && channel === this.#channel();
      if (idle && refusal.code === "refused") {
        this.#enter(slash, "", draft);
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

function signature(slash, locale) {
  return slash.options.filter((option) => option.required).map((option) => local(option, "name", locale)).join(" ");
}
