"""Turns events into gateway dispatches for the sessions concerned."""

from __future__ import annotations

from playground import events, message_payloads, payloads
from playground.access import can_see
from playground.errors import JSON
from playground.gateway.sessions import Intent, Session
from playground.model import Channel, ChannelType, Guild, Message
from playground.world import World


class Dispatcher:
    """Sends the bot the events it may receive.

    Args:
        world: the state.
        sessions: the gateway's sessions by id.

    Attributes:
        content_granted: whether the bot has the message content intent.
    """

    def __init__(self, world: World, sessions: dict[str, Session]) -> None:
        self._world = world
        self._sessions = sessions
        self.content_granted = False

    def guild(self, guild: Guild) -> JSON:
        """Return GUILD_CREATE's data: as much of the server as the bot can see."""
        bot = self._world.bot
        visible = [
            channel
            for channel in (*guild.channels.values(), *guild.threads.values())
            if can_see(bot, channel)
        ]
        return payloads.gateway_guild(guild, bot.id, visible)

    def on_event(self, event: events.Event) -> None:
        """Dispatch an event to the sessions concerned."""
        if not self._sessions:
            return
        match event:
            case events.InteractionCreated(interaction):
                guild = interaction.channel.guild
                data = message_payloads.interaction(interaction, self._world.application)
                guild_id = guild.id if guild else None
                interaction.delivered = any(
                    session.connection is not None and session.owns(guild_id)
                    for session in self._sessions.values()
                )
                self._dispatch(guild_id, 0, "INTERACTION_CREATE", data)
            case events.MessageSent() | events.MessageEdited() | events.MessageDeleted():
                self._message(event)
            case events.GuildJoined() | events.GuildLeft() | events.GuildAvailability():
                self._presence(event)
            case events.MemberJoined(guild, member):
                data = {**payloads.member(member), "guild_id": str(guild.id)}
                self._dispatch(guild.id, Intent.GUILD_MEMBERS, "GUILD_MEMBER_ADD", data)
            case events.MemberLeft(guild, user):
                data = {"guild_id": str(guild.id), "user": payloads.user(user)}
                self._dispatch(guild.id, Intent.GUILD_MEMBERS, "GUILD_MEMBER_REMOVE", data)
            case events.RoleDeleted(guild, role_id):
                data = {"guild_id": str(guild.id), "role_id": str(role_id)}
                self._dispatch(guild.id, Intent.GUILDS, "GUILD_ROLE_DELETE", data)
            case events.Typing(channel, user) if user is not self._world.bot:
                self._typing(channel, user.id)
            case _:
                self._channel(event)

    def _presence(
        self, event: events.GuildJoined | events.GuildLeft | events.GuildAvailability
    ) -> None:
        guild = event.guild
        data: JSON
        if isinstance(event, events.GuildLeft):
            name, data = "GUILD_DELETE", {"id": str(guild.id)}
        elif guild.unavailable:
            name, data = "GUILD_DELETE", {"id": str(guild.id), "unavailable": True}
        else:
            name, data = "GUILD_CREATE", self.guild(guild)
            if isinstance(event, events.GuildJoined):
                del data["unavailable"]  # its presence would mean that an outage is over
        self._dispatch(guild.id, Intent.GUILDS, name, data)

    def _dispatch(self, guild_id: int | None, intents: int, name: str, data: JSON) -> None:
        for session in self._sessions.values():
            if session.owns(guild_id) and (not intents or session.intents & intents):
                session.dispatch(name, data)

    def _dispatch_in(self, channel: Channel, intents: int, name: str, data: JSON) -> None:
        if can_see(self._world.bot, channel):
            self._dispatch(channel.guild.id if channel.guild else None, intents, name, data)

    def _channel(self, event: events.Event) -> None:
        match event:
            case events.ThreadCreated(thread):
                data = {**payloads.channel(thread), "newly_created": True}
                self._dispatch_in(thread, Intent.GUILDS, "THREAD_CREATE", data)
            case events.ChannelCreated(channel) if channel.type is ChannelType.GUILD_TEXT:
                data = payloads.channel(channel)
                self._dispatch_in(channel, Intent.GUILDS, "CHANNEL_CREATE", data)
            case events.ChannelUpdated(channel) if channel.guild is not None:
                name = "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE"
                self._dispatch_in(channel, Intent.GUILDS, name, payloads.channel(channel))
            case events.ChannelDeleted(channel) if channel.guild is not None:
                name = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
                self._dispatch(channel.guild.id, Intent.GUILDS, name, payloads.channel(channel))
            case _:
                pass

    def _typing(self, channel: Channel, user_id: int) -> None:
        intent = Intent.DIRECT_MESSAGE_TYPING if channel.is_dm else Intent.GUILD_MESSAGE_TYPING
        data = {
            "channel_id": str(channel.id),
            "user_id": str(user_id),
            "timestamp": int(self._world.clock.time()),
        }
        self._dispatch_in(channel, intent, "TYPING_START", data)

    def _message(
        self, event: events.MessageSent | events.MessageEdited | events.MessageDeleted
    ) -> None:
        message = event.message
        channel = message.channel
        intent = Intent.DIRECT_MESSAGES if channel.is_dm else Intent.GUILD_MESSAGES
        if message.ephemeral_for is not None or not any(
            session.intents & intent for session in self._sessions.values()
        ):
            return
        if isinstance(event, events.MessageDeleted):
            data: JSON = {"id": str(message.id), "channel_id": str(channel.id)}
            if channel.guild is not None:
                data["guild_id"] = str(channel.guild.id)
            self._dispatch_in(channel, intent, "MESSAGE_DELETE", data)
            return
        name = "MESSAGE_CREATE" if isinstance(event, events.MessageSent) else "MESSAGE_UPDATE"
        self._dispatch_in(channel, intent, name, self._as_bot_reads(message))

    def _as_bot_reads(self, message: Message) -> JSON:
        """Return a message, with its content hidden unless the bot may read it."""
        data = message_payloads.gateway_message(message)
        bot = self._world.bot
        if (
            self.content_granted
            or message.author is bot
            or bot in message.mentions
            or message.channel.is_dm
        ):
            return data
        return {**data, "content": "", "embeds": [], "attachments": [], "components": []}
