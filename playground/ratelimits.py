"""Rate limits: headers on each response, and a 429 when a bucket is empty.

Discord does not publish its limits and bots must not hard-code any, so the default is generous.
:func:`realistic` returns limits observed by bots, for benchmarks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

from playground.clock import Clock
from playground.errors import JSON

MAJOR_PARAMETERS: Final = ("channel_id", "guild_id", "webhook_token", "interaction_token")
VIA: Final = "1.1 playground"


@dataclass(frozen=True, slots=True)
class Rule:
    """A number of requests per number of seconds."""

    limit: int
    seconds: float


GENEROUS: Final = Rule(1000, 1.0)


@dataclass(slots=True)
class _Bucket:
    remaining: int
    resets_at: float


@dataclass(frozen=True, slots=True)
class RateLimitResult:
    """The headers for a response, and the seconds to wait if it is a 429."""

    headers: dict[str, str]
    retry_after: float | None = None
    is_global: bool = False

    @property
    def body(self) -> JSON:
        """The body of the 429."""
        return {
            "message": "You are being rate limited.",
            "retry_after": self.retry_after,
            "global": self.is_global,
        }


@dataclass(slots=True)
class RateLimits:
    """Counts requests in buckets.

    Args:
        clock: the time.
        rules: rules by route, such as ``"POST /channels/{channel_id}/messages"``.
        global_rule: the limit across routes, except for interactions; None for no limit.
    """

    clock: Clock
    rules: dict[str, Rule] = field(default_factory=dict)
    global_rule: Rule | None = None
    _buckets: dict[tuple[str, str], _Bucket] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)

    def check(self, route: str, params: dict[str, str], *, global_exempt: bool) -> RateLimitResult:
        """Count a request."""
        now = self.clock.time()
        if self.global_rule is not None and not global_exempt:
            bucket = self._bucket(("", ""), self.global_rule, now)
            if bucket.remaining < 0:
                return self._too_many(bucket, now, {"X-RateLimit-Global": "true"})
        name = self._names.get(route)
        if name is None:
            name = self._names[route] = f"{crc32(route.encode()):08x}"
        rule = self.rules.get(route)
        if rule is None:
            return RateLimitResult(
                _headers(name, GENEROUS, GENEROUS.limit - 1, now, GENEROUS.seconds)
            )
        major = "/".join(params[key] for key in MAJOR_PARAMETERS if key in params)
        bucket = self._bucket((name, major), rule, now)
        headers = _headers(name, rule, max(bucket.remaining, 0), now, bucket.resets_at - now)
        if bucket.remaining < 0:
            return self._too_many(bucket, now, headers)
        return RateLimitResult(headers)

    def _bucket(self, key: tuple[str, str], rule: Rule, now: float) -> _Bucket:
        bucket = self._buckets.get(key)
        if bucket is None or bucket.resets_at <= now:
            bucket = self._buckets[key] = _Bucket(rule.limit, now + rule.seconds)
        bucket.remaining -= 1
        return bucket

    @staticmethod
    def _too_many(bucket: _Bucket, now: float, headers: dict[str, str]) -> RateLimitResult:
        wait = round(max(bucket.resets_at - now, 0.001), 3)
        is_global = "X-RateLimit-Global" in headers
        return RateLimitResult(
            headers
            | {
                "Retry-After": str(max(1, round(wait))),
                "X-RateLimit-Scope": "global" if is_global else "user",
                "Via": VIA,
            },
            wait,
            is_global,
        )


def _headers(name: str, rule: Rule, remaining: int, now: float, wait: float) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(rule.limit),
        "X-RateLimit-Remaining": str(remaining),
        "X-RateLimit-Reset": f"{now + wait:.3f}",
        "X-RateLimit-Reset-After": f"{wait:.3f}",
        "X-RateLimit-Bucket": name,
        "Via": VIA,
    }


def realistic(clock: Clock) -> RateLimits:
    """Return limits as observed by bots: 50 requests a second, 5 messages in 5 s per channel."""
    return RateLimits(
        clock,
        {
            "POST /channels/{channel_id}/messages": Rule(5, 5.0),
            "PATCH /channels/{channel_id}/messages/{message_id}": Rule(5, 5.0),
            "DELETE /channels/{channel_id}/messages/{message_id}": Rule(5, 1.0),
            "POST /webhooks/{webhook_id}/{webhook_token}": Rule(5, 2.0),
            "POST /users/@me/channels": Rule(10, 10.0),
        },
        Rule(50, 1.0),
    )
