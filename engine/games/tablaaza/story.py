"""What decided a game: who had room left, since when, and the move that closed the most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.game import Entry, Seat
from engine.games.tablaaza.board import CALLED, GREEN, OF, RED
from engine.games.tablaaza.building import risen
from engine.games.tablaaza.state import Move, State
from engine.phrase import Phrase, lines, plural, say

_MANY: Final = 2
"""Plots closed at once that are worth a sentence."""


def story(log: Sequence[Entry[State, Move]], end: State) -> str:
    """Return a sentence on the end, and one on what led to it."""
    if not log:
        return ""
    over = not end.vacant & OF[end.seat]
    first = _room_left(end) if over else _pavilions(end)
    return lines(filter(None, (first, _turning(log, end) if over else None)), " ")


def _room_left(end: State) -> Phrase:
    """Return the room of the winner, who is not to play."""
    winner = Seat(1 - end.seat)
    facts = {"winner": CALLED[winner], "loser": CALLED[end.seat]}
    if left := len(end.spaces(winner)):
        return plural(
            "{winner} still had {n} plot to build on when {loser} had none.",
            "{winner} still had {n} plots to build on when {loser} had none.",
            left,
            **facts,
        )
    return say("{winner} built on the last plot of all, and {loser} had none left.", **facts)


def _pavilions(end: State) -> Phrase:
    return say(
        # Translators: how many pavilions the two sides had raised: "Pavilions: Red 5, Green 3."
        "Pavilions: {one} {red}, {other} {green}.",
        one=CALLED[RED],
        red=len(end.raised(RED)),
        other=CALLED[GREEN],
        green=len(end.raised(GREEN)),
    )


def _turning(log: Sequence[Entry[State, Move]], end: State) -> Phrase:
    """Return the winner's move that closed the most, if it closed several plots."""
    winner = Seat(1 - end.seat)
    closed = [
        (len(risen(entry.before, entry.move)), entry)
        for entry in log
        if entry.before.seat == winner
    ]
    most, best = max(closed, key=lambda one: one[0])
    if most >= _MANY:
        # Translators: n plots of the loser were closed by one move on a square.
        return plural(
            "The hardest blow was {winner}'s stone on {square}, move {move}: it closed {n} plot at "
            "once.",
            "The hardest blow was {winner}'s stone on {square}, move {move}: it closed {n} plots at "
            "once.",
            most,
            winner=CALLED[winner],
            square=best.move.square,
            move=best.turn,
        )
    return _pavilions(end)
