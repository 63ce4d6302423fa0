"""Whose turn it is, who may use it, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import MatchOver, NotForYou, NotYourTurn, OldBoard
from bot.i18n.mentions import all_of, who
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.matches.positions import MatchView
    from data.matches import Player
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
        seat = view.seat_name(view.to_move.seat)
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
