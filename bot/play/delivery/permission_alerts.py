"""Alerts server owners, and players, when the boards of a match cannot be posted."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.core.computers import is_person
from bot.core.permissions.channels import lacking
from bot.core.scheduling.wall_clock import WallClock
from bot.play.delivery.permission_posts import LostChannelPost, PermissionPost
from bot.play.matches.positions import MatchView
from data.matches.match import Match
from data.posts import posts
from data.sql import key_values
from data.store.store import Store, Transaction


@dataclass(eq=False, repr=False)
class PermissionAlerts:
    """Asks for direct messages: to an owner once a day per channel, to a player once."""

    client: discord.Client
    store: Store
    clock: WallClock

    async def send(self, view: MatchView, error: discord.HTTPException) -> None:
        """Alert the server's owner, or the players, unless they were alerted before.

        Raises:
            StoreError: unknown for now.

        """
        match = view.match
        if match.guild_id is None or self.client.get_guild(match.guild_id) is None:
            return  # the bot was removed; wait for its return
        if isinstance(error, discord.NotFound):
            await self._tell_players(match, match.guild_id)
        elif isinstance(error, discord.Forbidden):
            await self.ask_owner(match.guild_id, match.channel_id, match.parent_id)

    async def ask_owner(self, guild_id: int, channel_id: int, parent_id: int | None = None) -> None:
        """Ask a server's owner for the missing permissions in a channel, once a day.

        Raises:
            StoreError: unknown for now.

        """
        if self.client.get_guild(guild_id) is None:
            return
        if not lacking(self.client, channel_id, parent_id):
            return  # refused for another reason, such as a timeout
        now = self.clock()
        async with self.store.write() as tx:
            if await _first(tx, f"asked:{channel_id}", now.date().isoformat()):
                await posts.want(
                    tx,
                    PermissionPost.kind,
                    channel_id,
                    at=now,
                    guild_id=guild_id,
                    payload={"parent": parent_id},
                )

    async def _tell_players(self, match: Match, guild_id: int) -> None:
        async with self.store.write() as tx:
            if not await _first(tx, f"lost:{match.id}:{match.channel_id}", "told"):
                return
            for player in match.players:
                if is_person(player.user_id) and player.gave_up is None:
                    await posts.want(
                        tx,
                        LostChannelPost.kind,
                        match.id,
                        at=self.clock(),
                        guild_id=guild_id,
                        user_id=player.user_id,
                        payload={"channel": match.channel_id},
                    )


async def _first(tx: Transaction, key: str, value: str) -> bool:
    """Record an alert; return whether it is new."""
    if await key_values.get(tx, key) == value:
        return False
    await key_values.set(tx, key, value)
    return True
