"""What challengers ask for: invitations of commands, rematches and practice, and who may make them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.core.computers import computers, is_computer
from bot.core.errors import BadOpponent, ChallengeGone, MatchOver, NotForYou
from bot.core.i18n.mentions import mention, mention_all
from bot.core.permissions import opponents
from bot.features.challenges.text import link
from bot.play.matches.luck import word_in
from data import locks
from data.challenges import challenges
from data.challenges.challenges import Challenge, Invitation, State
from data.ladders import ladder_challenges, ladders
from data.matches import matches
from data.matches.match import Match
from data.store.store import Transaction
from data.tournaments import tournament_rounds, tournaments
from engine import registry
from engine.errors import BadOption
from engine.phrase import capital, listed, plural, say
from engine.registry import AnyGame


def checked(invitation: Invitation) -> Invitation:
    """Return an invitation with all options of its game, and places only if some are open.

    Raises BadOpponent for the challenger, the same person twice, or a wrong number of players; and
    BadOption for an option, value or seat that there is not.
    """
    game = registry.game(invitation.game)
    named = 1 + len(invitation.opponents)
    number = _players(invitation, game, named)
    seats = game.seats(number)
    if invitation.seat is not None and invitation.seat not in seats:
        raise BadOption(
            say(
                "There's no {asked} seat with {number} players. The seats are {names}.",
                number=number,
                asked=capital(game.seat_names[invitation.seat]),
                names=listed(capital(game.seat_names[seat]) for seat in seats),
            )
        )
    places = None if number == named else number
    return replace(
        invitation,
        options=game.settle(invitation.options),
        places=places,
        word=word_in(invitation.game, invitation.word),
    )


def _players(invitation: Invitation, game: AnyGame, named: int) -> int:
    """Return the number of players, given how many are named."""
    if invitation.challenger_id in invitation.opponents:
        raise opponents.yourself()
    if len(set(invitation.opponents)) < named - 1:
        raise BadOpponent(say("You named the same person twice. Pick different opponents."))
    fewest = game.players[0] if named == 1 else named
    number = fewest if invitation.places is None else invitation.places
    if number not in game.players:
        span = listed((str(one) for one in game.players), either=True)
        raise BadOpponent(
            say("This game is for {span} players, not {number}.", span=span, number=number)
        )
    if number < named:
        raise BadOpponent(
            plural(
                "You asked for one player, but with the people you named there are {named}.",
                "You asked for {n} players, but with the people you named there are {named}.",
                number,
                named=named,
            )
        )
    return number


async def open_rematch(tx: Transaction, match_id: int, now: datetime) -> Challenge | None:
    """Return the open challenge to a rematch, locked; raise MatchOver if the rematch is played."""
    await locks.lock_id(tx, -match_id)
    for one in await challenges.rematches(tx, match_id):
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


def rematch(match: Match, user_id: int, *, unrated: bool) -> Invitation:
    """Return the invitation to play a match again."""
    return Invitation(
        game=match.game,
        options=match.options,
        guild_id=match.guild_id,
        channel_id=match.parent_id or match.channel_id,
        challenger_id=user_id,
        opponents=tuple(p.user_id for p in match.players if p.user_id != user_id),
        days=match.days,
        hours=match.hours,
        bank=match.bank,
        rematch_of=match.id,
        unrated=unrated,
    )


async def was_unrated(tx: Transaction, match: Match) -> bool:
    """Return whether a match was meant to be unrated, rather than not rated for another reason."""
    if (challenge := await challenges.of_match(tx, match.id)) is not None:
        return challenge.unrated
    if (number := await tournament_rounds.of_match(tx, match.id)) is not None:
        tournament = await tournaments.get(tx, number)
        return tournament is not None and tournament.unrated
    number = await ladder_challenges.of_match(tx, match.id)
    ladder = None if number is None else await ladders.get(tx, number)
    return match.unrated if ladder is None else ladder.unrated


def check_player(match: Match, user_id: int) -> None:
    """Refuse a rematch to a non-player, of a match in progress, or with a deleted player."""
    players = [one.user_id for one in match.players if not is_computer(one.user_id)]
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
    if not match.finished:
        raise MatchOver(
            say("Match #{number} isn't over yet. Ask for a rematch when it is.", number=match.id),
            match_id=match.id,
        )
    if any(one <= 0 for one in players):
        raise BadOpponent(
            say(
                "Someone from match #{number} no longer plays. Find another opponent with "
                "`/{game} challenge`.",
                number=match.id,
                game=match.game,
            )
        )


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


def against(invitation: Invitation, level: int, players: int | None) -> Invitation:
    """Return an invitation with computers of a level in all other seats.

    If ``players`` is omitted, there are as few as the game allows.
    """
    number = players or registry.game(invitation.game).players[0]
    return replace(invitation, opponents=computers(level, number - 1), unrated=True)
