"""Sends followers a message when a match ends."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import aiohttp
import discord
import structlog

from bot.delivery import marks
from bot.delivery.requests import in_time, refused
from bot.errors import NoSuchMatch
from bot.interactions.layout import text_layout
from bot.interactions.views import NOBODY, View
from bot.permissions.visibility import may_see_now
from bot.watching import text as words
from bot.watching.buttons import stop_button

if TYPE_CHECKING:
    from bot.delivery.transport import ChannelTransport
    from bot.i18n.locales import Locales
    from bot.scheduling.wall_clock import WallClock
    from bot.settings.service import SettingsStore
    from bot.watching.service import Ended, Watching
    from data.watching import Report

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_STALE: Final = timedelta(days=2)
"""Matches that ended longer ago than this aren't reported."""


class EndMessages:
    """The messages to followers of matches."""

    def __init__(
        self,
        client: discord.Client,
        watching: Watching,
        transport: ChannelTransport,
        *,
        settings: SettingsStore,
        locales: Locales,
        clock: WallClock,
    ) -> None:
        """Send through a client."""
        self._client = client
        self._watching = watching
        self._transport = transport
        self._settings = settings
        self._locales = locales
        self._clock = clock

    async def send(self, report: Report) -> bool:
        """Notify a follower that a match has ended, if permitted; return whether that is done."""
        try:
            found = await self._watching.ended(report)
        except NoSuchMatch:
            return True
        if found is None or self._stale(found):
            return True
        guild = self._client.get_guild(report.guild_id)
        if guild is None:
            return True  # the bot was removed
        try:
            async with in_time():
                if await may_see_now(self._client, found.view.match, report.user_id):
                    await self._write(report, found, guild.name)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("could not report the end of a match", report=report.id, reason=repr(error))
            return refused(error)  # such as closed direct messages
        return True

    async def _write(self, report: Report, ended: Ended, server: str) -> None:
        channel = await self._client.create_dm(discord.Object(report.user_id))
        mark = marks.WATCHING[report.id]
        if await self._transport.find(channel.id, [mark]):
            return
        stops = []
        if report.player_id is not None:
            stops.append(stop_button("player", report.guild_id, report.player_id))
        sentence = words.ended(ended, discord.utils.escape_markdown(server))
        locale = await self._locales.of_player(report.user_id)
        await channel.send(
            view=View(text_layout(sentence, *stops).marked(mark), locale),
            nonce=f"ended{report.id}",
            silent=not (await self._settings.player(report.user_id)).pings,
            allowed_mentions=NOBODY,
        )

    def _stale(self, found: Ended) -> bool:
        ended = found.view.match.finished_at
        return ended is not None and self._clock() - ended > _STALE
