"""What decided a game: who had more men since when, and the longest run of throws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from engine.game import Entry, Seat
from engine.games.tablan.state import BLACK, WHITE, Move, Phase, State, Throw
from engine.games.tablan.verdict import CALLED, judged
from engine.phrase import Phrase, lines, plural, say

_LONG: Final = 4
"""Throws used in a row that are worth a sentence."""


def story(log: Sequence[Entry[State, Move]], end: State) -> str:
    """Return a sentence on the men, and one on the sticks."""
    if not any(not isinstance(entry.move, Throw) for entry in log):
        return ""
    return lines(filter(None, (_men(log, end), _run(log))), " ")


def _men(log: Sequence[Entry[State, Move]], end: State) -> Phrase:
    """Return since when the winner had more men, or else how many each had taken."""
    ranks = judged(end).ranks if end.phase is Phase.OVER else (1, 1)
    winner, loser = Seat(ranks.index(1)), Seat(1 - ranks.index(1))
    leads = [_lead(entry.before, winner) for entry in log] + [_lead(end, winner)]
    facts = {"winner": CALLED[winner], "loser": CALLED[loser]}
    if ranks == (1, 1):
        return _taken(end)
    if leads[-1] == 0:
        return plural(
            "Each side had {n} man left, and {winner} won the race home.",
            "Each side had {n} men left, and {winner} won the race home.",
            end.men[winner].bit_count(),
            **facts,
        )
    if leads[-1] < 0:
        return plural(
            "{winner} had only {n} man left against {others}, but won the race home.",
            "{winner} had only {n} men left against {others}, but won the race home.",
            end.men[winner].bit_count(),
            others=end.men[loser].bit_count(),
            **facts,
        )
    since = next(place for place in range(len(leads), 0, -1) if leads[place - 1] <= 0)
    move = log[since - 1].turn
    if (behind := -min(leads)) > 0:
        return plural(
            "{winner} was behind by {n} man, but ahead for good from move {move} on.",
            "{winner} was behind by {n} men, but ahead for good from move {move} on.",
            behind,
            move=move,
            **facts,
        )
    # Translators: ahead in men, since a capture.
    return say(
        "{winner} had more men from move {move} on, and was never behind.", move=move, **facts
    )


def _lead(state: State, seat: Seat) -> int:
    return state.men[seat].bit_count() - state.men[1 - seat].bit_count()


def _taken(end: State) -> Phrase:
    # Translators: the numbers of men that the two sides have taken.
    return say(
        "Men taken: {one} {taken}, {other} {lost}.",
        one=CALLED[WHITE],
        taken=end.captured(BLACK),
        other=CALLED[BLACK],
        lost=end.captured(WHITE),
    )


def _run(log: Sequence[Entry[State, Move]]) -> Phrase | None:
    """Return the longest run of throws that a side used before the sticks passed."""
    runs = list(_runs(log))
    most, seat, move = max(runs, key=lambda run: run[0])
    if most < _LONG:
        return None
    return plural(
        "The longest run was {seat}'s: {n} move in a row, up to move {move}.",
        "The longest run was {seat}'s: {n} moves in a row, up to move {move}.",
        most,
        seat=CALLED[seat],
        move=move,
    )


def _runs(log: Sequence[Entry[State, Move]]) -> Iterator[tuple[int, Seat, int]]:
    walked = [entry for entry in log if not isinstance(entry.move, Throw)]
    for seat, run in groupby(walked, lambda entry: entry.before.seat):
        entries = list(run)
        yield len(entries), seat, entries[-1].turn
