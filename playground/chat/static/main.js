// Assembles the page: person, connection, open channel and keys.

import { ActivityHost } from "./activity.js";
import { avatar, displayName, h, icon, isThread } from "./dom.js";
import { Composer } from "./composer.js";
import { Feed } from "./feed.js";
import { ofBrowser, say, speak } from "./language.js";
import { Link } from "./link.js";
import { keepMoments } from "./markdown.js";
import { dialog, openForm } from "./modal.js";
import { drawPeople, drawPlaces, personMenu } from "./sidebar.js";
import { World, isDirect, isEphemeral } from "./world.js";

const $ = (id) => document.getElementById(id);
const as = new URLSearchParams(location.search).get("as")?.toLowerCase() ?? "";

dress(remembered("theme") ?? "auto");
sparesSecondClicks();
chat(as);

// -------------------------------------------------------------------------------------- chat

function chat(key) {
  $("app").hidden = false;
  const world = new World();
  const link = new Link(key);
  const person = (user, anchor, at) => showPerson(user, anchor, at);
  const feed = new Feed({ world, link, pane: $("pane"), list: $("messages"), older: $("older"), newer: $("newer"), voice: $("voice"), person });
  const uses = { all: usesOfCommands, count: used };
  const composer = new Composer({ world, link, uses, channel: () => world.current, box: $("composer"), problem: $("composer-problem"), status: $("composer-status") });
  const activity = new ActivityHost({ link, place: document.querySelector(".middle"), done: (words) => { composer.focus(); seenAgain(); if (words) complain(words); } });
  let form = null;
  let typist = null;

  furnish();
  keepMoments($("messages"));

  // ------------------------------------------------------------------------------ the wire

  link.addEventListener("status", ({ detail }) => {
    const away = detail !== "open";
    $("connection").hidden = !away;
    $("connection").textContent = away ? say("Not connected. Trying again…") : "";
  });
  link.addEventListener("frame", ({ detail: frame }) => {
    switch (frame.op) {
      case "hello":
        activity.over({});
        speak(frame.me.locale);
        name();
        followLanguage(frame.me.locale);
        return world.greet(frame);
      case "message": return world.putMessage(frame.message, { created: frame.created });
      case "gone": return world.dropMessage(frame.channel, frame.id);
      case "channel": return world.putChannel(frame.channel);
      case "channel_gone": return left(frame.id);
      case "commands": return askCommands();
      case "people": return world.setPeople(frame);
      case "here":
        world.here = new Set(frame.people);
        return world.me && drawHint();
      case "unread": return world.setUnread(frame.channel, frame);
      case "typing": return typing(frame);
      case "activity": return activity.show(frame, narrow() ? "mobile" : "desktop");
      case "embedded": return activity.tell(frame);
      case "question": return activity.ask(frame);
      case "activity_over": return activity.over(frame);
      case "modal": return showForm(frame.modal);
      case "unknown_person": return location.replace("/");
      default: return undefined;
    }
  });
  world.addEventListener("reset", () => {
    dressTop();
    open(wanted());
  });
  world.addEventListener("people", () => {
    drawPeople($("right"), world, person);
    drawMe();
    drawHint();
  });
  for (const type of ["channels", "unread", "people"]) {
    world.addEventListener(type, () => {
      drawPlaces($("places"), world, () => move("join"));
      title();
    });
  }
  world.addEventListener("channels", () => world.current && dressTop());
  world.addEventListener("message", ({ detail }) => {
    if (detail.fresh) noticed(detail);
    if (detail.channel === world.current) drawHint();
  });

  /** Name the parts of the page that are there before the person is known. */
  function name() {
    for (const [id, words] of [["places", "Channels"], ["right", "People"], ["open-left", "Channels"], ["open-right", "People"], ["help", "Keyboard"]]) $(id).setAttribute("aria-label", say(words));
    $("open-right").title = say("People");
    $("help").title = `${say("Keyboard")} (?)`;
    $("newer").textContent = say("New messages");
    $("left").setAttribute("aria-label", say("Places"));
    $("close-left").setAttribute("aria-label", say("Close the channel list"));
    document.querySelector(".skip").textContent = say("Skip to the message box");
  }

  /** Speak what this person chose here before or, at first, the browser's language, as Discord does. */
  function followLanguage(locale) {
    const wanted = remembered(`language.${key}`) ?? ofBrowser();
    if (locale === UNCHOSEN && wanted !== locale && wanted in LANGUAGES) translate(wanted);
  }

  /** Change the language of the person's Discord. */
  function translate(locale) {
    remember(`language.${key}`, locale);
    return link.ask("locale", { locale }).then(() => location.reload(), (refusal) => complain(refusal.message));
  }

  // ------------------------------------------------------------------------------- places

  function wanted() {
    const [, id, message] = /^#c\/(\d+)(?:\/(\d+))?$/.exec(location.hash) ?? [];
    const first = world.tree[0]?.channel ?? world.directs[0];
    const kept = remembered(`channel.${key}`);
    const known = [id, kept].find((other) => world.channel(other));
    return { channel: known ?? first?.id, message: known === id ? message : null };
  }

  async function open({ channel, message }) {
    if (!channel) return nowhere();
    world.current = channel;
    remember(`channel.${key}`, channel);
    drawPlaces($("places"), world, () => move("join"));
    dressTop();
    pointSwitch();
    drawer(null);
    askCommands();
    await feed.open(channel, { message });
    drawHint();
    // The message has been shown: do not jump there again after a reload or reconnect.
    if (message) history.replaceState(null, "", `#c/${channel}`);
  }

  /** Show that there is no channel left. */
  function nowhere() {
    world.current = null;
    $("channel-name").textContent = say("Nowhere");
    $("channel-topic").textContent = "";
    $("channel-mark").replaceChildren();
    $("pane").setAttribute("aria-label", say("Messages"));
    composer.place("nobody");
    feed.close();
    title();
  }

  /** Load the commands, which depend on the channel. */
  async function askCommands() {
    const channel = world.current;
    try {
      const { commands } = await link.ask("commands", { channel });
      if (channel === world.current) world.setCommands(commands);
    } catch {
      // The next hello asks again.
    }
  }

  /** Show the typing indicator for a while. */
  function typing({ channel, user }) {
    if (channel !== world.current) return;
    $("typing").textContent = say("{name} is typing…", { name: displayName(world.person(user)) });
    clearTimeout(typist);
    typist = setTimeout(hush, 8000);
  }

  function hush() {
    $("typing").textContent = "";
  }

  function left(id) {
    world.dropChannel(id);
    if (world.current !== id) return;
    if (location.hash) location.hash = "";
    else open(wanted());
  }

  /** Leave or rejoin the server; its channels disappear and come back. */
  async function move(op) {
    try {
      await link.ask(op);
      if (op === "join") open(wanted());
    } catch (refusal) {
      complain(refusal.message);
    }
  }

  addEventListener("hashchange", () => {
    if (!world.me) return;
    const target = wanted();
    const moved = target.channel !== world.current;
    activity.leave();
    open(target);
    if (moved && !target.message && !narrow()) composer.focus();
  });

  /** A new message is read if it is in view, otherwise unread. */
  function noticed({ channel, message }) {
    if (channel === world.current) hush();
    if (message.author.id === world.me.id || isEphemeral(message)) return;
    if (channel === world.current && uncovered() && feed.atBottom) seen();
    else {
      const { count, mentions } = world.unread(channel);
      world.setUnread(channel, { count: count + 1, mentions: mentions + (world.callsMe(message) ? 1 : 0) });
    }
  }

  /** Whether messages can be seen: an Activity covers them. */
  function uncovered() {
    return document.visibilityState === "visible" && !activity.element;
  }

  function seen() {
    const channel = world.current;
    const last = world.messages(channel).findLast((message) => !isEphemeral(message));
    if (!last || !uncovered()) return;
    if (world.unread(channel).count) world.setUnread(channel, { count: 0, mentions: 0 });
    link.ask("read", { channel, message: last.id }).catch(() => undefined);
  }
  function seenAgain() {
    if (feed.atBottom && world.current) seen();
  }
  feed.addEventListener("seen", seen);
  document.addEventListener("visibilitychange", seenAgain);

  function title() {
    const channel = world.channel(world.current);
    const count = world.mentions ? `(${world.mentions}) ` : "";
    const name = channel ? `${isDirect(channel) ? "@" : "#"}${world.channelName(channel)} · ` : "";
    document.title = `${count}${name}${world.me ? displayName(world.me) : "Playground"}`;
  }

  function dressTop() {
    const channel = world.channel(world.current);
    $("guild").textContent = world.guild.name;
    if (!channel) return;
    const name = world.channelName(channel);
    $("channel-name").textContent = name;
    $("channel-topic").textContent = isThread(channel) ? say("Thread in {channel}", { channel: `#${world.channel(channel.parent_id)?.name ?? ""}` }) : channel.topic ?? "";
    const group = isDirect(channel) && Boolean(channel.name);
    const other = isDirect(channel) && !group && (channel.recipients ?? []).find((user) => user.id !== world.me.id);
    $("channel-mark").replaceChildren(other ? avatar(world.person(other.id) ?? other, "small") : icon(group ? "people" : isThread(channel) ? "thread" : "hash"));
    $("pane").setAttribute("aria-label", say("Messages in {name}", { name }));
    composer.place(group ? name : isDirect(channel) ? `@${name}` : `#${name}`);
    title();
  }

  // -------------------------------------------------------------------------------- people

  function drawMe() {
    const others = world.everybody.filter((user) => !user.bot && user.id !== world.me.id && user.key);
    const theme = h("button.icon-button", { type: "button", onclick: () => turnTheme(theme) });
    labelTheme(theme);
    const language = h(
      "select",
      { "aria-label": say("Language"), onchange: () => translate(language.value) },
      Object.entries(LANGUAGES).map(([locale, name]) => h("option", { value: locale, selected: locale === world.me.locale }, name)),
    );
    const languages = h("span.icon-button.languages", { title: `${say("Language")}: ${LANGUAGES[world.me.locale] ?? world.me.locale}` }, icon("globe"), language);
    const change = h(
      "details.switch",
      {},
      h("summary", {}, avatar(world.me, "small"), h("span.me-name", {}, displayName(world.me), h("small", {}, say("Change person")))),
      h(
        "ul.switch-list",
        {},
        others.map((user) => h("li", {}, h("a", { dataset: { as: user.key } }, avatar(user, "small"), say("Be {name}", { name: displayName(user) })), h("a.icon-button", { dataset: { as: user.key }, target: "_blank", "aria-label": say("Open a window as {name}", { name: displayName(user) }), title: say("Open a window as {name}", { name: displayName(user) }) }, icon("out")))),
      ),
    );
    change.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !change.open) return;
      change.open = false;
      change.querySelector("summary").focus();
    });
    $("me").replaceChildren(change, languages, theme);
    pointSwitch();
  }

  /** Another of the page's people, mentioned by the channel's last mention, unless I or they are here. */
  function called() {
    // A board of an earlier turn has lost its controls: it calls nobody any more.
    const open = (message) => !message.author.bot || !message.edited_timestamp || $("messages").querySelector(`[data-id="${message.id}"] [data-custom-id]:not(:disabled)`);
    const pinged = world.messages(world.current).findLast((message) => message.pings?.length && open(message))?.pings ?? [];
    if (pinged.includes(world.me.id)) return undefined;
    const asked = world.everybody.filter((user) => user.key && pinged.includes(user.id));
    return asked.some((user) => world.here.has(user.id)) ? undefined : asked[0];
  }

  /** Explain how to continue as the mentioned person, until that hint is dismissed. */
  function drawHint() {
    const other = world.current && called();
    const hint = $("hint");
    hint.hidden = !other || remembered("hint") === "off";
    if (hint.hidden) return;
    const known = () => { remember("hint", "off"); hint.hidden = true; };
    const name = displayName(other);
    const place = `/?as=${other.key}#c/${world.current}`;
    hint.replaceChildren(
      h("span", {}, say("{name} was pinged. To answer, ", { name }), h("a", { href: place }, say("be {name}", { name })), say(" now, or "), h("a", { href: place, target: "_blank", onclick: known }, say("in a second window")), "."),
      h("button.icon-button", { type: "button", "aria-label": say("Dismiss this hint"), onclick: () => { known(); composer.focus(); } }, icon("close")),
    );
  }

  /** Open another person's window in the same channel. */
  function pointSwitch() {
    const place = world.current ? `#c/${world.current}` : "";
    for (const away of $("me").querySelectorAll("a[data-as]")) away.href = `/?as=${away.dataset.as}${place}`;
  }

  function showPerson(user, anchor, at = null) {
    const actions = [{ label: say("Mention"), run: () => composer.insert(`@${displayName(user)}`) }];
    if (user.id !== world.me.id) actions.push({ label: say("Send a direct message"), run: () => direct(user) });
    if (user.key && user.id !== world.me.id) actions.push({ label: say("Open a window as {name}", { name: displayName(user) }), run: () => window.open(`/?as=${user.key}`, "_blank") });
    if (user.id === world.me.id) actions.push({ label: say("Leave {name}", { name: world.guild.name }), run: () => move("leave") });
    personMenu({ user, anchor, at, world, actions, run: (command) => onPerson(command, user) });
  }

  async function direct(user) {
    try {
      const { channel } = await link.ask("direct", { user: user.id });
      world.putChannel(channel);
      location.hash = `#c/${channel.id}`;
    } catch (refusal) {
      complain(refusal.message);
    }
  }

  async function onPerson(command, user) {
    try {
      await link.ask("user_command", { channel: world.current, name: command.name, user: user.id });
    } catch (refusal) {
      complain(refusal.message);
    }
  }

  function complain(words) {
    $("composer-problem").textContent = words;
    $("composer-problem").hidden = false;
  }

  document.addEventListener("contextmenu", (event) => {
    const place = event.target.closest?.("[data-user]");
    const user = place && world.person(place.dataset.user);
    if (!user) return;
    event.preventDefault();
    // The keyboard's menu key gives no position: the menu then opens below the name.
    const pointed = event.button === 2 && event.clientX > 0;
    showPerson(user, place.matches("button") ? place : place.closest("[tabindex]") ?? place, pointed ? { x: event.clientX, y: event.clientY } : null);
  });

  // --------------------------------------------------------------------------------- forms

  function showForm(modal) {
    form?.close();
    form = openForm(modal, world, (values) => link.ask("submit", { modal: modal.token, values }));
    form.addEventListener("close", () => link.ask("close_modal", { modal: modal.token }).catch(() => undefined), { once: true });
  }

  // ---------------------------------------------------------------------------- furniture

  function narrow() {
    return matchMedia("(max-width: 760px)").matches;
  }

  /** In small windows the sidebars are drawers; in large ones the people can be hidden. */
  function drawer(side) {
    const app = $("app");
    for (const other of ["left", "right"]) {
      const opened = side === other;
      app.classList.toggle(`show-${other}`, opened);
      $(`open-${other}`).setAttribute("aria-expanded", String(opened));
    }
    $("shade").hidden = !side;
    if (side) $(side).querySelector("a, button")?.focus();
  }

  function furnish() {
    $("open-left").append(icon("menu"));
    $("close-left").append(icon("close"));
    $("open-right").append(icon("people"));
    $("help").append(icon("keys"));
    $("open-left").addEventListener("click", () => drawer("left"));
    $("close-left").addEventListener("click", () => drawer(null));
    $("shade").addEventListener("click", () => drawer(null));
    // Choosing the place that is already open shows it, but does not change the address.
    $("places").addEventListener("click", (event) => {
      if (!event.target.closest("a.place")) return;
      drawer(null);
      activity.leave();
    });
    $("open-right").addEventListener("click", () => {
      const beside = matchMedia("(min-width: 1101px)").matches;
      if (beside) {
        $("app").classList.toggle("no-right");
        return;
      }
      drawer($("app").classList.contains("show-right") ? null : "right");
    });
    $("help").addEventListener("click", help);
    document.querySelector(".skip").addEventListener("click", (event) => {
      event.preventDefault();
      composer.focus();
    });
  }

  function walkPlaces(step) {
    const all = [...$("places").querySelectorAll("a.place")];
    const at = all.findIndex((place) => place.dataset.channel === world.current);
    const next = all[(at + step + all.length) % all.length];
    if (next) location.hash = next.getAttribute("href");
  }

  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || event.defaultPrevented) return;
    const writing = event.target.matches("input, textarea, select");
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      walkPlaces(event.key === "ArrowUp" ? -1 : 1);
    } else if (event.key === "F6") {
      event.preventDefault();
      walkRegions(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      if (document.querySelector(".app.show-left, .app.show-right")) drawer(null);
      else feed.toBottom();
      composer.focus();
    } else if (event.key === "ArrowUp" && event.target.id === "say" && !event.target.value) {
      event.preventDefault();
      $("messages").lastElementChild?.focus();
    } else if (!writing && event.key === "/" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      composer.startCommand();
    } else if (!writing && event.key === "?") {
      event.preventDefault();
      help();
    }
  });

  function walkRegions(step) {
    const regions = [$("places").querySelector("[aria-current]"), activity.element?.querySelector("iframe"), $("pane"), document.querySelector("#say, #composer input"), $("right").querySelector("button")];
    const inside = [$("left"), activity.element, $("pane"), document.querySelector(".writing"), $("right")];
    const shown = regions.map((region, index) => ({ region, home: inside[index] })).filter(({ region }) => region?.checkVisibility() && !region.closest("[inert]"));
    const at = shown.findIndex(({ home }) => home.contains(document.activeElement));
    shown[(at + step + shown.length) % shown.length]?.region.focus();
  }

  link.open();
}

function help() {
  const keys = [
    ["/", "Use a command"],
    ["Tab", "Next field of a command, next control elsewhere"],
    ["Enter", "Send, or pick the highlighted entry of a list"],
    ["Escape", "Close a list or command, or go to the newest message"],
    [say("↑ in an empty message"), "Move through the messages with ↑ and ↓"],
    ["Alt + ↑ ↓", "Previous or next channel"],
    ["F6", "Cycle through channels, messages, text box and people"],
    [say("Menu key on a name"), "Actions for that person"],
  ];
  dialog({ title: say("Keyboard"), content: h("dl.keys", {}, keys.map(([key, words]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, say(words))))) });
}

/** Ignore the second click of a double click if something else has moved under it. */
function sparesSecondClicks() {
  let first = null;
  const clicked = (event) => {
    const control = event.target.closest?.("button, a, summary, input, select, textarea, label, [role=option]");
    return control?.dataset.customId ?? control?.getAttribute("href") ?? control ?? null;
  };
  document.addEventListener("click", (event) => {
    const now = clicked(event);
    if (event.detail > 1 && now !== first) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else {
      first = now;
    }
  }, true);
}

// -------------------------------------------------------------------------------------- theme

function dress(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The language of people who have not chosen one. */
const UNCHOSEN = "en-US";

/** The bot's languages, and one that it does not speak. */
const LANGUAGES = { "en-US": "English", de: "Deutsch", fr: "Français", hi: "हिन्दी", "sv-SE": "Svenska", ja: "日本語" };

const THEMES = { auto: ["half", "same as system"], light: ["sun", "light"], dark: ["moon", "dark"] };

function labelTheme(button) {
  const [symbol, words] = THEMES[remembered("theme") ?? "auto"];
  button.replaceChildren(icon(symbol));
  button.setAttribute("aria-label", say("Colours: {words}. Change", { words: say(words) }));
  button.title = say("Colours: {words}", { words: say(words) });
}

function turnTheme(button) {
  const order = Object.keys(THEMES);
  const next = order[(order.indexOf(remembered("theme") ?? "auto") + 1) % order.length];
  remember("theme", next);
  dress(next);
  labelTheme(button);
}

/** How often each command was used: most used ones are listed first. */
function usesOfCommands() {
  try {
    return JSON.parse(remembered("uses") ?? "{}");
  } catch {
    return {};
  }
}

function used(command) {
  const known = usesOfCommands();
  remember("uses", JSON.stringify({ ...known, [command]: (known[command] ?? 0) + 1 }));
}

function remembered(key) {
  try {
    return localStorage.getItem(`playground.${key}`);
  } catch {
    return null;
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(`playground.${key}`, value);
  } catch {
    // Works even if the browser stores nothing.
  }
}
