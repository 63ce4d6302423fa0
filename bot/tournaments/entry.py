"""Who may enter a tournament, and how strong they are taken to be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bot.errors import Refusal, TooMany, Unwelcome
from bot.i18n.slash import slash
from bot.ratings.skill import START, after_pause
from bot.settings.service import of_player
from bot.tournaments.model import Format
from data import ratings, tournament_entrants, tournaments
from data.tournaments import State
from engine.phrase import plural, say

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from bot.tournaments.view import TournamentView
    from data.store import Transaction
    from data.tournaments import Terms

MAX_ENTRANTS: Final = 500
MAX_ENTERED: Final = 5
"""The most tournaments that a player takes part in at once."""


class Strength(NamedTuple):
    """What is known of a player."""

    points: int
    established: bool


async def strength(tx: Transaction, terms: Terms, user_id: int, now: datetime) -> Strength:
    """Return how strong a player is in the game and server of a tournament, by their rating."""
    rating = await ratings.get(tx, terms.game, terms.guild_id, user_id)
    if rating is None:
        return Strength(START.points, established=False)
    return Strength(after_pause(rating, now).points, rating.established)


def takes_late(seen: TournamentView) -> bool:
    """Return whether players may enter after the start: wherever no table is fixed from then on."""
    return seen.plan.format is Format.SWISS or seen.plan.seats > 2


def first_round(seen: TournamentView) -> int:
    """Return the round from which on who enters now is paired, or that they wait for a place."""
    if seen.tournament.state is State.SIGN_UP:
        return 1
    return seen.tournament.round + 1 if takes_late(seen) else tournament_entrants.RESERVE


async def check(
    tx: Transaction,
    seen: TournamentView,
    user_id: int,
    *,
    roles: Collection[int],
    known: Strength,
) -> None:
    """Refuse a player who may not enter a tournament.

    Raises:
        Refusal: it is over or under way, the player is in it, or does not fulfil its conditions.
        TooMany: it is full, or the player takes part in too many.
        Unwelcome: the player takes no challenges.

    """
    terms = seen.tournament
    entered = seen.of(user_id)
    if not terms.state.open:
        raise Refusal(say("This tournament is over."))
    if entered is not None and entered.left_after is None:
        raise Refusal(say("You're already in this tournament."))
    if entered is not None:
        raise Refusal(say("You've left this tournament, and its rounds have gone on without you."))
    if len(seen.present) + len(seen.reserves) >= terms.most:
        raise TooMany(
            plural(
                "This tournament is full: {n} player is in.",
                "This tournament is full: {n} players are in.",
                terms.most,
            )
        )
    if len(await tournaments.of_player(tx, user_id)) >= MAX_ENTERED:
        raise TooMany(
            say(
                "You're already in {number} tournaments. Leave one first, or wait until one ends.",
                number=MAX_ENTERED,
            )
        )
    if not (await of_player(tx, user_id)).challenges:
        raise Unwelcome(
            say(
                "You've turned challenges off, so nobody could play you. Turn them on in "
                "{settings} first.",
                settings=slash("me", "settings"),
            )
        )
    _check_conditions(terms, roles, known)


def _check_conditions(terms: Terms, roles: Collection[int], known: Strength) -> None:
    if terms.role_id is not None and terms.role_id not in roles:
        raise Refusal(say("This tournament is for {role} only.", role=f"<@&{terms.role_id}>"))
    if terms.established and not known.established:
        raise Refusal(
            say("This tournament is for players with a settled rating. Yours is provisional.")
        )
    if terms.least_rating is not None and known.points < terms.least_rating:
        raise Refusal(
            say(
                "This tournament is for ratings from {least}. Yours is {points}.",
                least=terms.least_rating,
                points=known.points,
            )
        )
    if terms.most_rating is not None and known.points > terms.most_rating:
        raise Refusal(
            say(
                "This tournament is for ratings up to {most}. Yours is {points}.",
                most=terms.most_rating,
                points=known.points,
            )
        )
