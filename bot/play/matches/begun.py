"""Whether a match has really begun: one that has hardly begun is void, up to a weekly limit.

It counts turns, not moves: a turn whose throw could not be used is one too. So no one can wait
until a match goes badly and still leave it for free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, NamedTuple

from bot.core.computers import is_practice
from data.matches import aborts, match_log
from data.matches.matches import Match
from data.store.store import Transaction
from engine import registry
from engine.registry import AnyGame
from engine.replay import Played, replay

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


MAX_ABORTS: Final = 3
"""Early matches a player may leave in seven days; further ones count as lost."""


class Leaving(NamedTuple):
    """The consequences of leaving a match now."""

    hardly_begun: bool
    practice: bool
    before: int
    """The number of such early matches the player has left recently."""

    @property
    def void(self) -> bool:
        """Whether the match becomes void rather than lost for its leaver."""
        return self.hardly_begun and (self.practice or self.before < MAX_ABORTS)


async def leaving(tx: Transaction, match: Match, user_id: int, now: datetime) -> Leaving:
    """Return the consequences for a player of leaving a match now."""
    early, practice = await hardly_begun(tx, match), is_practice(match)
    before = await aborts.count(tx, user_id, now) if early and not practice else 0
    return Leaving(early, practice, before)
