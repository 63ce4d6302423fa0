// Renders message components: one function per type.

import { avatar, displayName, h, icon, isThread, localUrl } from "./dom.js";
import { say } from "./language.js";
import { picker } from "./listbox.js";
import { hidden, markdown, messageLink } from "./markdown.js";
import { fileCard, figure, gallery } from "./media.js";

export const TYPE = {
  ROW: 1, BUTTON: 2, STRINGS: 3, INPUT: 4, USERS: 5, ROLES: 6, MENTIONABLES: 7, CHANNELS: 8, SECTION: 9, TEXT: 10,
  THUMBNAIL: 11, GALLERY: 12, FILE: 13, SEPARATOR: 14, CONTAINER: 17, LABEL: 18, UPLOAD: 19, RADIO: 21, CHECKS: 22, CHECK: 23,
};

const STYLE = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "premium" };

/**
 * Render components.
 * `context`: {world, memory {open: Set, chosen: Map}, press(component, element), choose(component, values, element)}.
 */
export function components(list, context) {
  return (list ?? []).map((component) => draw(component, context));
}

function draw(component, context) {
  switch (component.type) {
    case TYPE.ROW: return h("div.row", {}, components(component.components, context));
    case TYPE.BUTTON: return button(component, context);
    case TYPE.STRINGS:
    case TYPE.USERS:
    case TYPE.ROLES:
    case TYPE.MENTIONABLES:
    case TYPE.CHANNELS: return select(component, context);
    case TYPE.SECTION: return section(component, context);
    case TYPE.TEXT: return h("div.text", {}, markdown(component.content, context.world));
    case TYPE.THUMBNAIL: return figure(picture(component), { memory: context.memory.open, small: true });
    case TYPE.GALLERY: return gallery(component.items.map(picture), context.memory.open);
    case TYPE.FILE: return file(component);
    case TYPE.SEPARATOR: return separator(component);
    case TYPE.CONTAINER: return container(component, context);
    default: return h("p.unknown", {}, say("This page can't show components of type {type}.", { type: component.type }));
  }
}

function container(component, context) {
  const inner = components(component.components, context);
  const box = h("div.container", {}, component.spoiler ? hidden(inner) : inner);
  if (component.accent_color !== null && component.accent_color !== undefined) {
    box.classList.add("accented");
    box.style.setProperty("--accent-bar", colour(component.accent_color));
  }
  return box;
}

export function colour(number) {
  return `#${number.toString(16).padStart(6, "0")}`;
}

function section(component, context) {
  return h(
    "div.section",
    {},
    h("div.section-text", {}, components(component.components, context)),
    component.accessory && h("div.section-accessory", {}, draw(component.accessory, context)),
  );
}

function separator({ divider = true, spacing = 1 }) {
  return h(`div.separator${divider ? ".line" : ""}${spacing === 2 ? ".large" : ""}`, { role: divider ? "separator" : "presentation" });
}

function picture({ media, description, spoiler }) {
  return { url: media.url, width: media.width, height: media.height, description, spoiler };
}

function file(component) {
  const url = component.file.url;
  const name = component.name ?? decodeURIComponent(url.split("?")[0].split("/").at(-1));
  const card = fileCard({ name, size: component.size, url });
  return component.spoiler ? h("div", {}, hidden([card])) : card;
}

function emojiText(emoji) {
  return emoji.id ? `:${emoji.name}:` : emoji.name;
}

function face(component) {
  return [
    component.emoji && h("span.emoji", { "aria-hidden": component.label ? "true" : null }, emojiText(component.emoji)),
    component.label && h("span", {}, component.label),
  ];
}

function button(component, context) {
  const style = STYLE[component.style] ?? "secondary";
  if (component.style === 5) {
    const inside = messageLink(component.url);
    const props = inside
      ? { href: `#c/${inside.channel}${inside.message ? `/${inside.message}` : ""}` }
      : { href: localUrl(component.url), target: "_blank", rel: "noopener noreferrer" };
    if (component.disabled) return h("span.button.secondary.disabled", { role: "link", "aria-disabled": "true" }, face(component), icon("out"));
    return h("a.button.secondary", props, face(component), inside ? null : icon("out"));
  }
  const element = h(
    `button.button.${style}`,
    {
      type: "button",
      disabled: component.disabled,
      dataset: { customId: component.custom_id },
      onclick: () => element.getAttribute("aria-disabled") !== "true" && context.press(component, element),
    },
    face(component),
  );
  return element;
}

/** A menu's options; users, roles and channels are the server's. */
export function offers(component, world) {
  const people = () => world.people.map((user) => ({
    value: user.id,
    label: displayName(user),
    detail: user.bot ? "app" : user.username,
    lead: () => avatar(user, "tiny"),
  }));
  const roles = () => (world.guild.roles ?? []).map((role) => ({
    value: role.id,
    label: role.name === "@everyone" ? role.name : `@${role.name}`,
    lead: () => h("span.role-dot", {}),
  }));
  switch (component.type) {
    case TYPE.USERS: return people();
    case TYPE.ROLES: return roles();
    case TYPE.MENTIONABLES: return [...people(), ...roles()];
    case TYPE.CHANNELS: return channelOffers(world, component.channel_types);
    default: return (component.options ?? []).map((option) => ({
      value: option.value,
      label: option.label,
      detail: option.description,
      lead: option.emoji ? () => h("span.emoji", { "aria-hidden": "true" }, emojiText(option.emoji)) : undefined,
    }));
  }
}

export function channelOffers(world, types) {
  return world.channels
    .filter((channel) => channel.type !== 1 && (!types?.length || types.includes(channel.type)))
    .map((channel) => ({
      value: channel.id,
      label: channel.name,
      lead: () => icon(isThread(channel) ? "thread" : "hash"),
    }));
}

/** A menu's default values. */
export function defaults(component) {
  if (component.type === TYPE.STRINGS) return component.options.filter((option) => option.default).map((option) => option.value);
  return (component.default_values ?? []).map(({ id }) => String(id));
}

const NOUN = {
  [TYPE.STRINGS]: "Make a selection", [TYPE.USERS]: "Select a person", [TYPE.ROLES]: "Select a role",
  [TYPE.MENTIONABLES]: "Select a person or role", [TYPE.CHANNELS]: "Select a channel",
};

export function menu(component, world, { label, onchange, min, chosen } = {}) {
  const placeholder = component.placeholder || say(NOUN[component.type]);
  return picker({
    label: label ?? placeholder,
    placeholder,
    options: () => offers(component, world),
    min: min ?? component.min_values ?? 1,
    max: component.max_values ?? 1,
    chosen: chosen ?? defaults(component),
    disabled: component.disabled,
    onchange,
  });
}

function select(component, context) {
  const element = menu(component, context.world, { chosen: context.memory.chosen.get(component.custom_id), onchange: (values) => context.choose(component, values, element) });
  element.dataset.customId = component.custom_id;
  return element;
}
