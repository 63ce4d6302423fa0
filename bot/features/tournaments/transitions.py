"""Changes of a tournament's state: begin, adjourn, resume, cancel, finish, repeat."""

from __future__ import annotations

import secrets
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime, timedelta
from typing import Final

from bot.features.tournaments import showing
from bot.features.tournaments.standing_rows import Standing, places_won
from bot.features.tournaments.view import TournamentView
from data.store.store import Transaction
from data.tournaments import tournament_entrants, tournament_rounds, tournaments
from data.tournaments.tournaments import DELETED_ROLE, State, Terms, Tournament
from engine.luck import SEED_BYTES

MIN_SIGN_UP: Final = timedelta(days=3)
"""Minimum sign-up time before a monthly tournament starts."""


async def adjourn(tx: Transaction, view: TournamentView, now: datetime) -> Tournament:
    """Adjourn a tournament; the time left in its round is kept until it resumes."""
    played = view.round
    if played is not None and played.ends_at is not None:
        left = max(played.ends_at - now, timedelta(0))
        await tournament_rounds.change(
            tx, replace(played, ends_at=played.begun_at + left, warn_at=None)
        )
    return await tournaments.change(tx, view.tournament, state=State.ADJOURNED, next_at=None)


async def resume(tx: Transaction, view: TournamentView, now: datetime) -> Tournament:
    """Resume an adjourned tournament."""
    played = view.round
    if played is not None and played.ends_at is not None:
        left = played.ends_at - played.begun_at
        await tournament_rounds.change(tx, replace(played, ends_at=now + left))
    return await tournaments.change(tx, view.tournament, state=State.RUNNING, next_at=now)


async def begin(tx: Transaction, tournament: Tournament, now: datetime) -> Tournament:
    """Begin a tournament: the next step pairs its first round."""
    changed = await tournaments.change(tx, tournament, state=State.RUNNING, next_at=now)
    await showing.show(tx, changed, now)
    return changed


async def cancel(tx: Transaction, tournament: Tournament, now: datetime) -> Tournament:
    """Cancel a tournament; its open matches continue."""
    changed = await tournaments.change(
        tx, tournament, state=State.CANCELLED, ended_at=now, next_at=None
    )
    await showing.show(tx, changed, now)
    await showing.note(tx, changed, "cancelled", now)
    return changed


async def finish(
    tx: Transaction, view: TournamentView, final: Sequence[Standing], now: datetime
) -> Tournament:
    """End a tournament with the places won in its final standings."""
    won = places_won(final, view.pairings)
    await tournament_entrants.set_places(tx, view.id, won.items())
    changed = await tournaments.change(
        tx, view.tournament, state=State.FINISHED, ended_at=now, next_at=None
    )
    await showing.show(tx, changed, now)
    await showing.show_podium(tx, changed, now)
    return changed


async def repeat(tx: Transaction, before: Tournament, now: datetime) -> Tournament | None:
    """Open the next monthly tournament for sign-ups, once the last one has ended by itself.

    It starts a month after the last one started, or later to leave `MIN_SIGN_UP`. There is none
    if the last one is shown nowhere: its channel is gone, or closed to the bot all the time.
    """
    day = before.monthly_day
    if day is None or before.starts_at is None or before.message_id is None:
        return None
    starts_at = _month_later(before.starts_at, day)
    while starts_at < now + MIN_SIGN_UP:
        starts_at = _month_later(starts_at, day)
    terms = Terms(
        **{field.name: getattr(before, field.name) for field in fields(Terms)}
        | {"starts_at": starts_at}
    )
    seed = secrets.token_bytes(SEED_BYTES)
    tournament = await tournaments.add(tx, terms, seed=seed, at=now, next_at=now)
    await showing.show(tx, tournament, now)
    if tournament.role_id == DELETED_ROLE:
        await showing.note(tx, tournament, "role", now)
    return tournament


def _month_later(moment: datetime, day: int) -> datetime:
    """Return a day of the next month, or its last day if that month is shorter."""
    year, month = divmod(moment.month, 12)
    year, month = moment.year + year, month + 1
    return moment.replace(year=year, month=month, day=min(day, monthrange(year, month)[1]))
