"""Who the people on the page are in Discord: what they may see, and their presses as Discord would pass them on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

import aiohttp
import discord
import structlog
from cachetools import TTLCache
from svcs import Container

from bot.core.interactions.dispatch import Dispatcher
from bot.core.permissions.visibility import may_see_now
from bot.core.requests.sending import OneTry
from bot.core.scheduling.scheduler import WallClock
from bot.features.web.page_views import Answer, PageReply
from data.matches.match import Match
from data.people.web_sessions import WebSession

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_KNOWN: Final = 30.0
"""Seconds for which Discord's answers hold: so long the page stays open to someone who was shut out."""
_MAX_KNOWN: Final = 5_000
_MAX_FILE: Final = 10 * 1024 * 1024
_PRESS, _FORM = 3, 5
JSON: TypeAlias = dict[str, Any]


@dataclass(eq=False, repr=False)
class PagePeople:
    """Knows the people on the page, and passes what they do to the same controls as in Discord."""

    client: discord.Client
    dispatcher: Dispatcher
    services: Container
    clock: WallClock
    _members: TTLCache[tuple[int, int], dict[str, Any]] = field(
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
        key = (match.channel_id, user_id)
        known = self._sees.get(key)
        if known is None:
            try:
                async with OneTry(limited=False):
                    known = self._sees[key] = await may_see_now(self.client, match, user_id)
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                log.info("could not find out who may see a match", reason=repr(error))
                return False
        return known

    async def reply(
        self, session: WebSession, *, guild_id: int | None, channel_id: int, data: dict[str, Any]
    ) -> PageReply:
        """Return the reply to a press by the person of a session.

        Raises discord.HTTPException, aiohttp.ClientError, OSError if Discord does not say who they are.
        """
        return PageReply(
            await self._interaction(session, guild_id, channel_id, data), self.services, channel_id
        )

    async def press(
        self, session: WebSession, *, guild_id: int | None, channel_id: int, data: dict[str, Any]
    ) -> list[Answer]:
        """Press a button, choose from a menu or submit a form; return what the page shows."""
        reply = await self.reply(session, guild_id=guild_id, channel_id=channel_id, data=data)
        await self.dispatcher.dispatch(reply.interaction, reply)
        return reply.answers

    async def _interaction(
        self, session: WebSession, guild_id: int | None, channel_id: int, data: dict[str, Any]
    ) -> discord.Interaction[Any]:
        now = discord.utils.time_snowflake(self.clock())
        guild = None if guild_id is None else self.client.get_guild(guild_id)
        payload: dict[str, Any] = {
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
        who = await self._who(guild, session.user_id)
        if guild is not None and "user" in who:
            channel = guild.get_channel_or_thread(channel_id)
            member = discord.Member(data=cast(Any, who), guild=guild, state=guild._state)  # noqa: SLF001
            allowed = discord.Permissions.none()
            own = discord.Permissions.none()
            if channel is not None:
                allowed, own = channel.permissions_for(member), channel.permissions_for(guild.me)
                payload["channel"] = {"id": channel_id, "type": channel.type.value}
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

    async def _who(self, guild: discord.Guild | None, user_id: int) -> dict[str, Any]:
        """Return a person as Discord describes them: as a member of a server if they are one."""
        key = (0 if guild is None else guild.id, user_id)
        known = self._members.get(key)
        if known is None:
            known = self._members[key] = await self._asked(guild, user_id)
        return known

    async def _asked(self, guild: discord.Guild | None, user_id: int) -> dict[str, Any]:
        http = self.client.http
        async with OneTry(limited=False):
            if guild is not None:
                try:
                    return cast(JSON, await http.get_member(guild.id, user_id))
                except discord.NotFound:
                    pass  # they have left it
            return cast(JSON, await http.get_user(user_id))
