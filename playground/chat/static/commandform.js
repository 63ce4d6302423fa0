// The form of a picked command.

import { local, pairs } from "./commands.js";
import { freshId, h, icon } from "./dom.js";
import { say } from "./language.js";
import { OptionField } from "./option.js";

/** A slash command with its options as fields. */
export class CommandForm {
  #context;
  #slash;
  #fields = [];
  #row;
  #more;
  #hint;

  constructor(context) {
    this.#context = context;
    this.#slash = context.slash;
    const hintId = freshId("hint");
    this.#hint = h("p.command-hint", { id: hintId }, this.#slash.description);
    this.#row = h("div.command-fields");
    this.#more = h("div.command-more");
    const leave = h("button.icon-button", { type: "button", "aria-label": say("Leave the command"), title: `${say("Leave the command")} (Escape)`, onclick: () => context.leave() }, icon("close"));
    const send = h("button.send", { type: "submit", "aria-label": say("Send command"), onkeydown: (event) => this.#escape(event) }, icon("send"));
    this.element = h(
      "form.command",
      { novalidate: true, "aria-label": say("Command {name}", { name: this.#slash.shown }), onsubmit: (event) => this.#submit(event) },
      h("div.command-top", {}, h("strong.command-name", {}, this.#slash.shown), this.#hint, leave),
      h("div.command-main", {}, this.#row, send),
      this.#more,
    );
    this.element.addEventListener("keydown", (event) => this.#escape(event));
    for (const option of this.#slash.options) if (option.required) this.#add(option);
    this.#offer();
    this.send = send;
  }

  get first() {
    return this.#fields.find((field) => !field.input.value)?.input ?? this.#fields[0]?.input ?? this.send;
  }

  close() {
    for (const field of this.#fields) field.close();
  }

  /** Focus the first field without a value, otherwise the last one. */
  focusNext() {
    const empty = this.#fields.find((field) => !field.input.value && field.option.required);
    (empty?.input ?? this.#fields.at(-1)?.input ?? this.send).focus();
  }

  paste(text) {
    const names = this.#slash.options.map((option) => this.#name(option));
    const found = pairs(text, names);
    if (!found.size && this.#slash.options.length) {
      const [option] = this.#slash.options;
      this.#field(option).type(text);
      return;
    }
    for (const option of this.#slash.options) {
      const words = found.get(this.#name(option).toLowerCase());
      if (words !== undefined) this.#field(option).type(words);
    }
  }

  fill(draft) {
    for (const [name, entry] of Object.entries(draft)) {
      const option = this.#slash.options.find((other) => other.name === name);
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
      else this.#context.leave(this.#slash.shown);
      return;
    }
    this.#fields[at].close();
    this.#fields[at].element.remove();
    this.#fields.splice(at, 1);
    this.#offer();
    (before?.input ?? this.first).focus();
  }

  /** The unused optional options, each a button that adds its field. */
  #offer() {
    const left = this.#slash.options.filter((option) => !this.#fields.some((field) => field.option === option));
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
      path: this.#slash.path,
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
      const problem = answer.empty ? say("This one is required.") : answer.problem;
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
