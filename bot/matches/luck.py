"""The luck of a match: what enters its draws, and the throws that follow a move.

What enters is settled when the last player accepts: the seed, whose fingerprint was shown before,
the number of the challenge, and the players' words in the order of their ids. Nothing that only
the bot sees does, such as the ids of presses and messages, the number of the match, or the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from data.matches import Entry
from engine.game import CHANCE
from engine.luck import Luck
from engine.replay import Played

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from data.challenges import Challenge
    from data.matches import Match
    from engine.registry import AnyGame


def users_in_order(challenge: Challenge) -> tuple[int, ...]:
    """Return the players of a challenge in the order in which they enter the draws.

    It is that of their ids: the order of joining could be changed by whoever runs the bot.
    """
    return tuple(sorted(one.user_id for one in challenge.invited))


def luck_of_challenge(challenge: Challenge) -> Luck:
    """Return the source of all draws of the match that a challenge leads to."""
    words = {one.user_id: one.word or "" for one in challenge.invited}
    ordered = tuple(words[user_id] for user_id in users_in_order(challenge))
    return Luck(challenge.seed, str(challenge.id), ordered)


def luck_of(match: Match) -> Luck:
    """Return the source of all draws of a match that has its players."""
    ordered = sorted(match.players, key=lambda player: player.place)
    return Luck(match.seed, str(match.challenge_id), tuple(player.word for player in ordered))


def draw_seats(
    source: Luck, users: Sequence[int], seats: tuple[int, ...], *, asked: tuple[int, int] | None
) -> dict[int, int]:
    """Return the seat of each user, from all users in order and the seats in turn order.

    Where a challenge asked for a seat, a user has that one, and the others are drawn.
    """
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
