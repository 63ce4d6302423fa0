"""A board numbers moves like the match's replay, however it learned of the match."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.play.matches.positions import Positions, replayed
from bot.play.replays.replay import replay_of_record
from data.matches.match import Entry
from engine import registry
from engine.game import CHANCE
from tests.bot.records import record_of


@pytest.mark.parametrize("slug", registry.games())
def test_boards_and_replays_number_moves_alike(slug: str) -> None:
    whole = replay_of_record("1", record_of(slug, 200, random.Random(7)))
    entries = [
        Entry(n, None, whole.game.write(one.move), whole.position.match.created_at)
        for n, one in enumerate(whole.played, 1)
    ]
    match, positions = replace(whole.position.match, id=1, finished_at=None), Positions()
    for ply in range(whole.plies):
        here = replace(match, plies=ply)
        position = replayed(here, entries[:ply], positions.cached(1))
        positions.cache(position)
        if whole.game.actor(whole.state(ply)) is CHANCE:
            continue
        assert position.move == whole.move(ply + 1)
        assert replayed(here, entries[:ply], None).move == position.move
    assert whole.position.move == len(whole.turns)
