"""The luck of a match: the inputs of its draws, and what follows a move automatically.

The inputs are fixed when the last player accepts: the seed, whose fingerprint was shown before; the
number of the challenge; and the players' words, in the order of their ids. Matches of ladders and
tournaments begin with a `Sealed` seed. Values that only the bot sees are left out, such as the ids
of presses and messages, the match number, or the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from data.challenges.challenge import Challenge
from data.matches.match import Entry
from data.matches.matches import Match
from engine.game import CHANCE
from engine.luck import Luck
from engine.registry import AnyGame
from engine.replay import Played


def users_in_order(challenge: Challenge) -> tuple[int, ...]:
    """Return the players of a challenge in the order in which they enter the draws.

    They are sorted by id, because the bot's operator could change the order of joining.
    """
    return tuple(sorted(one.user_id for one in challenge.invited))


@dataclass(frozen=True, slots=True)
class Sealed:
    """What is fixed before a match begins that no ordinary challenge announces."""

    seed: bytes = field(repr=False)
    drawn_for: str
    """What is part of every draw in place of the challenge's number."""
    words: Mapping[int, str]
    """What players have added to the throws, by user id."""


def luck_of_challenge(challenge: Challenge, drawn_for: str | None = None) -> Luck:
    """Return the source of all draws in the match a challenge leads to.

    ``drawn_for`` is as in `data.matches.match.Match`.
    """
    words = {one.user_id: one.word or "" for one in challenge.invited}
    ordered = tuple(words[user_id] for user_id in users_in_order(challenge))
    return Luck(challenge.seed, drawn_for or str(challenge.id), ordered)


def luck_of(match: Match) -> Luck:
    """Return the source of all draws in a match."""
    ordered = sorted(match.players, key=lambda player: player.place)
    return Luck(match.seed, match.draw, tuple(player.word for player in ordered))


def draw_seats(
    source: Luck, users: Sequence[int], seats: tuple[int, ...], *, asked: tuple[int, int] | None
) -> dict[int, int]:
    """Return the seat of each user; ``users`` are in draw order and ``seats`` in turn order.

    A seat requested in the challenge is assigned first; the others are drawn.
    """
    if asked is None:
        return dict(zip(source.shuffle("seats", users), seats, strict=True))
    asker, seat = asked
    others = [user for user in users if user != asker]
    free = [other for other in seats if other != seat]
    return {asker: seat, **dict(zip(source.shuffle("seats", others), free, strict=True))}


def follow(
    game: AnyGame, state: Any, ply: int, source: Luck, at: datetime
) -> tuple[list[Entry], list[Played[Any, Any]]]:
    """Play on from the position after ``ply`` until a player has a choice or the game ends.

    Throws the sticks, and plays for a seat with only one legal move; the log is the same as if the
    player had. Returns the entries to append, and the same as moves with their positions.
    """
    entries: list[Entry] = []
    played: list[Played[Any, Any]] = []
    while game.outcome(state) is None:
        actor = game.actor(state)
        if actor is CHANCE:
            move = source.draw(str(ply + 1), game.odds(state))
        elif (only := game.only_move(state)) is not None:
            move = only
        else:
            break
        ply += 1
        seat = None if actor is CHANCE else actor
        reached = game.after(state, move)
        entries.append(Entry(ply=ply, actor=seat, notation=game.write(move), made_at=at))
        played.append(Played(ply, state, move, reached))
        state = reached
    return entries, played
