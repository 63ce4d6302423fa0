"""What changes a ladder, within the transaction that has locked it.

A place is taken in one function, `end`, whatever the reason; whoever leaves goes through `take_off`.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from bot.ladder import rules, view
from data import ladder_challenges, ladder_posts, ladders

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ladder.view import LadderView
    from data.ladder_challenges import LadderChallenge
    from data.ladders import Ladder
    from data.store import Transaction

TAKING: Final = {"won", "unanswered", "declined", "left"}
"""The outcomes by which the challenger takes the place."""
EVENTS: Final = {
    "won": "won",
    "lost": "defended",
    "drawn": "drawn",
    "unanswered": "unanswered",
    "declined": "declined",
    "passed": "passed",
    "left": "surrendered",
}
"""What each outcome is called in the history, if it is in it."""
_SAID: Final = {"won", "lost", "drawn", "void", "unanswered", "declined", "passed", "left"}
"""The outcomes that both are told in a message of its own."""
_IDLE: Final = {"withdrawn", "quit", "closed"}
"""The outcomes to which the challenger has done nothing that keeps them from sliding."""
_CHALLENGED_ACTS: Final = {"won", "lost", "drawn", "declined", "passed"}
"""The outcomes to which the challenged has played or answered."""


async def show(tx: Transaction, ladder_id: int, now: datetime) -> None:
    """Have the post of a ladder brought up to date."""
    await ladder_posts.show(tx, ladder_id, "ladder", now)


async def end(
    tx: Transaction, challenge: LadderChallenge, outcome: str, now: datetime
) -> LadderChallenge:
    """End a challenge; by some outcomes the challenger takes the place of the challenged.

    That is the place that the challenged has now. Nothing moves if the challenger is above by now, or
    one of the two is on the ladder no more.
    """
    seen = await view.fresh(tx, challenge.ladder_id)
    mine, theirs = seen.of(challenge.challenger_id), seen.of(challenge.challenged_id)
    took = None
    if outcome in TAKING and mine is not None and theirs is not None and theirs.place < mine.place:
        took = theirs.place
        await ladders.move(tx, seen.id, mine.user_id, before=mine.place, after=took)
    ended = await ladder_challenges.change(
        tx, challenge.id, outcome=outcome, took=took, ended_at=now, due_at=None
    )
    if outcome in EVENTS:
        await _record(tx, seen, ended, now)
    if outcome not in _IDLE:
        await active(tx, seen, challenge.challenger_id, now)
    if outcome in _CHALLENGED_ACTS:
        await active(tx, seen, challenge.challenged_id, now)
    await ladder_posts.show(tx, seen.id, "challenge", now, challenge_id=challenge.id)
    if outcome in _SAID:
        await ladder_posts.show(tx, seen.id, "outcome", now, challenge_id=challenge.id)
    await show(tx, seen.id, now)
    return ended


async def _record(tx: Transaction, seen: LadderView, ended: LadderChallenge, now: datetime) -> None:
    assert ended.outcome is not None
    what, mine = EVENTS[ended.outcome], seen.of(ended.challenger_id)
    if ended.outcome in TAKING:
        if ended.took is not None and mine is not None:
            await ladders.record(
                tx,
                seen.id,
                what,
                ended.challenger_id,
                now,
                other=ended.challenged_id,
                before=mine.place,
                after=ended.took,
            )
        return
    theirs = seen.of(ended.challenged_id)
    place = None if theirs is None else theirs.place
    await ladders.record(
        tx,
        seen.id,
        what,
        ended.challenged_id,
        now,
        other=ended.challenger_id,
        before=place,
        after=place,
    )


async def active(tx: Transaction, seen: LadderView, user_id: int, now: datetime) -> None:
    """Note that somebody plays, so that they do not slide for a while."""
    slide_at = now + timedelta(days=seen.ladder.idle_days)
    await ladders.change_rung(tx, seen.id, user_id, active_at=now, slide_at=slide_at)


async def take_off(tx: Transaction, ladder_id: int, user_id: int, why: str, now: datetime) -> None:
    """Take somebody off a ladder, who has lost their open challenges by that.

    Args:
        tx: the transaction, which has locked the ladder.
        ladder_id: the ladder.
        user_id: who; nothing happens if they are not on it.
        why: ``left``, ``gone`` from the server, ``idle`` for long, or ``removed`` by a manager.
        now: the present moment.

    """
    seen = await view.fresh(tx, ladder_id)
    if seen.of(user_id) is None:
        return
    for one in seen.challenges:
        if one.challenged_id == user_id:
            await end(tx, one, "left", now)
        elif one.challenger_id == user_id:
            await end(tx, one, "quit", now)
    rung = (await view.fresh(tx, ladder_id)).of(user_id)
    assert rung is not None
    await ladders.remove(tx, ladder_id, user_id, place=rung.place)
    await ladders.record(tx, ladder_id, why, user_id, now, before=rung.place)
    await show(tx, ladder_id, now)


async def take_off_everywhere(tx: Transaction, user_id: int, now: datetime) -> None:
    """Take somebody off all ladders, as their data is deleted."""
    for ladder, _ in await ladders.of_player(tx, user_id):
        await ladders.lock(tx, ladder.id)
        await take_off(tx, ladder.id, user_id, "left", now)


async def rest(tx: Transaction, ladder: Ladder, now: datetime) -> None:
    """Let a ladder rest whose channel is gone: nobody loses a place until it has another one."""
    await ladders.change(tx, ladder.id, lost_at=ladder.lost_at or now, look_at=None)
    await ladder_posts.give_up_posts(tx, ladder.id)
    for one in await ladder_challenges.open_in(tx, ladder.id):
        if one.waiting:
            await ladder_challenges.change(tx, one.id, due_at=None)


async def go_on(tx: Transaction, seen: LadderView, now: datetime) -> None:
    """Let a ladder go on that has rested; whoever was challenged has all the time to answer again."""
    if seen.ladder.lost_at is not None:
        await not_counted(tx, seen, now - seen.ladder.lost_at, now)
        seen = await view.fresh(tx, seen.id)
    await ladders.change(tx, seen.id, lost_at=None, look_at=now)
    for rung in seen.rungs:
        later = max(rung.slide_at, now + rules.SLIDE_EVERY)
        await ladders.change_rung(tx, seen.id, rung.user_id, slide_at=later)
    for one in seen.challenges:
        if one.waiting:
            answer_by = now + timedelta(days=seen.ladder.answer_days)
            due_at = rules.answer_reminder(now, answer_by) or answer_by
            await ladder_challenges.change(
                tx, one.id, answer_by=answer_by, reminded=False, due_at=due_at
            )
            await ladder_posts.show(tx, seen.id, "challenge", now, challenge_id=one.id)


async def not_counted(tx: Transaction, seen: LadderView, time: timedelta, now: datetime) -> None:
    """Let a time not count in which nobody could play: nobody slides or is taken off for it."""
    for rung in seen.rungs:
        await ladders.change_rung(
            tx,
            seen.id,
            rung.user_id,
            active_at=min(rung.active_at + time, now),
            slide_at=rung.slide_at + time,
        )
