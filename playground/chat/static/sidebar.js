// The sidebars: channels on the left, people on the right with their context menu.

import { avatar, displayName, freshId, h, icon } from "./dom.js";
import { say } from "./language.js";
import { CHANNEL } from "./world.js";
import { onPeople, local } from "./commands.js";

/** Redraw an element once no pointer is down on it: a click on a replaced element is lost. */
function redraw(element, draw) {
  if (!element.matches(":active")) return draw();
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => setTimeout(draw), { once: true });
  }
}

/** Render the channels into `nav`, with a button to `join` for people who have left the server. */
export function drawPlaces(nav, world, join) {
  redraw(nav, () => placesInto(nav, world, join));
}

function placesInto(nav, world, join) {
  const link = (channel, symbol, classes = "") => {
    const name = world.channelName(channel);
    const { count, mentions } = world.unread(channel.id);
    const here = world.current === channel.id;
    const news = mentions ? `, ${mentions === 1 ? say("1 mention") : say("{count} mentions", { count: mentions })}` : count ? `, ${say("unread")}` : "";
    return h(
      ["a.place", classes, count && "unread", channel.thread_metadata?.archived && "archived"].filter(Boolean).join("."),
      { href: `#c/${channel.id}`, "aria-current": here ? "page" : null, "aria-label": `${name}${news}`, dataset: { channel: channel.id } },
      symbol,
      h("span.place-name", {}, name),
      mentions ? h("span.badge", { "aria-hidden": "true" }, String(mentions)) : null,
    );
  };
  const rooms = world.tree.map(({ channel, threads }) =>
    h(
      "li",
      {},
      link(channel, icon("hash")),
      threads.length ? h("ul.threads", {}, threads.map((thread) => h("li", {}, link(thread, icon("thread"), "thread")))) : null,
    ),
  );
  const directs = world.directs.map((channel) => {
    const other = (channel.recipients ?? []).find((user) => user.id !== world.me.id);
    return h("li", {}, link(channel, channel.type === CHANNEL.GROUP ? icon("people") : avatar(world.person(other?.id) ?? other, "small")));
  });
  const focused = nav.contains(document.activeElement) ? document.activeElement.dataset.channel : null;
  nav.replaceChildren(
    h("h2", {}, say("Channels")),
    world.person(world.me?.id)?.left
      ? h("p.outside", {}, say("You've left {name}.", { name: world.guild.name }), " ", h("button.button.primary", { type: "button", onclick: join }, say("Rejoin")))
      : h("ul", {}, rooms),
    ...(directs.length ? [h("h2", {}, say("Direct messages")), h("ul", {}, directs)] : []),
  );
  if (focused) nav.querySelector(`[data-channel="${focused}"]`)?.focus();
}

/** Render the people into `aside`. */
export function drawPeople(aside, world, open) {
  redraw(aside, () => peopleInto(aside, world, open));
}

function peopleInto(aside, world, open) {
  const row = (user) =>
    h(
      "li",
      {},
      h(
        "button.person",
        {
          type: "button",
          "aria-haspopup": "menu",
          dataset: { user: user.id },
          onclick: (event) => open(user, event.currentTarget),
        },
        avatar(user, "small"),
        h("span.person-name", {}, displayName(user)),
        user.bot && h("span.tag", {}, say("App")),
        user.id === world.me.id && h("span.you", {}, say("you")),
      ),
    );
  const group = (title, users) => (users.length ? [h("h2", {}, title), h("ul", {}, users.map(row))] : []);
  aside.replaceChildren(
    ...group(say("People"), world.people.filter((user) => !user.bot)),
    ...group(say("Apps"), world.people.filter((user) => user.bot)),
  );
}

/**
 * A person's context menu. `actions` are the page's {label, run} entries; the bot's user commands
 * follow.
 */
export function personMenu({ user, anchor, at = null, world, actions, run }) {
  document.querySelector(".menu")?.remove();
  const title = freshId("menu");
  const commands = onPeople(world.commands);
  const entry = (label, action) => h("button.menu-item", { type: "button", role: "menuitem", tabindex: "-1", onclick: () => { close(); action(); } }, label);
  const menu = h(
    "div.menu.popup",
    { popover: "manual", role: "menu", "aria-labelledby": title },
    h("div.menu-title", { id: title, role: "presentation" }, avatar(user, "small"), h("span", {}, displayName(user), h("small", {}, user.bot ? "app" : user.username))),
    actions.map(({ label, run: act }) => entry(label, act)),
    commands.length ? h("div.menu-group", { role: "presentation" }, say("Apps")) : null,
    commands.map((command) => entry(local(command, "name", world.me.locale), () => run(command))),
  );
  const items = [...menu.querySelectorAll("[role=menuitem]")];

  function close({ focus = true } = {}) {
    document.removeEventListener("pointerdown", outside, true);
    menu.remove();
    if (focus && anchor.isConnected) anchor.focus();
  }
  function outside(event) {
    if (!menu.contains(event.target)) close({ focus: false });
  }
  menu.addEventListener("keydown", (event) => {
    const here = items.indexOf(document.activeElement);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) items[to % items.length].focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  document.body.append(menu);
  menu.showPopover();
  const box = anchor.getBoundingClientRect();
  const x = at?.x ?? box.left;
  const y = at?.y ?? box.bottom + 4;
  const root = document.documentElement;
  menu.style.left = `${Math.max(8, Math.min(x, root.clientWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y, root.clientHeight - menu.offsetHeight - 8))}px`;
  items[0]?.focus();
  document.addEventListener("pointerdown", outside, true);
}
