"""Shows the current turn of a match on its one board with controls, as `bot.play.delivery.plan` decides."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

import discord

from bot.core.requests.faults import EDIT, Fault
from bot.core.requests.sending import FAILED, failure_of
from bot.play.delivery.board_messages import BoardMessages
from bot.play.delivery.plan import Plan, Situation, plan
from bot.play.matches.stored_messages import Done, Stored
from data.matches.boards import PostedMessage, TurnCall
from data.matches.outbox import Job

_STRIP: Final = "strip"
_EDIT: Final = "edit"
_LASTING: Final = 2
"""Failures in a row after which a new board is posted instead of an edit."""

Work: TypeAlias = "Callable[[], Coroutine[Any, Any, None]]"


@dataclass(eq=False, repr=False)
class LiveBoard:
    """The board with controls of one match, and the older ones that lose theirs.

    Its methods raise what `FAILED` lists, or StoreError, if not everything was done.
    """

    messages: BoardMessages
    stored: Stored
    """What the store says about the match."""
    done: Done
    """Records what was done, even if something else fails."""

    async def update(self, jobs: Sequence[Job], lost: Sequence[PostedMessage]) -> Work:
        """Show the current turn as jobs ask, and take the controls off pressed boards.

        ``lost`` are boards with controls that the store does not know. Return what takes the
        controls off all other boards, and deletes outdated calls; it never fails.
        """
        situation = self._situation(jobs, lost)
        seen = not situation.in_place or await self._in_sight(situation)
        todo = plan(situation, in_sight=seen)
        undone = max((job.payload["ply"] for job in jobs if job.payload.get("undone")), default=0)

        def strip(shown: PostedMessage) -> Coroutine[Any, Any, None]:
            if shown == self.stored.final:
                return self._show_end(shown)
            return self._strip(shown, undone=shown.ply < undone)

        pressed = [shown for shown in todo.strip if shown.message_id in situation.pressed]
        failures = await _carry_out(
            partial(self._show, todo, situation.job),
            [partial(strip, shown) for shown in pressed],
            in_order=not self.messages.editable,
        )
        # Old controls need no job: they go whenever anything is written about the match.
        self.done.jobs += jobs
        unexpected = [one for one in failures if one and not isinstance(one, FAILED)]
        if unexpected:
            raise unexpected[0]
        others = [partial(strip, shown) for shown in todo.strip if shown not in pressed]

        async def tidy() -> None:
            # After the new board: posting reopens an archived thread, editing does not.
            extras = self.messages.requests.extras
            await extras.attempt(_STRIP, partial(_each, others, failures))
            for call in todo.answered:
                await extras.attempt("calls", partial(self._remove, call))

        return tidy

    def _situation(self, jobs: Sequence[Job], lost: Sequence[PostedMessage]) -> Situation:
        messages, requests, position = self.messages, self.messages.requests, self.messages.position
        return Situation(
            position.version,
            position.match.channel_id,
            None if position.to_move is None else position.to_move.user_id,
            jobs,
            (*self._live(), *lost),
            (*self.stored.calls, *self._stray_calls(jobs[-1] if jobs else None)),
            pressed=frozenset(messages.pressed),
            uncertain=requests.uncertain,
            old=self.stored.old,
            in_place=messages.in_place,
            editable=messages.editable,
            reached={message_id for one in messages.earlier for message_id in one.reached},
            single=position.practice and not messages.editable,
            arrived={mark: message_id for mark, (_, message_id) in requests.posted.items()},
        )

    async def _in_sight(self, situation: Situation) -> bool:
        """Return whether players can see the board that would change."""
        newest = situation.newest
        if newest is None or situation.mover is None or not situation.passed:
            return True
        return await self.messages.in_sight(newest)

    def _live(self) -> Iterable[PostedMessage]:
        """Return the boards with controls: recorded, posted since, or pressed."""
        requests, match = self.messages.requests, self.messages.position.match
        found = {shown.message_id: shown for shown in self.stored.live}
        for post, message_id in requests.posted.values():
            if post.ply is not None and message_id not in found:
                posted = PostedMessage(message_id, post.channel_id, match.id, post.ply, live=True)
                found[message_id] = posted
        for message_id, board in requests.seen.items():
            if found.setdefault(message_id, board).ply != board.ply:
                requests.uncertain.add(message_id)
        return found.values()

    def _stray_calls(self, job: Job | None) -> Sequence[TurnCall]:
        """Return newly arrived messages that call a player to an earlier turn."""
        current = None if job is None else job.call_mark
        strays = [
            TurnCall(message_id, post.channel_id, self.messages.position.match.id, 0)
            for mark, (post, message_id) in self.messages.requests.posted.items()
            if mark % 2 and mark != current
        ]
        self.done.called += strays
        return strays

    async def _show(self, todo: Plan, job: Job | None) -> None:
        """Show the current turn on one board: the kept one, or else a new one."""
        messages, position, keep = self.messages, self.messages.position, todo.keep
        waits = messages.requests.extras.waits(_EDIT)
        if job is None and waits and keep and keep.message_id not in messages.pressed:
            return
        try:
            kept = keep is not None and (not todo.rewrite or await self._rewrite(keep, job))
        except FAILED:
            if job is None:
                return  # no one waits for it: it is tried again by the clock
            raise
        if keep is not None and kept:
            message_id = keep.message_id
            called = await messages.call(job, message_id) if todo.call and job else None
            if called is not None:
                self.done.called.append(called)
            if not todo.rewrite:
                return
        elif job is None:
            return
        else:
            if messages.closed is not None:
                raise messages.closed
            message_id = await messages.post(job)
            if keep is not None:
                strip = partial(self._strip, keep, undone=False)
                await messages.requests.extras.attempt(_STRIP, strip)
        self.done.shown.append(
            PostedMessage(
                message_id,
                position.match.channel_id,
                position.match.id,
                position.version,
                live=position.to_move is not None,
            )
        )

    async def _rewrite(self, keep: PostedMessage, job: Job | None) -> bool:
        """Edit a board; return whether Discord accepts it, so that no new one is needed."""
        messages, extras = self.messages, self.messages.requests.extras

        def lasts() -> bool:
            return extras.waits(_EDIT, _LASTING) and messages.editable and job is not None

        if lasts() and keep.message_id not in messages.pressed:
            return False
        try:
            kept = await messages.rewrite(keep, job)
        except FAILED:
            extras.failed(_EDIT, route=EDIT)
            if lasts():
                return False
            raise
        extras.succeeded(_EDIT)
        return kept

    async def _strip(self, posted: PostedMessage, *, undone: bool) -> None:
        messages, number = self.messages, posted.message_id
        if messages.editable or number in messages.pressed or messages.reaching(number) is not None:
            await messages.strip(posted, undone=undone)
        self.done.shown.append(dataclasses.replace(posted, live=False))

    async def _show_end(self, final: PostedMessage) -> None:
        """Write the last board of a match once more: others have overwritten it."""
        await self.messages.rewrite(final, None)
        self.done.shown.append(final)

    async def _remove(self, call: TurnCall) -> None:
        await self.messages.transport.remove(call.channel_id, call.message_id)
        self.done.answered.append(call)


async def _each(works: Iterable[Work], failures: Iterable[BaseException | None]) -> None:
    """Edit messages one after another, then raise an earlier failure, or one of a single message."""
    failed = next(filter(None, failures), None)
    for work in works:
        try:
            await work()
        except discord.HTTPException as error:
            if failure_of(error)[0] is not Fault.EDITS_REFUSED:
                raise
            failed = error
    if failed is not None:
        raise failed


async def _carry_out(
    show: Work, strips: Sequence[Work], *, in_order: bool
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
