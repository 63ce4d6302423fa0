"""The steps that a ladder takes by the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ladder.steps import LadderSteps
from tests.bot.conftest import ANN, BEN, GUILD
from tests.bot.ladder.test_at_once import TERMS, Hall, nobody

if TYPE_CHECKING:
    from tests.bot.conftest import Club


async def test_nobody_slides_while_the_bot_is_away_even_if_the_check_comes_late(
    club: Club,
) -> None:
    hall = Hall(club.store, club.hands)
    await hall.opened()
    hall.wait(minutes=10)
    await hall.ladders.join(1, GUILD, ANN)
    hall.wait(minutes=-10, days=1)
    for day in range(TERMS.idle_days):
        await hall.steps.check(1, hall.clock())
        if day == 1:
            await hall.ladders.join(1, GUILD, BEN)
        hall.wait(days=1)
    hall.wait(minutes=30)  # Ann has been idle long enough for twenty minutes
    away = LadderSteps(hall.store, nobody, lambda _: False)
    await away.check(1, hall.clock())
    assert await hall.places() == (ANN, BEN)
    hall.wait(days=1)
    await hall.steps.check(1, hall.clock())
    assert await hall.places() == (BEN, ANN)
