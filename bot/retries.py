"""Retries what failed, with growing pauses of at most a minute."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from tenacity import AsyncRetrying, retry_if_exception, wait_exponential

from data.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

MAX_PAUSE: Final = 60.0


def retrying(
    failed: Callable[[BaseException], bool],
    *,
    pause: float = 1.0,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> AsyncRetrying:
    """Return a loop that retries a block until it succeeds.

        async for attempt in retrying(store_failed):
            with attempt:
                await ...

    ``failed`` logs an error and says whether to retry; other errors are raised.
    ``pause`` is in seconds and grows; ``sleep`` may end early, or raise to give up.
    """
    return AsyncRetrying(
        retry=retry_if_exception(failed),
        wait=wait_exponential(multiplier=pause, max=MAX_PAUSE),
        sleep=sleep,
        reraise=True,
    )


async def repeated(
    work: Callable[[], Awaitable[None]],
    failed: Callable[[BaseException], bool],
    *,
    pause: float = 1.0,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Do work until it succeeds, like `retrying`.

    For frequent work that seldom fails: what a retry needs is garbage in cycles, so it is only
    built after a failure.
    """
    try:
        await work()
    except BaseException as error:
        if not failed(error):
            raise
    else:
        return
    await sleep(pause)
    async for attempt in retrying(failed, pause=2 * pause, sleep=sleep):
        with attempt:
            await work()


def store_failed(error: BaseException) -> bool:
    """Return whether an error comes from the store, which may recover later."""
    return isinstance(error, StoreError)


def until(event: asyncio.Event) -> Callable[[float], Awaitable[None]]:
    """Return a sleep that ends early once an event is set."""

    async def sleep(seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # `wait_for` may swallow a cancellation
                await event.wait()

    return sleep
