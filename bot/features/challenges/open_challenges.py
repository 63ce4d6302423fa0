"""The open challenges of a player, and those a player could accept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from bot.core.scheduling.wall_clock import WallClock
from bot.core.settings.service import SettingsStore
from bot.core.shards.ownership import Shards
from bot.play.clocks.match_clocks import FindDeparted
from data.challenges import challenges, open_challenges
from data.challenges.challenge import Challenge, NotOpen, State
from data.people import blocks
from data.store.store import Store, Transaction


@dataclass(eq=False, repr=False)
class OpenChallenges:
    """Finds open challenges; `Challenges` makes and answers them."""

    store: Store
    settings: SettingsStore
    find_departed: FindDeparted
    clock: WallClock

    async def made_by(self, user_id: int, *, game: str | None = None) -> tuple[Challenge, ...]:
        """Return a player's own open challenges, in one game or all."""
        async with self.store.read() as tx:
            return self._open(await open_challenges.made_by(tx, user_id), game)

    async def open_to(
        self,
        user_id: int,
        guild_id: int,
        readable: Callable[[Iterable[int]], Awaitable[Container[int]]],
        *,
        game: str | None = None,
    ) -> tuple[Challenge, ...]:
        """Return a server's challenges that a player could accept, ones naming them first.

        ``readable`` returns which of some channels this player can read; the first matter most.
        """
        async with self.store.read() as tx:
            listed = self._open(await challenges.open_in(tx, guild_id), game)
            blocked = {one for pair in await blocks.between(tx, user_id) for one in pair}
            makers = {one.challenger_id for one in listed}
            settings = await self.settings.players_in(tx, makers)
        fitting = [
            one
            for one in listed
            if _can_accept(one, user_id)
            and settings[one.challenger_id].challenges
            and blocked.isdisjoint(i.user_id for i in one.invited if i.user_id != user_id)
        ]
        fitting.sort(key=lambda one: one.of(user_id) is None)
        read = await readable(one.channel_id for one in fitting)
        fitting = [one for one in fitting if one.channel_id in read]
        departed = await self.find_departed(guild_id, {one.challenger_id for one in fitting})
        return tuple(one for one in fitting if one.challenger_id not in departed)

    def _open(self, listed: tuple[Challenge, ...], game: str | None) -> tuple[Challenge, ...]:
        now = self.clock()
        return tuple(one for one in listed if game in {None, one.game} and not one.expired(now))


def _can_accept(challenge: Challenge, user_id: int) -> bool:
    """Return whether a player who has not joined a challenge can do so."""
    if challenge.challenger_id <= 0:
        return False
    mine = challenge.of(user_id)
    return challenge.free > 0 if mine is None else mine.joined is None


@dataclass(eq=False, repr=False)
class Expiry:
    """A source of the scheduler: expired challenges."""

    store: Store
    shards: Shards

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when something is next due, ``None`` for never."""
        return await open_challenges.next_end(tx, scope=self.shards.scope)

    async def due(self, now: datetime, /) -> None:
        """Do everything that is due. Idempotent."""
        async with self.store.read() as tx:
            expired = await open_challenges.expired(tx, now, scope=self.shards.scope)
        if not expired:
            return
        async with self.store.write() as tx:
            for one in expired:
                with suppress(NotOpen):  # a press was faster
                    closed = await challenges.close(tx, one.id, State.EXPIRED, now)
                    await challenges.show(tx, closed, now)
