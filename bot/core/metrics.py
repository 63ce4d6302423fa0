"""The metrics of a process that are counted as things happen. Times are in seconds.

They have their own registry, which `bot.app.monitoring` shows. Counting takes at most five
microseconds of processor time, so it is always on, whether or not the metrics are read.
"""

from __future__ import annotations

import logging
import re
import time
from functools import partial
from typing import Final

import aiohttp
from cachetools import FIFOCache
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector

from bot import full_version

PREFIX: Final = "boardgames_"
_CALLBACK: Final = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
_ACKNOWLEDGED: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 5.0)
"""Discord waits three seconds; the bot aims for at most one and a half."""
_TRANSACTIONS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
_LAGS: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
_MAX_OPEN: Final = 1_000
"""Interactions remembered until they are acknowledged: some never are."""


class Metrics:
    """The metrics of this process."""

    def __init__(self) -> None:
        """Start at zero."""
        self.registry = registry = CollectorRegistry()
        Info("boardgames_build", "The version that runs.", registry=registry).info(
            {"version": full_version()}
        )
        ProcessCollector(registry=registry)
        counter, histogram = (
            partial(Counter, registry=registry),
            partial(Histogram, registry=registry),
        )
        self._received: FIFOCache[int, tuple[float, str]] = FIFOCache(_MAX_OPEN)
        self._acknowledged: FIFOCache[int, float] = FIFOCache(_MAX_OPEN)
        self._interactions = counter(
            f"{PREFIX}interactions",
            "Interactions received: commands, component presses and form submissions.",
            ["kind"],
        )
        self._acknowledge = histogram(
            f"{PREFIX}acknowledge_seconds",
            "Time from receiving an interaction to Discord accepting the first response.",
            ["kind"],
            buckets=_ACKNOWLEDGED,
        )
        self._responses = counter(
            f"{PREFIX}discord_responses",
            "Discord's responses to HTTP requests, by status: 2xx, 3xx, 4xx, 429, 5xx, or none.",
            ["status"],
        )
        self._limited = counter(
            f"{PREFIX}rate_limited",
            "Requests rejected with 429, by rate limit scope: user, shared or global.",
            ["scope"],
        )
        self._transactions = histogram(
            f"{PREFIX}store_transaction_seconds",
            "Duration of transactions, including the wait for a connection.",
            ["kind"],
            buckets=_TRANSACTIONS,
        )
        self._reads = self._transactions.labels("read")
        self._writes = self._transactions.labels("write")
        self._lag = histogram(
            f"{PREFIX}event_loop_lag_seconds",
            "Event loop lag: how late a sleeping task wakes up, sampled twice a second.",
            buckets=_LAGS,
        )
        self._lines = counter(
            f"{PREFIX}log_lines",
            "Log lines at warning level or above, by level.",
            ["level"],
        )
        self._commands = Gauge(
            f"{PREFIX}commands_registered",
            "Whether Discord has this version's commands, as far as known: 1 or 0.",
            registry=registry,
        )
        self._commands.set(1)
        self._same_token = counter(
            f"{PREFIX}same_token_signs",
            "Signs of another program with the same token, by sign: acknowledged (it answered first) or "
            "match (a press on a match that only it knows).",
            ["sign"],
        )
        self._page = counter(
            f"{PREFIX}page_responses",
            "Responses of the page in the browser, by status: 2xx, 3xx, 4xx, 429 or 5xx.",
            ["status"],
        )
        self._windows = Gauge(
            f"{PREFIX}page_windows", "Windows of the page that listen to news.", registry=registry
        )
        for status in ("2xx", "429", "5xx"):
            self._page.labels(status)
        for sign in ("acknowledged", "match"):
            self._same_token.labels(sign)
        for level in ("warning", "error"):
            self._lines.labels(level)  # so that the first one shows as a change
        self._by_status = {
            status: self._responses.labels(status)
            for status in ("2xx", "4xx", "429", "5xx", "none")
        }

    def received(self, interaction_id: int, kind: str) -> None:
        """Count an interaction, and start timing its acknowledgement."""
        self._interactions.labels(kind).inc()
        self._received[interaction_id] = (time.perf_counter(), kind)

    def answered(self, response: aiohttp.ClientResponse) -> None:
        """Count a response from Discord; one to a first answer stops the timing."""
        status = response.status
        name = "429" if status == 429 else f"{status // 100}xx"
        (self._by_status.get(name) or self._responses.labels(name)).inc()
        if status == 429:
            self._limited.labels(response.headers.get("X-RateLimit-Scope", "unknown")).inc()
        elif status < 300 and (found := _CALLBACK.search(response.url.path)):
            began, kind = self._received.pop(number := int(found[1]), (None, ""))
            if began is not None:
                self._acknowledged[number] = seconds = time.perf_counter() - began
                self._acknowledge.labels(kind).observe(seconds)

    def acknowledged(self, interaction_id: int) -> float | None:
        """Return after how many seconds an interaction was acknowledged, once; ``None`` if never."""
        return self._acknowledged.pop(interaction_id, None)

    def unanswered(self) -> None:
        """Count a request that Discord did not answer."""
        self._by_status["none"].inc()

    def page_answered(self, status: int) -> None:
        """Count a response of the page."""
        self._page.labels("429" if status == 429 else f"{status // 100}xx").inc()

    def page_listens(self, more: int) -> None:
        """Count one more window of the page that listens to news, or one less."""
        self._windows.inc(more)

    def commands_registered(self, *, yes: bool) -> None:
        """Record whether Discord has the commands."""
        self._commands.set(int(yes))

    def same_token(self, sign: str) -> None:
        """Count a sign of another program with the same token."""
        self._same_token.labels(sign).inc()

    def transaction(self, seconds: float, *, writes: bool) -> None:
        """Count a transaction."""
        (self._writes if writes else self._reads).observe(seconds)

    def lag(self, seconds: float) -> None:
        """Record how late the event loop was."""
        self._lag.observe(max(0.0, seconds))

    def line(self, level: int) -> None:
        """Count a log line."""
        self._lines.labels("error" if level >= logging.ERROR else "warning").inc()


class LineCounter(logging.Handler):
    """Counts the log lines that warn."""

    def __init__(self, metrics: Metrics) -> None:
        """Count in these metrics."""
        super().__init__(logging.WARNING)
        self._metrics = metrics

    def emit(self, record: logging.LogRecord) -> None:
        """Count a line."""
        self._metrics.line(record.levelno)
