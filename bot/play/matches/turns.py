"""Whose turn it is, who may move, and where a move leads."""

from __future__ import annotations

import dataclasses
from datetime import datetime

from bot.core.errors import MatchOver, NoSuchMatch, NotForYou, NotYourTurn, OldBoard
from bot.core.i18n.mentions import mention, mention_all
from bot.play.matches.fingerprints import marked
from bot.play.matches.luck import follow, luck_of
from bot.play.matches.positions import TAIL, MatchView, deciding
from bot.play.matches.stand_ins import final_ranks
from data.matches.match import Entry
from data.matches.matches import Match, Player
from engine.phrase import say
from engine.replay import Played


def may_move(view: MatchView, user_id: int, *, ply: int | None = None) -> Player:
    """Return this user's player if it is their turn at this version.

    Raises:
        MatchOver, NotForYou, NotYourTurn, OldBoard: as named.

    """
    player = player_of(view, user_id)
    number = view.match.id
    if view.to_move is None:
        raise MatchOver(
            say("Match #{number} is over, so there's nothing left to play.", number=number),
            match_id=number,
        )
    check_playing(view, player)
    if ply is not None and ply != view.version:
        raise OldBoard(
            say("That button is from an earlier turn. Here's the current board."),
            match_id=number,
        )
    if view.to_move.user_id != user_id:
        seat = view.seat_names[view.to_move.seat]
        raise NotYourTurn(
            say(
                "It's not your turn. Waiting for {player} (**{seat}**).",
                seat=seat,
                player=mention(view.to_move.user_id),
            ),
            match_id=number,
        )
    return player


def waits_for(view: MatchView, user_id: int) -> bool:
    """Return whether a match waits for this user's decision."""
    return view.called is not None and view.called.user_id == user_id


def deciding_player(match: Match) -> Player | None:
    """Return the player to move, as stored; ``None`` if the match is over."""
    if match.finished:
        return None
    return next((one for one in match.players if one.seat == match.to_move), None)


def is_turn_of(match: Match, user_id: int) -> bool:
    """Return whether a match waits for this user's decision, without its log."""
    player = deciding_player(match)
    return player is not None and player.user_id == user_id and player.gave_up is None


def player_of(view: MatchView, user_id: int) -> Player:
    """Return this user's player.

    Raises:
        NotForYou: the user does not play in this match.

    """
    player = view.player_of(user_id)
    if player is None:
        raise NotForYou(others_match(view), match_id=view.match.id)
    return player


def check_playing(view: MatchView, player: Player) -> None:
    """Raise NotForYou if the player has given up."""
    if player.gave_up is not None:
        number = view.match.id
        raise NotForYou(
            say("A computer has taken your seat in match #{number}. You can watch.", number=number),
            match_id=number,
        )


def check_still_playing(view: MatchView, user_id: int) -> None:
    """Raise NoSuchMatch, MatchOver or NotForYou unless this user is still playing in a match."""
    player = view.player_of(user_id)
    if player is None:
        raise NoSuchMatch(say("You don't play in match #{number}.", number=view.match.id))
    if view.to_move is None:
        raise over(view.match.id)
    check_playing(view, player)


def others_match(view: MatchView) -> str:
    """Return whose match it is, for users who do not play in it."""
    players = mention_all(player.user_id for player in view.match.players)
    return say("Match #{number} belongs to {players}.", number=view.match.id, players=players)


def over(match_id: int) -> MatchOver:
    """Return the error for actions that need an ongoing match."""
    words = say("Match #{number} is already over.", number=match_id)
    return MatchOver(words, match_id=match_id)


def made_move(
    before: MatchView, player: Player, text: str, at: datetime
) -> tuple[list[Entry], MatchView]:
    """Return the entries for a move and the automatic ones after it, and the resulting match.

    Nothing is stored yet, and the match still has the previous turn's clock.

    Raises:
        RulesError: the text is not a legal move.

    """
    game, match = before.game, before.match
    move = game.read(before.state, text)
    reached = game.after(before.state, move)
    first = Entry(ply=before.ply + 1, actor=player.seat, notation=game.write(move), made_at=at)
    more, followed = follow(game, reached, first.ply, luck_of(match), at)
    entries = [first, *more]
    whole = (*before.tail, Played(first.ply, before.state, move, reached), *followed)
    kept = max(TAIL, len(entries))  # always with the move itself, however many throws follow
    tail, count = whole[-kept:], before.before.after(game, whole[:-kept])
    entries = marked(match, game, entries, tail)
    ply = entries[-1].ply
    outcome = game.outcome(tail[-1].after)
    match = dataclasses.replace(match, plies=ply, to_move=deciding(game, tail[-1].after))
    if outcome is not None:
        ranks = final_ranks(match.players, outcome.ranks)
        ranked = zip(match.players, ranks, strict=True)
        players = tuple(dataclasses.replace(player, rank=rank) for player, rank in ranked)
        match = dataclasses.replace(match, players=players, reason=outcome.reason, finished_at=at)
    return entries, MatchView(match, game, tail[-1].after, ply, tail, count)
