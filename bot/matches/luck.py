"""The luck of a match: who draws, with which salts, and the throws that follow a move.

The salts are the ids that Discord gave to the players' own presses (the challenge and each
acceptance). The bot cannot choose them, and the last of them is made only after the commitment
was shown. They are used in sorted order, so that they do not depend on the seats they draw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from data.matches import Entry
from engine.game import CHANCE
from engine.luck import Luck
from engine.replay import Played

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from data.matches import Match
    from engine.registry import AnyGame


def luck(match_id: int, seed: bytes, salts: Iterable[str]) -> Luck:
    """Return the source of all draws of a match."""
    return Luck(seed, str(match_id), tuple(sorted(salts)))


def luck_of(match: Match) -> Luck:
    """Return the source of all draws of a match that has its players."""
    return luck(match.id, match.seed, (player.salt for player in match.players))


def draw_seats(
    source: Luck, salts: Mapping[int, str], seats: tuple[int, ...], *, asked: tuple[int, int] | None
) -> dict[int, int]:
    """Return the seat of each user, from their salts and the seats in turn order.

    Where a challenge asked for a seat, a user has that one, and the others are drawn.
    """
    users = sorted(salts, key=lambda user: salts[user])
    if asked is None:
        return dict(zip(source.shuffle("seats", users), seats, strict=True))
    asker, seat = asked
    others = [user for user in users if user != asker]
    free = [other for other in seats if other != seat]
    return {asker: seat, **dict(zip(source.shuffle("seats", others), free, strict=True))}


def throws(
    game: AnyGame, state: Any, ply: int, source: Luck, at: datetime
) -> tuple[list[Entry], list[Played[Any, Any]]]:
    """Throw the sticks from the position after ``ply`` until a player must decide, or it is over.

    Returns the entries to append, and the same as moves with their positions.
    """
    entries: list[Entry] = []
    played: list[Played[Any, Any]] = []
    while game.outcome(state) is None and game.actor(state) is CHANCE:
        ply += 1
        throw = source.draw(str(ply), game.odds(state))
        reached = game.after(state, throw)
        entries.append(Entry(ply=ply, actor=None, notation=game.write(throw), made_at=at))
        played.append(Played(ply, state, throw, reached))
        state = reached
    return entries, played
