"""Managers on a ladder: they decide nothing about it that could move them up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.errors import NotAllowed
from bot.features.moderation.service import Moderation, Moderator
from tests.bot.conftest import ANN, BEN, CAROL, CHANNEL, GUILD, Club
from tests.bot.features.ladder.club import TERMS, LadderClub

MANAGER = 99


async def test_a_manager_on_a_ladder_removes_nobody_and_neither_closes_nor_changes_it(
    club: Club,
) -> None:
    ladders = LadderClub(club.store, club.hands)
    await ladders.opened(ANN, BEN)
    for act in (
        ladders.ladders.leave(1, GUILD, ANN, removed_by=BEN),
        ladders.ladders.close(1, GUILD, by=BEN),
        ladders.ladders.open(replace(TERMS, created_by=BEN, reach=1)),
    ):
        with pytest.raises(NotAllowed, match="You're on the Tablut ladder"):
            await act
    moved, _ = await ladders.ladders.open(
        replace(TERMS, created_by=BEN, reach=1, channel_id=CHANNEL + 1)
    )
    assert (moved.channel_id, moved.reach) == (CHANNEL + 1, TERMS.reach), "only moved"
    await ladders.ladders.leave(1, GUILD, ANN, removed_by=MANAGER)
    await ladders.ladders.leave(1, GUILD, BEN)
    view = await ladders.ladders.close(1, GUILD, by=BEN)
    assert view.ladder.closed_at is not None


async def test_a_manager_on_a_ladder_decides_none_of_its_games(club: Club) -> None:
    ladders = LadderClub(club.store, club.hands)
    await ladders.opened(ANN, BEN, CAROL)
    made = await ladders.ladder_challenges.challenge(1, GUILD, BEN, ANN)
    begun = await ladders.ladder_challenges.accept(made.id, GUILD, ANN)
    moderation = Moderation(club.store, club.matches, clock=club.clock)
    with pytest.raises(NotAllowed, match="You're on the Tablut ladder"):
        await moderation.end(begun.match_id or 0, [ANN], Moderator(CAROL, GUILD, ""))
    await moderation.end(begun.match_id or 0, [ANN], Moderator(MANAGER, GUILD, ""))
