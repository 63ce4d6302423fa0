"""Duel: Dash for two, with draws by agreement."""

from __future__ import annotations

from engine.phrase import say, word
from engine.rule import Rule
from tests.toy.dash.rules import Dash


class Duel(Dash):
    """The race between two; the first to throw is ahead."""

    slug = "duel"
    title = "Duel"
    summary = say("A race between two, of whom one is ahead.")
    seat_names = (word("seat", "red"), word("seat", "green"))
    players = range(2, 3)
    rules = (*Dash.rules, Rule("", "4", "Both may agree that nobody wins."))
    agreed_draw = "4"
    unequal_sides = True
