// Renders a message.

import { avatar, displayName, h, icon } from "./dom.js";
import { colour, components } from "./components.js";
import { say, written } from "./language.js";
import { markdown, plain } from "./markdown.js";
import { fileCard, figure, gallery } from "./media.js";
import { isEphemeral, isLoading } from "./world.js";

const V2 = 1 << 15;
const SUPPRESS_EMBEDS = 1 << 2;
const WHOLE = { dateStyle: "medium", timeStyle: "short" };
const TOGETHER = 7 * 60_000;
const REPLY = 19;
const THREAD_CREATED = 18;
const PLAIN_TYPES = [0, REPLY, 20, 21, 23];

/** Whether a message closely follows its author's previous one, so the name is not repeated. */
export function continues(before, message) {
  return Boolean(
    before &&
      before.author.id === message.author.id &&
      PLAIN_TYPES.includes(before.type) &&
      message.type === 0 &&
      !message.command &&
      message.referenced_message === undefined &&
      isEphemeral(before) === isEphemeral(message) &&
      Date.parse(message.timestamp) - Date.parse(before.timestamp) < TOGETHER,
  );
}

/** A message's author and text for screen readers. */
export function spoken(message, world) {
  const author = displayName(world.person(message.author.id) ?? message.author);
  if (isLoading(message)) return say("{name} is thinking…", { name: author });
  const parts = [message.content, ...message.embeds.flatMap((embed) => [embed.title, embed.description])];
  const described = [];
  const collect = (list) => {
    for (const component of list ?? []) {
      if (component.type === 10) parts.push(component.content);
      for (const item of component.items ?? []) described.push(item.description);
      collect(component.components);
    }
  };
  collect(message.components);
  for (const attachment of message.attachments) described.push(attachment.description);
  const words = parts.filter(Boolean).map((part) => plain(part, world)).join(". ");
  const picture = described.some(Boolean) ? ` ${say("Picture with a description.")}` : "";
  const only = isEphemeral(message) ? ` ${say("Only you can see this.")}` : "";
  return `${author}: ${words}${picture}${only}`;
}

/**
 * Render a message.
 * `context`: {world, memory, failed (text or null), busy (custom_id or null), press, choose,
 * dismiss(), person(user, element)}; `before` is the message above it.
 */
export function messageElement(message, before, context) {
  const { world } = context;
  const author = world.person(message.author.id) ?? message.author;
  const joined = continues(before, message);
  const root = h("li.message", { id: `m-${message.id}`, tabindex: "-1", dataset: { id: message.id, author: message.author.id } });
  if (joined) root.classList.add("joined");
  if (world.callsMe(message)) root.classList.add("calls-me");
  if (isEphemeral(message)) root.classList.add("ephemeral");
  if (!PLAIN_TYPES.includes(message.type)) {
    root.classList.add("notice");
    root.append(notice(message, author, context));
    return root;
  }
  const name = h(
    "button.author",
    { type: "button", dataset: { user: author.id }, "aria-haspopup": "menu", onclick: (event) => context.person(author, event.currentTarget) },
    displayName(author),
  );
  const head = h("div.message-head", {}, name, author.bot && h("span.tag", {}, say("App")), time(message));
  const body = h("div.message-body", {}, joined ? h("span.unseen", {}, displayName(author)) : head, content(message, context));
  root.append(
    ...[origin(message, world)].filter(Boolean),
    joined ? h("div.gutter", {}, time(message, true)) : h("div.gutter", {}, avatar(author)),
    body,
  );
  if (context.failed) body.append(h("p.failed", { role: "alert" }, context.failed));
  if (isEphemeral(message)) body.append(onlyYou(context));
  if (message.thread) body.append(threadCard(message.thread, world));
  if (context.busy) {
    root.setAttribute("aria-busy", "true");
    for (const control of root.querySelectorAll("[data-custom-id]")) {
      control.setAttribute(control.matches("button") ? "aria-disabled" : "aria-busy", "true");
      control.classList.toggle("waiting", control.dataset.customId === context.busy);
    }
  }
  return root;
}

/** The line above a message: the command or message it replies to. */
function origin(message, world) {
  const user = message.interaction_metadata?.user;
  if (user && message.command) {
    const who = world.person(user.id) ?? user;
    return h("p.origin", {}, avatar(who, "tiny"), h("strong", {}, displayName(who)), ` ${say("used")} `, h("span.mention", {}, message.command));
  }
  const earlier = message.referenced_message;
  if (earlier !== undefined) {
    if (earlier === null) return h("p.origin", {}, say("Original message was deleted"));
    const who = world.person(earlier.author.id) ?? earlier.author;
    const words = plain(earlier.content, world) || say("a message without text");
    return h("p.origin", {}, avatar(who, "tiny"), h("strong", {}, displayName(who)), h("a", { href: `#c/${earlier.channel_id ?? message.channel_id}/${earlier.id}` }, words));
  }
  return null;
}

function time(message, short = false) {
  const at = new Date(message.timestamp);
  const full = written(at, { dateStyle: "full", timeStyle: "short" });
  const words = written(at, { timeStyle: "short" });
  return h(short ? "time.short" : "time", { datetime: at.toISOString(), title: full }, words);
}

function content(message, context) {
  const { world, memory } = context;
  if (isLoading(message)) {
    return h("p.thinking", {}, h("span.dots", { "aria-hidden": "true" }, h("i"), h("i"), h("i")), say("{name} is thinking…", { name: displayName(world.person(message.author.id) ?? message.author) }));
  }
  const parts = [];
  const v2 = message.flags & V2;
  if (message.content && !v2) parts.push(h("div.text", {}, markdown(message.content, world)));
  if (!v2) parts.push(...attachments(message.attachments, memory.open));
  if (!(message.flags & SUPPRESS_EMBEDS)) parts.push(...message.embeds.map((embed) => embedElement(embed, context)));
  if (message.components?.length) parts.push(h("div.components", {}, components(message.components, context)));
  if (message.edited_timestamp) {
    const at = new Date(message.edited_timestamp);
    const mark = h("span.edited", { title: say("Edited {time}", { time: written(at, WHOLE) }) }, say("(edited)"));
    const last = parts.at(-1);
    if (parts.length === 1 && last.matches(".text")) (last.lastElementChild?.matches("p") ? last.lastElementChild : last).append(" ", mark);
    else parts.push(mark);
  }
  return parts;
}

function attachments(list, memory) {
  const pictures = list.filter((attachment) => attachment.content_type?.startsWith("image/"));
  const others = list.filter((attachment) => !pictures.includes(attachment));
  return [
    ...(pictures.length ? [gallery(pictures.map((picture) => ({ ...picture, spoiler: picture.filename.startsWith("SPOILER_") })), memory)] : []),
    ...others.map((attachment) => fileCard({ name: attachment.filename, size: attachment.size, url: attachment.url })),
  ];
}

function embedElement(embed, { world, memory }) {
  const words = (text) => markdown(text, world);
  const root = h("article.embed", {});
  if (embed.color !== undefined && embed.color !== null) root.style.setProperty("--accent-bar", colour(embed.color));
  const titled = embed.title && (embed.url ? h("a", { href: embed.url, target: "_blank", rel: "noopener noreferrer" }, words(embed.title)) : words(embed.title));
  root.append(
    h(
      "div.embed-main",
      {},
      h(
        "div.embed-text",
        {},
        embed.author?.name && h("p.embed-author", {}, embed.author.name),
        titled && h("p.embed-title", {}, titled),
        embed.description && h("div.text", {}, words(embed.description)),
        embed.fields?.length ? h("dl.fields", {}, embed.fields.map((field) => h(field.inline ? "div.inline" : "div", {}, h("dt", {}, words(field.name)), h("dd", {}, words(field.value))))) : null,
      ),
      embed.thumbnail?.url && figure(embed.thumbnail, { memory: memory.open, small: true }),
    ),
    ...(embed.image?.url ? [figure(embed.image, { memory: memory.open })] : []),
  );
  const foot = [embed.footer?.text, embed.timestamp && written(new Date(embed.timestamp), WHOLE)].filter(Boolean);
  if (foot.length) root.append(h("p.embed-foot", {}, foot.join(" · ")));
  return root;
}

function onlyYou(context) {
  return h("p.only-you", {}, icon("eye"), say("Only you can see this, until Discord is reloaded"), " · ", h("button.text-button", { type: "button", onclick: context.dismiss }, say("Dismiss message")));
}

function threadCard(thread, world) {
  const known = world.channel(thread.id) ?? thread;
  const count = known.message_count ?? thread.message_count ?? 0;
  return h("a.thread-card", { href: `#c/${thread.id}` }, icon("thread"), h("strong", {}, known.name), h("span", {}, count === 0 ? say("Open thread") : count === 1 ? say("1 message") : say("{count} messages", { count })));
}

function notice(message, author, { world }) {
  const who = h("strong", {}, displayName(author));
  const at = time(message);
  if (message.type === THREAD_CREATED) {
    const id = message.message_reference?.channel_id;
    const name = message.content || world.channel(id)?.name || say("Thread");
    return h("p", {}, icon("thread"), who, ` ${say("started a thread:")} `, id ? h("a", { href: `#c/${id}` }, name) : name, " ", at);
  }
  const words = { 6: say("pinned a message."), 7: say("joined the server."), 1: say("added someone."), 3: say("left.") }[message.type] ?? (message.content || say("did something this page can't show."));
  return h("p", {}, who, ` ${words} `, at);
}

