"""Shows the progress of work that takes long, then its result in the same place."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

import aiohttp
import discord
import structlog

from bot.core.errors import Refusal
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from engine.phrase import concat

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

T = TypeVar("T")

EVERY: Final = 3.0
"""Seconds between edits; Discord allows five in five seconds."""
_STEPS: Final = 10


def bar(words: str, share: float | None) -> str:
    """Return a progress line; without a share, the work still waits for its turn."""
    if share is None:
        return words
    done = min(int(_STEPS * share), _STEPS)
    return concat(words, f" {'▰' * done}{'▱' * (_STEPS - done)} {int(100 * share)} %")


@dataclass(eq=False, repr=False)
class ProgressMessage:
    """Shows the progress of one piece of work, then its result in the same place."""

    reply: Reply
    line: Callable[[], str]
    public: bool | None
    _message_id: int | None = field(default=None, init=False)
    _shown: str = field(default="", init=False)

    async def wait(self, work: Awaitable[T]) -> T | None:
        """Return the result of the work, or raise its refusal; ``None`` if that was shown already."""
        task = asyncio.ensure_future(work)
        done, _ = await asyncio.wait({task}, timeout=self.reply.acknowledge_after)
        while not done:
            await self._show()
            done, _ = await asyncio.wait({task}, timeout=EVERY)
        try:
            return task.result()
        except Refusal as refusal:
            if self._message_id is None:
                raise
            await self.finish(text_layout(refusal.sentence))
            return None

    async def finish(self, message: Layout) -> None:
        """Show the result, or what there is of it so far."""
        if self._message_id is None:
            await self.reply.send(message, public=self.public)
            return
        locale = await self.reply.locale(public=self.public)
        await self.reply.edit_sent(self._message_id, message, locale, files=message.files)

    async def _show(self) -> None:
        line = self.line()
        if line == self._shown:
            return
        first, self._shown = not self._shown, line
        if first:
            await self.reply.acknowledge()  # the pressed board can still be edited
            self._message_id = await self.reply.send(text_layout(line), public=self.public)
        elif self._message_id is not None:
            try:
                await self.finish(text_layout(line))
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                log.info("progress was not shown", reason=str(error))
