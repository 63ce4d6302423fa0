"""Work that runs to its end even if its task is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def shielded(work: Awaitable[T]) -> T:
    """Await work to its end even when cancelled; only then raise the cancellation."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as request:
            cancelled = request
    if cancelled is not None:
        task.exception()  # the cancellation takes precedence
        raise cancelled
    return task.result()
