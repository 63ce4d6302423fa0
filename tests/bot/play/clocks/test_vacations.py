"""Clocks stop while a player is away, and only those that were running then."""

from __future__ import annotations

from datetime import timedelta

from bot.play.clocks.service import Vacations
from bot.play.matches.positions import Position
from data.matches import clocks
from data.matches.match import MatchClock
from data.time_per_move import columns
from tests.bot.conftest import BEN, Club

HOUR = timedelta(hours=1)


async def begun(club: Club) -> tuple[Position, int]:
    """Begin a match with three days per move; return it and the player to move."""
    position = await club.begin_match(BEN, days=3)
    assert position.to_move is not None
    return position, position.to_move.user_id


async def clock(club: Club, position: Position) -> MatchClock:
    """Return the clock of a match."""
    found = await club.read(clocks.of, position.match.id)
    assert found is not None
    return found


async def test_a_vacation_right_after_another_keeps_the_clock_stopped(club: Club) -> None:
    """The first one is over, but its end has not been processed yet."""
    position, mover = await begun(club)
    away = Vacations(club.store, club.matches.deadlines, clock=club.clock)
    await away.start(mover, 14)
    club.wait(days=14)
    second = await away.start(mover, 5)
    assert (await clock(club, position)).next_at == second.ends_at
    await away.finish(club.clock())
    found = await clock(club, position)
    assert (found.is_paused, found.left) == (True, 3 * 86400)
    assert found.next_at == second.ends_at
    club.wait(days=5)
    await away.finish(club.clock())
    assert (await clock(club, position)).due_at == club.clock() + timedelta(days=3)


async def test_a_vacation_stops_an_hour_and_leaves_a_day_after_it(club: Club) -> None:
    """Nobody has to be there the moment it ends. Who ends it is there, and has the whole hour."""
    position = await club.begin_match(BEN, **columns(HOUR))
    assert position.to_move is not None
    mover = position.to_move.user_id
    away = Vacations(club.store, club.matches.deadlines, clock=club.clock)
    club.wait(minutes=50)
    await away.start(mover, 2)
    club.wait(days=1)
    assert (await clock(club, position)).left == 600
    await away.end(mover)
    found = await clock(club, position)
    assert found.due_at == club.clock() + HOUR
    assert found.remind_at == club.clock() + HOUR / 2
    await away.start(mover, 2)
    club.wait(days=2)
    await away.finish(club.clock())
    assert (await clock(club, position)).due_at == club.clock() + 24 * HOUR


async def test_a_vacation_cannot_save_a_deadline_that_has_already_passed(
    club: Club,
) -> None:
    position, mover = await begun(club)
    away = Vacations(club.store, club.matches.deadlines, clock=club.clock)
    club.wait(days=3)
    before = await clock(club, position)
    assert (before.due_at, before.lapsed_at) == (club.clock(), None)
    await away.start(mover, 5)
    assert await clock(club, position) == before
