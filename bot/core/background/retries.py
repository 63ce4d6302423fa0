"""Retries what failed, with growing pauses of at most a minute.

A pause may end early, when something is woken, but none is shorter than `MIN_PAUSE`: what fails at
once and wakes itself must not keep the event loop from everything else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final

from tenacity import AsyncRetrying, retry_if_exception, wait_exponential

from data.sql.errors import StoreError

MAX_PAUSE: Final = 60.0
MIN_PAUSE: Final = 0.1
"""Minimum seconds between two attempts, even if something wakes the next one."""


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
    ``pause`` is in seconds and grows; ``sleep`` may end early, though the pause then still lasts
    `MIN_PAUSE`, or raise to give up.
    """
    return AsyncRetrying(
        retry=retry_if_exception(failed),
        wait=wait_exponential(multiplier=pause, max=MAX_PAUSE),
        sleep=partial(_pause, sleep),
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
    await _pause(sleep, pause)
    async for attempt in retrying(failed, pause=2 * pause, sleep=sleep):
        with attempt:
            await work()


def store_failed(error: BaseException) -> bool:
    """Return whether an error comes from the store, which may recover later."""
    return isinstance(error, StoreError)


async def pause_until(event: asyncio.Event, seconds: float) -> None:
    """Pause before a retry: some seconds, at least `MIN_PAUSE`, or until an event is set."""
    await _pause(until(event), seconds)


def until(event: asyncio.Event) -> Callable[[float], Awaitable[None]]:
    """Return a sleep that ends early once an event is set, at once if it is set already."""

    async def sleep(seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # `wait_for` may swallow a cancellation
                await event.wait()

    return sleep


async def _pause(sleep: Callable[[float], Awaitable[None]], seconds: float) -> None:
    await asyncio.sleep(MIN_PAUSE)
    if seconds > MIN_PAUSE:
        await sleep(seconds - MIN_PAUSE)
