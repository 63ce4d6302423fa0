"""The steps that a ladder takes by the clock."""

from __future__ import annotations

from bot.core.shards.ownership import AllShards
from bot.features.ladder.steps import LadderSteps
from tests.bot.conftest import ANN, BEN, GUILD, Club
from tests.bot.ladder.club import TERMS, LadderClub, nobody


async def test_nobody_slides_while_the_bot_is_away_even_if_the_check_comes_late(
    club: Club,
) -> None:
    club = LadderClub(club.store, club.hands)
    await club.opened()
    club.wait(minutes=10)
    await club.ladders.join(1, GUILD, ANN)
    club.wait(minutes=-10, days=1)
    for day in range(TERMS.idle_days):
        await club.steps.check(1, club.clock())
        if day == 1:
            await club.ladders.join(1, GUILD, BEN)
        club.wait(days=1)
    club.wait(minutes=30)  # Ann has been idle long enough for twenty minutes
    away = LadderSteps(club.store, nobody, lambda _: False, AllShards())
    await away.check(1, club.clock())
    assert await club.places() == (ANN, BEN)
    club.wait(days=1)
    await club.steps.check(1, club.clock())
    assert await club.places() == (BEN, ANN)
