"""What follows a commit."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Listener: TypeAlias = "Callable[[int], object]"
"""Is called with the number that a topic was announced with."""


class Listeners:
    """Those that want to hear of a topic after each commit that announces it."""

    def __init__(self) -> None:
        """Begin without any."""
        self._listeners: defaultdict[str, list[Listener]] = defaultdict(list)

    def add(self, topic: str, listener: Listener) -> None:
        """Call a listener from now on."""
        self._listeners[topic].append(listener)

    def of(self, topic: str) -> Sequence[Listener]:
        """Return the listeners of a topic."""
        return self._listeners.get(topic, ())


class FollowUp:
    """Callbacks that run on the event loop once their transaction is committed."""

    def __init__(self, listeners: Listeners) -> None:
        """Know who listens."""
        self._listeners = listeners
        self._callbacks: dict[Callable[[], object], None] = {}
        self._announced: dict[tuple[str, int], None] = {}

    def add(self, callback: Callable[[], object]) -> None:
        """Run a callback after the commit."""
        self._callbacks[callback] = None

    def announce(self, topic: str, number: int) -> None:
        """Call the listeners of a topic after the commit, once for each number."""
        self._announced[topic, number] = None

    def run(self) -> None:
        """Run all callbacks: what is committed stays so, whatever they raise."""
        callbacks: list[Callable[[], object]] = [*self._callbacks]
        for topic, number in self._announced:
            callbacks += [partial(listener, number) for listener in self._listeners.of(topic)]
        for callback in callbacks:
            try:
                callback()
            except Exception as error:  # noqa: BLE001 -- the commit must not look as if it failed
                asyncio.get_running_loop().call_exception_handler(
                    {"message": "a callback after a commit failed", "exception": error}
                )
