"""Limits and periods that documents promise are those of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.core import hourly_limits
from bot.core.posts import failing_routes
from bot.core.workers import fair_queue
from bot.features.challenges import blocks, limits
from bot.features.conditional_moves import service as conditional_moves
from bot.features.ladder import challenges as ladder_challenges
from bot.features.ladder import rules as ladder_rules
from bot.features.ladder import service as ladder
from bot.features.records import checking, import_export
from bot.features.settings import privacy
from bot.features.tournaments import entrants, files, steps
from bot.features.tournaments import service as tournaments
from bot.features.tournaments.rules import pairing
from bot.features.watching import service as watching
from bot.features.web import activity, draft_views, guard, match_views, news_routes, server, shares
from bot.features.web import service as web
from bot.play.clocks import service as vacations
from bot.play.delivery import outbox_worker
from bot.play.matches import erasure, notes, scoring
from data.cluster import lease
from data.people import owner_orders, share_links, web_sessions
from data.puzzles import daily_puzzles, imported_records
from engine import record

DOCS = Path(__file__).parents[2] / "docs"
KB, MB = 1 << 10, 1 << 20
PROMISED = {
    "ladder.md": (
        f"{ladder.MAX_PLAYERS} players per ladder, and {ladder.MAX_JOINED} ladders per player.",
        f"A player can join or challenge {ladder_challenges.MAX_ACTS} times an hour.",
        f"After {ladder_rules.OFF_AFTER.days} days without such a game, a player is taken off",
    ),
    "privacy.md": (
        f"| {outbox_worker.KEPT.days} days after they are posted |",
        f"| {web.SESSION_VALID.days} days, {web.ACTIVITY_VALID.seconds // 3600} hours inside Discord,",
        f"| {web.LINK_VALID.seconds // 60} minutes, or until you delete your data |",
        f"| {daily_puzzles.KEPT.days} days, or until you delete your data |",
    ),
    "record.md": (
        f"a file or a text of at most {import_export.MAX_BYTES // KB} KB and {record.MAX_ENTRIES} entries",
    ),
    "security.md": (
        f"{outbox_worker.KEPT.days} days; deleted while the bot runs, {outbox_worker.BATCH} per transaction",
        (
            f"at most {import_export.MAX_BYTES // KB} KB, {record.MAX_ENTRIES:,} entries and "
            f"{record.MAX_THROWS} throws in a row"
        ),
        f"{checking.MAX_WAITING} waiting per user, {hourly_limits.MAX_IMPORTS} an hour, counted",
        f"| {imported_records.MAX_KEPT} per user; a new one replaces the oldest |",
        f"users taking turns, {fair_queue.MAX_WAITING} waiting per user",
        f"{limits.MAX_OPEN_PRACTICE} practice matches per user, {limits.MAX_PRACTICE_PER_HOUR} an hour",
        (
            f"{limits.MAX_OPEN_TO_ONE} open to one person, {limits.MAX_OPEN} in all, "
            f"{limits.MAX_PER_HOUR} an hour"
        ),
        f"At most {limits.MAX_UNSUCCESSFUL} a day to the same person may come to nothing",
        f"one per player and match, {notes.MAX_NOTE} characters",
        f"{conditional_moves.MAX_MOVES} per player and match, {conditional_moves.MAX_DEPTH} in a row",
        f"{blocks.MAX_BLOCKED} people; {vacations.MAX_DAYS_PER_YEAR} days a year",
        f"{hourly_limits.MAX_COPIES} an hour; made one at a time",
        f"at most {privacy.MAX_PLAIN // MB} MB, or {privacy.MAX_PACKED // MB} MB packed",
        f"gives up at most {erasure.MAX_AT_ONCE} matches",
        f"{watching.MAX_FOLLOWED} per user, {watching.MAX_FOLLOWERS} followers per match",
        f"at most about {failing_routes.MAX_RETRIES_A_MINUTE} requests a minute that failed before",
        f"ask {guard.BURST} times at once",
        f"{guard.MAX_HELD} of an address or person, or {guard.MAX_HELD_IN_ALL:,} in all, wait so",
        f"gets {web.MAX_LINKS} links an hour and has at most {web_sessions.MAX_OF_PERSON} sessions",
        f"about at most {news_routes.MAX_WATCHED} matches",
        f"{news_routes.MAX_STREAMS} streams a session, {server.MAX_CONNECTIONS:,} connections in all",
        f"at most {draft_views.MAX_LINE} moves in a row",
        f"the last {match_views.MAX_FRAMES} entries of a log",
        f"bodies over {server.MAX_BODY // KB} KB are not read",
        f"| {shares.MAX_MADE} an hour, {share_links.MAX_OF_PERSON} in all |",
        f"at most {activity.MAX_AT_ONCE} people wait for Discord at once",
        f"once Discord has refused {activity.MAX_REFUSED} in ten minutes",
    ),
    "tournaments.md": (
        f"{pairing.MAX_ENTRANTS} entrants and {pairing.MAX_ROUNDS} rounds per tournament",
        (
            f"{tournaments.MAX_OPEN} open tournaments per server, {tournaments.MAX_OPEN_BY_ONE} of them by "
            f"one person, who can create {tournaments.MAX_MADE} an hour"
        ),
        (
            f"at most {entrants.MAX_ENTERED} tournaments at once and sign up at most "
            f"{entrants.MAX_SIGN_UPS} times an hour"
        ),
        f"limited to {tournaments.MAX_RUN} times an hour per person",
        f"{files.MAX_IMPORTED} imported tournaments, all servers together {files.MAX_IMPORTED_IN_ALL:,}",
        f"From {steps.MANY} players on, pairing runs in a process of its own",
    ),
}


@pytest.mark.parametrize(
    ("document", "promise"),
    [(document, promise) for document, promises in PROMISED.items() for promise in promises],
)
def test_a_limit_is_the_one_that_a_document_tells(document: str, promise: str) -> None:
    text = " ".join((DOCS / document).read_text(encoding="utf-8").split())
    assert promise in text


def test_periods_told_in_words_are_those_of_the_program() -> None:
    """A document that has "a year" or "eight seconds" is read again when one of these changes."""
    assert owner_orders.KEPT_FOR.days == 365
    assert (lease.DEAD, lease.UNLOCKED) == (8.0, 5.0)
    assert ladder_rules.KEPT.days == 2 * 365
    assert ladder_rules.PASS_EVERY.days == 30
    assert scoring.MAX_ABORTS == 3
