"""Changes of a tournament's state: begin, adjourn, resume, cancel, finish, repeat."""

from __future__ import annotations

import secrets
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal, TypeAlias, get_args

from bot.features.tournaments.rules.standings import Standing, places_won
from bot.features.tournaments.view import TournamentView
from data import posts
from data.matches.match import Match
from data.store.store import Transaction
from data.tournaments import tournament_entrants, tournament_rounds, tournaments
from data.tournaments.tournaments import DELETED_ROLE, State, Terms, Tournament
from engine.luck import SEED_BYTES

_BETWEEN_BOARDS: Final = timedelta(seconds=5)
"""How long the post of a round waits for more boards to link to."""
_MANY: Final = 1_000
"""More tournaments than a server may have open."""
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
    return await change(tx, view.tournament, now, state=State.RUNNING, next_at=now)


async def cancel(tx: Transaction, tournament: Tournament, now: datetime) -> Tournament:
    """Cancel a tournament; its open matches continue."""
    over = {"state": State.CANCELLED, "ended_at": now, "next_at": None}
    changed = await change(tx, tournament, now, **over)
    await note(tx, changed, "cancelled", now)
    return changed


async def cancel_all(tx: Transaction, guild_id: int, now: datetime) -> None:
    """Cancel the tournaments of a server that the bot leaves."""
    found = await tournaments.of_server(tx, guild_id, limit=_MANY, open_only=True)
    for one in reversed(found):
        locked = await tournaments.lock(tx, one.id)
        if locked is not None and locked.state.open:
            await cancel(tx, locked, now)


async def finish(
    tx: Transaction, view: TournamentView, final: Sequence[Standing], now: datetime
) -> Tournament:
    """End a tournament with the places won in its final standings."""
    await tournament_entrants.set_places(tx, view.id, places_won(final, view.pairings).items())
    over = {"state": State.FINISHED, "ended_at": now, "next_at": None}
    changed = await change(tx, view.tournament, now, **over)
    for kind in (PODIUM, WINNER):
        await posts.want(tx, kind, changed.id, at=now, guild_id=changed.guild_id)
    return changed


async def repeat(tx: Transaction, before: Tournament, now: datetime) -> Tournament | None:
    """Open the next monthly tournament for sign-ups, once the last one has ended by itself.

    It starts a month after the last one started, or later to leave `MIN_SIGN_UP`. There is none
    if the last one is shown nowhere: its channel is gone, or closed to the bot all the time.
    """
    day = before.monthly_day
    if day is None or before.starts_at is None or before.message_id is None:
        return None
    starts_at = month_later(before.starts_at, day)
    while starts_at < now + MIN_SIGN_UP:
        starts_at = month_later(starts_at, day)
    terms = Terms(
        **{field.name: getattr(before, field.name) for field in fields(Terms)}
        | {"starts_at": starts_at}
    )
    seed = secrets.token_bytes(SEED_BYTES)
    tournament = await tournaments.add(tx, terms, seed=seed, at=now, next_at=now)
    await show(tx, tournament, now)
    if tournament.role_id == DELETED_ROLE:
        await note(tx, tournament, "role", now)
    return tournament


def month_later(moment: datetime, day: int) -> datetime:
    """Return a day of the next month, or its last day if that month is shorter."""
    year, month = divmod(moment.month, 12)
    year, month = moment.year + year, month + 1
    return moment.replace(year=year, month=month, day=min(day, monthrange(year, month)[1]))


ANNOUNCEMENT: Final = "tournament"
"""The tournament's first message."""
ROUND: Final = "tournament_round"
"""The post of a round."""
PODIUM: Final = "tournament_podium"
"""The final result, later with the best game."""
WINNER: Final = "tournament_winner"
"""Celebrates the winner in the channel, if the final result is in a thread."""
NOTE: Final = "tournament_note"
"""A one-off note."""
LOST: Final = "tournament_lost"
"""Tells the organiser that the channel is gone."""
KINDS: Final = (ANNOUNCEMENT, ROUND, PODIUM, WINNER, NOTE)
"""Kinds of posts in the tournament's channel or thread, which come in their order."""

Note: TypeAlias = Literal[
    "warning",
    "undecided",
    "absent",
    "replaced",
    "forced",
    "ended",
    "role",
    "adjourned",
    "resumed",
    "cancelled",
]
_NOTES: Final = get_args(Note)


async def change(tx: Transaction, known: Tournament, now: datetime, **values: Any) -> Tournament:
    """Change a tournament that the transaction has locked, and its announcement."""
    changed = await tournaments.change(tx, known, **values)
    await show(tx, changed, now)
    return changed


async def show(tx: Transaction, tournament: Tournament, at: datetime) -> None:
    """Post or update the announcement."""
    await posts.want(tx, ANNOUNCEMENT, tournament.id, at=at, guild_id=tournament.guild_id)


async def show_round(tx: Transaction, tournament: Tournament, round_no: int, at: datetime) -> None:
    """Post or update the post of a round."""
    guild = tournament.guild_id
    await posts.want(tx, ROUND, tournament.id, part=round_no, at=at, guild_id=guild)


async def show_link(tx: Transaction, match: Match, at: datetime) -> None:
    """Have the post of a round link to the first board of one of its games.

    Boards follow each other, so once it is posted, it waits for the next ones.
    """
    found = await tournament_rounds.round_of(tx, match.id)
    if found is None:
        return
    post = await posts.find(tx, ROUND, found[0], part=found[1])
    posted = post is not None and post.message_id is not None
    later = at + _BETWEEN_BOARDS if posted else None
    guild = match.guild_id
    await posts.want(tx, ROUND, found[0], part=found[1], at=at, guild_id=guild, not_before=later)


async def note(
    tx: Transaction, tournament: Tournament, what: Note, at: datetime, **users: Any
) -> None:
    """Post a one-off note about the current round or the whole tournament, naming some users."""
    await posts.want(
        tx,
        NOTE,
        tournament.id,
        # Each change has its own version.
        part=tournament.version * len(_NOTES) + _NOTES.index(what),
        at=at,
        guild_id=tournament.guild_id,
        payload={"note": what, "round": tournament.round, **users},
    )
