"""Organisers and players who press everything at once, in two processes, on PostgreSQL."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import pytest

from bot.core.errors import Refusal
from data.tournaments.tournaments import State
from data.tournaments.values import Format, Plan
from tests.bot.conftest import GUILD
from tests.bot.features.tournaments.club import MANAGER, Cups

PLAYERS = range(1, 9)


@pytest.mark.parametrize("format_", [Format.SWISS, Format.KNOCKOUT, Format.ROUND_ROBIN])
async def test_whatever_organisers_and_players_do_at_once_each_thing_happens_once(
    two: tuple[Cups, Cups], format_: Format
) -> None:
    dice = random.Random(format_.value)
    plan = Plan(format_, rounds=3 if format_ is Format.SWISS else None)
    number = await two[0].begin(*PLAYERS, plan=plan, round_days=2)

    def acts(club: Cups) -> list[Callable[[], Awaitable[object]]]:
        cups, entrants = club.tournaments, club.entrants
        user, other = dice.choice(PLAYERS), dice.choice(PLAYERS)
        return [
            club.run,
            club.run,
            lambda: cups.start(number, GUILD),
            lambda: cups.adjourn(number, GUILD, by=MANAGER),
            lambda: cups.pair(number, GUILD, 2, by=MANAGER),
            lambda: entrants.join(number, GUILD, user + 100, ()),
            lambda: entrants.leave(number, GUILD, user),
            lambda: entrants.replace(number, GUILD, user, other + 100, by=MANAGER),
        ]

    for turn in range(8):
        some = [dice.choice(acts(club))() for club in two for _ in range(4)]
        for found in await asyncio.gather(*some, return_exceptions=True):
            assert not isinstance(found, Exception) or isinstance(found, Refusal), (turn, found)
        for club in two:
            club.wait(hours=9)
    ends = await asyncio.gather(
        *(club.tournaments.end(number, GUILD, by=MANAGER) for club in (*two, *two)),
        return_exceptions=True,
    )
    assert sum(not isinstance(found, Exception) for found in ends) <= 1
    view = await two[0].view(number)
    assert not view.tournament.state.open
    for round_ in view.rounds:
        met = [user for one in view.of_round(round_.round) for user in one.players]
        assert len(met) == len(set(met)), "no player is paired twice in a round"
    matches = [g.match_id for one in view.pairings for g in one.games if g.match_id is not None]
    assert len(matches) == len(set(matches))
    for act in (
        two[0].tournaments.start(number, GUILD),
        two[1].tournaments.adjourn(number, GUILD, by=MANAGER),
        two[0].tournaments.pair(number, GUILD, 9, by=MANAGER),
        two[1].entrants.join(number, GUILD, 55, ()),
        two[0].entrants.leave(number, GUILD, 1),
        two[1].entrants.replace(number, GUILD, 1, 2, by=MANAGER),
    ):
        with pytest.raises(Refusal, match="over"):
            await act
    assert (await two[0].view(number)).tournament.state in {State.FINISHED, State.CANCELLED}
