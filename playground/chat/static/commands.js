// Slash commands as shown in the person's language.

import { say } from "./language.js";

const KIND = { SUB: 1, GROUP: 2, STRING: 3, INTEGER: 4, BOOLEAN: 5, USER: 6, CHANNEL: 7, ROLE: 8, MENTIONABLE: 9, NUMBER: 10, FILE: 11 };
export { KIND };
/** The types of commands that are typed after a slash: chat commands, and the one that opens the Activity. */
const TYPED = new Set([1, 4]);

/** The name or description in the person's language, otherwise untranslated. */
export function local(thing, key, locale) {
  return thing[`${key}_localizations`]?.[locale] ?? thing[`${key}_localized`] ?? thing[key] ?? "";
}

/**
 * All slash commands, each subcommand separately, in the bot's order.
 * Each is {command, path, shown, description, options}: `path` has the untranslated names to
 * send; `shown` is the text people read and type.
 */
export function slashCommands(commands, locale) {
  const out = [];
  const walk = (command, node, path, shown) => {
    const inner = (node.options ?? []).filter((option) => option.type === KIND.SUB || option.type === KIND.GROUP);
    const here = [...path, node.name];
    const words = [...shown, local(node, "name", locale)];
    if (inner.length) {
      for (const option of inner) walk(command, option, here, words);
      return;
    }
    out.push({
      command,
      path: here,
      shown: `/${words.join(" ")}`,
      description: local(node, "description", locale),
      options: node.options ?? [],
    });
  };
  for (const command of commands) if (TYPED.has(command.type ?? 1)) walk(command, command, [], []);
  return out;
}

/** The commands of a user's context menu. */
export function onPeople(commands) {
  return commands.filter((command) => command.type === 2);
}

/** The commands that match the text after the slash, best match first, then most used. */
export function fitting(all, typed, uses = {}) {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const often = (slash) => uses[slash.path.join(" ")] ?? 0;
  const score = (slash) => {
    const words = slash.shown.slice(1).toLowerCase().split(/[\s_-]+/);
    const name = slash.shown.slice(1).toLowerCase();
    if (name.startsWith(typed.toLowerCase())) return 0;
    if (wanted.every((part) => words.some((word) => word.startsWith(part)))) return 1;
    if (wanted.every((part) => name.includes(part))) return 2;
    return wanted.every((part) => slash.description.toLowerCase().includes(part)) ? 3 : 9;
  };
  return all
    .map((slash) => ({ slash, score: score(slash) }))
    .filter((entry) => entry.score < 9)
    .sort((one, other) => one.score - other.score || often(other.slash) - often(one.slash))
    .map(({ slash }) => slash);
}

/** The command whose full name the text starts with, and the rest of the text. */
export function named(all, text) {
  const found = all
    .filter((slash) => text.toLowerCase().startsWith(`${slash.shown.toLowerCase()} `))
    .sort((one, other) => other.shown.length - one.shown.length)[0];
  return found ? { slash: found, rest: text.slice(found.shown.length).trimStart() } : null;
}

/** Parse "name:value other:two words" of a pasted command into pairs. */
export function pairs(text, names) {
  const known = new Set(names.map((name) => name.toLowerCase()));
  const out = new Map();
  let current = null;
  for (const part of text.split(/\s+/).filter(Boolean)) {
    const at = part.indexOf(":");
    const name = part.slice(0, at).toLowerCase();
    if (at > 0 && known.has(name)) {
      current = name;
      out.set(current, part.slice(at + 1));
    } else if (current) {
      out.set(current, `${out.get(current)} ${part}`.trim());
    }
  }
  return out;
}

/** Parse an option's text: {value} or {problem}. */
export function read(option, words, { strict = true } = {}) {
  const text = words.trim();
  switch (option.type) {
    case KIND.INTEGER:
    case KIND.NUMBER: {
      const number = Number(text);
      if (text === "" || Number.isNaN(number) || (option.type === KIND.INTEGER && !Number.isSafeInteger(number))) {
        return { problem: option.type === KIND.INTEGER ? say("A whole number, please.") : say("A number, please.") };
      }
      if (option.min_value !== undefined && option.min_value !== null && number < option.min_value) return { problem: say("At least {count}, please.", { count: option.min_value }) };
      if (option.max_value !== undefined && option.max_value !== null && number > option.max_value) return { problem: say("At most {count}, please.", { count: option.max_value }) };
      return { value: number };
    }
    case KIND.STRING:
      if (strict && option.min_length && words.length < option.min_length) return { problem: say("At least {count} characters, please.", { count: option.min_length }) };
      if (strict && option.max_length && words.length > option.max_length) return { problem: say("At most {count} characters, please.", { count: option.max_length }) };
      return { value: words };
    default:
      return { problem: say("Please choose from the list.") };
  }
}
