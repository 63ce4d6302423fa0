"""The bounded cache of expensive values."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from render.cache import Cache


def test_a_cached_value_is_not_made_again() -> None:
    made: list[int] = []
    cache: Cache[int, int] = Cache(10, lambda _: 1)

    def make() -> int:
        made.append(7)
        return 7

    for _ in range(3):
        assert cache.get(7, make) == 7
    assert made == [7]


def test_the_cache_never_exceeds_its_weight_limit() -> None:
    cache: Cache[int, int] = Cache(100, lambda value: value)
    for key in range(50):
        cache.get(key, lambda key=key: key)  # type: ignore[misc]
        assert cache.weight <= 100


def test_the_least_recently_used_value_is_dropped_first() -> None:
    cache: Cache[str, str] = Cache(2, lambda _: 1)
    for key in ("old", "new", "old", "newest"):
        cache.get(key, lambda key=key: key)  # type: ignore[misc]
    assert cache.get("old", lambda: "made again") == "old"
    assert cache.get("new", lambda: "made again") == "made again"


def test_a_value_heavier_than_the_limit_is_kept_alone() -> None:
    cache: Cache[str, int] = Cache(10, lambda value: value)
    cache.get("light", lambda: 5)
    cache.get("heavy", lambda: 50)
    assert len(cache) == 1
    cache.get("light", lambda: 5)
    assert cache.weight == 5


def test_threads_missing_at_once_all_get_the_same_value() -> None:
    cache: Cache[str, object] = Cache(10, lambda _: 1)
    barrier = Barrier(4)

    def make() -> object:
        barrier.wait(timeout=30)  # all four are making it now
        return object()

    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(lambda _: cache.get("key", make), range(4)))
    assert len(found) == 1
    assert len(cache) == cache.weight == 1
