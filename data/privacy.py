"""Exporting and erasing all of a person's data.

Every column that can hold a user id, or a text with one, is listed here; a test checks that.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    FromClause,
    Select,
    Text,
    cast,
    delete,
    or_,
    select,
    update,
)

from data import tables
from data.challenges import challenge_responses, challenges
from data.challenges.challenge import State
from data.ladders import ladders
from data.matches import matches
from data.people.stored_settings import PLAYER_CHANGED
from data.posts import posts
from data.ratings import outdated_ratings, ratings, results
from data.sql.transaction import Record, Transaction
from data.tasks import computer_tasks

PER_PAGE: Final = 500
"""Rows read at a time: few enough to hold the event loop for a moment only, on PostgreSQL."""
RENAMED: Final[tuple[Column[int], ...]] = (
    tables.players.c.user_id,
    tables.challenges.c.challenger_id,
    tables.invited.c.user_id,
    tables.matches.c.ended_by,
    tables.audit.c.user_id,
    tables.servers.c.changed_by,
    tables.clocks.c.user_id,
    tables.excluded_players.c.decided_by,
    tables.computer_tasks.c.user_id,
    tables.tournaments.c.created_by,
    tables.entrants.c.user_id,
    tables.entrants.c.replaces_user_id,
    tables.paired.c.user_id,
    tables.ladders.c.created_by,
    tables.ladder_challenges.c.challenger_id,
    tables.ladder_challenges.c.challenged_id,
    tables.ladder_events.c.user_id,
    tables.ladder_events.c.other_id,
)
"""User ids in rows shared with others: replaced."""
COUNTED: Final[tuple[Column[int], ...]] = (
    tables.scores.c.user_id,
    tables.rating_changes.c.user_id,
    tables.ratings.c.user_id,
    tables.season_ratings.c.user_id,
    tables.rivals.c.user_id,
    tables.rivals.c.rival_id,
)
"""User ids in data derived from results: replaced, so opponents' figures stay right."""
DELETED: Final[tuple[Column[int], ...]] = (
    tables.aborts.c.user_id,
    tables.people.c.user_id,
    tables.vacations.c.user_id,
    tables.imports.c.user_id,
    tables.blocks.c.user_id,
    tables.attempts.c.user_id,
    tables.daily_answers.c.user_id,
    tables.followed_matches.c.user_id,
    tables.followed_players.c.user_id,
    tables.followed_players.c.player_id,
    tables.posts.c.user_id,
    tables.courses.c.user_id,
    tables.feats.c.user_id,
    tables.notes.c.user_id,
    tables.ladder_places.c.user_id,
    tables.spent_limits.c.opponent_id,
)
"""User ids in a person's own rows, or in those of their followers: the rows are deleted."""
KEPT: Final[tuple[Column[int], ...]] = (
    tables.blocks.c.blocked_id,
    tables.excluded_players.c.user_id,
)
"""User ids in others' decisions about a person, which erasing must not undo: kept."""
LIMITED: Final[tuple[Column[int], ...]] = (
    tables.hourly_uses.c.user_id,
    tables.spent_limits.c.user_id,
)
"""User ids in the counts of limits, which erasing must not reset: kept until they expire."""
DOCUMENTS: Final[tuple[Column[Any], ...]] = (
    tables.audit.c.detail,
    tables.outbox.c.payload,
    tables.posts.c.payload,
    tables.matches.c.reason,
    tables.imports.c.record,
    tables.notes.c.text,
    tables.tournaments.c.name,
    tables.computer_tasks.c.asked,
    tables.computer_tasks.c.answer,
)
"""Documents and texts that may contain user ids, including mentions: replaced."""


async def everything(tx: Transaction, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return all of a person's data in memory; see `pages`."""
    found: dict[str, list[dict[str, Any]]] = {}
    async for name, rows in pages(tx, user_id):
        found.setdefault(name, []).extend(map(plain, rows))
    return found


async def pages(tx: Transaction, user_id: int) -> AsyncIterator[tuple[str, Sequence[Record]]]:
    """Yield all of a person's data, table by table, as stored: each table in one or more pages.

    Opponents' seats and moves are left out, and so are seeds, which are secret until a match is
    over and then part of its proof.
    """
    t = tables

    def own(*columns: Column[int]) -> Select[Any]:
        """Return the rows with this person's id in any of some columns of a table."""
        return select(*_shown(columns[0].table)).where(or_(*(one == user_id for one in columns)))

    mine = select(t.players.c.match_id).where(t.players.c.user_id == user_id)
    asked = select(t.invited.c.challenge_id).where(t.invited.c.user_id == user_id)
    found = {
        "settings": own(t.people.c.user_id),
        "challenges": select(*_shown(t.challenges)).where(t.challenges.c.id.in_(asked)),
        "invitations": own(t.invited.c.user_id),
        "matches": select(*_shown(t.matches)).where(t.matches.c.id.in_(mine)),
        "seats": own(t.players.c.user_id),
        "moves": select(t.moves)
        .join(
            t.players,
            (t.players.c.match_id == t.moves.c.match_id) & (t.players.c.seat == t.moves.c.actor),
        )
        .where(t.players.c.user_id == user_id),
        "conditional_moves": select(t.conditional_moves)
        .join(
            t.players,
            (t.players.c.match_id == t.conditional_moves.c.match_id)
            & (t.players.c.seat == t.conditional_moves.c.seat),
        )
        .where(t.players.c.user_id == user_id),
        "offers": select(*(one for one in t.offers.c if one.name != "answered_by"))
        .join(
            t.players,
            (t.players.c.match_id == t.offers.c.match_id) & (t.players.c.seat == t.offers.c.seat),
        )
        .where(t.players.c.user_id == user_id),
        "hints": select(t.hints).where(t.hints.c.match_id.in_(mine)),
        "notes": own(t.notes.c.user_id),
        "clocks": own(t.clocks.c.user_id),
        "records": own(t.scores.c.user_id),
        "opponents": own(t.rivals.c.user_id),
        "ratings": own(t.ratings.c.user_id),
        "rating_changes": own(t.rating_changes.c.user_id),
        "seasons": own(t.season_ratings.c.user_id),
        "milestones": own(t.feats.c.user_id),
        "vacations": own(t.vacations.c.user_id),
        "blocks": own(t.blocks.c.user_id),
        "kept_out_of_rated_play": select(
            t.excluded_players.c.guild_id, t.excluded_players.c.at
        ).where(t.excluded_players.c.user_id == user_id),
        "kept_others_out_of_rated_play": own(t.excluded_players.c.decided_by),
        "left_early": own(t.aborts.c.user_id),
        "puzzles": own(t.attempts.c.user_id),
        "daily_puzzles": own(t.daily_answers.c.user_id),
        "followed_matches": own(t.followed_matches.c.user_id),
        "followed_players": own(t.followed_players.c.user_id),
        "direct_messages": own(t.posts.c.user_id),
        "lessons": own(t.courses.c.user_id),
        "imports": own(t.imports.c.user_id),
        "computer_tasks": own(t.computer_tasks.c.user_id),
        "hourly_uses": own(t.hourly_uses.c.user_id),
        "spent_limits": own(t.spent_limits.c.user_id),
        "server_settings_changed": own(t.servers.c.changed_by),
        "tournaments_made": own(t.tournaments.c.created_by),
        "tournaments_entered": own(t.entrants.c.user_id),
        "tournament_places_taken_over": select(
            t.entrants.c.tournament_id, t.entrants.c.number, t.entrants.c.replaces_user_id
        ).where(t.entrants.c.replaces_user_id == user_id),
        "tournament_pairings": own(t.paired.c.user_id),
        "ladders_made": own(t.ladders.c.created_by),
        "ladder_places": own(t.ladder_places.c.user_id),
        "ladder_challenges": own(
            t.ladder_challenges.c.challenger_id, t.ladder_challenges.c.challenged_id
        ),
        "ladder_history": own(t.ladder_events.c.user_id, t.ladder_events.c.other_id),
        "matches_ended": select(t.matches.c.id, t.matches.c.ending, t.matches.c.reason).where(
            t.matches.c.ended_by == user_id
        ),
    }
    for name, statement in found.items():
        async for rows in tx.pages(statement, PER_PAGE):
            yield name, rows
    decided = await tx.rows(select(t.audit).where(t.audit.c.user_id == user_id))
    lines = {row.id: row for row in (*decided, *await _naming(tx, t.audit.c.detail, user_id))}
    yield "moderation", [lines[number] for number in sorted(lines)]


async def open_matches(tx: Transaction, user_id: int) -> tuple[int, ...]:
    """Return a person's ongoing matches, except those in which they gave up their seat."""
    matches, players = tables.matches.c, tables.players.c
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
    number, places = tables.challenges.c.id, tables.invited.c
    asked = select(places.challenge_id).where(places.user_id == user_id)
    these = select(number).where(challenges.OPEN, number.in_(asked))
    locked = await tx.scalars(these.order_by(number).with_for_update())
    closed = []
    for one in await challenges.matching(tx, number.in_(locked)):
        mine = one.of(user_id)
        if mine is None:  # they left while this waited
            continue
        if mine.named:
            own = one.challenger_id == user_id
            state = State.WITHDRAWN if own else State.DECLINED
            changed = await challenges.close(tx, one.id, state, at)
            closed.append(one.id)
        else:
            changed = await challenge_responses.leave(tx, one.id, user_id)
        await challenges.show(tx, changed, at)
    return tuple(closed)


async def lock(tx: Transaction, user_id: int) -> None:
    """Lock what deleting a person's data changes, before anything is changed.

    The order is tournaments and ladders, then matches, then games.
    """
    t = tables
    entered = select(t.entrants.c.tournament_id).where(t.entrants.c.user_id == user_id)
    named = [row.id for row in await _naming(tx, t.tournaments.c.name, user_id)]
    tournament = t.tournaments.c
    these = select(tournament.id).where(
        or_(tournament.id.in_(entered), tournament.created_by == user_id, tournament.id.in_(named))
    )
    await tx.rows(these.order_by(tournament.id).with_for_update(key_share=True))
    on = select(t.ladders.c.id).where(_on_ladder(user_id)).order_by(t.ladders.c.id)
    await tx.rows(on.with_for_update(key_share=True))
    played = select(t.players.c.match_id).where(t.players.c.user_id == user_id)
    ended = select(t.matches.c.id).where(t.matches.c.ended_by == user_id)
    naming = [row.id for row in await _naming(tx, t.matches.c.reason, user_id)]
    await matches.lock_all(tx, (*await tx.scalars(played), *await tx.scalars(ended), *naming))
    scored = select(t.scores.c.game).where(t.scores.c.user_id == user_id)
    playing = select(t.matches.c.game).where(t.matches.c.id.in_(played))
    for game in sorted({*await tx.scalars(scored), *await tx.scalars(playing)}):
        await results.lock(tx, game)


def _on_ladder(user_id: int) -> ColumnElement[bool]:
    """Return whether a ladder has a person's id anywhere."""
    t, ladder = tables, tables.ladders.c
    named_on = (
        select(t.ladder_challenges.c.ladder_id).where(
            (t.ladder_challenges.c.challenger_id == user_id)
            | (t.ladder_challenges.c.challenged_id == user_id)
        ),
        select(t.ladder_events.c.ladder_id).where(
            (t.ladder_events.c.user_id == user_id) | (t.ladder_events.c.other_id == user_id)
        ),
    )
    return or_(ladder.created_by == user_id, *(ladder.id.in_(found) for found in named_on))


async def request_redraws(tx: Transaction, user_id: int, at: datetime) -> None:
    """Queue the post of each ladder that has a person's id for an update, before it is replaced."""
    ladder = tables.ladders.c
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
    entered = select(tables.entrants.c.tournament_id).where(tables.entrants.c.user_id == user_id)
    tournament = tables.tournaments.c
    counted = update(tables.tournaments).where(
        tournament.id.in_(entered) | (tournament.created_by == user_id)
    )
    await tx.run(counted.values(version=tournament.version + 1))
    of_player = select(tables.players.c.match_id).where(tables.players.c.user_id == user_id)
    played = await tx.scalars(of_player)
    scores = tables.scores.c
    games = select(scores.game).where(scores.user_id == user_id).distinct().order_by(scores.game)
    rated = await tx.scalars(games)
    for column in DELETED:
        await tx.run(delete(column.table).where(column == user_id))
    await computer_tasks.forget(tx, user_id)
    tx.announce(PLAYER_CHANGED, user_id)
    unused = update(tables.entrants).where(tables.entrants.c.user_id == user_id)
    await tx.run(unused.values(word=""))  # the games it went into have it, too
    for column in RENAMED:
        values = {column.name: stranger}
        await tx.run(update(column.table).where(column == user_id).values(values))
    for game in rated:
        await outdated_ratings.restart(tx, game)  # it has read the old id
        own = await ratings.of_players(tx, game, [user_id])
        new = {(one.scope, stranger): one._replace(user_id=stranger) for one in own.values()}
        await ratings.put(tx, game, dict.fromkeys(own) | new)
    rivals = tables.rivals
    met = select(rivals.c.rival_id).where(rivals.c.user_id == user_id)
    of_rivals = rivals.c.user_id.in_(met) & (rivals.c.rival_id == user_id)
    await tx.run(update(rivals).where(of_rivals).values(rival_id=stranger))
    for table in (tables.scores, rivals, tables.rating_changes, tables.season_ratings):
        await tx.run(update(table).where(table.c.user_id == user_id).values(user_id=stranger))
    for document in DOCUMENTS:
        for row in await _naming(tx, document, user_id):
            changed = _replaced(getattr(row, document.name), user_id, stranger)
            this = [one == getattr(row, one.name) for one in document.table.primary_key]
            await tx.run(update(document.table).where(*this).values({document.name: changed}))
    return played


async def _naming(tx: Transaction, document: Column[Any], user_id: int) -> list[Record]:
    """Return the rows of a table whose document contains a user id."""
    rows = await tx.rows(select(document.table).where(cast(document, Text).like(f"%{user_id}%")))
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
    return [column for column in table.c if column.name != "seed"]


def plain(row: Record) -> dict[str, Any]:
    """Return a row's values by column, without those that are empty."""
    values = row._mapping  # noqa: SLF001 - how SQLAlchemy names a row's columns
    return {str(name): value for name, value in values.items() if value is not None}
