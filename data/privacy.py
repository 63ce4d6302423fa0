"""Exporting and erasing all of a person's data.

Every column that can hold a user id, or a text with one, is listed here; a test checks that.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import ColumnElement, FromClause, Select, cast, delete, or_, select, update

from data import computer_tasks, locks, posts
from data.challenges import challenges
from data.challenges.challenges import State
from data.ladders import ladder_challenges, ladders
from data.matches import absences, conditional_moves, match, offers, outbox, watching
from data.people import (
    audit,
    exclusions,
    limits,
    owner_orders,
    share_links,
    stored_settings,
    web_sessions,
)
from data.people.stored_settings import PLAYER_CHANGED
from data.puzzles import analyses, daily_puzzles, imported_records, puzzles
from data.ratings import milestones, rating, ratings, scores, season_ratings
from data.sql.transaction import Record, Transaction
from data.tournaments import tournament_rounds, tournaments

_SECRET: Final = {"seed", "secret_hash"}
PER_PAGE: Final = 500
"""Rows read at a time: few enough to hold the event loop for a moment only, on PostgreSQL."""
RENAMED: Final[tuple[sa.Column[int], ...]] = (
    match.players.c.user_id,
    challenges.challenges.c.challenger_id,
    challenges.invited.c.user_id,
    match.matches.c.ended_by,
    audit.audit.c.user_id,
    stored_settings.servers.c.changed_by,
    match.clocks.c.user_id,
    exclusions.excluded_players.c.decided_by,
    computer_tasks.computer_tasks.c.user_id,
    tournaments.tournaments.c.created_by,
    tournaments.entrants.c.user_id,
    tournaments.entrants.c.replaces,
    tournament_rounds.paired.c.user_id,
    ladders.ladders.c.created_by,
    ladder_challenges.ladder_challenges.c.challenger_id,
    ladder_challenges.ladder_challenges.c.challenged_id,
    ladders.ladder_events.c.user_id,
    ladders.ladder_events.c.other_id,
    owner_orders.orders.c.user_id,
    owner_orders.orders.c.person_id,
)
"""User ids in rows shared with others: replaced."""
COUNTED: Final[tuple[sa.Column[int], ...]] = (
    scores.scores.c.user_id,
    rating.rating_changes.c.user_id,
    rating.ratings.c.user_id,
    season_ratings.season_ratings.c.user_id,
    scores.rivals.c.user_id,
    scores.rivals.c.rival_id,
)
"""User ids in data derived from results: replaced, so opponents' figures stay right."""
DELETED: Final[tuple[sa.Column[int], ...]] = (
    absences.aborts.c.user_id,
    stored_settings.people.c.user_id,
    absences.vacations.c.user_id,
    imported_records.imports.c.user_id,
    exclusions.blocks.c.user_id,
    puzzles.attempts.c.user_id,
    daily_puzzles.daily_answers.c.user_id,
    watching.followed_matches.c.user_id,
    watching.followed_players.c.user_id,
    watching.followed_players.c.player_id,
    posts.posts.c.user_id,
    stored_settings.courses.c.user_id,
    milestones.milestones.c.user_id,
    watching.notes.c.user_id,
    ladders.ladder_places.c.user_id,
    limits.spent_limits.c.opponent_id,
    web_sessions.sessions.c.user_id,
    share_links.share_links.c.user_id,
)
"""User ids in a person's own rows, or in those of their followers: the rows are deleted."""
KEPT: Final[tuple[sa.Column[int], ...]] = (
    exclusions.blocks.c.blocked_id,
    exclusions.excluded_players.c.user_id,
    owner_orders.blocks.c.blocked_id,
)
"""User ids in others' decisions about a person, which erasing must not undo: kept."""
LIMITED: Final[tuple[sa.Column[int], ...]] = (
    limits.hourly_uses.c.user_id,
    limits.spent_limits.c.user_id,
)
"""User ids in the counts of limits, which erasing must not reset: kept until they expire."""
DOCUMENTS: Final[tuple[sa.Column[Any], ...]] = (
    audit.audit.c.detail,
    outbox.outbox.c.payload,
    posts.posts.c.payload,
    match.matches.c.reason,
    imported_records.imports.c.record,
    watching.notes.c.text,
    tournaments.tournaments.c.name,
    computer_tasks.computer_tasks.c.asked,
    computer_tasks.computer_tasks.c.answer,
    owner_orders.orders.c.detail,
    owner_orders.orders.c.answer,
    owner_orders.blocks.c.reason,
)
"""Documents and texts that may contain user ids, including mentions: replaced."""


async def pages(tx: Transaction, user_id: int) -> AsyncIterator[tuple[str, Sequence[Record]]]:
    """Yield all of a person's data, table by table, as stored: each table in one or more pages.

    Opponents' seats and moves are left out, and so are seeds, which are secret until a match is
    over and then part of its proof.
    """

    def own(*columns: sa.Column[int]) -> Select[Any]:
        """Return the rows with this person's id in any of some columns of a table."""
        return select(*_shown(columns[0].table)).where(or_(*(one == user_id for one in columns)))

    def of_seat(table: sa.Table, seat: sa.Column[int], without: str = "") -> Select[Any]:
        """Return the rows of this person's seats in a table of matches."""
        seats = match.players.c
        own = (seats.match_id == table.c.match_id) & (seats.seat == seat)
        shown = (one for one in table.c if one.name != without)
        return select(*shown).join(match.players, own).where(seats.user_id == user_id)

    planned = conditional_moves.conditional_moves
    mine = select(match.players.c.match_id).where(match.players.c.user_id == user_id)
    asked = select(challenges.invited.c.challenge_id).where(challenges.invited.c.user_id == user_id)
    found = {
        "settings": own(stored_settings.people.c.user_id),
        "challenges": select(*_shown(challenges.challenges)).where(
            challenges.challenges.c.id.in_(asked)
        ),
        "invitations": own(challenges.invited.c.user_id),
        "matches": select(*_shown(match.matches)).where(match.matches.c.id.in_(mine)),
        "seats": own(match.players.c.user_id),
        "moves": of_seat(match.moves, match.moves.c.actor),
        "conditional_moves": of_seat(planned, planned.c.seat),
        "offers": of_seat(offers.offers, offers.offers.c.seat, without="answered_by"),
        "hints": select(analyses.hints).where(analyses.hints.c.match_id.in_(mine)),
        "notes": own(watching.notes.c.user_id),
        "clocks": own(match.clocks.c.user_id),
        "records": own(scores.scores.c.user_id),
        "opponents": own(scores.rivals.c.user_id),
        "ratings": own(rating.ratings.c.user_id),
        "rating_changes": own(rating.rating_changes.c.user_id),
        "seasons": own(season_ratings.season_ratings.c.user_id),
        "milestones": own(milestones.milestones.c.user_id),
        "vacations": own(absences.vacations.c.user_id),
        "blocks": own(exclusions.blocks.c.user_id),
        "kept_out_of_rated_play": select(
            exclusions.excluded_players.c.guild_id, exclusions.excluded_players.c.at
        ).where(exclusions.excluded_players.c.user_id == user_id),
        "kept_others_out_of_rated_play": own(exclusions.excluded_players.c.decided_by),
        "blocked_by_the_bots_owner": own(owner_orders.blocks.c.blocked_id),
        "orders_of_the_bots_owner": own(
            owner_orders.orders.c.user_id, owner_orders.orders.c.person_id
        ),
        "left_early": own(absences.aborts.c.user_id),
        "puzzles": own(puzzles.attempts.c.user_id),
        "daily_puzzles": own(daily_puzzles.daily_answers.c.user_id),
        "followed_matches": own(watching.followed_matches.c.user_id),
        "followed_players": own(watching.followed_players.c.user_id),
        "direct_messages": own(posts.posts.c.user_id),
        "lessons": own(stored_settings.courses.c.user_id),
        "imports": own(imported_records.imports.c.user_id),
        "computer_tasks": own(computer_tasks.computer_tasks.c.user_id),
        "sessions_in_the_browser": own(web_sessions.sessions.c.user_id),
        "links_that_show": own(share_links.share_links.c.user_id),
        "hourly_uses": own(limits.hourly_uses.c.user_id),
        "spent_limits": own(limits.spent_limits.c.user_id),
        "server_settings_changed": own(stored_settings.servers.c.changed_by),
        "tournaments_made": own(tournaments.tournaments.c.created_by),
        "tournaments_entered": own(tournaments.entrants.c.user_id),
        "tournament_places_taken_over": select(
            tournaments.entrants.c.tournament_id,
            tournaments.entrants.c.number,
            tournaments.entrants.c.replaces,
        ).where(tournaments.entrants.c.replaces == user_id),
        "tournament_pairings": own(tournament_rounds.paired.c.user_id),
        "ladders_made": own(ladders.ladders.c.created_by),
        "ladder_places": own(ladders.ladder_places.c.user_id),
        "ladder_challenges": own(
            ladder_challenges.ladder_challenges.c.challenger_id,
            ladder_challenges.ladder_challenges.c.challenged_id,
        ),
        "ladder_history": own(ladders.ladder_events.c.user_id, ladders.ladder_events.c.other_id),
        "matches_ended": select(
            match.matches.c.id, match.matches.c.ending, match.matches.c.reason
        ).where(match.matches.c.ended_by == user_id),
    }
    for name, statement in found.items():
        async for rows in tx.pages(statement, PER_PAGE):
            yield name, rows
    decided = await tx.rows(select(audit.audit).where(audit.audit.c.user_id == user_id))
    lines = {row.id: row for row in (*decided, *await _naming(tx, audit.audit.c.detail, user_id))}
    yield "moderation", [lines[number] for number in sorted(lines)]


async def open_matches(tx: Transaction, user_id: int) -> tuple[int, ...]:
    """Return a person's ongoing matches, except those in which they gave up their seat."""
    matches, players = match.matches.c, match.players.c
    mine = select(players.match_id).where(players.user_id == user_id, players.gave_up.is_(None))
    going_on = select(matches.id).where(matches.id.in_(mine), matches.finished_at.is_(None))
    return await tx.scalars(going_on.order_by(matches.id))


async def close_challenges(tx: Transaction, user_id: int, at: datetime) -> tuple[int, ...]:
    """Close the open challenges that a person made or is named in.

    Those in which they took an open place stay open; the place becomes free again, and their
    messages are redrawn.

    Returns:
        The closed challenges.
    """
    closed = []
    for one in await challenges.lock_with(tx, user_id):
        mine = one.of(user_id)
        if mine is not None and mine.named:
            own = one.challenger_id == user_id
            state = State.WITHDRAWN if own else State.DECLINED
            changed = await challenges.close(tx, one.id, state, at)
            closed.append(one.id)
        else:
            changed = await challenges.leave(tx, one, user_id)
        await challenges.show(tx, changed, at)
    return tuple(closed)


async def lock(tx: Transaction, user_id: int) -> None:
    """Lock what deleting a person's data changes, before anything is changed.

    The order is tournaments and ladders, then matches, then games.
    """
    entered = select(tournaments.entrants.c.tournament_id).where(
        tournaments.entrants.c.user_id == user_id
    )
    named = [row.id for row in await _naming(tx, tournaments.tournaments.c.name, user_id)]
    tournament = tournaments.tournaments.c
    these = select(tournament.id).where(
        or_(tournament.id.in_(entered), tournament.created_by == user_id, tournament.id.in_(named))
    )
    await tx.rows(these.order_by(tournament.id).with_for_update(key_share=True))
    on = select(ladders.ladders.c.id).where(_on_ladder(user_id)).order_by(ladders.ladders.c.id)
    await tx.rows(on.with_for_update(key_share=True))
    played = select(match.players.c.match_id).where(match.players.c.user_id == user_id)
    ended = select(match.matches.c.id).where(match.matches.c.ended_by == user_id)
    naming = [row.id for row in await _naming(tx, match.matches.c.reason, user_id)]
    await locks.lock_matches(tx, (*await tx.scalars(played), *await tx.scalars(ended), *naming))
    scored = select(scores.scores.c.game).where(scores.scores.c.user_id == user_id)
    playing = select(match.matches.c.game).where(match.matches.c.id.in_(played))
    for game in sorted({*await tx.scalars(scored), *await tx.scalars(playing)}):
        await locks.lock_results(tx, game)


def _on_ladder(user_id: int) -> ColumnElement[bool]:
    """Return whether a ladder has a person's id anywhere."""
    ladder = ladders.ladders.c
    named_on = (
        select(ladder_challenges.ladder_challenges.c.ladder_id).where(
            (ladder_challenges.ladder_challenges.c.challenger_id == user_id)
            | (ladder_challenges.ladder_challenges.c.challenged_id == user_id)
        ),
        select(ladders.ladder_events.c.ladder_id).where(
            (ladders.ladder_events.c.user_id == user_id)
            | (ladders.ladder_events.c.other_id == user_id)
        ),
    )
    return or_(ladder.created_by == user_id, *(ladder.id.in_(found) for found in named_on))


async def request_redraws(tx: Transaction, user_id: int, at: datetime) -> None:
    """Queue the post of each ladder that has a person's id for an update, before it is replaced."""
    ladder = ladders.ladders.c
    on = select(ladder.id, ladder.guild_id).where(_on_ladder(user_id), ladder.closed_at.is_(None))
    for number, guild_id in await tx.rows(on.order_by(ladder.id)):
        await posts.want(tx, ladders.POST, number, at=at, guild_id=guild_id)


async def erase(tx: Transaction, user_id: int, stranger: int) -> tuple[int, ...]:
    """Delete a person's own rows and replace their id with an anonymous one everywhere else.

    They must have no ongoing match and no open challenge left. Opponents' scores and ratings stay
    unchanged, and limits keep counting. The anonymous id must be negative and new.

    Returns:
        The matches that they played.
    """
    await lock(tx, user_id)
    # What was computed for a tournament's last version names the user.
    entered = select(tournaments.entrants.c.tournament_id).where(
        tournaments.entrants.c.user_id == user_id
    )
    tournament = tournaments.tournaments.c
    counted = update(tournaments.tournaments).where(
        tournament.id.in_(entered) | (tournament.created_by == user_id)
    )
    await tx.run(counted.values(version=tournament.version + 1))
    of_player = select(match.players.c.match_id).where(match.players.c.user_id == user_id)
    played = await tx.scalars(of_player)
    mine = scores.scores.c
    games = select(mine.game).where(mine.user_id == user_id).distinct().order_by(mine.game)
    rated = await tx.scalars(games)
    await share_links.end_of_player(tx, user_id)  # others' too: nobody could end them for them
    for column in DELETED:
        await tx.run(delete(column.table).where(column == user_id))
    await computer_tasks.forget(tx, user_id)
    tx.announce(PLAYER_CHANGED, user_id)
    tx.announce(web_sessions.ENDED, user_id)
    unused = update(tournaments.entrants).where(tournaments.entrants.c.user_id == user_id)
    await tx.run(unused.values(word=""))  # the games it went into have it, too
    for column in RENAMED:
        values = {column.key: stranger}
        await tx.run(update(column.table).where(column == user_id).values(values))
    for game in rated:
        await ratings.restart_recomputation(tx, game)  # it has read the old id
        own = await ratings.of_players(tx, game, [user_id])
        new = {(one.scope, stranger): one._replace(user_id=stranger) for one in own.values()}
        await ratings.put(tx, game, dict.fromkeys(own) | new)
    rivals = scores.rivals
    met = select(rivals.c.rival_id).where(rivals.c.user_id == user_id)
    of_rivals = rivals.c.user_id.in_(met) & (rivals.c.rival_id == user_id)
    await tx.run(update(rivals).where(of_rivals).values(rival_id=stranger))
    for table in (scores.scores, rivals, rating.rating_changes, season_ratings.season_ratings):
        await tx.run(update(table).where(table.c.user_id == user_id).values(user_id=stranger))
    for document in DOCUMENTS:
        for row in await _naming(tx, document, user_id):
            changed = _replaced(getattr(row, document.name), user_id, stranger)
            this = [one == getattr(row, one.name) for one in document.table.primary_key]
            await tx.run(update(document.table).where(*this).values({document.name: changed}))
    return played


async def _naming(tx: Transaction, document: sa.Column[Any], user_id: int) -> list[Record]:
    """Return the rows of a table whose document contains a user id."""
    rows = await tx.rows(select(document.table).where(cast(document, sa.Text).like(f"%{user_id}%")))
    return [row for row in rows if _has(getattr(row, document.name), user_id)]


def _has(value: Any, number: int) -> bool:
    return bool(_replaced(value, number, None) != value)


def _replaced(value: Any, number: int, other: int | None) -> Any:
    if isinstance(value, dict):
        return {
            _replaced(key, number, other): _replaced(part, number, other)
            for key, part in value.items()
        }
    if isinstance(value, list):
        return [_replaced(part, number, other) for part in value]
    if isinstance(value, str):
        return re.sub(rf"(?<!\d){number}(?!\d)", str(other), value)
    return other if value == number and not isinstance(value, bool) else value


def _shown(table: FromClause) -> list[ColumnElement[Any]]:
    return [column for column in table.c if column.name not in _SECRET]


def plain(row: Record) -> dict[str, Any]:
    """Return a row's values by column, without those that are empty."""
    values = row._mapping  # noqa: SLF001 - how SQLAlchemy names a row's columns
    return {str(name): value for name, value in values.items() if value is not None}
