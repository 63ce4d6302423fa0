"""Whether a match has really begun; one that has hardly begun is void, neither lost nor rated.

It counts turns, not moves: a turn whose throw could not be used is one too. So no one can wait
until a match goes badly and still leave it for free.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from data.matches import match_log
from engine import registry
from engine.replay import replay

if TYPE_CHECKING:
    from collections.abc import Iterable

    from data.matches.matches import Match
    from data.store.store import Transaction
    from engine.registry import AnyGame
    from engine.replay import Played

HARDLY_BEGUN: Final = 2
"""A match has hardly begun while any seat has had fewer turns than this."""


async def hardly_begun(tx: Transaction, match: Match) -> bool:
    """Return whether any player has had fewer than two turns."""
    game = registry.game(match.game)
    log = [entry.notation for entry in await match_log.read(tx, match.id)]
    seats = {player.seat for player in match.players}
    return not all_had_turns(game, replay(game, log, match.options, len(seats)), seats)


def all_had_turns(game: AnyGame, played: Iterable[Played[Any, Any]], seats: set[int]) -> bool:
    """Return whether all seats have had two turns; replays no further than needed."""
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
