"""A film of missed moves is the same from the whole log as from its end alone."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.play.matches.positions import Position, was_choice
from bot.play.replays import animation
from bot.play.replays.replay import replay_of_record
from engine import registry
from engine.game import CHANCE
from tests.bot.records import record_of

GAMES = tuple(registry.games())


@pytest.mark.parametrize("slug", GAMES)
def test_the_end_of_a_log_gives_the_same_clip_as_the_whole(slug: str) -> None:
    game = registry.game(slug)
    whole = replay_of_record("1", record_of(slug, 160, random.Random(5)))
    match = replace(whole.position.match, id=1)
    number = 0
    for ply in range(1, whole.plies):
        state = whole.state(ply)
        seat = game.actor(state)
        if seat is CHANCE:
            continue
        played = whole.played[:ply]
        position = Position(replace(match, plies=ply), game, state, ply, played[-64:])
        lately = animation.replay_since(position, seat)
        if lately is None:
            recent = played[-animation.MAX_SINCE :]
            assert not any(game.actor(p.before) == seat and was_choice(game, p) for p in recent)
            continue
        entire = replace(whole, position=position, played=played)
        assert animation.since(lately, seat) == animation.since(entire, seat)
        number += 1
    assert number > whole.plies / 20


def test_missing_log_entries_are_read_from_the_store() -> None:
    game = registry.game("tablan")
    played = replay_of_record("1", record_of("tablan", 300, random.Random(5))).played
    idle = [p for p in played if game.actor(p.before) is CHANCE][:50]
    match = replace(
        replay_of_record("1", record_of("tablan", 9, random.Random(1))).position.match, id=1
    )
    position = Position(match, game, played[-1].after, len(played), tuple(idle))
    for seat in game.seats(2):
        assert animation.replay_since(position, seat) is None
