"""An event loop on which time passes faster.

discord.py waits whole seconds, by the clock of the event loop, before it repeats a request that
Discord failed to serve. On this loop they pass sooner, in the same order and with everything
that the program does in between. Threads, disks and the network keep their own pace.
"""

from __future__ import annotations

import asyncio
import selectors
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectors import SelectorKey

PACE = 20.0
"""How many seconds pass in one."""


class _Selector(selectors.DefaultSelector):
    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        if timeout is not None and timeout > 0:
            timeout /= PACE
        return super().select(timeout)


class HurriedLoop(asyncio.SelectorEventLoop):
    """A loop whose seconds are short."""

    def __init__(self) -> None:
        """Wait for sockets with a selector that knows of the pace."""
        super().__init__(_Selector())

    def time(self) -> float:
        """Tell the time of this loop in its own seconds."""
        return super().time() * PACE
