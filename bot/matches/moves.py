"""What a player's move leads to: the throws after it, and the end of the match where it is one."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.matches.luck import luck_of, throws
from bot.matches.positions import TAIL, MatchView
from bot.matches.turns import ranks_by_seat
from data.matches import Entry, Match, Player
from engine.replay import Played

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Ended:
    """How a match ended by the rules of its game."""

    ranks: Mapping[int, int]
    """By seat."""
    reason: str


@dataclass(frozen=True, slots=True)
class Made:
    """A move that was made in a position; nothing of it is stored yet."""

    entries: Sequence[Entry]
    """The move and the throws that follow it."""
    after: MatchView
    """The match after them, but for its clock."""
    ended: Ended | None


def made(before: MatchView, player: Player, text: str, at: datetime) -> Made:
    """Return what a player's move leads to.

    Args:
        before: the match as it stands.
        player: whose turn it is.
        text: the move in notation.
        at: the present moment.

    Raises:
        RulesError: the text is not a legal move.

    """
    game, match = before.game, before.match
    move = game.read(before.state, text)
    reached = game.after(before.state, move)
    first = Entry(ply=before.ply + 1, actor=player.seat, notation=game.write(move), made_at=at)
    more, thrown = throws(game, reached, first.ply, luck_of(match), at)
    entries = [first, *more]
    tail = (*before.tail, Played(first.ply, before.state, move, reached), *thrown)[-TAIL:]
    state: Any = tail[-1].after
    outcome = game.outcome(state)
    ply = entries[-1].ply
    standing = dataclasses.replace(match, plies=ply)
    ended = None
    if outcome is not None:
        ended = Ended(ranks_by_seat(match.players, outcome.ranks), outcome.reason)
        standing = _over(standing, ended, at)
    return Made(entries, MatchView(standing, game, state, ply, tail), ended)


def _over(match: Match, ended: Ended, at: datetime) -> Match:
    players = tuple(dataclasses.replace(p, rank=ended.ranks[p.seat]) for p in match.players)
    return dataclasses.replace(match, players=players, reason=ended.reason, finished_at=at)
