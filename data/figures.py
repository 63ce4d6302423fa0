"""Figures for operators: how much is waiting in the store, and since when."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from data import computer_tasks
from data.cluster.cluster import UNOWNED
from data.computer_tasks import Kind
from data.matches.match import matches, players
from data.matches.outbox import outbox
from data.posts import posts
from data.sql.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many items wait, and since when the first has."""

    number: int
    since: datetime | None


@dataclass(frozen=True, slots=True)
class PostsWaiting:
    """Posts of a kind that are not up to date."""

    due: Waiting
    """Those due now, and since when the first is."""
    later: int
    """Those scheduled for later that have not failed."""
    failing: int
    """Those that have failed at least once since they last succeeded."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The store's figures at one point in time."""

    at: datetime
    pending: Waiting
    """Outbox jobs that are due and deliverable."""
    blocked: int
    """Jobs that Discord refuses until a permission changes."""
    later: int
    """Jobs that are not due yet."""
    tasks: Mapping[str, Waiting]
    """Computer tasks that no process has taken, by kind."""
    in_progress: Mapping[str, int]
    """Computer tasks in progress, by kind."""
    open_matches: int
    posts: Mapping[str, PostsWaiting]
    """Posts that are not up to date, by kind."""
    shards_unowned: int
    """Shards that no living gateway owns; 0 where processes share nothing."""

    def age(self, waiting: Waiting) -> float:
        """Return how many seconds the first item has waited; 0 if there is none."""
        return 0.0 if waiting.since is None else (self.at - waiting.since).total_seconds()


async def read(tx: Transaction, now: datetime) -> Figures:
    """Return the current figures, in time proportional to what waits rather than to what is done.

    Only open matches are counted through an index of all matches.
    """
    open_ = outbox.c.done_at.is_(None)
    blocked = outbox.c.blocked.is_not(None)
    due = outbox.c.not_before.is_(None) | (outbox.c.not_before <= now)
    since = func.coalesce(outbox.c.not_before, outbox.c.created_at)
    jobs = await tx.rows(
        # By the names, PostgreSQL can see that both mean the same.
        select(blocked.label("blocked"), due.label("due"), func.count(), func.min(since))
        .where(open_)
        .group_by("blocked", "due")
    )
    pending, refused, later = Waiting(0, None), 0, 0
    for is_blocked, is_due, number, first in jobs:
        if is_blocked:
            refused += number
        elif is_due:
            pending = Waiting(number, first)
        else:
            later += number
    tasks: dict[str, Waiting] = {kind: Waiting(0, None) for kind in Kind}
    in_progress = dict.fromkeys(tasks, 0)
    for length in await computer_tasks.queue_lengths(tx):
        before, kind = tasks[length.kind], length.kind
        first = min(filter(None, (before.since, length.since)), default=None)
        tasks[kind] = Waiting(before.number + length.waiting, first)
        in_progress[kind] += length.in_progress
    return Figures(
        at=now,
        pending=pending,
        blocked=refused,
        later=later,
        tasks=tasks,
        in_progress=in_progress,
        open_matches=await tx.count(matches.c.finished_at.is_(None)),
        posts=await _posts(tx, now),
        shards_unowned=await tx.number(UNOWNED) if tx.dialect == "postgresql" else 0,
    )


async def _posts(tx: Transaction, now: datetime) -> Mapping[str, PostsWaiting]:
    number = func.count()
    due, failing = number.filter(posts.c.try_at <= now), number.filter(posts.c.failures > 0)
    later = number.filter(posts.c.try_at > now, posts.c.failures == 0)
    rows = await tx.rows(
        select(posts.c.kind, due, func.min(posts.c.try_at), later, failing)
        .where(posts.c.try_at.is_not(None))
        .group_by(posts.c.kind)
    )
    return {
        kind: PostsWaiting(Waiting(number, since if number else None), put_off, failed)
        for kind, number, since, put_off, failed in rows
    }


@dataclass(frozen=True, slots=True)
class Activity:
    """How much is played on a server, or in a game."""

    open_matches: int
    finished: int
    """Matches that have ended lately."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What has been played so far."""

    servers: int
    """Servers with a match."""
    players: int
    games: Mapping[str, tuple[Activity, int, int]]
    """By game: what goes on and ended lately, all matches, and the moves and throws in them."""


async def activity(tx: Transaction, since: datetime) -> dict[int, Activity]:
    """Return what goes on in each server, and how many matches have ended since a moment.

    Servers with neither are omitted.
    """
    going_on, ended = matches.c.finished_at.is_(None), matches.c.finished_at > since
    number = func.count()
    rows = await tx.rows(
        select(matches.c.guild_id, number.filter(going_on), number.filter(ended))
        .where(going_on | ended, matches.c.guild_id.is_not(None))
        .group_by(matches.c.guild_id)
    )
    return {guild_id: Activity(opened, finished) for guild_id, opened, finished in rows}


async def totals(tx: Transaction, since: datetime, *, without: Collection[int]) -> Totals:
    """Count everything once, which takes a while; ``without`` are users who are no people."""
    going_on, ended = matches.c.finished_at.is_(None), matches.c.finished_at > since
    number = func.count()
    moves = func.coalesce(func.sum(matches.c.plies), 0)
    games = await tx.rows(
        select(matches.c.game, number.filter(going_on), number.filter(ended), number, moves)
        .group_by(matches.c.game)
        .order_by(matches.c.game)
    )
    people = (players.c.user_id > 0) & players.c.user_id.not_in(without)
    return Totals(
        servers=await tx.number(select(func.count(matches.c.guild_id.distinct()))),
        players=await tx.number(select(func.count(players.c.user_id.distinct())).where(people)),
        games={
            game: (Activity(opened, finished), total, int(entries))
            for game, opened, finished, total, entries in games
        },
    )
