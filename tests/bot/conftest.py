"""A real SQLite file, a clock that only moves when told to, and known seeds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Concatenate, ParamSpec, TypeVar

import pytest

from bot.app.thinking import Thinking
from bot.core.settings.service import SettingsStore
from bot.core.workers.pool import WorkerPool
from bot.core.workers.task_queue import TaskQueue
from bot.features.challenges.service import Challenges
from bot.play.matches import scoring
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.erasure import Erasure
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from data.challenges.challenges import Challenge, Invitation
from data.sql.transaction import Transaction
from data.store.store import Store
from playground.clock import ManualClock
from tests.clocks import HandClock
from tests.moves import play, play_on

P = ParamSpec("P")
T = TypeVar("T")

ANN, BEN, CAROL = 11, 22, 33
GUILD, CHANNEL = 1, 2
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC).timestamp()


@dataclass
class Club:
    """The use cases over one store, as the Discord side sees them."""

    store: Store
    hands: ManualClock = field(default_factory=lambda: ManualClock(NEW_YEAR))
    seeds: int = 0
    gone: set[int] = field(default_factory=set)
    """Users who have left the server."""
    matches: Matches = field(init=False)
    challenges: Challenges = field(init=False)

    def __post_init__(self) -> None:
        self.forget()

    @property
    def clock(self) -> HandClock:
        """The club's clock."""
        return HandClock(self.hands)

    @property
    def privacy(self) -> Erasure:
        """Exports and deletes data; no boards are shown that it would have to hold back."""
        settings = SettingsStore(self.store, clock=self.clock)
        return Erasure(
            self.store, self.matches, settings, clock=self.clock, hold=lambda _: nullcontext()
        )

    def wait(self, **time: float) -> None:
        """Advance the clock."""
        self.hands.advance(timedelta(**time).total_seconds())

    async def read(
        self,
        query: Callable[Concatenate[Transaction, P], Awaitable[T]],
        *args: P.args,
        **how: P.kwargs,
    ) -> T:
        """Return what a query finds in a transaction of its own."""
        async with self.store.read() as tx:
            return await query(tx, *args, **how)

    def seed(self, length: int) -> bytes:
        """Return a predictable seed."""
        self.seeds += 1
        return bytes([self.seeds] * length)

    async def _left(
        self, guild_id: int | None, users: Iterable[int], /, *, afresh: bool = False
    ) -> frozenset[int]:
        del afresh
        return frozenset(self.gone & set(users)) if guild_id == GUILD else frozenset()

    def forget(self) -> None:
        """Drop everything held in memory, like a restart."""
        self.matches = Matches(
            self.store, Deadlines(SettingsStore(self.store, clock=self.clock)), clock=self.clock
        )
        self.challenges = Challenges(
            self.store, self.matches.deadlines, self._left, clock=self.clock, seeds=self.seed
        )

    def invitation(self, *opponents: int, seat: int | None = None, **options: str) -> Invitation:
        """Return Ann's challenge."""
        return Invitation(
            game="tablan",
            options=options,
            guild_id=GUILD,
            channel_id=CHANNEL,
            challenger_id=ANN,
            opponents=opponents,
            seat=seat,
            word="ann's word",
        )

    async def accept(
        self, challenge_id: int, user_id: int, word: str = ""
    ) -> tuple[Challenge, Position | None]:
        """Accept a challenge; return it with its match, if that has begun."""
        challenge = await self.challenges.accept(challenge_id, user_id, word)
        match_id = challenge.match_id
        return challenge, None if match_id is None else await self.matches.position(match_id)

    async def start(self, *, seat: int | None = None, **options: str) -> Position:
        """Return a new match between Ann and Ben."""
        offered = await self.challenges.offer(self.invitation(BEN, seat=seat, **options))
        _, position = await self.accept(offered.id, BEN, "ben's word")
        assert position is not None
        return position

    async def begin_match(self, *opponents: int, **terms: Any) -> Position:
        """Return a new match of Ann and others on terms other than the usual."""
        offered = await self.challenges.offer(replace(self.invitation(*opponents), **terms))
        position = None
        for opponent in opponents:
            _, position = await self.accept(offered.id, opponent)
        assert position is not None
        return position

    async def play_a_while(self, position: Position, moves: int = 2) -> Position:
        """Play this many first legal moves, so that the match counts."""
        made = dict.fromkeys((player.seat for player in position.match.players), 0)
        while position.to_move is not None and (
            min(made.values()) < moves or await self.hardly_begun(position)
        ):
            made[position.to_move.seat] += 1
            text = position.game.write(position.game.legal_moves(position.state)[0])
            position = await play_on(self.matches, position, text)
        return position

    async def play_once(self, position: Position) -> Position:
        """Play the first legal move for the player to move."""
        assert position.to_move is not None
        text = position.game.write(position.game.legal_moves(position.state)[0])
        return await play(self.matches, position.match.id, position.to_move.user_id, text)

    async def hardly_begun(self, position: Position) -> bool:
        """Return whether any player has yet to have two turns, so that giving up costs nothing."""
        return await self.read(scoring.hardly_begun, position.match)


@asynccontextmanager
async def thinking(club: Club, **pools: WorkerPool) -> AsyncIterator[TaskQueue]:
    """Run a club's tasks in these pools, and yield the queue for requests."""
    thinks = Thinking(club.store, club.matches, clock=club.clock, pools=pools)
    await thinks.start(analyse_after=None)
    try:
        yield TaskQueue(club.store, clock=club.clock)
    finally:
        await thinks.close()


@pytest.fixture
async def club(sqlite_url: str) -> AsyncIterator[Club]:
    """Open a fresh store and close it afterwards."""
    store = await Store.open(sqlite_url)
    yield Club(store)
    await store.close()


@asynccontextmanager
async def opened_twice(address: str) -> AsyncIterator[tuple[Store, Store]]:
    """Open one database twice, as two processes do."""
    one, other = await Store.open(address), await Store.open(address)
    yield one, other
    await one.close()
    await other.close()


@pytest.fixture
async def clubs(url: str) -> AsyncIterator[tuple[Club, Club]]:
    """Two processes on one database."""
    async with opened_twice(url) as (one, other):
        yield Club(one), Club(other)
