"""What a move is good for, in words: positions in which a person sees it."""

from __future__ import annotations

import pytest

from engine import registry
from engine.game import CHANCE
from tests.contract.games import whole_game

SEEN = [
    (
        "tablut",
        (
            "m..mms.../..s.m..../.s.....m./m...s...m/m..sk..mm/m...s..../....s...m/....ms.../...mmm... "
            "muscovites"
        ),
        "h7-g7",
        "It stops the king's escape.",
    ),
    (
        "tablut",
        (
            "m.....m../s......../.s.mms..m/m.m..s.../m.....s.m/...m...../.......mm/....mkms./.....m... "
            "muscovites"
        ),
        "c6-c8",
        "It threatens to take the king.",
    ),
    (
        "tablut",
        (
            "m..mms.../..ssm..../......m../m.s..s..m/m...k..mm/..m.s..../.s..s...m/.m......./...mmm... "
            "muscovites"
        ),
        "g7-d7",
        "It saves the man on e8.",
    ),
    (
        "tablan",
        "B.bb.b.bbbbb/...B...B..../...W.....BW./wwwwwwww..ww white 2",
        "k2-j2,h1-i1",
        "It brings the man on k2 out of reach.",
    ),
    (
        "tablaaza",
        ".o...oo./ooo.o..o/.o~.o~o./o.~oo~^o/oo~o^~o./.oo.o.../....o.o. red",
        "f6",
        "It keeps f6 from becoming a pavilion.",
    ),
    (
        "thaayam",
        "south:0,-,-,- north:0,7,15,- south 4,3",
        "c1+4+3",
        "It sends 1 piece back to enter again and earns another turn.",
    ),
    (
        "thaayam",
        "south:-,-,-,- north:-,-,-,- north 1,4,1,2",
        "in",
        "Then 3 pieces still wait to enter.",
    ),
]
"""A game, a position, a move and what it is good for."""


@pytest.mark.parametrize(("slug", "position", "move", "why"), SEEN)
def test_a_move_is_told_with_what_it_is_good_for(
    slug: str, position: str, move: str, why: str
) -> None:
    game = registry.game(slug)
    state = game.read_position(position)
    assert game.reason(state, game.read(state, move)) == why


@pytest.mark.parametrize("slug", sorted(registry.games()))
def test_every_move_of_a_random_game_has_a_sentence_or_none(slug: str) -> None:
    game = registry.game(slug)
    steps, _ = whole_game(game, "reasons", {}, game.players[0])
    told = [
        str(game.reason(step.state, step.move))
        for step in steps
        if game.actor(step.state) is not CHANCE
    ]
    assert any(told)
    assert all(sentence.endswith(".") for sentence in told if sentence)
