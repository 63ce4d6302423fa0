"""Work that a cancelled task still sees through."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable

T = TypeVar("T")


async def shielded(work: Awaitable[T]) -> T:
    """Await work to its end even when cancelled meanwhile; raise the cancellation only then."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as request:
            cancelled = request
    if cancelled is not None:
        task.exception()  # the cancellation goes before it
        raise cancelled
    return task.result()
