"""Whose turn it is, who may use it, and what a move leads to."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.errors import MatchOver, NotForYou, NotYourTurn, OldBoard
from bot.i18n.mentions import all_of, who
from bot.matches.luck import luck_of, throws
from bot.matches.positions import TAIL, MatchView
from data.matches import Entry, Match, Player
from engine.phrase import say
from engine.replay import Played

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from data.outbox import Job


@dataclass(frozen=True, slots=True)
class Turn:
    """What one accepted decision did."""

    before: MatchView
    after: MatchView
    user_id: int | None
    """Who decided; ``None`` for the clock."""
    job: Job | None
    """The job of the outbox for Discord; ``None`` until a computer has answered."""

    @property
    def passes(self) -> bool:
        """Whether to ping the next player: the turn passed on, or the match ended."""
        following = self.after.to_move
        return following is None or following.user_id != self.user_id


def may_move(view: MatchView, user_id: int, *, ply: int | None = None) -> Player:
    """Return the player who this user is, if it is their turn at this version.

    Raises:
        MatchOver, NotForYou, NotYourTurn, OldBoard: as their names say.

    """
    player = player_of(view, user_id)
    number = view.match.id
    if view.to_move is None:
        raise MatchOver(
            say("Match #{number} is over, nothing more can be played.", number=number),
            match_id=number,
        )
    if ply is not None and ply != view.version:
        raise OldBoard(
            say("That button belongs to an earlier turn. Here is the board as it stands now."),
            match_id=number,
        )
    if view.to_move.user_id != user_id:
        seat = view.seat_names[view.to_move.seat]
        raise NotYourTurn(
            say(
                "It is not your turn: {seat} ({player}) is to move.",
                seat=seat,
                player=who(view.to_move.user_id),
            ),
            match_id=number,
        )
    return player


def waits_for(view: MatchView, user_id: int) -> bool:
    """Return whether a match waits for this user's decision."""
    return view.to_move is not None and view.to_move.user_id == user_id


def ranks_by_seat(players: Sequence[Player], ranks: Sequence[int]) -> dict[int, int]:
    """Return the rank of each seat from ranks in the order of the seats."""
    return {player.seat: rank for player, rank in zip(players, ranks, strict=True)}


def player_of(view: MatchView, user_id: int) -> Player:
    """Return the player who this user is.

    Raises:
        NotForYou: a stranger.

    """
    player = view.player_of(user_id)
    if player is None:
        players = all_of(p.user_id for p in view.match.players)
        words = say("Match #{number} belongs to {players}.", number=view.match.id, players=players)
        raise NotForYou(words, match_id=view.match.id)
    return player


def over(match_id: int) -> MatchOver:
    """Return the refusal of what can only be done while a match goes on."""
    words = say("Match #{number} is over already.", number=match_id)
    return MatchOver(words, match_id=match_id)


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


def made_move(before: MatchView, player: Player, text: str, at: datetime) -> Made:
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
