"""The steps that a ladder takes by the clock."""

from __future__ import annotations

from dataclasses import replace

from bot.features.ladder.steps import LadderSteps
from bot.play.matches.verification import proof
from data.ladders import ladder_challenges
from tests.bot.conftest import ANN, BEN, GUILD, Club
from tests.bot.features.ladder.club import TERMS, LadderClub, nobody


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
    away = LadderSteps(club.store, nobody, lambda _: False)
    await away.check(1, club.clock())
    assert await club.places() == (ANN, BEN)
    club.wait(days=1)
    await club.steps.check(1, club.clock())
    assert await club.places() == (BEN, ANN)


async def test_the_record_of_a_ladder_game_says_whether_its_sides_were_drawn(club: Club) -> None:
    club = LadderClub(club.store, club.hands)
    await club.ladders.open(replace(TERMS, game="tablan"))
    for user in (ANN, BEN):
        await club.ladders.join(1, GUILD, user)
    drawn, seats = [], []
    for _ in range(3):
        holder, challenger = await club.places()
        made = await club.ladder_challenges.challenge(1, GUILD, challenger, holder)
        begun = await club.ladder_challenges.accept(made.id, GUILD, holder)
        view = await club.matches.resign(begun.match_id or 0, holder)
        seats.append([player.user_id for player in view.match.players])
        drawn.append("[Drawn " in ((await proof(club.store, view.match.id)).record or ""))
        async with club.store.read() as tx:
            (due,) = await ladder_challenges.due(tx, club.clock(), limit=9)
        await club.steps.take(due, club.clock())
    assert drawn == [True, False, False]
    assert seats[0] == seats[2] == seats[1][::-1]
