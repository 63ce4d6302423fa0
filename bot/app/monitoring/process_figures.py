"""The metrics read from the parts of a process on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.core.metrics import PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from prometheus_client import Metric

    from bot.core.workers.pool import WorkerPool


class ProcessFigures(Collector):
    """Whether this process does its work, and how its workers fare."""

    def __init__(self) -> None:
        """Start without workers, and not ready."""
        self.ready: Callable[[], bool] = lambda: False
        """Whether this process does its work: presses arrive, or tasks are taken."""
        self._pools: Mapping[str, WorkerPool] = {}
        self._kills: dict[str, int] = {}
        """Kills in earlier pools."""

    def watch(self, pools: Mapping[str, WorkerPool], ready: Callable[[], bool]) -> None:
        """Report on these parts from now on, instead of earlier ones.

        Args:
            pools: the workers of this process, by what they do.
            ready: returns whether it does its work.

        """
        self._kills = self._all_kills()
        self._pools, self.ready = pools, ready

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        yield GaugeMetricFamily(
            f"{PREFIX}ready", "Whether this process is ready: 1 or 0.", value=float(self.ready())
        )
        kills = CounterMetricFamily(
            f"{PREFIX}worker_kills",
            "Worker processes killed because they failed or timed out.",
            labels=["pool"],
        )
        for name, number in self._all_kills().items():
            kills.add_metric([name], number)
        yield kills

    def _all_kills(self) -> dict[str, int]:
        now = {name: self._kills.get(name, 0) + pool.kills for name, pool in self._pools.items()}
        return self._kills | now
