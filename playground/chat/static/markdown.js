// Renders Discord's subset of Markdown as nodes, never as markup strings.

import { displayName, h } from "./dom.js";
import { fromNow, say, written } from "./language.js";

const FENCE = /^```(?:([\w+-]*)\n)?([\s\S]*?)```\n?/;
const MARK = /^ *(?:([-*])|(\d{1,9})\.) +/;
const INLINE = new RegExp(
  [
    /\\([^\sA-Za-z0-9])/, // 1 escaped sign
    /(`+)([^`]|[^`][\s\S]*?[^`])\2(?!`)/, // 2, 3 code
    /\|\|([\s\S]+?)\|\|/, // 4 spoiler
    /\*\*([\s\S]+?)\*\*(?!\*)/, // 5 bold
    /__([\s\S]+?)__(?!_)/, // 6 underline
    /\*(?![\s*])([\s\S]*?[^\s*])\*(?!\*)/, // 7 italic
    /(?<![A-Za-z0-9_])_(?!_)([\s\S]+?)_(?![A-Za-z0-9_])/, // 8 italic
    /~~([\s\S]+?)~~/, // 9 struck out
    /\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?(?:\s+"[^"]*")?\)/, // 10, 11 link with words
    /<(https?:\/\/[^\s>]+)>/, // 12 bare link in brackets
    /(https?:\/\/[^\s<]*[^\s<.,:;"'\])!?*_~|])/, // 13 bare link
    /<@!?(\d+)>/, // 14 person
    /<@&(\d+)>/, // 15 role
    /<#(\d+)>/, // 16 channel
    /<\/([^:>]+):(\d+)>/, // 17, 18 command
    /<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/, // 19, 20 time
    /<a?:(\w+):\d+>/, // 21 custom emoji
    /(@everyone|@here)(?!\w)/, // 22
  ]
    .map((part) => part.source)
    .join("|"),
);

/**
 * Render a text.
 * `world` resolves mentions: {person(id), role(id), channel(id), openChannel(id, messageId)}.
 * With `inline` only inline Markdown is rendered, as in buttons.
 */
export function markdown(text, world, { inline = false } = {}) {
  const fragment = document.createDocumentFragment();
  fragment.append(...(inline ? spans(text ?? "", world) : blocks(text ?? "", world)));
  return fragment;
}

/** The plain text, for live regions, titles and previews. */
export function plain(text, world) {
  const shown = markdown(text, world);
  for (const line of shown.querySelectorAll("br, p, li, pre")) line.after(" ");
  return shown.textContent.replace(/\s+/g, " ").trim();
}

function blocks(text, world) {
  const out = [];
  let paragraph = [];
  const flush = () => {
    if (paragraph.length) out.push(h("p", {}, lines(paragraph, world)));
    paragraph = [];
  };
  let rest = text.replace(/\r\n?/g, "\n").replace(/\s+$/, "");
  while (rest) {
    const fence = FENCE.exec(rest);
    if (fence) {
      flush();
      out.push(h("pre", { tabindex: "0" }, h("code", {}, fence[2].replace(/\n$/, ""))));
      rest = rest.slice(fence[0].length);
      continue;
    }
    let end = rest.indexOf("\n");
    let line = end < 0 ? rest : rest.slice(0, end);
    // A fence may open in the middle of a line: the text before it is a separate line.
    const opens = line.indexOf("```");
    if (opens > 0 && FENCE.test(rest.slice(opens))) {
      line = line.slice(0, opens);
      paragraph.push(line);
      flush();
      rest = rest.slice(opens);
      continue;
    }
    let match;
    if (line.startsWith(">>> ")) {
      flush();
      out.push(h("blockquote", {}, blocks(rest.slice(4), world)));
      return out;
    }
    if (/^> ?/.test(line) && (line.startsWith("> ") || line === ">")) {
      flush();
      const quoted = rest.match(/^(?:>(?: .*)?(?:\n|$))+/)[0];
      out.push(h("blockquote", {}, blocks(quoted.replace(/^> ?/gm, ""), world)));
      rest = rest.slice(quoted.length);
      continue;
    }
    if ((match = /^(#{1,3}) +(.+)$/.exec(line))) {
      flush();
      // Headings of a message sit below those of the page itself.
      out.push(h(`p.heading-${match[1].length}`, { role: "heading", "aria-level": String(match[1].length + 2) }, spans(match[2], world)));
    } else if ((match = /^-# +(.+)$/.exec(line))) {
      flush();
      out.push(h("p.subtext", {}, spans(match[1], world)));
    } else if (/^ *(?:[-*]|\d{1,9}\.) +\S/.test(line)) {
      flush();
      const listed = rest.match(/^(?: *(?:[-*]|\d{1,9}\.) +\S.*(?:\n|$)|  +\S.*(?:\n|$))+/)[0];
      out.push(...lists(listed.replace(/\n$/, "").split("\n"), world));
      rest = rest.slice(listed.length);
      continue;
    } else if (line.trim() === "") {
      flush();
    } else {
      paragraph.push(line);
    }
    rest = end < 0 ? "" : rest.slice(end + 1);
  }
  flush();
  return out;
}

function lines(paragraph, world) {
  // Joined first: emphasis may span a line break.
  return spans(paragraph.join("\n"), world);
}

function lists(items, world) {
  const indent = (line) => line.length - line.trimStart().length;
  const base = indent(items[0]);
  const out = [];
  let index = 0;
  while (index < items.length) {
    const [, bullet, number] = MARK.exec(items[index]) ?? [null, "-"];
    const tag = bullet ? "ul" : "ol";
    // A different marker starts another list.
    if (out.at(-1)?.localName !== tag) out.push(h(tag, { start: number && number !== "1" ? number : null }));
    const own = items[index].replace(MARK, "");
    const inner = [];
    index += 1;
    while (index < items.length && indent(items[index]) > base) {
      inner.push(items[index]);
      index += 1;
    }
    const deeper = inner.length && MARK.test(inner[0]);
    out.at(-1).append(
      h("li", {}, spans(own, world), deeper ? lists(inner, world) : inner.map((line) => [h("br"), spans(line.trim(), world)])),
    );
  }
  return out;
}

function spans(text, world) {
  const out = [];
  let rest = text;
  let match;
  while (rest && (match = INLINE.exec(rest))) {
    out.push(...words(rest.slice(0, match.index)));
    // The lookbehind needs the preceding character: keep it by cutting only at the match.
    out.push(span(match, world));
    rest = rest.slice(match.index + match[0].length);
  }
  out.push(...words(rest));
  return out;
}

function words(text) {
  return text.split("\n").flatMap((line, index) => (index ? [h("br"), line] : [line])).filter((part) => part !== "");
}

function span(match, world) {
  const [whole, escaped, , code, spoiler, bold, underline, italic, italicToo, struck] = match;
  const [label, labelled, bracketed, bare, person, role, channel, command, , unix, style, emoji] = match.slice(10);
  if (escaped !== undefined) return escaped;
  if (code !== undefined) return h("code", {}, code.trim() || code);
  if (spoiler !== undefined) return hidden(spans(spoiler, world));
  if (bold !== undefined) return h("strong", {}, spans(bold, world));
  if (underline !== undefined) return h("u", {}, spans(underline, world));
  if (italic !== undefined) return h("em", {}, spans(italic, world));
  if (italicToo !== undefined) return h("em", {}, spans(italicToo, world));
  if (struck !== undefined) return h("s", {}, spans(struck, world));
  if (label !== undefined) return link(labelled, spans(label, world), world);
  if (bracketed !== undefined || bare !== undefined) return link(bracketed ?? bare, null, world);
  if (person !== undefined) return mention(world.person(person), person, world);
  if (role !== undefined) return h("span.mention", {}, `@${world.role(role)?.name ?? "unknown role"}`);
  if (channel !== undefined) return channelLink(channel, null, world);
  if (command !== undefined) return h("span.mention", {}, `/${command}`);
  if (unix !== undefined) return moment(Number(unix), style ?? "f");
  if (emoji !== undefined) return `:${emoji}:`;
  return h("span.mention", {}, whole);
}

function mention(user, id, world) {
  const mine = world.me?.id === id;
  return h(mine ? "span.mention.mine" : "span.mention", { dataset: { user: id } }, `@${user ? displayName(user) : "unknown person"}`);
}

function channelLink(id, message, world) {
  const channel = world.channel(id);
  if (!channel) return h("span.mention", {}, "#no-access");
  const name = `#${channel.name ?? "direct message"}`;
  return h("a.mention", { href: `#c/${id}${message ? `/${message}` : ""}` }, message ? `${name} › message` : name);
}

/** A link; one to a message of this server jumps to it on this page. */
function link(href, label, world) {
  const inside = messageLink(href);
  if (inside && world.channel(inside.channel)) {
    const target = `#c/${inside.channel}${inside.message ? `/${inside.message}` : ""}`;
    return label ? h("a", { href: target }, label) : channelLink(inside.channel, inside.message, world);
  }
  return h("a", { href, target: "_blank", rel: "noopener noreferrer" }, label ?? href);
}

export function messageLink(href) {
  const match = /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/(?:@me|\d+)\/(\d+)(?:\/(\d+))?$/.exec(href);
  return match && { channel: match[1], message: match[2] };
}

/** A spoiler, hidden until clicked. */
export function hidden(children) {
  const cover = h("span.spoiler", {
    role: "button",
    tabindex: "0",
    "aria-expanded": "false",
    "aria-label": say("Spoiler, press to show"),
  });
  const show = () => {
    cover.classList.add("open");
    cover.removeAttribute("role");
    cover.removeAttribute("aria-label");
    cover.removeAttribute("aria-expanded");
    cover.removeAttribute("tabindex");
    cover.firstChild.removeAttribute("aria-hidden");
    cover.firstChild.inert = false;
  };
  cover.append(h("span", { "aria-hidden": "true", inert: true }, children));
  cover.addEventListener("click", show, { once: true });
  cover.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    show();
  });
  return cover;
}

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};

function moment(unix, style) {
  const date = new Date(unix * 1000);
  if (Number.isNaN(date.getTime())) return `<t:${unix}>`;
  const full = written(date, STYLES.F);
  const time = h("time.moment", { datetime: date.toISOString(), title: full });
  if (style === "R") {
    time.dataset.relative = String(unix);
    time.textContent = relative(unix);
  } else {
    time.textContent = written(date, STYLES[style] ?? STYLES.f);
  }
  return time;
}

const UNITS = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

export function relative(unix) {
  const seconds = Math.round(unix - Date.now() / 1000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS.at(-1);
  return fromNow(Math.round(seconds / size), unit);
}

/** Update relative times such as "in 5 minutes". */
export function keepMoments(root) {
  setInterval(() => {
    for (const time of root.querySelectorAll("time[data-relative]")) {
      const now = relative(Number(time.dataset.relative));
      if (time.textContent !== now) time.textContent = now;
    }
  }, 1000);
}
