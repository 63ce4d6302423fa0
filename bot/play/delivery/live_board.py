"""Shows the current turn of a match on its one board with controls, as `bot.play.delivery.plan` decides."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any, Final

import aiohttp
import discord
import structlog

from bot.core.requests.faults import EDIT, Fault, NoReply, fault_of
from bot.play.delivery import board_messages
from bot.play.delivery.board_messages import BoardContent, Reach
from bot.play.delivery.plan import Plan, Situation, plan
from bot.play.matches.stored_messages import Done, Stored
from data.matches.boards import PostedMessage
from data.matches.outbox import Job
from data.matches.turn_calls import TurnCall

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_STRIP: Final = "strip"
_EDIT: Final = "edit"
_LASTING: Final = 2
"""Failures in a row after which a new board is posted instead of an edit."""
_FAILED: Final = (NoReply, discord.HTTPException, aiohttp.ClientError, OSError)


async def update(
    reach: Reach,
    content: BoardContent,
    stored: Stored,
    done: Done,
    *,
    jobs: Sequence[Job],
    lost: Sequence[PostedMessage],
) -> Callable[[], Coroutine[Any, Any, None]]:
    """Show the current turn, and take the controls off pressed boards.

    Args:
        reach: the match and the ways to reach its messages.
        content: what its boards say.
        stored: what the store says about it.
        jobs: the board jobs to carry out, in order.
        done: where to record what was done, even if something else fails.
        lost: boards with controls that the store does not know.

    Returns:
        What takes the controls off all other boards, and deletes outdated calls. It never fails.

    Raises:
        NoReply: a request continues in the background.
        discord.HTTPException, aiohttp.ClientError, OSError, StoreError: not everything was
            done.

    """
    requests = reach.requests
    situation = _situation(reach, stored, jobs, done, lost)
    seen = not situation.in_place or await _in_sight(reach, situation)
    todo = plan(situation, in_sight=seen)
    undone = max((job.payload["ply"] for job in jobs if job.payload.get("undone")), default=0)

    def strip(shown: PostedMessage) -> Coroutine[Any, Any, None]:
        if shown == stored.final:
            return _show_end(reach, content, shown, done)
        return _strip(reach, content, shown, done, undone=shown.ply < undone)

    pressed = [shown for shown in todo.strip if shown.message_id in situation.pressed]
    show = partial(_show, reach, content, todo, situation.job, done)
    strips = [partial(strip, shown) for shown in pressed]
    failures = await _carry_out(show, strips, in_order=not reach.editable)
    # Old controls need no job: they go whenever anything is written about the match.
    done.jobs += jobs
    unexpected = [one for one in failures if one and not isinstance(one, _FAILED)]
    if unexpected:
        raise unexpected[0]
    others = [partial(strip, shown) for shown in todo.strip if shown not in pressed]

    async def tidy() -> None:
        # After the new board: posting reopens an archived thread, editing does not.
        await requests.extras.attempt(_STRIP, partial(_each, others, failures))
        for call in todo.answered:
            await requests.extras.attempt("calls", partial(_remove, reach, call, done))

    return tidy


def _situation(
    reach: Reach,
    stored: Stored,
    jobs: Sequence[Job],
    done: Done,
    lost: Sequence[PostedMessage],
) -> Situation:
    view, requests = reach.view, reach.requests
    mover = view.to_move
    job = jobs[-1] if jobs else None
    return Situation(
        view.version,
        view.match.channel_id,
        None if mover is None else mover.user_id,
        jobs,
        (*_live(reach, stored), *lost),
        (*stored.calls, *_stray_calls(reach, job, done)),
        pressed=frozenset(reach.pressed),
        uncertain=requests.uncertain,
        old=stored.old,
        in_place=reach.in_place,
        editable=reach.editable,
        reached={message_id for one in reach.earlier for message_id in one.reached},
        single=view.practice and not reach.editable,
        arrived={mark: message_id for mark, (_, message_id) in requests.posted.items()},
    )


async def _in_sight(reach: Reach, situation: Situation) -> bool:
    """Return whether players can see the board that would change."""
    newest = situation.newest
    if newest is None or situation.mover is None or not situation.passed:
        return True
    return await board_messages.in_sight(reach, newest)


def _live(reach: Reach, stored: Stored) -> tuple[PostedMessage, ...]:
    """Return the boards with controls: recorded, posted since, or pressed."""
    match, found = reach.view.match, {shown.message_id: shown for shown in stored.live}
    for post, message_id in reach.requests.posted.values():
        if post.ply is not None and message_id not in found:
            posted = PostedMessage(message_id, post.channel_id, match.id, post.ply, live=True)
            found[message_id] = posted
    for message_id, board in reach.requests.seen.items():
        if found.setdefault(message_id, board).ply != board.ply:
            reach.requests.uncertain.add(message_id)
    return tuple(found.values())


def _stray_calls(reach: Reach, job: Job | None, done: Done) -> Sequence[TurnCall]:
    """Return newly arrived messages that call a player to an earlier turn."""
    current = None if job is None else job.call_mark
    strays = [
        TurnCall(message_id, post.channel_id, reach.view.match.id, 0)
        for mark, (post, message_id) in reach.requests.posted.items()
        if mark % 2 and mark != current
    ]
    done.called += strays
    return strays


async def _show(
    reach: Reach, content: BoardContent, todo: Plan, job: Job | None, done: Done
) -> None:
    """Show the current turn on one board: the kept one, or else a new one."""
    view, keep = reach.view, todo.keep
    try:
        kept = keep is not None and (not todo.rewrite or await _rewrite(reach, content, keep, job))
    except _FAILED:
        if job is None:
            return  # no one waits for it: it is tried again by the clock
        raise
    if keep is not None and kept:
        message_id = keep.message_id
        called = None
        if todo.call and job is not None:
            called = await board_messages.call(reach, job, message_id)
        if called is not None:
            done.called.append(called)
        if not todo.rewrite:
            return
    elif job is None:
        return
    else:
        if reach.closed is not None:
            raise reach.closed
        message_id = await board_messages.post(reach, content, job)
        if keep is not None:
            await reach.requests.extras.attempt(
                _STRIP, partial(_strip, reach, content, keep, done, undone=False)
            )
    done.shown.append(
        PostedMessage(
            message_id,
            view.match.channel_id,
            view.match.id,
            view.version,
            live=view.to_move is not None,
        )
    )


async def _rewrite(
    reach: Reach, content: BoardContent, keep: PostedMessage, job: Job | None
) -> bool:
    """Edit a board; return whether Discord accepts it, so that no new one is needed.

    Raises:
        NoReply, discord.HTTPException, aiohttp.ClientError, OSError: unknown for now.

    """
    extras = reach.requests.extras

    def lasts() -> bool:
        failing = extras.waits(_EDIT) and extras.failures(_EDIT) >= _LASTING
        return failing and reach.editable and job is not None

    if lasts() and keep.message_id not in reach.pressed:
        return False
    try:
        kept = await board_messages.rewrite(reach, content, keep, job)
    except _FAILED:
        extras.failed(_EDIT, route=EDIT)
        if lasts():
            return False
        raise
    extras.succeeded(_EDIT)
    return kept


async def _strip(
    reach: Reach, content: BoardContent, posted: PostedMessage, done: Done, *, undone: bool
) -> None:
    reached = reach.editable or posted.message_id in reach.pressed
    if reached or reach.reaching(posted.message_id) is not None:
        await board_messages.strip(reach, content, posted, undone=undone)
    done.shown.append(dataclasses.replace(posted, live=False))


async def _show_end(reach: Reach, content: BoardContent, final: PostedMessage, done: Done) -> None:
    """Write the last board of a match once more: others have overwritten it."""
    await board_messages.rewrite(reach, content, final, None)
    done.shown.append(final)


async def _each(
    works: Iterable[Callable[[], Coroutine[Any, Any, None]]],
    failures: Iterable[BaseException | None],
) -> None:
    """Edit messages one after another, then raise an earlier failure, or one of a single message."""
    failed = next(filter(None, failures), None)
    for work in works:
        try:
            await work()
        except discord.HTTPException as error:
            if fault_of(error.status, error.code) is not Fault.EDITS_REFUSED:
                raise
            failed = error
    if failed is not None:
        raise failed


async def _carry_out(
    show: Callable[[], Coroutine[Any, Any, None]],
    strips: Sequence[Callable[[], Coroutine[Any, Any, None]]],
    *,
    in_order: bool,
) -> list[BaseException | None]:
    """Show a board and strip others, all at once; return how stripping each has failed."""
    if in_order or not strips:
        # An interaction can edit the pressed message only if that is its first answer.
        failures = await asyncio.gather(*(strip() for strip in strips), return_exceptions=True)
        await show()
        return failures
    works = (show, *strips)
    failed, *failures = await asyncio.gather(*(work() for work in works), return_exceptions=True)
    if failed is not None:
        raise failed
    return failures


async def _remove(reach: Reach, call: TurnCall, done: Done) -> None:
    await reach.transport.remove(call.channel_id, call.message_id)
    done.answered.append(call)
