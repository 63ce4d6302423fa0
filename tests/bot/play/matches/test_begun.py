"""Once a match counts, it keeps counting, however unlucky a player is."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bot.play.matches import scoring
from engine import registry
from engine.game import CHANCE
from engine.registry import AnyGame
from engine.replay import Played
from tests.bot.conftest import Club
from tests.contract.games import whole_game

GAMES = [
    (slug, players) for slug, game in sorted(registry.games().items()) for players in game.players
]


def in_turn(game: AnyGame, state: Any) -> int:
    """Return the seat to move in a position, from the picture's text if need be."""
    board = getattr(state, "board", state)
    return int(getattr(board, "seat", getattr(state, "seat", -1)))


def played(slug: str, players: int, seed: int, most: int) -> list[Played[Any, Any]]:
    """Return the beginning of a random match, with throws drawn by their odds."""
    game = registry.game(slug)
    steps, last = whole_game(game, f"begun {seed}", game.settle({}), players, most)
    states = [*(step.state for step in steps), last]
    return [
        Played(ply, step.state, step.move, states[ply]) for ply, step in enumerate(steps, start=1)
    ]


@pytest.mark.parametrize(("slug", "players"), GAMES)
def test_no_match_is_void_once_each_side_has_had_two_turns(slug: str, players: int) -> None:
    game = registry.game(slug)
    seats = {int(seat) for seat in game.seats(players)}
    for seed in range(10):
        log = played(slug, players, seed, 120)
        turns: Counter[int] = Counter()
        for place, entry in enumerate(log):
            opening = game.actor(entry.before) is CHANCE and game.turn(entry.before) is None
            if not opening and in_turn(game, entry.before) != in_turn(game, entry.after):
                turns[in_turn(game, entry.before)] += 1
            earnest = all(turns[seat] >= scoring.HARDLY_BEGUN for seat in seats)
            assert scoring.all_had_turns(game, log[: place + 1], seats) is earnest
        assert earnest, "two rounds are over by then"


@pytest.mark.parametrize("players", [2, 4])
def test_no_thaayam_match_is_void_after_eight_turns_of_one_side(players: int) -> None:
    game = registry.game("thaayam")
    seats = {int(seat) for seat in game.seats(players)}
    decided_too_little = 0
    for seed in range(60):
        log, turns = played("thaayam", players, seed, 300), 0
        taken = 0
        for entry in log:
            taken += 1
            turns += game.turn(entry.before) == 0 and game.turn(entry.after) != 0
            if turns == 8:
                break
        assert turns == 8
        made = Counter(game.actor(one.before) for one in log[:taken])
        decided_too_little += any(made[seat] < 2 for seat in game.seats(players))
        assert scoring.all_had_turns(game, log[:taken], seats)
    assert decided_too_little >= 6, "counted by decisions, many would still be void"


async def test_a_player_without_a_usable_throw_cannot_leave_for_free(club: Club) -> None:
    """The seats pass in turn; a seat that then gives up loses, though it never made a decision."""
    for _ in range(40):
        position = await club.start()
        decided: Counter[int] = Counter()
        while position.to_move is not None and await club.hardly_begun(position):
            decided[position.to_move.seat] += 1
            position = await club.play_once(position)
        unlucky = next((p for p in position.match.players if decided[p.seat] < 2), None)
        if unlucky is None:
            continue
        ended = await club.matches.resign(position.match.id, unlucky.user_id)
        assert ended.match.ending == "resigned"
        assert [p.rank for p in ended.match.players if p.user_id == unlucky.user_id] == [2]
        return
    raise AssertionError("nobody was unlucky in 40 matches")
