"""Whether a match has begun in earnest: what has hardly begun is void, not lost, and not rated.

What counts is turns that players had, not moves that they made: a turn whose throw could not be used
is one too. So nobody can wait for a match to go badly and still leave it at no cost.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from data import matches
from engine import registry
from engine.replay import replay

if TYPE_CHECKING:
    from collections.abc import Iterable

    from data.matches import Match
    from data.store import Transaction
    from engine.registry import AnyGame
    from engine.replay import Played

HARDLY_BEGUN: Final = 2
"""A match in which some seat has had fewer turns than this has hardly begun."""


async def hardly_begun(tx: Transaction, match: Match) -> bool:
    """Return whether a player has had fewer than two turns."""
    game = registry.game(match.game)
    log = [entry.notation for entry in await matches.log(tx, match.id)]
    seats = {player.seat for player in match.players}
    return not all_had_turns(game, replay(game, log, match.options, len(seats)), seats)


def all_had_turns(game: AnyGame, played: Iterable[Played[Any, Any]], seats: set[int]) -> bool:
    """Return whether all these seats have had two turns; no more is replayed than tells it."""
    had: Counter[int] = Counter()
    for entry in played:
        turn = game.turn(entry.before)
        over = game.outcome(entry.after) is not None
        if turn is None or (not over and game.turn(entry.after) == turn):
            continue
        had[turn] += 1
        if all(had[seat] >= HARDLY_BEGUN for seat in seats):
            return True
    return False
