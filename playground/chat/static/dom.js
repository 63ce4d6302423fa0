// Creates elements without markup strings: user content only ever becomes text nodes.

/**
 * Create an element.
 * `spec` is "tag.class.class"; `props` are attributes, `on…` listeners and `dataset`; false, null
 * and undefined attributes are omitted; children may be nested lists, nodes or text.
 */
export function h(spec, props = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.classList.add(...classes);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Draw a part of the page anew, with the focus on its first button, or elsewhere, if it was in it. */
export function keepingFocus(part, elsewhere, work) {
  const had = part.contains(document.activeElement);
  work();
  if (had) (part.querySelector("button") ?? elsewhere())?.focus();
}

/** Bring the focus back to what opened a dialog, or to what stands in its place, unless something else has got it since. */
export function returnFocus(dialog, opener) {
  const now = document.activeElement;
  if (now && now !== document.body && !dialog.contains(now)) return;
  // Several messages may have the same control.
  const message = opener?.closest("[data-id]");
  const within = message ? document.querySelector(`[data-id="${CSS.escape(message.dataset.id)}"]`) : document;
  const drawnAgain = opener?.dataset.customId && `[data-custom-id="${CSS.escape(opener.dataset.customId)}"]`;
  const place = opener?.isConnected ? opener : drawnAgain && within?.querySelector(drawnAgain);
  (place ?? document.getElementById("say"))?.focus();
}

/** Put words or elements into a part of the page, unless they are there: they would be read out again. */
export function fill(part, ...children) {
  const fresh = h("div", {}, ...children);
  if (part.innerHTML !== fresh.innerHTML || part.querySelector("button")) part.replaceChildren(...fresh.childNodes);
}

const SHAPES = {
  hash: "M6 2 5 14M11 2l-1 12M2.5 5.5h11M2.5 10.5h11",
  thread: "M3 3v6a2 2 0 0 0 2 2h8M10 8l3 3-3 3",
  close: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  send: "M2.5 8h11M9 3.5 13.5 8 9 12.5",
  down: "M4 6l4 4 4-4",
  back: "M10 3 5 8l5 5",
  people: "M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 3.3a2.3 2.3 0 0 1 0 4.5M12 9.8c1.6.5 2.5 1.8 2.5 3.7",
  menu: "M2.5 4h11M2.5 8h11M2.5 12h11",
  out: "M6 3H3v10h10v-3M9 3h4v4M13 3 7.5 8.5",
  file: "M4 1.5h5l3 3v10H4zM9 1.5v3h3",
  save: "M8 2v8M4.5 7 8 10.5 11.5 7M3 13.5h10",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5Z",
  half: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 2v12M10 2.5v11M12 4v8",
  eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
  check: "M3 8.5 6.5 12 13 4.5",
  globe: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM1.5 8h13M8 1.5c2 2 2.7 4.2 2.7 6.5S10 12.5 8 14.5C6 12.5 5.3 10.3 5.3 8S6 3.5 8 1.5Z",
  keys: "M1.5 4h13v8h-13zM4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M5 9.5h6",
};

/** An icon in the text's colour, hidden from screen readers. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}

let serial = 0;

/** A unique id for an element referenced by another. */
export function freshId(prefix) {
  serial += 1;
  return `${prefix}-${serial}`;
}

/** Compare snowflakes, which are decimal text: longer is newer, otherwise compare as text. */
export function compareIds(one, other) {
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}

/** The URL to load: this machine's files come from the page's own origin. */
export function localUrl(url) {
  try {
    const parsed = new URL(url, location.href);
    if (parsed.protocol === "blob:") return parsed.href;
    const here = ["127.0.0.1", "localhost", "[::1]"].includes(parsed.hostname) && parsed.port === location.port;
    if (here || parsed.origin === location.origin) {
      return parsed.pathname + parsed.search;
    }
    return parsed.href;
  } catch {
    return "";
  }
}

/** Whether the page may load a URL: external pictures are not fetched. */
export function isLocal(url) {
  return /^(\/|blob:)/.test(localUrl(url));
}

/** An avatar: the initial in a readable colour on the person's colour. */
export function avatar(user, size = "") {
  const disc = h(["span.avatar", user?.bot && "is-bot", size].filter(Boolean).join("."), { "aria-hidden": "true" }, initial(user));
  const colour = user?.colour ?? 0x6b7280;
  const [red, green, blue] = [colour >> 16, (colour >> 8) & 255, colour & 255];
  disc.style.setProperty("--disc", `rgb(${red} ${green} ${blue})`);
  if (0.299 * red + 0.587 * green + 0.114 * blue > 150) disc.classList.add("light");
  return disc;
}

function initial(user) {
  return [...displayName(user)][0]?.toUpperCase() ?? "?";
}

const THREADS = [10, 11, 12];

export const isThread = (channel) => THREADS.includes(channel.type);

export function displayName(user) {
  return user?.nick || user?.global_name || user?.username || "Somebody";
}
