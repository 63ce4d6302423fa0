"""Who may decide what in a tournament, and who may not because they could win by it.

The organiser runs a tournament, and so does anyone with the permission Manage Server. What changes
its results is for the latter alone, and for nobody who plays in it: they have an interest.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from bot.core.errors import NotAllowed
from bot.core.i18n.mentions import mention, slash
from bot.features.tournaments.rules import knockout
from bot.features.tournaments.rules.roster import Roster
from bot.features.tournaments.view import TournamentView, read_view
from data.store.store import Transaction
from data.tournaments import tournament_rounds
from data.tournaments.tournaments import State
from data.tournaments.values import FINAL, Format
from engine.phrase import Phrase, say


class Person(NamedTuple):
    """A user who acts on a tournament."""

    user_id: int
    manages_server: bool
    """Whether they have the permission Manage Server."""


def check_runs(view: TournamentView, by: Person) -> None:
    """Raise NotAllowed unless a user runs a tournament."""
    if by.user_id != view.tournament.created_by and not by.manages_server:
        raise NotAllowed(
            say(
                "Only the organiser, or someone with the permission **Manage Server**, can do that."
            )
        )


def check_starts(view: TournamentView, by: Person, now: datetime) -> None:
    """Raise NotAllowed unless a user may start a tournament now.

    A player may not start it before the announced time, as that would keep others from entering.
    """
    check_runs(view, by)
    terms = view.tournament
    early = terms.starts_at is not None and now < terms.starts_at
    if terms.state is State.SIGN_UP and early and by.user_id in view.present:
        raise NotAllowed(_another(view))


def check_ends_round(view: TournamentView, by: Person) -> None:
    """Raise NotAllowed unless a user may end a round before its time."""
    check_runs(view, by)
    if not by.manages_server:
        raise NotAllowed(
            say(
                "To end a round before its time, you need the permission **Manage Server**. It "
                "ends by itself when all games are over."
            )
        )
    _check_neutral(view, by.user_id)


def check_replaces(view: TournamentView, by: Person, player: int) -> None:
    """Raise NotAllowed unless a user may give a player's place to another."""
    check_runs(view, by)
    if player in view.present and not by.manages_server:
        raise NotAllowed(
            say(
                "{player} hasn't left. To take their place away, you need the permission **Manage "
                "Server**.",
                player=mention(player),
            )
        )
    _check_neutral(view, by.user_id)


def check_ends(view: TournamentView, by: Person) -> None:
    """Raise NotAllowed unless a user may end a tournament; before its first round, cancel it."""
    check_runs(view, by)
    if not view.rounds:
        return
    if not by.manages_server:
        raise NotAllowed(
            say(
                "To end a tournament early, you need the permission **Manage Server**. It ends by "
                "itself after its last round."
            )
        )
    if _has_open_game(view, by.user_id) or (
        by.user_id in {*view.present, *view.reserves} and contends(view, by.user_id)
    ):
        raise NotAllowed(
            say(
                "You play in **{tournament}**, so ask someone else who manages the server. If "
                "there's nobody, leave it first with `{leave}`, and finish or resign your game.",
                tournament=view.tournament.name,
                leave=slash("tournament", "leave"),
            )
        )


def check_adjourns(view: TournamentView, by: Person) -> None:
    """Raise NotAllowed unless a user may adjourn a tournament.

    A player whose game the round's end would decide may not put it off.
    """
    check_runs(view, by)
    if view.tournament.round_days is not None and _has_open_game(view, by.user_id):
        raise NotAllowed(_another(view))


def took_part(view: TournamentView, user_id: int) -> bool:
    """Return whether a user has been paired in a tournament."""
    return any(user_id in one.players for one in view.pairings)


def interested(view: TournamentView, user_id: int) -> bool:
    """Return whether a user has an open game in a tournament, or could still win it."""
    return _has_open_game(view, user_id) or contends(view, user_id)


def contends(view: TournamentView, user_id: int) -> bool:
    """Return whether a user could still win a tournament.

    Players who have left keep their points, except in a knockout.
    """
    entered = view.of(user_id)
    if entered is None or not view.rounds or not view.tournament.state.open:
        return False
    if user_id in view.reserves:
        return True
    roster = Roster(view.entrants, view.tournament.seed)
    place = roster.place(user_id)
    if roster.latest(place).user_id != user_id:
        return False  # replaced
    if view.plan.format is Format.KNOCKOUT:
        ended = [one for one in roster.as_places(view.pairings) if not one.open]
        lost = knockout.losses(roster, ended)[place]
        return entered.left_after is None and lost < view.plan.lives
    final = [one for one in view.pairings if one.stage == FINAL]
    return not final or any(user_id in one.players for one in final)


async def of_match(tx: Transaction, match_id: int, user_id: int) -> Phrase | None:
    """Return why a user may not decide a match: they play in its tournament. Otherwise ``None``."""
    number = await tournament_rounds.of_match(tx, match_id)
    view = None if number is None else await read_view(tx, number)
    if view is None or not interested(view, user_id):
        return None
    return _another(view)


def _check_neutral(view: TournamentView, user_id: int) -> None:
    if interested(view, user_id):
        raise NotAllowed(_another(view))


def _has_open_game(view: TournamentView, user_id: int) -> bool:
    return view.tournament.state.open and any(
        game.points is None and user_id in game.seats for one in view.pairings for game in one.games
    )


def _another(view: TournamentView) -> Phrase:
    return say(
        "You play in **{tournament}**, so someone else who manages the server has to do that.",
        tournament=view.tournament.name,
    )
