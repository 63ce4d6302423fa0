"""Who may enter a tournament, and the strength they enter with."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final, NamedTuple

from bot.core.errors import Refusal, TooMany, Unwelcome
from bot.core.i18n.slash import slash
from bot.core.settings.service import of_player
from bot.features.tournaments.model import Format, Plan
from bot.features.tournaments.pairing import total_rounds
from bot.features.tournaments.record import MAX_ROUNDS
from bot.features.tournaments.view import TournamentView
from bot.play.ratings.skill import START, after_pause
from data.ratings import ratings
from data.store.store import Transaction
from data.tournaments import tournaments
from data.tournaments.tournaments import DELETED_ROLE, State, Terms
from engine.phrase import plural, say

MAX_ENTRANTS: Final = 500
MAX_ENTERED: Final = 5
"""Maximum tournaments a player takes part in at once."""


class Strength(NamedTuple):
    """A player's rating, as far as known."""

    points: int
    established: bool


def most_entrants(plan: Plan) -> int:
    """Return how many players a tournament of a plan can take within `MAX_ROUNDS`."""
    sizes = range(MAX_ENTRANTS, 1, -1)
    return next((n for n in sizes if total_rounds(plan, n) <= MAX_ROUNDS), 2)


async def strength(tx: Transaction, terms: Terms, user_id: int, now: datetime) -> Strength:
    """Return a player's strength by their rating in the tournament's game and server."""
    rating = await ratings.get(tx, terms.game, terms.guild_id, user_id)
    if rating is None:
        return Strength(START.points, established=False)
    return Strength(after_pause(rating, now).points, rating.established)


def takes_late(view: TournamentView) -> bool:
    """Return whether players may enter late: wherever pairings aren't fixed in advance."""
    return view.plan.format is Format.SWISS or view.plan.seats > 2


def first_round(view: TournamentView) -> int:
    """Return the first round for a player entering now, or `RESERVE` if they wait for a place."""
    if view.tournament.state is State.SIGN_UP:
        return 1
    return view.tournament.round + 1 if takes_late(view) else tournaments.RESERVE


async def check(
    tx: Transaction,
    view: TournamentView,
    user_id: int,
    *,
    roles: Collection[int],
    known: Strength,
) -> None:
    """Check that a player may enter a tournament.

    Raises:
        Refusal: it is over, or the player is or was in it, or doesn't meet its conditions.
        TooMany: it is full, or the player is in too many.
        Unwelcome: the player has turned challenges off.

    """
    terms = view.tournament
    entered = view.of(user_id)
    if not terms.state.open:
        raise Refusal(say("This tournament is over."))
    if entered is not None and entered.left_after is None:
        raise Refusal(say("You're already in this tournament."))
    if entered is not None:
        raise Refusal(say("You've left this tournament, and its rounds have gone on without you."))
    if len(view.present) + len(view.reserves) >= terms.max_players:
        raise TooMany(
            plural(
                "This tournament is full: {n} player is in.",
                "This tournament is full: {n} players are in.",
                terms.max_players,
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
    if terms.role_id == DELETED_ROLE:
        raise Refusal(
            say(
                "The role that this tournament was for has been deleted, so nobody can sign up. "
                "Whoever runs it can open it to everyone."
            )
        )
    if terms.role_id is not None and terms.role_id not in roles:
        raise Refusal(say("This tournament is for {role} only.", role=f"<@&{terms.role_id}>"))
    if terms.established and not known.established:
        raise Refusal(
            say("This tournament is for players with a settled rating. Yours is provisional.")
        )
    if terms.min_rating is not None and known.points < terms.min_rating:
        raise Refusal(
            say(
                "This tournament is for ratings from {least}. Yours is {points}.",
                least=terms.min_rating,
                points=known.points,
            )
        )
    if terms.max_rating is not None and known.points > terms.max_rating:
        raise Refusal(
            say(
                "This tournament is for ratings up to {most}. Yours is {points}.",
                most=terms.max_rating,
                points=known.points,
            )
        )
