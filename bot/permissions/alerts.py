"""Alerts server owners, and players, when the boards of a match cannot be posted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import discord
import structlog

from bot.i18n.mentions import mention_all
from bot.i18n.slash import slash
from bot.interactions.layout import text_layout
from bot.interactions.views import NOBODY, View
from bot.matches.computers import is_person
from bot.permissions.channels import lacking, named
from data import key_values
from data.errors import StoreError
from engine.phrase import say
from engine.plain_text import one_line

if TYPE_CHECKING:
    from bot.delivery.pings import Pings
    from bot.i18n.locales import Locales
    from bot.matches.positions import MatchView
    from bot.scheduling.wall_clock import WallClock
    from data.store import Store
    from data.tournaments import Tournament
    from engine.phrase import Phrase, Tongue

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class PermissionAlerts:
    """Sends direct messages: to an owner once a day per channel, to a player once.

    They are sent at once, silently to those who want no pings now.
    """

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        *,
        locales: Locales,
        pings: Pings,
        clock: WallClock,
    ) -> None:
        """Send through a client, and record sent alerts in a store."""
        self._client = client
        self._store = store
        self._locales = locales
        self._pings = pings
        self._clock = clock

    async def send(self, view: MatchView, error: discord.HTTPException) -> None:
        """Alert the server's owner, or the players, unless they were alerted before."""
        guild = self._client.get_guild(view.match.guild_id or 0)
        if guild is None:
            return  # the bot was removed; wait for its return
        try:
            if isinstance(error, discord.NotFound):
                await self._notify_players(view)
            elif isinstance(error, discord.Forbidden):
                await self._notify_owner(view, guild)
        except (discord.HTTPException, aiohttp.ClientError, OSError, StoreError) as second:
            log.info("could not send an alert", match=view.match.id, reason=str(second))

    async def send_of_tournament(
        self, tournament: Tournament, channel_id: int, error: discord.HTTPException
    ) -> None:
        """Alert the server's owner that a tournament cannot be shown, once a day.

        If its channel was deleted, alert its organiser instead, once, or the server's owner if
        the organiser has deleted their data; not if it is over.
        """
        guild = self._client.get_guild(tournament.guild_id)
        if guild is None:
            return
        try:
            if isinstance(error, discord.NotFound):
                if tournament.state.open:
                    await self._notify_organiser(tournament, guild)
            elif isinstance(error, discord.Forbidden):
                await self._ask_owner(guild, channel_id, None)
        except (discord.HTTPException, aiohttp.ClientError, OSError, StoreError) as second:
            log.info("could not send an alert", tournament=tournament.id, reason=str(second))

    async def ask_owner(self, guild_id: int, channel_id: int) -> None:
        """Ask a server's owner for the missing permissions in a channel, once a day."""
        guild = self._client.get_guild(guild_id)
        if guild is None:
            return
        try:
            await self._ask_owner(guild, channel_id, None)
        except (discord.HTTPException, aiohttp.ClientError, OSError, StoreError) as error:
            log.info("could not send an alert", channel=channel_id, reason=str(error))

    async def _notify_organiser(self, tournament: Tournament, guild: discord.Guild) -> None:
        facts = {"tournament": tournament.name, "start": slash("tournament", "start")}
        words = (
            say(
                "The channel of **{tournament}** was deleted, so it stops repeating every month. "
                "Nothing is lost. To go on, type `{start}` in another channel of that server.",
                **facts,
            )
            if tournament.monthly
            else say(
                "The channel of **{tournament}** was deleted, so the tournament is adjourned. "
                "Nothing is lost. To go on, type `{start}` in another channel of that server.",
                **facts,
            )
        )
        key = f"lost:t{tournament.id}:{tournament.channel_id}"
        await self._send_once(tournament.created_by, guild, words, key)

    async def _send_once(
        self, organiser: int, guild: discord.Guild | None, words: Phrase, key: str
    ) -> None:
        owner = None if guild is None else guild.owner_id
        user = organiser if organiser > 0 else owner
        if user is not None and await self._first(key, "told"):
            await self._write(user, words, await self._locales.of_player(user))

    async def _notify_owner(self, view: MatchView, guild: discord.Guild) -> None:
        await self._ask_owner(guild, view.match.channel_id, view.match.parent_id)

    async def _ask_owner(self, guild: discord.Guild, channel: int, parent_id: int | None) -> None:
        names = lacking(self._client, channel, parent_id)
        if not names or guild.owner_id is None:
            return
        day = self._clock().date().isoformat()
        if not await self._first(f"asked:{channel}", day):
            return
        words = say(
            "I can't post boards in {channel} on **{server}**. I need {permissions}. "
            "Grant it in the channel's settings or to my role. Nothing is lost: the "
            "boards appear as soon as I may post them.",
            server=discord.utils.escape_markdown(one_line(guild.name)),
            channel=f"<#{channel}>",
            permissions=named(names),
        )
        await self._write(guild.owner_id, words, await self._locales.of_guild(guild.id))

    async def _notify_players(self, view: MatchView) -> None:
        match = view.match
        if not await self._first(f"lost:{match.id}:{match.channel_id}", "told"):
            return
        for player in match.players:
            if not is_person(player.user_id) or player.gave_up is not None:
                continue
            words = say(
                "The channel of your {game} game against {opponents} was deleted. Nothing "
                "is lost. To go on, type `/match move number:{number}` in another channel "
                "of that server.",
                number=match.id,
                game=view.game.title,
                opponents=mention_all(p.user_id for p in match.players if p is not player),
            )
            await self._write(player.user_id, words, await self._locales.of_player(player.user_id))

    async def _first(self, key: str, value: str) -> bool:
        """Record an alert; return whether it is new."""
        async with self._store.write() as tx:
            if await key_values.get(tx, key) == value:
                return False
            await key_values.set(tx, key, value)
        return True

    async def _write(self, user_id: int, words: Phrase, locale: Tongue) -> None:
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            pinged = await self._pings.of([user_id])
            await channel.send(
                view=View(text_layout(words), locale),
                silent=not pinged,
                allowed_mentions=NOBODY,
            )
        except discord.Forbidden as error:
            log.info("a user does not accept direct messages", user=user_id, code=error.code)
