"""Gives freed memory back to the system.

glibc keeps what was freed between things that stay, such as cached pictures. Other C libraries give it
back by themselves, and are left alone.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
from typing import Final

EVERY: Final = 60.0
"""Seconds between two rounds. One takes some milliseconds, in which other threads may wait for memory."""


def give_back() -> None:
    """Return freed memory to the system."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


async def keep_giving_back(every: float = EVERY) -> None:
    """Give freed memory back every so many seconds, off the event loop."""
    while True:
        await asyncio.sleep(every)
        await asyncio.to_thread(give_back)
