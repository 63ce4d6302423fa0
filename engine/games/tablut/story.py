"""What decided a game: how the king got out or was taken, and when his way opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.game import Entry
from engine.games.tablut.board import MUSCOVITE, MUSCOVITES, SQUARES, SWEDE
from engine.games.tablut.captures import paths
from engine.games.tablut.playing import ESCAPED, NO_ATTACKERS, REPEATED, START, TAKEN, UNSTOPPABLE
from engine.games.tablut.sentences import shut_in, ways_out
from engine.games.tablut.state import Move, State
from engine.phrase import Phrase, lines, listed, plural, say

_KINDS: Final = (MUSCOVITE, SWEDE)


def story(log: Sequence[Entry[State, Move]], end: State) -> str:
    """Return a sentence on the end, and one on what led to it."""
    if not log:
        return ""
    then = _opening(log) if end.ended is ESCAPED else _calls(log, end)
    return lines(filter(None, (_end(log[-1], end), then)), " ")


def _end(last: Entry[State, Move], end: State) -> Phrase | None:
    before = last.before
    if end.ended is ESCAPED:
        return plural(
            "The king walked out to {square} on move {move}, by the only way that was open.",
            "The king walked out to {square} on move {move}, by one of {n} open ways.",
            len(paths(before.board, before.king)),
            square=SQUARES[end.king],
            move=last.turn,
        )
    if end.ended is UNSTOPPABLE:
        # The result says why two ways win. Translators: squares is two or more: "a5 and i5".
        return say(
            "On move {move} the king's ways out led to {squares}.",
            move=last.turn,
            squares=listed(ways_out(end)),
        )
    if end.ended is TAKEN:
        return say(
            "The king was taken on {square} on move {move}: {how}.",
            square=SQUARES[before.king],
            move=last.turn,
            how=shut_in(before.king),
        )
    if end.ended is NO_ATTACKERS:
        return say("The last of the Muscovites was taken on move {move}.", move=last.turn)
    if end.ended is REPEATED:
        return say("Neither side would give way, and the same position came up three times.")
    return None


def _opening(log: Sequence[Entry[State, Move]]) -> Phrase | None:
    """Return who opened the way that the king walked out by, and when."""
    opened = len(log) - 1
    while opened > 0 and paths(log[opened - 1].before.board, log[opened - 1].before.king):
        opened -= 1
    if opened == 0:
        return None
    by = log[opened - 1]
    facts = {"move": by.turn, "notation": f"{SQUARES[by.move.source]}-{SQUARES[by.move.target]}"}
    if by.before.seat == MUSCOVITES:
        # Translators: notation is a move such as "e1-e3".
        return say("The Muscovites let him through on move {move}, with {notation}.", **facts)
    # Translators: notation is a move such as "e1-e3".
    return say(
        "The Swedes opened the way on move {move}, with {notation}, and nobody shut it.", **facts
    )


def _calls(log: Sequence[Entry[State, Move]], end: State) -> Phrase:
    """Return how often the king's way out was shut, and who was taken."""
    shut = sum(
        entry.before.seat == MUSCOVITES and bool(paths(entry.before.board, entry.before.king))
        for entry in log
    )
    parts: list[str] = []
    if shut:
        parts.append(
            plural(
                "The king's way out had been shut once before.",
                "The king's way out had been shut {n} times before.",
                shut,
            )
        )
    elif end.ended not in {UNSTOPPABLE, NO_ATTACKERS}:
        parts.append(say("The king never had a way out."))
    if men := _taken(end):
        # Translators: men is a list such as "3 Muscovites and 1 Swede".
        parts.append(say("Taken by then: {men}.", men=listed(men)))
    return lines(parts, " ")


def _taken(end: State) -> list[Phrase]:
    attackers, defenders = (len(START.men(kind)) - len(end.men(kind)) for kind in _KINDS)
    found = []
    if attackers:
        found.append(plural("{n} Muscovite", "{n} Muscovites", attackers))
    if defenders:
        found.append(plural("{n} Swede", "{n} Swedes", defenders))
    return found
