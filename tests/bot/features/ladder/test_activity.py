"""What keeps a player from sliding down a ladder, and what a check costs the others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.core.settings.service import SettingsStore
from bot.features.ladder import rules
from bot.features.ladder.changes import CHALLENGE_POST
from bot.features.ladder.service import Ladders
from bot.features.ladder.steps import LadderSteps
from bot.play.clocks.service import Vacations
from data import posts
from data.ladders import ladder_challenges, ladders
from data.ladders.ladder_challenges import LadderChallenge
from data.sql.transaction import Transaction
from tests.bot.conftest import ANN, BEN, CAROL, GUILD, Club
from tests.bot.features.ladder.club import TERMS, LadderClub, nobody

DAN, EVE = 44, 55


@pytest.fixture
def ladder(club: Club) -> LadderClub:
    """A ladder's club on SQLite."""
    return LadderClub(club.store, club.hands)


async def play(club: LadderClub, challenger: int, challenged: int, *, moves: int = 2) -> None:
    """Play a ladder game that the challenger loses by resigning after some moves each."""
    made = await club.ladder_challenges.challenge(1, GUILD, challenger, challenged)
    begun = await club.ladder_challenges.accept(made.id, GUILD, challenged)
    assert begun.match_id is not None
    if moves:
        await club.play_a_while(await club.matches.view(begun.match_id), moves)
    await club.matches.resign(begun.match_id, challenger)
    async with club.store.read() as tx:
        (due,) = await ladder_challenges.due(tx, club.clock(), limit=9)
    await club.steps.take(due, club.clock())


async def days(club: LadderClub, number: int) -> None:
    """Let days pass, with the ladder's daily check."""
    for _ in range(number):
        club.wait(days=1)
        await club.steps.check(1, club.clock())


async def test_declining_a_friend_is_no_game(ladder: LadderClub) -> None:
    await ladder.opened(ANN, BEN, CAROL, DAN)
    await days(ladder, 20)
    made = await ladder.ladder_challenges.challenge(1, GUILD, BEN, ANN)
    await ladder.ladder_challenges.decline(made.id, GUILD, ANN)
    await play(ladder, DAN, CAROL)
    await days(ladder, 11)
    # Ben's challenge was answered at once, so he has waited for nothing.
    assert await ladder.places() == (CAROL, ANN, BEN, DAN)


async def test_games_of_the_same_two_count_once_in_twice_the_idle_time(ladder: LadderClub) -> None:
    await ladder.opened(ANN, BEN)

    async def counted() -> bool:
        view = await ladder.ladders.get(1, GUILD)
        return {one.active_at for one in view.rungs} == {ladder.clock()}

    await play(ladder, BEN, ANN)
    assert await counted()
    ladder.wait(days=30)
    await play(ladder, BEN, ANN)
    assert not await counted()
    ladder.wait(days=30, hours=1)
    await play(ladder, BEN, ANN)
    assert await counted()


async def test_a_game_against_another_player_counts_at_once(ladder: LadderClub) -> None:
    await ladder.opened(ANN, BEN, CAROL)
    await play(ladder, BEN, ANN)
    ladder.wait(days=1)
    await play(ladder, CAROL, ANN)
    view = await ladder.ladders.get(1, GUILD)
    assert [one.active_at == ladder.clock() for one in view.rungs] == [True, False, True]


async def test_a_game_hardly_begun_does_not_count(ladder: LadderClub) -> None:
    view = await ladder.opened(ANN, BEN)
    ladder.wait(days=1)
    await play(ladder, BEN, ANN, moves=0)
    assert [one.active_at for one in (await ladder.ladders.get(1, GUILD)).rungs] == [
        one.active_at for one in view.rungs
    ]


async def test_many_short_vacations_put_off_a_slide_by_their_days_alone(ladder: LadderClub) -> None:
    await ladder.opened(ANN, BEN, CAROL)
    away = Vacations(ladder.store, ladder.matches.deadlines, clock=ladder.clock)
    await days(ladder, 20)
    await play(ladder, CAROL, BEN)
    for _ in range(6):  # each would once have bought a week
        await away.start(ANN, 1)
        await days(ladder, 3)
        await away.finish(ladder.clock())
    assert await ladder.places() == (BEN, ANN, CAROL)


async def test_waiting_for_an_answer_is_not_being_idle(ladder: LadderClub) -> None:
    await ladder.opened(ANN, BEN, CAROL)
    await days(ladder, 29)
    await play(ladder, CAROL, ANN)
    await ladder.ladder_challenges.challenge(1, GUILD, BEN, ANN)
    await days(ladder, 3)
    assert await ladder.places() == (ANN, BEN, CAROL)


class Counting:
    """A store that counts the statements and changed rows of each writing transaction."""

    def __init__(self, club: LadderClub) -> None:
        """Start with none."""
        self._store = club.store
        self.statements: list[int] = []
        self.rows: list[int] = []
        self.stop_after: int | None = None

    def read(self) -> Any:
        """Read as usual."""
        return self._store.read()

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Any]:
        """Count what a transaction does; break off like a kill, if asked to."""
        async with self._store.write() as tx:
            self.statements.append(0)
            self.rows.append(0)
            yield _Counted(tx, self)
            if len(self.statements) == self.stop_after:
                raise KeyboardInterrupt


class _Counted:
    def __init__(self, tx: Transaction, counting: Counting) -> None:
        self._tx = tx
        self._counting = counting

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._tx, name)
        reads = {"row", "rows", "scalar", "scalars", "record", "records", "number", "count"}
        if name not in reads | {"run", "insert", "add", "put"}:
            return found

        async def counted(*arguments: Any) -> Any:
            self._counting.statements[-1] += 1
            done = await found(*arguments)
            if name not in reads:
                self._counting.rows[-1] += done if name == "run" else len(arguments) - 1
            return done

        return counted


async def full(club: LadderClub, *, idle_days: int) -> None:
    """Open a ladder of 200 players, all idle for some days but the last."""
    await club.opened()
    now = club.clock()
    async with club.store.write() as tx:
        for place in range(1, 201):
            at = now - timedelta(days=idle_days if place < 200 else 0)
            await ladders.enter(
                tx, 1, 1000 + place, place=place, at=at, slide_at=now + timedelta(hours=1)
            )
    club.wait(days=1)


@pytest.mark.parametrize("idle_days", [60, 181])
async def test_a_check_of_many_idle_players_is_made_of_short_transactions(
    ladder: LadderClub, idle_days: int
) -> None:
    await full(ladder, idle_days=idle_days)
    counting: Any = Counting(ladder)
    steps = LadderSteps(counting, nobody, lambda _: True)
    counting.stop_after = 4
    with pytest.raises(KeyboardInterrupt):
        await steps.check(1, ladder.clock())
    counting.stop_after = None
    # Another process goes on where the first was killed, and both end up sharing the rest.
    other = LadderSteps(counting, nobody, lambda _: True)
    await steps.check(1, ladder.clock())
    await other.check(1, ladder.clock())
    places = await ladder.places()
    idle = list(range(1001, 1200))
    assert list(places) == ([1200, *idle] if idle_days < rules.OFF_AFTER.days else [1200])
    events, _ = await ladder.ladders.history(1, GUILD, None, limit=500)
    assert len(events) == 199
    assert max(counting.statements) <= 100
    assert max(counting.rows) <= 100


async def test_moving_and_closing_a_ladder_full_of_challenges_takes_few_statements(
    ladder: LadderClub,
) -> None:
    await full(ladder, idle_days=1)
    now = ladder.clock()
    async with ladder.store.write() as tx:
        for user in range(1002, 1201):
            soon, late = (now + timedelta(days=number) for number in (2, 3))
            made = LadderChallenge(0, 1, user, user - 1, b"", user - 1001, now, now, late, soon)
            one = await ladder_challenges.add(tx, made)
            await posts.want(tx, CHALLENGE_POST, 1, part=one.id, at=now, guild_id=GUILD)
            post = await posts.find(tx, CHALLENGE_POST, 1, part=one.id)
            assert post is not None
            there: dict[str, Any] = {"channel_id": TERMS.channel_id, "message_id": user}
            await posts.record(tx, post, **there, try_at=None)
    counting: Any = Counting(ladder)
    settings = SettingsStore(ladder.store, clock=ladder.clock)
    service = Ladders(counting, settings, clock=ladder.clock)
    ladder.wait(days=1)
    await service.open(replace(TERMS, channel_id=TERMS.channel_id + 1))
    async with ladder.store.read() as tx:
        again = await posts.due(tx, ladder.clock(), limit=999)
    assert [one.kind for one in again].count(CHALLENGE_POST) == 199, "posted in the new channel"
    found = (await ladder.ladders.get(1, GUILD)).challenges
    assert {one.answer_by for one in found} == {ladder.clock() + timedelta(days=3)}
    await service.close(1, GUILD, by=CAROL)
    assert (await ladder.ladders.get(1, GUILD)).challenges == ()
    assert max(counting.statements) <= 40
