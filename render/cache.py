"""A cache of expensive values, bounded by weight."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound="Hashable")
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Keeps the most recently used values within a total weight.

    Safe to share between threads. Two threads that miss the same key at once may both make the
    value; both then get the first one stored.

    Args:
        limit: the maximum weight, in the unit that ``weigh`` returns.
        weigh: returns a value's weight.
    """

    def __init__(self, limit: int, weigh: Callable[[V], int]) -> None:
        self.limit = limit
        self._weigh = weigh
        self._weight = 0
        self._kept: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def weight(self) -> int:
        """The total weight of all kept values."""
        return self._weight

    def find(self, key: K) -> V | None:
        """Return the value kept under the key, if any."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return the value kept under the key, making it if missing."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            if key in self._kept:
                return self._kept[key]
            self._kept[key] = made
            self._weight += self._weigh(made)
            while self._weight > self.limit and len(self._kept) > 1:
                _, oldest = self._kept.popitem(last=False)
                self._weight -= self._weigh(oldest)
            return made
