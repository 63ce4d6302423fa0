// Dialogs: the bot's modals and the page's own.

import { freshId, h, icon, returnFocus } from "./dom.js";
import { TYPE, menu } from "./components.js";
import { say } from "./language.js";
import { markdown } from "./markdown.js";

/** A dialog with a title and a close button; the focus returns to where it was. */
export function dialog({ title, content, classes = "" }) {
  const opener = document.activeElement;
  const heading = h("h2", { id: freshId("title") }, title);
  const close = h("button.icon-button", { type: "button", "aria-label": say("Close"), onclick: () => root.close() }, icon("close"));
  const root = h(["dialog.dialog", classes].filter(Boolean).join("."), { "aria-labelledby": heading.id }, h("header.dialog-head", {}, heading, close), content);
  root.addEventListener("close", () => {
    root.remove();
    returnFocus(root, opener);
  });
  document.body.append(root);
  root.showModal();
  return root;
}

/**
 * Open a modal. `modal` is {token, title, custom_id, components}; `submit(values)` sends the
 * values by custom_id and rejects with a message for the person on failure.
 */
export function openForm(modal, world, submit) {
  const fields = [];
  const problem = h("p.form-problem", { role: "alert", hidden: true });
  const send = h("button.button.primary", { type: "submit" }, say("Submit"));
  const form = h(
    "form.form",
    { novalidate: true },
    h("div.form-fields", {}, modal.components.map((component) => part(component, world, fields))),
    problem,
    h("footer.dialog-foot", {}, h("button.button.secondary", { type: "button", onclick: () => root.close() }, say("Cancel")), send),
  );
  const root = dialog({ title: modal.title, content: form, classes: "modal" });
  root.querySelector(".form-fields :is(input, textarea, button.picker)")?.focus();

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (send.disabled) return;
    problem.hidden = true;
    const wrong = fields.filter((field) => !field.check());
    if (wrong.length) {
      wrong[0].focus();
      return;
    }
    send.disabled = true;
    try {
      await submit(Object.fromEntries(fields.map((field) => [field.customId, field.read()])));
      root.close();
    } catch (refusal) {
      problem.textContent = refusal.message;
      problem.hidden = false;
    } finally {
      send.disabled = false;
    }
  });
  return root;
}

function part(component, world, fields) {
  if (component.type === TYPE.TEXT) return h("div.text", {}, markdown(component.content, world));
  if (component.type === TYPE.ROW) {
    return component.components.map((inner) => labelled({ label: inner.label ?? inner.placeholder ?? say("Answer"), component: inner }, world, fields));
  }
  if (component.type === TYPE.LABEL) return labelled(component, world, fields);
  return h("p.unknown", {}, say("This page can't show form fields of type {type}.", { type: component.type }));
}

function labelled({ label, description, component }, world, fields) {
  const field = maker(component)(component, { label, world });
  const id = freshId("field");
  const error = h("p.field-problem", { id: `${id}-problem`, hidden: true });
  const hint = description && h("p.field-hint", { id: `${id}-hint` }, description);
  const described = [hint?.id, error.id].filter(Boolean).join(" ");
  field.focusable?.setAttribute("aria-describedby", described);
  if (field.focusable && !field.named) field.focusable.id = id;
  const required = component.required ?? component.type !== TYPE.CHECK;
  const words = [label, required && component.type !== TYPE.CHECK ? h("span.required", { "aria-hidden": "true" }, " *") : null];
  fields.push({
    customId: component.custom_id,
    read: field.read,
    focus: () => field.focusable?.focus(),
    check() {
      const wrong = field.wrong?.(required) ?? "";
      error.textContent = wrong;
      error.hidden = !wrong;
      field.focusable?.setAttribute("aria-invalid", String(Boolean(wrong)));
      return !wrong;
    },
  });
  if (field.group) return h("fieldset.field", { "aria-describedby": described }, h("legend.field-label", {}, words), hint, field.element, error);
  if (field.inline) return h("div.field.inline", {}, h("label", {}, field.element, h("span.field-label", {}, label)), hint, error);
  return h("div.field", {}, h(field.named ? "span.field-label" : "label.field-label", field.named ? {} : { for: id }, words), hint, field.element, error);
}

function maker(component) {
  switch (component.type) {
    case TYPE.INPUT: return text;
    case TYPE.CHECK: return check;
    case TYPE.CHECKS: return checks;
    case TYPE.RADIO: return radio;
    case TYPE.UPLOAD: return upload;
    default: return select;
  }
}

function text(component) {
  const long = component.style === 2;
  const props = { name: component.custom_id, placeholder: component.placeholder, maxlength: component.max_length ?? 4000, "aria-required": String(component.required ?? true), autocomplete: "off" };
  const input = long ? h("textarea", { rows: "5", ...props, value: component.value ?? "" }) : h("input", { type: "text", ...props, value: component.value ?? "" });
  const left = h("span.field-left", { "aria-hidden": "true" });
  const count = () => (left.textContent = component.max_length ? `${input.value.length} / ${component.max_length}` : "");
  input.addEventListener("input", count);
  count();
  return {
    element: h("div.field-text", {}, input, left),
    focusable: input,
    read: () => input.value,
    wrong(required) {
      const { length } = input.value;
      if (required && !input.value.trim()) return say("Please fill this in.");
      if (length && component.min_length && length < component.min_length) return say("At least {count} characters, please.", { count: component.min_length });
      return "";
    },
  };
}

function select(component, { label, world }) {
  const needed = component.required ?? true;
  const element = menu(component, world, { label, min: needed ? (component.min_values ?? 1) : 0 });
  return {
    element,
    focusable: element.querySelector("button"),
    named: true,
    read: () => element.values,
    wrong: (required) => (required && element.values.length < (component.min_values ?? 1) ? say("Please choose.") : ""),
  };
}

function check(component) {
  const input = h("input", { type: "checkbox", name: component.custom_id, checked: Boolean(component.default) });
  return { element: input, focusable: input, inline: true, read: () => input.checked };
}

function options(component, type) {
  const name = freshId("choice");
  const inputs = component.options.map((option) => ({
    option,
    input: h("input", { type, name, value: option.value, checked: Boolean(option.default) }),
  }));
  const element = h("div.choices", {}, inputs.map(({ option, input }) => h("label.choice", {}, input, h("span", {}, h("span.choice-label", {}, option.label), option.description && h("span.choice-detail", {}, option.description)))));
  return { element, inputs, picked: () => inputs.filter(({ input }) => input.checked).map(({ option }) => option.value) };
}

function checks(component) {
  const { element, inputs, picked } = options(component, "checkbox");
  const required = component.required ?? true;
  const min = component.min_values ?? (required ? 1 : 0);
  const max = component.max_values ?? inputs.length;
  return {
    element,
    group: true,
    focusable: inputs[0].input,
    named: true,
    read: picked,
    wrong() {
      const count = picked().length;
      if (!count && !required) return "";
      if (count < min) return min === 1 ? say("Please choose at least one.") : say("Please choose at least {count}.", { count: min });
      return count > max ? say("At most {count}, please.", { count: max }) : "";
    },
  };
}

function radio(component) {
  const { element, inputs, picked } = options(component, "radio");
  return { element, group: true, focusable: inputs[0].input, named: true, read: () => picked()[0] ?? null, wrong: (required) => (required && !picked().length ? say("Please choose one.") : "") };
}

function upload() {
  const element = h("p.unknown", {}, say("This page can't upload files."));
  return { element, named: true, read: () => [], wrong: (required) => (required ? say("This form needs a file, which this page can't upload.") : "") };
}
