"""What decided a match: one sentence, and a better move than the one that lost it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest

from ai.explanations import Cause, Explanation
from bot.features.analysis.service import turning_point
from bot.features.moderation.service import Moderation, Moderator
from bot.play.matches.positions import Position
from data.matches import match_log
from data.puzzles import analyses
from engine.game import CHANCE
from engine.replay import replay
from tests.bot.conftest import ANN, BEN, CAROL, GUILD, Club


def explained(cause: Cause, worst: int) -> dict[str, Any]:
    """Return what decided a match for a player."""
    return asdict(Explanation(cause, 1, worst, 0.4, 0.0))


async def decided(club: Club, position: Position, cause: Cause) -> tuple[str, str, str, str]:
    """Store an analysis by which one move lost a match; return what is told, and the two moves.

    The last is what the better one is good for.
    """
    await club.matches.resign(position.match.id, ANN)
    position = await club.matches.position(position.match.id)
    async with club.store.read() as tx:
        log = [entry.notation for entry in await match_log.read(tx, position.match.id)]
    game = position.game
    ply, entry = next(
        (ply, entry)
        for ply, entry in enumerate(replay(game, log, position.match.options, 2), 1)
        if game.actor(entry.before) is not CHANCE and len(game.legal_moves(entry.before)) > 1
    )
    actor = game.actor(entry.before)
    place = next(n for n, player in enumerate(position.match.players) if player.seat == actor)
    better = next(move for move in game.legal_moves(entry.before) if move != entry.move)
    found = {
        "values": [[0.5, 0.5]],
        "mistakes": [[ply, place, game.write(entry.move), game.write(better), 0.4]],
        "luck": [0.0, 0.0],
        "skill": [0.0, 0.0],
        "early": [0.0, 0.0],
        "explanations": [
            explained(cause if seat == place else Cause.WON_BETTER, ply) for seat in range(2)
        ],
        "thrown": True,
    }
    async with club.store.write() as tx:
        await analyses.put(tx, position.match.id, found, club.clock())
    club.wait(days=8)
    text = await turning_point(club.store, position)
    played, best = (str(game.move_label(entry.before, one).text) for one in (entry.move, better))
    return text, played, best, game.reason(entry.before, better)


async def test_the_losing_move_is_shown_with_a_better_one(club: Club) -> None:
    position = await club.play_a_while(await club.start())
    text, played, better, why = await decided(club, position, Cause.LOST_BLUNDER)
    first, lost, gained = text.splitlines()
    assert first.startswith("One move decided it: move ")
    assert lost.startswith(f"✗ Played: {played}")
    assert gained.startswith(f"✓ Better: {better}.")
    assert gained.endswith(why)


@pytest.mark.parametrize("cause", [Cause.LOST_MISTAKES, Cause.LOST_UNLUCKY])
async def test_no_turning_point_is_shown_if_no_single_move_decided(
    club: Club, cause: Cause
) -> None:
    position = await club.play_a_while(await club.start())
    text, *_ = await decided(club, position, cause)
    assert len(text.splitlines()) == 1


async def test_a_stand_ins_mistake_is_not_blamed_on_the_player_who_resigned(club: Club) -> None:
    invitation = replace(club.invitation(BEN, CAROL), game="thaayam")
    offered = await club.challenges.offer(invitation)
    await club.accept(offered.id, BEN)
    _, begun = await club.accept(offered.id, CAROL)
    assert begun is not None
    position = await club.play_a_while(begun)
    for user in (ANN, BEN):
        await club.matches.resign(position.match.id, user)
    position = await club.matches.position(position.match.id)
    found = {
        "values": [[1 / 3] * 3],
        "mistakes": [],
        "luck": [0.0] * 3,
        "skill": [0.0] * 3,
        "early": [0.0] * 3,
        "explanations": [
            explained(Cause.WON_BETTER if player.rank == 1 else Cause.LOST_BLUNDER, position.ply)
            for player in position.match.players
        ],
        "thrown": True,
    }
    async with club.store.write() as tx:
        await analyses.put(tx, position.match.id, found, club.clock())
    club.wait(days=8)
    text = await turning_point(club.store, position)
    assert text.startswith(f"<@{CAROL}> won despite a mistake")


async def test_a_voided_match_has_no_turning_point(club: Club) -> None:
    position = await club.play_a_while(await club.start())
    text, *_ = await decided(club, position, Cause.LOST_BLUNDER)
    assert text
    moderation = Moderation(club.store, club.matches, clock=club.clock)
    await moderation.void(position.match.id, Moderator(CAROL, GUILD, "a mistake"))
    assert await turning_point(club.store, await club.matches.position(position.match.id)) == ""
