// Whom and what the words on the page mention.

import { markdown } from "./markdown.js";

const names = new Map();
const places = new Map();

/** What Markdown and components ask of the chat page's world. */
export const world = {
  me: null,
  people: [],
  channels: [],
  guild: { roles: [] },
  person: (id) => (names.has(id) ? { id, username: names.get(id) } : undefined),
  role: () => undefined,
  channel: (id) => (places.has(id) ? { id, name: places.get(id) } : undefined),
  openChannel: () => undefined,
};

/** Remember the names of people, and of channels, that an answer mentions. */
export function learn({ people = {}, channels = {} }) {
  for (const [id, name] of Object.entries(people)) names.set(id, name);
  for (const [id, name] of Object.entries(channels)) places.set(id, name);
}

/** A game and whom it is against. */
export const named = (game) => markdown(`${game.title} · ${game.others.join(", ")}`, world, { inline: true });

// Channels are named here, and elsewhere.
document.addEventListener("click", (event) => {
  if (event.target.closest?.('a[href^="#c/"]')) event.preventDefault();
});
