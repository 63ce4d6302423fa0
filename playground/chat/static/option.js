// An option of a slash command: its field, suggestions and value.

import { KIND, local, read } from "./commands.js";
import { channelOffers } from "./components.js";
import { avatar, displayName, freshId, h } from "./dom.js";
import { say } from "./language.js";
import { ListPopup, bestFirst } from "./listbox.js";

const PAUSE = 180;
const MOST_BYTES = 512 * 1024;

/** An option: a field, with a list if there are choices. */
export class OptionField {
  #picked = null;
  #popup = null;
  #timer = null;
  #question = 0;
  #file = null;
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
      type: this.option.type === KIND.FILE ? "file" : "text",
      size: "8",
      autocomplete: "off",
      spellcheck: "false",
      inputmode: [KIND.INTEGER, KIND.NUMBER].includes(option.type) && !option.autocomplete && !option.choices?.length ? "decimal" : null,
      role: this.listed ? "combobox" : null,
      "aria-autocomplete": this.listed ? "list" : null,
      "aria-required": String(Boolean(option.required)),
      dataset: { option: option.name },
      oninput: () => (this.#isFile ? this.#chosen() : this.#typed()),
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

  get #isFile() {
    return this.option.type === KIND.FILE;
  }

  /** Read the chosen file; the command cannot be sent until then. */
  async #chosen() {
    const [file] = this.input.files;
    this.input.removeAttribute("aria-invalid");
    this.element.classList.remove("wrong");
    this.#context.hint(this.#about());
    if (!file) {
      this.#file = null;
      return;
    }
    if (file.size > MOST_BYTES) {
      this.#file = { problem: say("At most {count} KB here, please.", { count: MOST_BYTES / 1024 }) };
      this.complain(this.#file.problem);
      return;
    }
    this.#file = { problem: say("Reading the file…") };
    try {
      const data = await base64(file);
      this.#file = { value: { name: file.name, type: file.type, data } };
    } catch {
      this.#file = { problem: say("This file can't be read.") };
      this.complain(this.#file.problem);
    }
  }

  close() {
    clearTimeout(this.#timer);
    this.#question += 1;
    this.#popup?.hide();
  }

  /** Set the text as if typed. */
  type(words) {
    if (this.#isFile) return;
    this.input.value = words;
    this.#grow();
  }

  put({ value, label }) {
    if (this.#isFile) {
      this.#file = { value };
      this.#context.hint(`${this.#name}: ${value.name}`);
      return;
    }
    this.#picked = { value, label };
    this.type(label);
  }

  /** The option's value: {value}, {empty: true} or {problem}. */
  resolve() {
    if (this.#isFile) return this.#file ?? { empty: true };
    const words = this.input.value;
    if (this.#picked?.label === words) return { value: this.#picked.value };
    if (!words.trim()) return { empty: true };
    if (this.option.autocomplete) return read(this.option, words, { strict: false });
    if (this.listed) {
      const plain = words.trim().replace(/^[@#]/, "").toLowerCase();
      const same = this.#items().find((item) => [item.label.toLowerCase().replace(/^[@#]/, ""), item.keywords?.toLowerCase()].includes(plain));
      return same ? { value: same.value } : { problem: say("Please choose one from the list.") };
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
      case KIND.BOOLEAN: return [{ value: true, label: say("True") }, { value: false, label: say("False") }];
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
    this.#popup.set(found, { status: found.length ? "" : say("Nothing matches that."), active: this.#start(found) });
  }

  /** In an empty optional option, Enter sends the command instead of picking. */
  #start(found) {
    const words = this.input.value.trim().toLowerCase();
    if (!found.length || (!words && !this.option.required)) return -1;
    return Math.max(0, found.findIndex((item) => item.label.toLowerCase() === words || String(item.value).toLowerCase() === words));
  }

  /** Request autocomplete shortly after the last key; only the latest response counts. */
  #askBot() {
    clearTimeout(this.#timer);
    this.#question += 1;
    const question = this.#question;
    this.#popup.show(this.element, this.element.closest(".composer"));
    this.#popup.set(this.#popup.items, { status: say("Loading…"), active: -1 });
    this.#timer = setTimeout(async () => {
      let found = [];
      let status = "";
      try {
        const choices = await this.#context.ask(this.input.value);
        found = choices.map((choice) => ({ value: choice.value, label: local(choice, "name", this.#locale) }));
        status = found.length ? "" : say("The bot has no suggestions for that.");
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

/** A file's content in base64. */
function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).split(",", 2)[1] ?? ""));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}
