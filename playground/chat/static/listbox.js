// Popup lists beside a field or button, with arrow key navigation.

import { freshId, h, icon } from "./dom.js";
import { say } from "./language.js";

/** Sort by how well names match the text: whole, prefix, prefix of a word, anywhere. */
export function bestFirst(items, query) {
  const wanted = query.trim().toLowerCase();
  if (!wanted) return items;
  const rank = (item) => {
    const name = item.label.toLowerCase();
    if (name === wanted) return 0;
    if (name.startsWith(wanted)) return 1;
    if (name.split(/[\s/_-]+/).some((word) => word.startsWith(wanted))) return 2;
    if (name.includes(wanted)) return 3;
    return item.keywords?.toLowerCase().includes(wanted) ? 4 : 9;
  };
  return items
    .map((item, order) => ({ item, order, rank: rank(item) }))
    .filter((entry) => entry.rank < 9)
    .sort((one, other) => one.rank - other.rank || one.order - other.order)
    .map(({ item }) => item);
}

/**
 * A popup list. `control` is the focused element, which references the active option for screen readers.
 * Items: {value, label, detail?, lead?: () => Node, selected?, group?}.
 */
export class ListPopup {
  #items = [];
  #active = -1;
  #anchor = null;
  #clear = null;
  #place = () => this.#position();

  constructor({ label, control, multi = false, onpick, header = null, footer = null, wide = false }) {
    this.onpick = onpick;
    this.multi = multi;
    this.list = h("ul.options", {
      id: freshId("list"),
      role: "listbox",
      "aria-label": label,
      "aria-multiselectable": multi ? "true" : null,
      // Keep the focus in the text field.
      onmousedown: (event) => event.preventDefault(),
      onclick: (event) => this.#clicked(event),
    });
    this.status = h("p.options-status", { role: "status" });
    this.element = h(wide ? "div.popup.wide" : "div.popup", { popover: "manual" }, header, this.list, this.status, footer);
    this.control = control ?? this.list;
    this.control.setAttribute("aria-controls", this.list.id);
    if (this.control !== this.list) this.control.setAttribute("aria-expanded", "false");
  }

  get open() {
    return this.#anchor !== null;
  }

  get active() {
    return this.#items[this.#active] ?? null;
  }

  get items() {
    return this.#items;
  }

  /** Open beside `anchor`, above or below `clear`, which stays visible. */
  show(anchor, clear = anchor) {
    if (this.open) return;
    this.#anchor = anchor;
    this.#clear = clear;
    // Beside its anchor in the document, so it can be reached inside a modal dialog too.
    anchor.after(this.element);
    this.element.showPopover();
    if (this.control !== this.list) this.control.setAttribute("aria-expanded", "true");
    addEventListener("resize", this.#place);
    addEventListener("scroll", this.#place, true);
    this.#position();
  }

  hide() {
    if (!this.open) return;
    this.#anchor = null;
    this.element.remove();
    this.#activate(-1);
    if (this.control !== this.list) this.control.setAttribute("aria-expanded", "false");
    removeEventListener("resize", this.#place);
    removeEventListener("scroll", this.#place, true);
  }

  /** Show items, and a status below them ("Loading…", say("Nothing matches that.")). */
  set(items, { status = "", active = items.length ? 0 : -1 } = {}) {
    this.#items = items;
    this.status.textContent = status;
    this.status.hidden = !status;
    let group = null;
    this.list.replaceChildren(
      ...items.flatMap((item, index) => {
        const title = item.group && item.group !== group ? [h("li.options-group", { role: "presentation" }, item.group)] : [];
        group = item.group;
        return [...title, this.#option(item, index)];
      }),
    );
    this.#activate(active);
    this.#position();
  }

  #option(item, index) {
    return h(
      "li.option",
      { id: `${this.list.id}-${index}`, role: "option", "aria-selected": String(Boolean(item.selected)), dataset: { index } },
      this.multi && h("span.tick", { "aria-hidden": "true" }, icon("check")),
      item.lead?.(),
      h("span.option-text", {}, h("span.option-label", {}, item.label), item.detail && h("span.option-detail", {}, item.detail)),
      item.aside && h("span.option-aside", {}, item.aside),
    );
  }

  /** Navigate and pick; returns whether the key was handled. */
  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 }[event.key];
    if (!this.open || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return false;
    if (step !== undefined && this.#items.length) {
      const last = this.#items.length - 1;
      const next = this.#active + step;
      const wraps = Math.abs(step) === 1;
      this.#activate(next < 0 ? (wraps ? last : 0) : next > last ? (wraps ? 0 : last) : next);
    } else if (event.key === "Enter" && this.active) {
      this.onpick(this.active);
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  /** Activate the item starting with the typed letters, in lists without a search field. */
  seek(letters) {
    const found = this.#items.findIndex((item) => item.label.toLowerCase().startsWith(letters.toLowerCase()));
    if (found >= 0) this.#activate(found);
  }

  #clicked(event) {
    const option = event.target.closest("[role=option]");
    if (!option) return;
    this.#activate(Number(option.dataset.index));
    this.onpick(this.active);
  }

  #activate(index) {
    this.list.querySelector(".active")?.classList.remove("active");
    this.#active = index;
    const option = index < 0 ? null : this.list.querySelector(`[data-index="${index}"]`);
    option?.classList.add("active");
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.control.setAttribute("aria-activedescendant", option.id);
    else this.control.removeAttribute("aria-activedescendant");
  }

  #position() {
    if (!this.#anchor) return;
    const gap = 6;
    const box = this.#anchor.getBoundingClientRect();
    const view = { width: document.documentElement.clientWidth, height: window.visualViewport?.height ?? innerHeight };
    const width = Math.min(Math.max(box.width, 260), view.width - 2 * gap);
    const kept = this.#clear.getBoundingClientRect();
    const below = view.height - kept.bottom - 2 * gap;
    const above = kept.top - 2 * gap;
    const style = this.element.style;
    style.width = `${width}px`;
    style.maxHeight = "none";
    const whole = Math.min(HIGHEST, this.element.offsetHeight);
    style.left = `${Math.max(gap, Math.min(box.left, view.width - width - gap))}px`;
    const down = below >= whole || below >= above;
    style.maxHeight = `${Math.max(120, Math.min(HIGHEST, down ? below : above))}px`;
    style.top = down ? `${kept.bottom + gap}px` : "auto";
    style.bottom = down ? "auto" : `${view.height - kept.top + gap}px`;
  }
}

const SEARCH_FROM = 7;
/** The greatest height of a list in pixels: a dozen options with details, where there is room. */
const HIGHEST = 640;

/**
 * A select menu: a button that opens a list, with a search field if it is long.
 * `options()` returns [{value, label, detail?, lead?}]. A single choice applies at once, several
 * with Done or on leaving the list. Returns the element, whose `values` are the choice.
 */
export function picker({ label, placeholder, options, min = 1, max = 1, chosen = [], disabled = false, onchange }) {
  const multi = max > 1;
  let values = [...chosen];
  let draft = [...chosen];
  const words = h("span.picker-words");
  const button = h(
    "button.picker",
    { type: "button", disabled, "aria-haspopup": "listbox", "aria-expanded": "false", onclick: () => (popup.open ? leave() : enter()) },
    words,
    icon("down"),
  );
  const root = h("div.picker-root", {}, button);
  const search = options().length >= SEARCH_FROM && h("input.options-search", {
    type: "text",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: say("Search"),
    "aria-label": say("Search {label}", { label }),
    "aria-autocomplete": "list",
    oninput: () => fill(),
  });
  const count = h("span.picker-count");
  const done = h("button.button.primary.small", { type: "button", onclick: () => leave() }, say("Done"));
  const popup = new ListPopup({
    label,
    control: search || null,
    multi,
    header: search,
    footer: multi && h("div.picker-foot", {}, count, done),
    onpick: pick,
  });
  if (!search) popup.list.tabIndex = 0;
  popup.element.addEventListener("keydown", keys);

  function show() {
    const picked = options().filter((option) => values.includes(option.value));
    words.replaceChildren(
      ...(picked.length
        ? picked.map((option) => h(multi ? "span.chip" : "span.picker-one", {}, option.lead?.(), option.label))
        : [h("span.placeholder", {}, placeholder)]),
    );
    button.setAttribute("aria-label", picked.length ? `${label}: ${picked.map((option) => option.label).join(", ")}` : label);
  }

  function fill(keep = null) {
    const found = bestFirst(options(), search ? search.value : "").map((option) => ({
      ...option,
      selected: draft.includes(option.value),
    }));
    const active = keep === null ? 0 : found.findIndex((option) => option.value === keep);
    popup.set(found, { status: found.length ? "" : say("Nothing matches that."), active: found.length ? Math.max(active, 0) : -1 });
    count.textContent = min === max ? say("{count} of {max}", { count: draft.length, max }) : say("{count} chosen, {min} to {max}", { count: draft.length, min, max });
    done.disabled = draft.length < min;
  }

  function enter() {
    if (root.getAttribute("aria-busy") === "true") return;
    draft = [...values];
    if (search) search.value = "";
    popup.show(button);
    button.setAttribute("aria-expanded", "true");
    fill(values[0] ?? null);
    popup.control.focus();
    document.addEventListener("pointerdown", outside, true);
  }

  function leave({ keep = true, focus = true } = {}) {
    if (!popup.open) return;
    document.removeEventListener("pointerdown", outside, true);
    popup.hide();
    button.setAttribute("aria-expanded", "false");
    if (focus) button.focus();
    const changed = draft.length !== values.length || draft.some((value) => !values.includes(value));
    if (keep && changed && draft.length >= min && draft.length <= max) {
      values = [...draft];
      show();
      onchange?.(values);
    }
  }

  function pick({ value }) {
    if (!multi) {
      const again = values.includes(value);
      draft = again && min === 0 ? [] : [value];
      // Picking the current choice again still counts: Discord sends it too.
      if (again && min > 0) values = [];
      leave();
      return;
    }
    if (draft.includes(value)) draft = draft.filter((other) => other !== value);
    else if (draft.length < max) draft = [...draft, value];
    fill(value);
    if (draft.length === max) popup.status.textContent = "";
  }

  function keys(event) {
    if (popup.key(event)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      leave({ keep: false });
    } else if (event.key === "Tab" && !multi) {
      leave({ keep: false });
    } else if (event.key === " " && document.activeElement === popup.list) {
      event.preventDefault();
      if (popup.active) pick(popup.active);
    } else if (!search && event.key.length === 1) {
      popup.seek(event.key);
    }
  }

  function outside(event) {
    if (!root.contains(event.target)) leave({ focus: false });
  }

  root.addEventListener("keydown", (event) => {
    if (event.target === button && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      enter();
    }
  });
  Object.defineProperty(root, "values", { get: () => values });
  show();
  return root;
}
