"""Menus: whole moves if they fit, else split over several menus, else piece by piece."""

from __future__ import annotations

import random
import re

import pytest

from bot.core.i18n import catalogues
from engine import registry
from engine.menu import Choice, choices, label, menus
from engine.move_label import Worth
from engine.phrase import Phrase
from tests.engine.games.tablut.boards import rows

TABLAN = registry.game("tablan")
FEW = TABLAN.read_position("bbbbbbbbbbbb/............/............/wwwwwwwwwwww white 2")
MANY = TABLAN.read_position("b.........../............/.W.W.W.W.W.W/w.w.w.w.w... white 2")


def test_moves_that_fit_in_one_menu_are_offered_whole() -> None:
    offered = choices(TABLAN, FEW)
    assert [choice.label for choice in offered] == [
        "Man k1 to l2",
        "Man l1 to k2",
    ]
    assert all(choice.move is not None for choice in offered)


def test_a_menu_offers_one_of_the_moves_that_do_the_same() -> None:
    same = [TABLAN.read(FEW, text) for text in ("k1-l2", "l1-l2,k1-l1")]
    assert len({TABLAN.effect(FEW, move) for move in same}) == 1
    offered = [choice.move for choice in choices(TABLAN, FEW)]
    assert same[0] in offered
    assert same[1] not in offered


def test_moves_that_unlock_different_men_are_different() -> None:
    bell = TABLAN.read_position(TABLAN.write_position(FEW), {"rules": "bell"})
    assert "Man l1 to l2, then k1 to l1" in [one.label for one in choices(TABLAN, bell)]


def test_more_moves_fill_several_menus_if_a_first_step_is_half_a_move() -> None:
    effects = {TABLAN.effect(MANY, move) for move in TABLAN.legal_moves(MANY)}
    assert len(effects) > 25
    offered = choices(TABLAN, MANY)
    assert len(offered) == len(effects)
    assert all(choice.move is not None for choice in offered)


def test_many_moves_of_few_pieces_are_offered_piece_by_piece() -> None:
    game = registry.game("tablut")
    offered = choices(game, game.initial())
    assert [choice.label for choice in offered] == ["c5", "d5", "e3", "e4", "e6", "e7", "f5", "g5"]
    for choice in offered:
        assert choice.move is None
        assert all(
            second.move is not None for second in choices(game, game.initial(), choice.steps)
        )


def test_after_half_a_move_the_other_halves_are_offered() -> None:
    halves = choices(TABLAN, FEW, ("l1-l2",))
    assert [choice.label for choice in halves] == ["Then k1 to l1"]


def test_the_moves_of_one_piece_are_offered_shortest_first() -> None:
    position = "south:0,3,8,12 north:0,-,-,- south 4,1,3"
    game = registry.game("thaayam")
    offered = choices(game, game.read_position(position), ("c1",))
    assert [choice.label for choice in offered] == [
        "d1 · 1",
        "e2 · 3",
        "e3 · 4",
        "e3 · 3+1",
        "e4 · 4+1",
        "d5 · 4+3",
        "c5 · 4+3+1",
    ]


def test_impossible_steps_offer_nothing() -> None:
    assert choices(TABLAN, FEW, ("a1-b1",)) == ()
    assert choices(TABLAN, FEW, ("k1-l2",)) == ()


OPEN = rows("k b5, s f3 f8 i3, m b4 b6 c5 h3")
"""The king has one way out, and a Swede can capture a man."""


def labels(slug: str, position: str, chosen: tuple[str, ...] = ()) -> list[str]:
    """Return the labels of a menu."""
    game = registry.game(slug)
    return [choice.label for choice in choices(game, game.read_position(position), chosen)]


def test_winning_moves_come_first_then_captures_then_pieces_in_order() -> None:
    offered = labels("tablut", f"{OPEN} swedes")
    assert offered == [
        "Win: king to a5",
        "Capture on h3: f3 to g3",
        "f3",
        "f8",
        "i3",
    ]


def test_once_a_piece_is_chosen_entries_name_only_the_target() -> None:
    game = registry.game("tablut")
    offered = choices(game, game.initial(), ("e3",))
    assert [choice.label for choice in offered][:2] == ["a3", "b3"]


def test_a_menu_without_advice_mentions_neither_wins_nor_risks() -> None:
    game = registry.game("tablut")
    state = game.initial()
    for choice in choices(game, state, advised=False):
        assert choice.worth is Worth.PLAIN
        for second in choices(game, state, choice.steps, advised=False):
            assert not second.note


def test_the_king_who_can_walk_out_stands_first_in_every_menu_and_is_plain() -> None:
    game = registry.game("tablut")
    luck, seen = random.Random(5), 0
    while seen < 40:
        state = game.initial()
        while game.outcome(state) is None:
            out = {
                game.steps(move)[1].removeprefix("-")
                for move in game.legal_moves(state)
                if (ended := game.outcome(game.after(state, move))) is not None
                and ended.reason == "the king has reached the edge"
            }
            if out:
                seen += 1
                menu = [choice.label for choice in choices(game, state)]
                assert set(menu[: len(out)]) == {f"Win: king to {square}" for square in out}
            state = game.after(state, luck.choice(list(game.legal_moves(state))))


def test_a_move_that_wins_says_why_before_it_is_played() -> None:
    game = registry.game("tablut")
    state = game.read_position(f"{rows('k e5, s e6 e4 h5, m a1')} swedes")
    assert choices(game, state)[0].label == "Win: king to a5"
    assert label(game, state, game.read(state, "e4-a4")) == (
        "Win: man e4 to a4, then the king gets out at e1 or a5"
    )
    assert labels("tablut", f"{rows('k e5, s d5 f5 e6 h5, m e2 g3')} swedes")[0] == (
        "Win: king e5 to e4, then the king gets out at i4 or a4"
    )
    assert labels("tablut", f"{rows('k c6, m b6 d6 c7 c3')} muscovites")[0] == (
        "Win: take the king: c3 to c5, attackers on all four sides of him"
    )
    assert labels("tablut", f"{rows('k e6, m d6 e7 f4')} muscovites")[0] == (
        "Win: take the king: f4 to f6, attackers on three sides and his empty castle"
    )
    assert labels("tablut", f"{rows('k e5, s e6 e4 d5 f5 c3 a5, m b3')} swedes")[:1] == [
        "Win: take the last attacker: a5 to a3"
    ]


def test_beside_a_king_who_can_walk_out_nothing_else_is_marked_as_a_win() -> None:
    game = registry.game("tablut")
    state = game.read_position(f"{rows('k e5, s e6 e4 h5, m a1')} swedes")
    offered = choices(game, state)
    assert [one.label for one in offered if one.worth is Worth.WINS] == ["Win: king to a5"]
    assert not [one for one in offered[1:] if one.label.startswith("Win")]
    king = choices(game, state, ("e5",))
    assert [one.label for one in king if one.worth is Worth.WINS] == ["Win: king to a5"]
    slower = "King e5 to d5, then the king gets out at d9, d1 or a5"
    assert slower in {one.label for one in king}, "what it does is still told"


BUSY = TABLAN.read_position("....b......./BW........W./.B.W.W..W.W./w.w.w.w..... white 8")


def test_a_long_list_is_divided_by_what_its_moves_do() -> None:
    offered = choices(TABLAN, BUSY)
    found = menus(offered)
    assert [name for name, _ in found] == [
        "Capture (13)",
        "Bring a man home (6)",
        "Safe moves (10)",
        "Other moves (9)",
    ]
    kinds = [[one.label for one in part] for _, part in found]
    assert all("apture" in label for label in kinds[0])
    assert all(label.startswith("Home on") for label in kinds[1])
    assert not any(one.note for one in found[2][1])
    assert all(one.note for one in found[3][1])
    assert sorted(one.steps for _, part in found for one in part) == sorted(
        one.steps for one in offered
    )


def test_first_moves_are_a_kind_of_their_own_where_they_unlock_a_man() -> None:
    walker = "....b......./BW........W./.B.W.W..W.W./w.w.w.w..... white 2"
    bell = TABLAN.read_position(walker, {"rules": "bell"})
    found = dict(menus(choices(TABLAN, bell)))
    assert any(name.startswith("Unlock a man") for name in found)
    plain = dict(menus(choices(TABLAN, TABLAN.read_position(walker))))
    assert not any(name.startswith("Unlock a man") for name in plain)


def test_menus_that_go_on_are_named_by_different_moves() -> None:
    entries = [
        Choice((f"k2-e2,{file}1-{file}2",), f"{file}", None)
        for file in "abcdefghijklmnopqrstuvwxyz"
    ]
    assert [name for name, _ in menus(entries)] == [
        "Pick a move: k2-e2,a1-a2 … k2-e2,y1-y2",
        "Pick a move: k2-e2,z1-z2 … k2-e2,z1-z2",
    ]


def test_without_advice_captures_come_first_but_not_what_wins() -> None:
    game = registry.game("tablut")
    state = game.read_position(f"{OPEN} swedes")
    offered = [one.label for one in choices(game, state, advised=False)]
    assert offered == ["Capture on h3: f3 to g3", "King to a5", "f3", "f8", "i3"]
    puzzle = [one.label for one in choices(game, state, advised=False, captures=False)]
    assert puzzle == ["King to a5", "f3", "f8", "i3"]


def test_without_advice_no_move_says_what_it_leads_to() -> None:
    game = registry.game("tablut")
    luck, wins = random.Random(3), 0
    while wins < 60:
        state = game.initial()
        while game.outcome(state) is None:
            for move in game.legal_moves(state):
                if game.ends(state, move) is not Worth.WINS:
                    continue
                steps = game.steps(move)
                entries = (
                    *choices(game, state, advised=False, captures=False),
                    *choices(game, state, steps[:1], advised=False, captures=False),
                )
                told = [str(one.label) for one in entries if one.steps == steps]
                told.append(str(label(game, state, move, advised=False)))
                assert not [
                    one
                    for one in told
                    if re.search(r"take the|then the king|sides", one, re.IGNORECASE)
                ]
                wins += 1
            state = game.after(state, luck.choice(game.legal_moves(state)))


@pytest.mark.parametrize("language", ["de", "en", "fr", "hi", "sv"])
def test_the_reason_why_a_move_takes_the_king_fits_a_button(language: str) -> None:
    tongue = catalogues.read(catalogues.folders()).get(language, catalogues.ENGLISH)
    game = registry.game("tablut")
    for men in ("k c6, m b6 d6 c7 c3", "k e6, m d6 e7 f4"):
        label = choices(game, game.read_position(f"{rows(men)} muscovites"))[0].label
        assert isinstance(label, Phrase)
        assert len(label.into(tongue)) <= 80
