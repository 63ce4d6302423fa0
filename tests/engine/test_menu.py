"""Menus: whole moves while they fit, else step by step."""

from __future__ import annotations

from engine import registry
from engine.menu import choices

TABLAN = registry.game("tablan")
FEW = TABLAN.read_position("bbbbbbbbbbbb/............/............/wwwwwwwwwwww white 2")
MANY = TABLAN.read_position("b.........../............/.W.W.W.W.W.W/w.w.w.w.w... white 2")


def test_moves_that_fit_one_menu_are_offered_whole() -> None:
    offered = choices(TABLAN, FEW)
    assert [choice.label for choice in offered] == ["k1-l2", "l1-k2", "l1-l2,k1-l1"]
    assert all(choice.move is not None for choice in offered)


def test_more_moves_are_offered_man_by_man() -> None:
    assert len(TABLAN.legal_moves(MANY)) > 25
    offered = choices(TABLAN, MANY)
    assert len(offered) <= 25
    halves = [choice for choice in offered if choice.move is None]
    assert halves
    for half in halves:
        second = choices(TABLAN, MANY, half.steps)
        assert all(choice.move is not None for choice in second)
        assert all(not choice.label.startswith(",") for choice in second)


def test_steps_that_lead_nowhere_offer_nothing() -> None:
    assert choices(TABLAN, FEW, ("a1-b1",)) == ()
    assert choices(TABLAN, FEW, ("k1-l2",)) == ()
