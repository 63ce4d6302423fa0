"""Challenges and rematches of players who have left the server since."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.errors import BadOpponent, ChallengeGone, MatchOver
from data.challenges.challenges import State
from tests.bot.conftest import ANN, BEN, CAROL, GUILD, Club
from tests.bot.records import everywhere

DAN = 44


async def test_a_challenge_waits_for_a_challenger_who_has_left_to_come_back(club: Club) -> None:
    named = await club.challenges.offer(club.invitation(BEN))
    await club.challenges.offer(club.invitation())
    club.gone.add(ANN)
    for number in (1, 2):
        with pytest.raises(ChallengeGone, match="challenger is no longer here"):
            await club.challenges.accept(number, BEN)
    assert await club.challenges.open_to(BEN, GUILD, everywhere) == ()
    assert (await club.challenges.get(named.id)).state is State.OPEN
    club.gone.clear()
    assert len(await club.challenges.open_to(BEN, GUILD, everywhere)) == 2
    for number in (1, 2):
        assert (await club.challenges.accept(number, BEN)).state is State.STARTED
    club.gone.add(ANN)
    with pytest.raises(ChallengeGone, match="match #1 now"):
        await club.challenges.accept(1, BEN)


async def test_a_player_who_joined_and_left_the_server_loses_their_place(club: Club) -> None:
    invitation = replace(club.invitation(BEN), game="thaayam", places=4)
    made = await club.challenges.offer(invitation)
    await club.challenges.accept(made.id, BEN)
    await club.challenges.accept(made.id, CAROL)
    club.gone |= {BEN, CAROL}
    joined = await club.challenges.accept(made.id, DAN)
    assert joined.state is State.OPEN
    assert [(one.user_id, one.joined is not None) for one in joined.invited] == [
        (ANN, True),
        (BEN, False),
        (DAN, True),
    ]
    club.gone.clear()
    await club.challenges.accept(made.id, BEN)
    begun = await club.challenges.accept(made.id, CAROL)
    assert begun.state is State.STARTED


async def test_a_rematch_is_refused_while_an_opponent_is_not_on_the_server(club: Club) -> None:
    view = await club.start()
    await club.matches.resign(view.match.id, ANN)
    match = (await club.matches.view(view.match.id)).match
    club.gone.add(BEN)
    with pytest.raises(BadOpponent, match=f"<@{BEN}> isn't on this server"):
        await club.challenges.ask_rematch(match, ANN)
    club.gone = {ANN}
    with pytest.raises(BadOpponent, match=f"<@{ANN}> isn't on this server"):
        await club.challenges.ask_rematch(match, BEN)
    club.gone.clear()
    assert (await club.challenges.ask_rematch(match, ANN)).state is State.OPEN
    assert (await club.challenges.ask_rematch(match, BEN)).state is State.STARTED
    club.gone.add(BEN)
    with pytest.raises(MatchOver, match="already started: match #2"):
        await club.challenges.ask_rematch(match, ANN)
