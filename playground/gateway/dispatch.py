"""What a bot is told of each event, and which of its sessions is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground import events, payloads
from playground.gateway.sessions import Intent
from playground.model import ChannelType
from playground.permissions import Permission, permissions_in

if TYPE_CHECKING:
    from playground.errors import JSON
    from playground.gateway.sessions import Session
    from playground.interactions import Interactions
    from playground.model import Channel, Guild, Message
    from playground.world import World


class Dispatcher:
    """Turns events into dispatches.

    Args:
        world: whose events they are.
        interactions: describes interactions.
        sessions: the sessions to tell, by id; the gateway's own, always current.
    """

    def __init__(
        self, world: World, interactions: Interactions, sessions: dict[str, Session]
    ) -> None:
        self._world = world
        self._interactions = interactions
        self._sessions = sessions
        self.content_granted = False

    def guild(self, guild: Guild) -> JSON:
        """Describe a server as far as the bot can see it."""
        bot = self._world.bot
        visible = [
            channel
            for channel in (*guild.channels.values(), *guild.threads.values())
            if permissions_in(bot, channel) & Permission.VIEW_CHANNEL
        ]
        return payloads.whole_guild(guild, bot.id, visible)

    def hear(self, event: events.Event) -> None:
        """Tell every session that an event concerns."""
        if not self._sessions:
            return
        match event:
            case events.InteractionCreated(interaction):
                guild = interaction.channel.guild
                data = self._interactions.described(interaction)
                self._tell(guild.id if guild else None, 0, "INTERACTION_CREATE", data)
            case events.MessageSent() | events.MessageEdited() | events.MessageDeleted():
                self._tell_message(event)
            case events.GuildJoined(guild):
                data = self.guild(guild)
                del data["unavailable"]  # so that the bot reads it as new, not as back again
                self._tell(guild.id, Intent.GUILDS, "GUILD_CREATE", data)
            case events.MemberJoined(guild, member):
                data = {**payloads.member(member), "guild_id": str(guild.id)}
                self._tell(guild.id, Intent.GUILD_MEMBERS, "GUILD_MEMBER_ADD", data)
            case events.MemberLeft(guild, user):
                data = {"guild_id": str(guild.id), "user": payloads.user(user)}
                self._tell(guild.id, Intent.GUILD_MEMBERS, "GUILD_MEMBER_REMOVE", data)
            case events.GuildLeft(guild):
                self._tell(guild.id, Intent.GUILDS, "GUILD_DELETE", {"id": str(guild.id)})
            case events.Typing(channel, user) if user is not self._world.bot:
                self._tell_typing(channel, user.id)
            case events.ChannelDeleted(channel) if channel.guild is not None:
                name = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
                self._tell(channel.guild.id, Intent.GUILDS, name, payloads.channel(channel))
            case _:
                self._tell_channel(event)

    def _tell(self, guild_id: int | None, intents: int, name: str, data: JSON) -> None:
        for session in self._sessions.values():
            if session.concerns(guild_id) and (not intents or session.intents & intents):
                session.dispatch(name, data)

    def _tell_in(self, channel: Channel, intents: int, name: str, data: JSON) -> None:
        if self._world.can_see(self._world.bot, channel):
            self._tell(channel.guild.id if channel.guild else None, intents, name, data)

    def _tell_channel(self, event: events.Event) -> None:
        match event:
            case events.ThreadCreated(thread):
                data = {**payloads.channel(thread), "newly_created": True}
                self._tell_in(thread, Intent.GUILDS, "THREAD_CREATE", data)
            case events.ChannelCreated(channel) if channel.kind is ChannelType.TEXT:
                self._tell_in(channel, Intent.GUILDS, "CHANNEL_CREATE", payloads.channel(channel))
            case events.ChannelUpdated(channel) if channel.guild is not None:
                name = "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE"
                self._tell_in(channel, Intent.GUILDS, name, payloads.channel(channel))
            case _:
                pass

    def _tell_typing(self, channel: Channel, user_id: int) -> None:
        direct = channel.direct
        intent = Intent.DIRECT_MESSAGE_TYPING if direct else Intent.GUILD_MESSAGE_TYPING
        data = {
            "channel_id": str(channel.id),
            "user_id": str(user_id),
            "timestamp": int(self._world.clock.time()),
        }
        self._tell_in(channel, intent, "TYPING_START", data)

    def _tell_message(
        self, event: events.MessageSent | events.MessageEdited | events.MessageDeleted
    ) -> None:
        message = event.message
        channel = message.channel
        intent = Intent.DIRECT_MESSAGES if channel.direct else Intent.GUILD_MESSAGES
        if message.ephemeral_for is not None or not any(
            session.intents & intent for session in self._sessions.values()
        ):
            return
        if isinstance(event, events.MessageDeleted):
            data: JSON = {"id": str(message.id), "channel_id": str(channel.id)}
            if channel.guild is not None:
                data["guild_id"] = str(channel.guild.id)
            self._tell_in(channel, intent, "MESSAGE_DELETE", data)
            return
        sent = isinstance(event, events.MessageSent)
        self._tell_in(
            channel,
            intent,
            "MESSAGE_CREATE" if sent else "MESSAGE_UPDATE",
            self._as_bot_reads(message),
        )

    def _as_bot_reads(self, message: Message) -> JSON:
        """Describe a message; without the privileged intent most words are hidden."""
        data = payloads.message_event(message)
        bot = self._world.bot
        if (
            self.content_granted
            or message.author is bot
            or bot in message.mentions
            or message.channel.direct
        ):
            return data
        return {**data, "content": "", "embeds": [], "attachments": [], "components": []}
