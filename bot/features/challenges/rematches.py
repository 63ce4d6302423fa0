"""Rematches: same rules and time, each player in the next seat."""

from __future__ import annotations

from collections.abc import Container, Iterable
from datetime import datetime

from bot.core.errors import BadOpponent, ChallengeGone, MatchOver, NotForYou
from bot.core.i18n.mentions import mention, mention_all
from bot.features.challenges.text import link
from data import locks
from data.challenges import open_challenges
from data.challenges.challenge import Challenge, Invitation, State
from data.matches import matches
from data.matches.matches import Match
from data.store.store import Transaction
from engine import registry
from engine.game import Seat
from engine.phrase import say


async def open_rematch(tx: Transaction, match_id: int, now: datetime) -> Challenge | None:
    """Return the open challenge to a rematch, locked until the transaction ends.

    Raises:
        MatchOver: the rematch is already in progress; its board is shown.

    """
    await locks.lock_id(tx, -match_id)
    for one in await open_challenges.rematches(tx, match_id):
        if one.state is State.OPEN and not one.expired(now):
            return one
        again = None if one.match_id is None else await matches.get(tx, one.match_id)
        if again is not None and not again.finished:
            raise MatchOver(
                say(
                    "The rematch of match #{number} has already started: match #{rematch}.",
                    number=match_id,
                    rematch=again.id,
                ),
                match_id=again.id,
            )
    return None


def rematch(match: Match, user_id: int, *, casual: bool) -> Invitation:
    """Return the invitation to play a match again."""
    return Invitation(
        game=match.game,
        options=match.options,
        guild_id=match.guild_id,
        channel_id=match.parent_id or match.channel_id,
        challenger_id=user_id,
        opponents=tuple(p.user_id for p in match.players if p.user_id != user_id),
        days=match.days,
        bank=match.bank,
        rematch_of=match.id,
        casual=casual,
    )


async def next_seats(tx: Transaction, match_id: int) -> dict[int, int]:
    """Return the seats of a rematch by user id: every player moves on by one."""
    before = await matches.get_existing(tx, match_id)
    seats = registry.game(before.game).seats(len(before.players))
    return {
        player.user_id: seats[(seats.index(Seat(player.seat)) + 1) % len(seats)]
        for player in before.players
    }


def check_over(match: Match) -> None:
    """Raise MatchOver for a match in progress: only finished ones can be played again."""
    if not match.finished:
        raise MatchOver(
            say(
                "Match #{number} isn't over yet. Ask for a rematch when it is.",
                number=match.id,
            ),
            match_id=match.id,
        )


def check_player(match: Match, user_id: int) -> None:
    """Refuse a rematch to a non-player, of a match in progress, or with a deleted player."""
    players = [player.user_id for player in match.players]
    if user_id not in players:
        raise NotForYou(
            say(
                "Only {players} can ask for a rematch of match #{number}. Start your own "
                "game with `/{game} challenge`.",
                players=mention_all(players),
                number=match.id,
                game=match.game,
            )
        )
    check_over(match)
    if any(one <= 0 for one in players):
        raise BadOpponent(
            say(
                "Someone from match #{number} no longer plays. Find another opponent with "
                "`/{game} challenge`.",
                number=match.id,
                game=match.game,
            )
        )


def check_here(others: Iterable[int], departed: Container[int]) -> None:
    """Raise BadOpponent if one of the other players has left the server."""
    for one in others:
        if one in departed:
            raise BadOpponent(say("{person} isn't on this server.", person=mention(one)))


def check_not_asked(asked: Challenge, user_id: int) -> None:
    """Raise ChallengeGone if a player has already asked for or agreed to a rematch."""
    mine = asked.of(user_id)
    if mine is None or mine.joined is None:
        return
    raise ChallengeGone(
        say(
            "{asker} has already asked for a rematch of match #{number}: {where}. "
            "Waiting for {waiting}.",
            asker=mention(asked.challenger_id),
            number=asked.rematch_of,
            where=link(asked),
            waiting=mention_all(one.user_id for one in asked.invited if one.joined is None),
        ),
        withdrawable=asked.id if asked.challenger_id == user_id else None,
    )
