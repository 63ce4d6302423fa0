"""Rematches of games that no challenge led to: they are as their tournament or ladder asks for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.settings.service import SettingsStore
from tests.bot.conftest import ANN, BEN, CAROL, GUILD, Club
from tests.bot.features.ladder.club import TERMS, LadderClub
from tests.bot.features.tournaments.club import Cups


@pytest.mark.parametrize("casual", [False, True])
async def test_the_rematch_of_a_cup_game_that_could_not_be_rated_is_what_its_cup_asks_for(
    club: Club, *, casual: bool
) -> None:
    cups = Cups(club.store, club.hands)
    settings = SettingsStore(club.store, clock=club.clock)
    await settings.change_server(GUILD, {"rated": False}, by=CAROL)
    (game,) = await cups.open_games(await cups.begin(ANN, BEN, casual=casual))
    view = await cups.matches.resign(game.match_id or 0, ANN)
    assert view.match.casual
    asked = await cups.challenges.ask_rematch(view.match, ANN)
    assert asked.casual is casual


@pytest.mark.parametrize("casual", [False, True])
async def test_the_rematch_of_a_game_that_could_not_be_rated_is_what_its_ladder_asks_for(
    club: Club, *, casual: bool
) -> None:
    club = LadderClub(club.store, club.hands)
    settings = SettingsStore(club.store, clock=club.clock)
    await settings.change_server(GUILD, {"rated": False}, by=CAROL)
    await club.ladders.open(replace(TERMS, casual=casual))
    for user in (ANN, BEN):
        await club.ladders.join(1, GUILD, user)
    made = await club.ladder_challenges.challenge(1, GUILD, BEN, ANN)
    begun = await club.ladder_challenges.accept(made.id, GUILD, ANN)
    view = await club.matches.resign(begun.match_id or 0, ANN)
    assert view.match.casual
    asked = await club.challenges.ask_rematch(view.match, ANN)
    assert asked.casual is casual
