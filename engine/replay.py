"""Replays a log of notation into positions. A match *is* its log; positions are never stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic

from engine.errors import BadRecord, RulesError
from engine.game import Game, M, S
from engine.phrase import say


@dataclass(frozen=True, slots=True)
class Played(Generic[S, M]):
    """One entry of a log with the position it was made in."""

    ply: int
    """Counted from 1."""
    before: S
    move: M
    after: S


def replay(
    game: Game[S, M], log: Iterable[str], options: Mapping[str, str] | None = None, players: int = 2
) -> Iterator[Played[S, M]]:
    """Yield the entries of a log in order, each checked against the rules.

    Raises:
        BadRecord: an entry cannot be played; it says which and why.
        BadOption: no such option, value or number of players.

    """
    return resume(game, game.initial(options, players), log)


def resume(game: Game[S, M], state: S, log: Iterable[str], ply: int = 0) -> Iterator[Played[S, M]]:
    """Yield the entries after a position reached after ``ply`` entries, each checked.

    Raises:
        BadRecord: an entry cannot be played; it says which and why.

    """
    for number, text in enumerate(log, start=ply + 1):
        try:
            move = game.read(state, text)
        except RulesError as error:
            # Translators: an entry of the log of a game and why it cannot be played.
            message = say("Entry {n}, “{entry}”: {why}", n=number, entry=text, why=error.sentence)
            raise BadRecord(message, number) from error
        reached = game.after(state, move)
        yield Played(number, state, move, reached)
        state = reached


def final(
    game: Game[S, M], log: Iterable[str], options: Mapping[str, str] | None = None, players: int = 2
) -> S:
    """Return the position at the end of a log. Raises what `replay` raises."""
    state = game.initial(options, players)
    for entry in resume(game, state, log):
        state = entry.after
    return state
