"""Changes to a ladder in a transaction that has locked it.

Places are taken only in `end`, whatever the reason; players leave only through `take_off`. Queued
challenges come up only in `_call_next`, in the transaction that ends the one before.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.core.errors import Refusal
from bot.core.scheduling.scheduler import WallClock
from bot.features.ladder import rules
from bot.features.ladder.rules import LadderView
from data import posts
from data.ladders import ladder_challenges, ladders
from data.ladders.ladder_challenges import LadderChallenge
from data.ladders.ladders import Ladder, Rung
from data.matches.match import Match
from data.people import exclusions
from data.store.store import Store, Transaction
from engine.phrase import say

CHALLENGE_POST: Final = "ladder_challenge"
REMINDER_POST: Final = "ladder_reminder"
OUTCOME_POST: Final = "ladder_outcome"
LOST_POST: Final = "ladder_lost"
"""Kinds of posts about a ladder, the first three about the challenge that is their part."""
TAKING: Final = {"won", "unanswered", "declined", "left"}
"""Outcomes by which the challenger takes the place."""
EVENTS: Final = {
    "won": "won",
    "lost": "defended",
    "drawn": "drawn",
    "unanswered": "unanswered",
    "declined": "declined",
    "passed": "passed",
    "left": "surrendered",
}
"""History events by outcome; outcomes missing here aren't recorded."""
_SAID: Final = {*EVENTS, "void", "lapsed"}
"""Outcomes announced in a message of their own."""


async def show(
    tx: Transaction, ladder: Ladder, now: datetime, kind: str = ladders.POST, challenge: int = 0
) -> None:
    """Ask for an update of the ladder's post, or for another kind of post about it."""
    await posts.want(tx, kind, ladder.id, part=challenge, at=now, guild_id=ladder.guild_id)


async def show_board(tx: Transaction, match: Match, at: datetime) -> None:
    """Have the post of a challenge link to the first board of its match."""
    ladder_id = await ladder_challenges.of_match(tx, match.id)
    if ladder_id is not None:
        number, guild = await ladder_challenges.number_of(tx, match.id), match.guild_id
        await posts.want(tx, CHALLENGE_POST, ladder_id, part=number, at=at, guild_id=guild)


async def end(
    tx: Transaction,
    challenge: LadderChallenge,
    outcome: str,
    now: datetime,
    *,
    counted: bool = False,
) -> LadderChallenge:
    """End a challenge; by some outcomes the challenger takes the challenged player's place.

    That is their current place. Nothing moves if the challenger is above by now, or if either has
    left the ladder. Challenges queued for the place then go to the challenger. The next one in the
    queue comes up. A game that ``counted`` keeps both players from sliding.
    """
    view = await fresh_view(tx, challenge.ladder_id)
    mine, theirs = view.of(challenge.challenger_id), view.of(challenge.challenged_id)
    gained_place = None
    if outcome in TAKING and mine is not None and theirs is not None and theirs.place < mine.place:
        gained_place = theirs.place
        await ladders.move(tx, view.id, mine.user_id, before=mine.place, after=gained_place)
    ended = await ladder_challenges.change(
        tx,
        challenge.id,
        outcome=outcome,
        gained_place=gained_place,
        counted=counted,
        ended_at=now,
        due_at=None,
    )
    if outcome in EVENTS:
        await _record(tx, view, ended, now)
    if counted:
        slide_at = now + timedelta(days=view.ladder.idle_days)
        played = [rung for rung in view.rungs if rung.user_id in challenge.both]
        await ladders.change_times(
            tx, [replace(rung, active_at=now, slide_at=slide_at) for rung in played]
        )
    elif challenge.match_id is None:
        since = challenge.called_at or challenge.created_at
        await discount_time(tx, filter(None, [mine]), now - since, now)
    if gained_place is not None:
        await ladder_challenges.hand_on(tx, view.id, *reversed(challenge.both))
    await posts.want_again(tx, CHALLENGE_POST, view.id, at=now, parts=[challenge.id])
    if outcome in _SAID:
        await show(tx, view.ladder, now, OUTCOME_POST, challenge.id)
    await show(tx, view.ladder, now)
    for user_id in challenge.both:
        await _call_next(tx, view.id, user_id, now)
    return ended


async def _call_next(tx: Transaction, ladder_id: int, user_id: int, now: datetime) -> None:
    """Let the next challenge queued for a player's place come up, if none is open.

    Those that are pointless by now lapse: the challenger is above, or has blocked the player.
    """
    view = await fresh_view(tx, ladder_id)
    holder, queue = view.of(user_id), view.queue(user_id)
    if holder is None or not queue or view.made_to(user_id) is not None:
        return
    first = queue[0]
    challenger = view.of(first.challenger_id)
    apart = await exclusions.blocks_between(tx, first.challenger_id, [user_id])
    if challenger is None or challenger.place < holder.place or first.both in apart:
        await end(tx, first, "lapsed", now)  # which calls the next
        return
    answer_by, due_at = rules.answer_times(now, view.ladder.answer_days)
    await ladder_challenges.change(
        tx,
        first.id,
        place=holder.place,
        called_at=now,
        answer_by=answer_by,
        due_at=None if view.ladder.lost_at is not None else due_at,
    )
    await discount_time(tx, [challenger], now - first.created_at, now)
    await show(tx, view.ladder, now, CHALLENGE_POST, first.id)


async def _record(tx: Transaction, view: LadderView, ended: LadderChallenge, now: datetime) -> None:
    assert ended.outcome is not None
    taking = ended.outcome in TAKING
    if taking and ended.gained_place is None:
        return
    user, other = ended.both if taking else reversed(ended.both)
    rung = view.of(user)
    before = None if rung is None else rung.place
    after = ended.gained_place if taking else before
    kind = EVENTS[ended.outcome]
    await ladders.record(tx, view.id, kind, user, now, other=other, before=before, after=after)


async def take_off(
    tx: Transaction, ladder_id: int, user_id: int, reason: str, now: datetime
) -> None:
    """Take a player, if on it, off a ladder, losing their open challenges.

    They ``left``, are ``gone`` from the server, ``idle`` for too long, or ``removed`` by a manager.
    """
    view = await fresh_view(tx, ladder_id)
    if view.of(user_id) is None:
        return
    if (made := view.made_by(user_id)) is not None:
        await end(tx, made, "quit", now)
        view = await fresh_view(tx, ladder_id)
    # The next in the queue comes up when one ends.
    while (received := view.made_to(user_id)) is not None:
        await end(tx, received, "left", now)
        view = await fresh_view(tx, ladder_id)
    rung = view.of(user_id)
    assert rung is not None
    await ladders.remove(tx, ladder_id, user_id, place=rung.place)
    await ladders.record(tx, ladder_id, reason, user_id, now, before=rung.place)
    await show(tx, view.ladder, now)


async def take_off_everywhere(tx: Transaction, user_id: int, now: datetime) -> None:
    """Take a user off all ladders, as their data is deleted."""
    for ladder, _ in await ladders.of_player(tx, user_id):
        await ladders.lock(tx, ladder.id)
        await take_off(tx, ladder.id, user_id, "left", now)


async def pause(tx: Transaction, ladder: Ladder, now: datetime) -> None:
    """Pause a ladder whose channel is gone: no places change until it has a new one."""
    await ladders.change(tx, ladder.id, lost_at=now, next_check_at=None)
    await show(tx, ladder, now, LOST_POST)
    await ladder_challenges.change_open(tx, ladder.id, waiting=True, due_at=None)


async def resume(tx: Transaction, view: LadderView, now: datetime) -> None:
    """Resume a paused ladder, or one that moves, with all that it has to post.

    Challenged players get their full answer time again.
    """
    if view.ladder.lost_at is not None:
        await discount_time(tx, view.rungs, now - view.ladder.lost_at, now)
        view = await fresh_view(tx, view.id)
    await ladders.change(tx, view.id, lost_at=None, next_check_at=now)
    first = now + rules.SLIDE_EVERY
    soon = [replace(rung, slide_at=first) for rung in view.rungs if rung.slide_at < first]
    await ladders.change_times(tx, soon)
    answer_by, due_at = rules.answer_times(now, view.ladder.answer_days)
    waiting = await ladder_challenges.change_open(
        tx, view.id, waiting=True, answer_by=answer_by, reminded=False, due_at=due_at
    )
    for kind, parts in ((ladders.POST, None), (CHALLENGE_POST, waiting), (OUTCOME_POST, None)):
        await posts.want_again(tx, kind, view.id, at=now, parts=parts)


async def close(tx: Transaction, view: LadderView, now: datetime) -> None:
    """Close a ladder for good, with all its challenges at once."""
    ended = await ladder_challenges.change_open(
        tx, view.id, outcome="closed", ended_at=now, due_at=None
    )
    await posts.want_again(tx, CHALLENGE_POST, view.id, at=now, parts=ended)
    await ladders.change(tx, view.id, closed_at=now, next_check_at=None)
    await show(tx, view.ladder, now)


async def close_all(tx: Transaction, guild_id: int, now: datetime) -> None:
    """Close the ladders of a server that the bot leaves."""
    for one in await ladders.of_server(tx, guild_id):
        locked = await ladders.lock(tx, one.id)
        if locked is not None and locked.closed_at is None:
            await close(tx, await fresh_view(tx, one.id), now)


async def discount_time(
    tx: Transaction, rungs: Iterable[Rung], time: timedelta, now: datetime
) -> None:
    """Discount a period in which players could not play, for sliding and removal."""
    later = []
    for rung in rungs:
        active_at = min(rung.active_at + time, now)
        slide_at = rung.slide_at + (active_at - rung.active_at)
        later.append(replace(rung, active_at=active_at, slide_at=slide_at))
    await ladders.change_times(tx, later)


@asynccontextmanager
async def changing(
    store: Store, clock: WallClock, ladder_id: int, guild_id: int | None
) -> AsyncIterator[tuple[Transaction, LadderView, datetime]]:
    """Open a transaction to change a ladder of a server; raise Refusal unless it is open."""
    async with store.write() as tx:
        locked = await ladders.lock(tx, ladder_id)
        if locked is None or locked.guild_id != guild_id:
            raise no_such_ladder()
        if locked.closed_at is not None:
            raise Refusal(say("This ladder is closed."))
        yield tx, await fresh_view(tx, ladder_id), clock()


async def read_view(tx: Transaction, ladder_id: int, guild_id: int | None) -> LadderView:
    """Read a ladder of a server, even a closed one; raise Refusal if there is none."""
    ladder = await ladders.get(tx, ladder_id)
    if ladder is None or ladder.guild_id != guild_id:
        raise no_such_ladder()
    return await _view_of(tx, ladder)


async def fresh_view(tx: Transaction, ladder_id: int) -> LadderView:
    """Read a ladder known to exist."""
    ladder = await ladders.get(tx, ladder_id)
    assert ladder is not None, "a ladder is never removed"
    return await _view_of(tx, ladder)


async def _view_of(tx: Transaction, ladder: Ladder) -> LadderView:
    rungs = await ladders.rungs(tx, ladder.id)
    return LadderView(ladder, rungs, await ladder_challenges.open_in(tx, ladder.id))


def no_such_ladder() -> Refusal:
    """Return the refusal of what there isn't, or what a user can't see."""
    return Refusal(say("There's no such ladder on this server."))
