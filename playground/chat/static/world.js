// The page's state: people, channels, messages and unread counts. No elements here.

import { compareIds, displayName, isThread } from "./dom.js";
import { say } from "./language.js";

export const CHANNEL = { TEXT: 0, DM: 1, GROUP: 3, CATEGORY: 4, NEWS: 5 };
const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;

export const isDirect = (channel) => channel.type === CHANNEL.DM || channel.type === CHANNEL.GROUP;
export const isEphemeral = (message) => Boolean(message.flags & EPHEMERAL);
export const isLoading = (message) => Boolean(message.flags & LOADING);

/**
 * Events: "people", "channels", "commands", "unread", "reset",
 * "message" (detail {channel, message, fresh}), "gone" (detail {channel, id}).
 */
export class World extends EventTarget {
  me = null;
  guild = { id: "", name: "", roles: [] };
  commands = [];
  current = null;
  /** The ids of people who have a window open. */
  here = new Set();
  #people = new Map();
  #channels = new Map();
  #messages = new Map();
  #complete = new Set();
  #unread = new Map();
  #epoch = null;

  /** Load the server's hello, on start or after a reconnect. */
  greet(hello) {
    // A new epoch means that the server has restarted: discard everything from before.
    const restarted = this.#epoch !== null && this.#epoch !== hello.epoch;
    this.#epoch = hello.epoch;
    this.me = hello.me;
    this.guild = hello.guild;
    this.#people = new Map(hello.people.map((person) => [person.id, person]));
    this.#channels = new Map(hello.channels.map((channel) => [channel.id, channel]));
    this.#unread = new Map(Object.entries(hello.unread ?? {}));
    if (restarted) this.#messages.clear();
    this.#complete.clear();
    for (const type of ["people", "channels", "unread"]) this.#say(type);
    this.#say("reset");
  }

  person(id) {
    return this.#people.get(id);
  }

  /** The members of the server. */
  get people() {
    return this.everybody.filter((person) => !person.left);
  }

  /** All known people, including former members. */
  get everybody() {
    return [...this.#people.values()];
  }

  role(id) {
    return this.guild.roles?.find((role) => role.id === id);
  }

  channel(id) {
    return this.#channels.get(id);
  }

  get channels() {
    return [...this.#channels.values()];
  }

  /** The channels to list, each with its threads. */
  get tree() {
    const byPlace = (one, other) => (one.position ?? 0) - (other.position ?? 0) || compareIds(one.id, other.id);
    const all = this.channels;
    const rooms = all.filter((channel) => !isThread(channel) && !isDirect(channel) && channel.type !== CHANNEL.CATEGORY);
    return rooms.sort(byPlace).map((channel) => ({
      channel,
      threads: all
        .filter((thread) => isThread(thread) && thread.parent_id === channel.id)
        .sort((one, other) => compareIds(one.id, other.id)),
    }));
  }

  get directs() {
    return this.channels
      .filter(isDirect)
      .sort((one, other) => compareIds(other.last_message_id ?? other.id, one.last_message_id ?? one.id));
  }

  channelName(channel) {
    if (!isDirect(channel) || channel.name) return channel.name ?? "";
    const others = (channel.recipients ?? []).filter((user) => user.id !== this.me.id);
    return others.map((user) => displayName(this.person(user.id) ?? user)).join(", ") || say("Yourself");
  }

  putChannel(channel) {
    this.#channels.set(channel.id, { ...this.#channels.get(channel.id), ...channel });
    this.#say("channels");
  }

  dropChannel(id) {
    this.#channels.delete(id);
    this.#messages.delete(id);
    this.#complete.delete(id);
    this.#unread.delete(id);
    this.#say("channels");
  }

  setPeople({ people, guild }) {
    this.#people = new Map(people.map((person) => [person.id, person]));
    this.guild = guild;
    this.#say("people");
  }

  setCommands(commands) {
    this.commands = commands;
    this.#say("commands");
  }

  // ------------------------------------------------------------------------------- messages

  /** A channel's messages, oldest first. */
  messages(channel) {
    return [...(this.#messages.get(channel)?.values() ?? [])].sort((one, other) => compareIds(one.id, other.id));
  }

  message(channel, id) {
    return this.#messages.get(channel)?.get(id);
  }

  /** Whether the channel's newest messages are loaded. */
  hasLatest(channel) {
    return this.#complete.has(channel);
  }

  /** Replace a channel's messages with its newest page. */
  putLatest(channel, messages) {
    this.#messages.set(channel, new Map(messages.map((message) => [message.id, message])));
    this.#complete.add(channel);
  }

  putOlder(channel, messages) {
    const known = this.#messages.get(channel) ?? new Map();
    for (const message of messages) if (!known.has(message.id)) known.set(message.id, message);
    this.#messages.set(channel, known);
  }

  /** Add a received message, or update it if it is known. */
  putMessage(message, { created }) {
    const id = message.channel_id;
    const known = this.#messages.get(id) ?? new Map();
    const fresh = created && !known.has(message.id);
    // A changed message above the loaded ones will be loaded when scrolled to.
    if (!created && !known.has(message.id)) return;
    known.set(message.id, message);
    this.#messages.set(id, known);
    const channel = this.#channels.get(id);
    if (fresh && channel && compareIds(message.id, channel.last_message_id ?? "0") > 0) {
      channel.last_message_id = message.id;
    }
    this.#say("message", { channel: id, message, fresh });
  }

  dropMessage(channel, id) {
    this.#messages.get(channel)?.delete(id);
    this.#say("gone", { channel, id });
  }

  // --------------------------------------------------------------------------------- unread

  /** Whether a message mentions this person, their role or everyone. */
  callsMe(message) {
    return message.author?.id !== this.me.id && (message.pings ?? []).includes(this.me.id);
  }

  unread(channel) {
    return this.#unread.get(channel) ?? { count: 0, mentions: 0 };
  }

  get mentions() {
    return [...this.#unread.values()].reduce((sum, { mentions }) => sum + mentions, 0);
  }

  setUnread(channel, unread) {
    if (unread.count || unread.mentions) this.#unread.set(channel, unread);
    else this.#unread.delete(channel);
    this.#say("unread");
  }

  #say(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
