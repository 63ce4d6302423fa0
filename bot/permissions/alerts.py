"""Alerts server owners, and players, when the boards of a match cannot be posted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import discord
import structlog

from bot.i18n.slash import slash
from bot.interactions.layout import text_layout
from bot.interactions.views import NOBODY, View
from bot.matches.computers import is_person
from bot.permissions.channels import lacking
from bot.permissions.posts import LostChannelPost, PermissionPost
from data import key_values, posts
from data.errors import StoreError
from engine.phrase import say

if TYPE_CHECKING:
    from bot.delivery.pings import Pings
    from bot.i18n.locales import Locales
    from bot.matches.positions import MatchView
    from bot.scheduling.wall_clock import WallClock
    from data.match import Match
    from data.store import Store, Transaction
    from data.tournaments import Tournament
    from engine.phrase import Phrase, Tongue

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class PermissionAlerts:
    """Asks for direct messages: to an owner once a day per channel, to a player once."""

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
        """Alert the server's owner, or the players, unless they were alerted before.

        Raises:
            StoreError: unknown for now.

        """
        match = view.match
        if match.guild_id is None or self._client.get_guild(match.guild_id) is None:
            return  # the bot was removed; wait for its return
        if isinstance(error, discord.NotFound):
            await self._tell_players(match, match.guild_id)
        elif isinstance(error, discord.Forbidden):
            await self.ask_owner(match.guild_id, match.channel_id, match.parent_id)

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
                await self.ask_owner(guild.id, channel_id)
        except (discord.HTTPException, aiohttp.ClientError, OSError, StoreError) as second:
            log.info("could not send an alert", tournament=tournament.id, reason=str(second))

    async def ask_owner(self, guild_id: int, channel_id: int, parent_id: int | None = None) -> None:
        """Ask a server's owner for the missing permissions in a channel, once a day.

        Raises:
            StoreError: unknown for now.

        """
        if self._client.get_guild(guild_id) is None:
            return
        if not lacking(self._client, channel_id, parent_id):
            return  # refused for another reason, such as a timeout
        now = self._clock()
        async with self._store.write() as tx:
            if await _first(tx, f"asked:{channel_id}", now.date().isoformat()):
                await posts.want(
                    tx,
                    PermissionPost.kind,
                    channel_id,
                    at=now,
                    guild_id=guild_id,
                    payload={"parent": parent_id},
                )

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
        if user is None:
            return
        async with self._store.write() as tx:
            if not await _first(tx, key, "told"):
                return
        await self._write(user, words, await self._locales.of_player(user))

    async def _tell_players(self, match: Match, guild_id: int) -> None:
        async with self._store.write() as tx:
            if not await _first(tx, f"lost:{match.id}:{match.channel_id}", "told"):
                return
            for player in match.players:
                if is_person(player.user_id) and player.gave_up is None:
                    await posts.want(
                        tx,
                        LostChannelPost.kind,
                        match.id,
                        at=self._clock(),
                        guild_id=guild_id,
                        user_id=player.user_id,
                        payload={"channel": match.channel_id},
                    )

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


async def _first(tx: Transaction, key: str, value: str) -> bool:
    """Record an alert; return whether it is new."""
    if await key_values.get(tx, key) == value:
        return False
    await key_values.set(tx, key, value)
    return True
