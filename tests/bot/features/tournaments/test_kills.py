"""A tournament survives being killed at any point, and two processes never repeat a step."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from bot.core.scheduling.scheduler import Scheduler
from bot.features.tournaments import transitions
from bot.features.tournaments.steps import Progress, Steps
from bot.play.matches.erasure import Erasure
from data.matches.match import matches
from data.tournaments import tournaments
from data.tournaments.tournaments import State
from data.tournaments.values import Format, Plan
from tests.bot.conftest import GUILD
from tests.bot.features.tournaments.club import Cups

FOUR = (11, 22, 33, 44)


class Killed(BaseException):
    """The process is dead."""


async def count_matches(club: Cups) -> int:
    """Count the matches."""
    async with club.store.read() as tx:
        return await tx.number(select(func.count()).select_from(matches))


async def test_a_tournament_ends_the_same_if_killed_before_each_commit(
    club: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, left = tournaments.change, iter(range(10**6))

    async def killed_every_other_time(*given: Any, **named: Any) -> Any:
        changed = await change(*given, **named)
        if next(left) % 2 == 0:
            raise Killed
        return changed

    number = await club.open(*FOUR, plan=Plan(Format.SWISS, rounds=2))
    await club.tournaments.start(number, GUILD)
    monkeypatch.setattr(tournaments, "change", killed_every_other_time)

    async def go_on() -> None:
        for _ in range(100):
            club.forget()
            try:
                await club.run()
            except Killed:
                continue
            return

    await go_on()
    kills = next(left)
    while (await club.view(number)).tournament.state is State.RUNNING:
        for game in await club.open_games(number):
            await club.win(game, min(game.seats))
        await go_on()
    assert next(left) > kills > 2
    view = await club.view(number)
    assert len(view.pairings) == 4
    assert await count_matches(club) == 4
    asked = Counter(await club.asked_for(number))
    assert asked[transitions.PODIUM] == asked[transitions.WINNER] == 1


async def test_a_new_process_can_continue_after_any_single_step(club: Cups) -> None:
    number = await club.open(*FOUR, plan=Plan(Format.SWISS, rounds=2))
    await club.tournaments.start(number, GUILD)
    steps = 0
    while (await club.view(number)).tournament.state is State.RUNNING:
        club.forget()
        if await club.steps.take(number):
            steps += 1
            continue
        for game in await club.open_games(number):
            await club.win(game, min(game.seats))
    assert steps > 8
    assert await count_matches(club) == 4


async def test_two_simultaneous_processes_pair_and_begin_each_game_once(
    two: tuple[Cups, Cups],
) -> None:
    one, other = two
    number = await one.open(*range(1, 13), plan=Plan(Format.SWISS, rounds=2))
    started = await asyncio.gather(
        *(club.tournaments.start(number, GUILD) for club in two), return_exceptions=True
    )
    assert sorted(isinstance(found, Exception) for found in started) == [False, True]
    await asyncio.gather(one.run(), other.run())
    assert await count_matches(one) == 6
    games = await one.open_games(number)
    for game in games:
        await one.win(game, min(game.seats))
    await asyncio.gather(one.run(), other.run(), one.run(), other.run())
    view = await one.view(number)
    assert view.tournament.round == 2
    assert [len(view.of_round(played)) for played in (1, 2)] == [6, 6]
    assert await count_matches(one) == 12


async def test_simultaneous_sign_ups_cannot_exceed_the_number_of_places(
    two: tuple[Cups, Cups],
) -> None:
    number = await two[0].open(max_players=5)
    joined = await asyncio.gather(
        *(two[user % 2].entrants.join(number, GUILD, user, ()) for user in range(1, 13)),
        return_exceptions=True,
    )
    assert sum(not isinstance(found, Exception) for found in joined) == 5
    assert len((await two[1].view(number)).present) == 5


async def test_a_simultaneous_deletion_and_round_do_not_deadlock(two: tuple[Cups, Cups]) -> None:
    one, other = two
    number = await one.begin(*range(1, 9), plan=Plan(Format.SWISS, rounds=4), round_days=7)
    privacy = Erasure(
        other.store,
        other.matches,
        other.settings,
        clock=other.clock,
        hold=lambda _: nullcontext(),  # no boards are shown here
    )
    for user in (2, 5):
        for club in two:
            club.wait(days=7)
        await asyncio.gather(one.run(), privacy.erase(user), other.run())
    view = await one.view(number)
    assert {2, 5}.isdisjoint(entrant.user_id for entrant in view.everyone)
    assert sum(entrant.user_id < 0 for entrant in view.everyone) == 2
    assert all(entrant.left_after is not None for entrant in view.everyone if entrant.user_id < 0)


@dataclass(eq=False, repr=False)
class Interrupted(Steps):
    """Steps during which something happens, once they were looked for."""

    meanwhile: list[Callable[[], Awaitable[object]]] = field(default_factory=list)

    async def take_due(self) -> None:
        """Take all due steps, and let it happen."""
        await super().take_due()
        if self.meanwhile:
            await self.meanwhile.pop()()


async def test_a_start_that_comes_while_a_look_for_steps_ends_is_not_missed(club: Cups) -> None:
    number = await club.open(*FOUR, starts_at=club.clock() + timedelta(hours=1))
    given = (club.store, club.matches, club._left, club.pool)
    steps = Interrupted(*given, clock=club.clock)
    progress, scheduler = Progress(club.store, steps, club.clock), Scheduler(club.store, club.clock)
    scheduler.register(progress)
    scheduler.start()
    await scheduler.idle()

    async def an_hour_passes() -> None:
        club.wait(hours=1)
        await scheduler.idle()

    steps.meanwhile.append(an_hour_passes)
    progress.work.wake()
    await progress.work.idle()
    await scheduler.idle()
    assert (await club.view(number)).tournament.state is State.RUNNING
    await scheduler.close()
