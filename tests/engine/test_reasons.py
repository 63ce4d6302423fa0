"""A move's benefits and drawbacks in words, in positions where a person sees them."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

from engine import registry
from engine.game import CHANCE
from engine.registry import AnyGame
from tests.contract.games import whole_game

SQUARE: Final = re.compile(r"[a-z][1-9]\d*")

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
"""A game, a position, a move, and its benefit."""


@pytest.mark.parametrize(("slug", "position", "move", "why"), SEEN)
def test_a_moves_benefit_is_described(slug: str, position: str, move: str, why: str) -> None:
    game = registry.game(slug)
    state = game.read_position(position)
    assert game.reason(state, game.read(state, move)) == why


@pytest.mark.parametrize("slug", sorted(registry.games()))
def test_every_move_of_a_random_game_has_a_sentence_or_none(slug: str) -> None:
    game = registry.game(slug)
    steps, _ = whole_game(game, "reasons", {}, game.players[0])
    texts = [
        str(game.reason(step.state, step.move))
        for step in steps
        if game.actor(step.state) is not CHANCE
    ]
    assert any(texts)
    assert all(sentence.endswith(".") for sentence in texts if sentence)


@pytest.mark.parametrize("slug", sorted(registry.games()))
def test_the_opponent_can_capture_whatever_a_move_is_said_to_give_up(slug: str) -> None:
    """For each square named, some reply captures or builds there."""
    game = registry.game(slug)
    told = 0
    for number in range(3):
        steps, _ = whole_game(game, f"prices {number}", {}, game.players[0])
        for step in steps[:160]:
            if game.actor(step.state) is CHANCE:
                continue
            sentence = str(game.price(step.state, step.move))
            squares = set(SQUARE.findall(sentence))
            told += bool(sentence)
            assert sentence == "" or sentence.endswith(".")
            assert squares <= taken_next(game, game.after(step.state, step.move)), sentence
    assert told


def taken_next(game: AnyGame, state: Any) -> set[str]:
    """Return the squares on which some reply captures a man or raises a pavilion."""
    answers = [state]
    if game.actor(state) is CHANCE:  # the sticks pass to the other side, which throws next
        seat = game.turn(state)
        passed = [later for throw in game.odds(state) for later in (game.after(state, throw),)]
        others = [one for one in passed if game.turn(one) != seat and game.actor(one) is CHANCE]
        answers = [game.after(one, throw) for one in others[:1] for throw in game.odds(one)]
    found: set[str] = set()
    for one in answers:
        if game.outcome(one) is None and game.actor(one) is not CHANCE:
            for move in game.legal_moves(one):
                found |= set(SQUARE.findall(taking(game, one, move)))
    return found


def taking(game: AnyGame, state: Any, move: Any) -> str:
    """Return the log's description of a move's captures."""
    text = str(game.tell(state, move))
    return text if any(word in text for word in ("capture", "tak", "pavilion")) else ""


PRICES = [
    (
        "tablut",
        (
            "m..mms.../..s.m..../.s.....m./m...s...m/m..sk..mm/m...s..../....s...m/....ms.../...mmm... "
            "muscovites"
        ),
        "d1-c1",
        "Then the Swedes can win at once.",
    ),
    (
        "tablut",
        (
            "m.....m../s......../.s.mms..m/m.m..s.../m.....s.m/...m...../.......mm/....mkms./.....m... "
            "swedes"
        ),
        "h2-i2",
        "Then the king can be taken at once.",
    ),
    (
        "tablut",
        (
            "...mmm.../....m..../..s.s..../m...s...m/mm.skssmm/....s..../m...s..../.......mm/...mmm... "
            "swedes"
        ),
        "f5-f4",
        "Then the man on g5 can be taken.",
    ),
    (
        "tablan",
        "..BBBB.bB..b/..B..B....BB/....W...W.BW/wwwwwww.ww.. black 12",
        "c4-d3,e4-b3",
        "Then throws could take the men on b3 and d3.",
    ),
    (
        "tablaaza",
        "..o.o.oo/o.oo.o../^o~o.~.o/o.~oo~.o/oo~.o~../ooo..oo./o.o..... green",
        "d1",
        "Then d3 and f7 can become pavilions.",
    ),
    (
        "thaayam",
        "south:0,9,24,- north:0,4!,-,- north 3",
        "c5+3",
        "Then 1 enemy piece close behind could capture it.",
    ),
    ("thaayam", "south:0,-,-,- north:-,-,-,- south 3", "c1+3", ""),
]
"""A game, a position, a move, and its drawback."""


@pytest.mark.parametrize(("slug", "position", "move", "why"), PRICES)
def test_a_moves_drawback_is_described(slug: str, position: str, move: str, why: str) -> None:
    game = registry.game(slug)
    state = game.read_position(position)
    assert game.price(state, game.read(state, move)) == why
