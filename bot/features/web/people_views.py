"""Who the people on the page are in Discord: what they may see, and their presses as Discord would pass them on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, cast

import aiohttp
import discord
import structlog
from cachetools import TTLCache
from svcs import Container

from bot.core.errors import NotAllowed, Refusal
from bot.core.interactions.dispatch import Dispatcher
from bot.core.interactions.reply import USER_INSTALL
from bot.core.permissions.play import ONLY_ANSWERS, OUT_OF_SIGHT
from bot.core.permissions.servers import Servers
from bot.core.permissions.visibility import may_see_now
from bot.core.requests.sending import OneTry
from bot.core.scheduling.scheduler import WallClock
from bot.features.web.match_views import JSON
from bot.features.web.page_views import Answer, PageReply
from data.matches.match import Match
from data.people.web_sessions import WebSession
from engine.phrase import say

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_KNOWN: Final = 30.0
"""Seconds for which Discord's answers hold: so long the page stays open to someone who was shut out."""
_MAX_KNOWN: Final = 5_000
_MAX_FILE: Final = 10 * 1024 * 1024
_PRESS, _FORM = 3, 5
_TIMED_OUT: Final = say(
    "You're in a timeout on this server. You can play your moves here. Everything else waits until it ends."
)
_SILENT: Final = say("Discord isn't answering. Nothing has changed. Try again in a moment.")


def _channel_names(guild: discord.Guild | None, match: Match) -> dict[str, str]:
    """Return the names of a match's channel, and of the one that its thread is in."""
    if guild is None:
        return {}
    place = guild.get_channel_or_thread(match.channel_id)
    above = place.parent_id if isinstance(place, discord.Thread) else match.parent_id
    found = (place, guild.get_channel(above or 0))
    return {str(one.id): one.name for one in found if one is not None}


@dataclass(eq=False, repr=False)
class PagePeople:
    """Knows the people on the page, and passes what they do to the same controls as in Discord."""

    client: discord.Client
    servers: Servers
    dispatcher: Dispatcher
    services: Container
    clock: WallClock
    _members: TTLCache[tuple[int, int], JSON] = field(
        default_factory=lambda: TTLCache(_MAX_KNOWN, _KNOWN), init=False
    )
    _sees: TTLCache[tuple[int, int], bool] = field(
        default_factory=lambda: TTLCache(_MAX_KNOWN, _KNOWN), init=False
    )

    async def may_see(self, match: Match, user_id: int) -> bool:
        """Return whether a person may see a match: its players, and who may read its channel.

        While Discord does not answer, only its players may.
        """
        if any(player.user_id == user_id for player in match.players):
            return True
        return await self._may_read(match, user_id)

    async def _may_read(self, match: Match, user_id: int) -> bool:
        """Return whether a person may read a match's channel; they may not while Discord does not answer."""
        key = (match.channel_id, user_id)
        known = self._sees.get(key)
        if known is None:
            try:
                await self.servers.get(match.guild_id)
                async with OneTry(limited=False):
                    known = self._sees[key] = await may_see_now(self.client, match, user_id)
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                log.info("could not find out who may see a match", reason=repr(error))
                return False
        return known

    async def press(
        self, session: WebSession, match: Match, data: JSON
    ) -> tuple[list[Answer], dict[str, str]]:
        """Press a button, choose from a menu or submit a form, and return what the page shows.

        The names of channels that it may mention come with it: the match's, if they can see them.
        It is as if they did so in the match's channel, while they can see that. Raises Refusal if
        Discord does not say who they are, and NotAllowed in a timeout.
        """
        try:
            guild = await self.servers.get(match.guild_id)
            who = await self._who(guild, session.user_id)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("could not find out who is on the page", reason=repr(error))
            raise Refusal(_SILENT) from error
        until = discord.utils.parse_time(
            cast("str | None", who.get("communication_disabled_until"))
        )
        if until is not None and until > self.clock():  # Discord would not pass it on either
            raise NotAllowed(_TIMED_OUT)
        interaction = self._interaction(session, guild, match, who, data)
        sees = await self._is_there(match, guild, interaction)
        lent = match.channel_kind == USER_INSTALL
        place = match.channel_id if sees and not lent else None
        why = ONLY_ANSWERS if lent else OUT_OF_SIGHT
        reply = PageReply(interaction, self.services, place, why)
        await self.dispatcher.dispatch(interaction, reply)
        return reply.answers, _channel_names(guild, match) if sees else {}

    async def _is_there(
        self, match: Match, guild: discord.Guild | None, interaction: discord.Interaction[Any]
    ) -> bool:
        """Return whether who presses is where a match is played.

        Who plays in direct messages is there; a server's channel may have been closed to them.
        """
        if guild is None or not interaction.permissions.view_channel:
            return match.guild_id is None
        channel = guild.get_channel_or_thread(match.channel_id)
        known = channel is not None and not (
            isinstance(channel, discord.Thread) and channel.is_private()
        )
        return known or await self._may_read(match, interaction.user.id)

    def _interaction(
        self,
        session: WebSession,
        guild: discord.Guild | None,
        match: Match,
        who: JSON,
        data: JSON,
    ) -> discord.Interaction[Any]:
        now = discord.utils.time_snowflake(self.clock())
        payload: JSON = {
            "id": now,
            "type": _FORM if "components" in data else _PRESS,
            "application_id": self.client.application_id or 0,
            "token": "",
            "version": 1,
            "data": data,
            "locale": session.locale,
            "attachment_size_limit": _MAX_FILE,
            "entitlements": [],
        }
        if guild is not None and "user" in who:
            # Of archived threads only the channel above is known; its permissions are theirs.
            channel = guild.get_channel_or_thread(match.channel_id) or guild.get_channel(
                match.parent_id or 0
            )
            member = discord.Member(data=cast(Any, who), guild=guild, state=guild._state)  # noqa: SLF001
            allowed = discord.Permissions.none()
            own = discord.Permissions.none()
            if channel is not None:
                allowed, own = channel.permissions_for(member), channel.permissions_for(guild.me)
                payload["channel"] = {"id": channel.id, "type": channel.type.value}
            payload |= {
                "guild_id": guild.id,
                "guild_locale": str(guild.preferred_locale),
                "member": {**who, "permissions": str(allowed.value)},
                "app_permissions": str(own.value),
                "authorizing_integration_owners": {"0": str(guild.id)},
                "context": 0,
            }
        else:
            payload |= {
                "user": who.get("user", who),
                "authorizing_integration_owners": {"0": "0"},
                "context": 1,
            }
        state = self.client._connection  # noqa: SLF001 -- as discord.py makes them
        return discord.Interaction(data=cast(Any, payload), state=state)

    async def _who(self, guild: discord.Guild | None, user_id: int) -> JSON:
        """Return a person as Discord describes them: as a member of a server if they are one."""
        key = (0 if guild is None else guild.id, user_id)
        known = self._members.get(key)
        if known is None:
            known = self._members[key] = await self._asked(guild, user_id)
        return known

    async def _asked(self, guild: discord.Guild | None, user_id: int) -> JSON:
        http = self.client.http
        async with OneTry(limited=False):
            if guild is not None:
                try:
                    return cast(JSON, await http.get_member(guild.id, user_id))
                except discord.NotFound:
                    pass  # they have left it
            return cast(JSON, await http.get_user(user_id))
