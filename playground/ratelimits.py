"""Rate limits: the headers on each answer, and 429 when a bucket is empty.

Discord publishes no numbers for its routes and a bot must not know any, so the default is
generous. :func:`realistic` gives figures that people have seen, for measuring.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from zlib import crc32

if TYPE_CHECKING:
    from playground.clock import Clock
    from playground.errors import JSON

MAJOR: Final = ("channel_id", "guild_id", "webhook_token", "interaction_token")
VIA: Final = "1.1 playground"


@dataclass(frozen=True, slots=True)
class Rule:
    """So many requests in so many seconds."""

    limit: int
    seconds: float


GENEROUS: Final = Rule(1000, 1.0)


@dataclass(slots=True)
class _Bucket:
    left: int
    resets_at: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the limits say to one request: headers, and the wait in seconds if it must wait."""

    headers: dict[str, str]
    retry_after: float | None = None
    everywhere: bool = False

    @property
    def body(self) -> JSON:
        """The JSON of the 429."""
        return {
            "message": "You are being rate limited.",
            "retry_after": self.retry_after,
            "global": self.everywhere,
        }


@dataclass(slots=True)
class RateLimits:
    """Counts requests.

    Args:
        clock: what time it is.
        rules: by route, such as ``"POST /channels/{channel_id}/messages"``.
        everywhere: for all routes together, interactions excepted; None for no such limit.
    """

    clock: Clock
    rules: dict[str, Rule] = field(default_factory=dict)
    everywhere: Rule | None = None
    _buckets: dict[tuple[str, str], _Bucket] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)

    def judge(self, route: str, params: dict[str, str], *, exempt: bool) -> Verdict:
        """Count a request. ``exempt`` ones are outside the limit for all routes together."""
        now = self.clock.time()
        if self.everywhere is not None and not exempt:
            bucket = self._bucket(("", ""), self.everywhere, now)
            if bucket.left < 0:
                return self._too_many(bucket, now, {"X-RateLimit-Global": "true"})
        name = self._names.get(route)
        if name is None:
            name = self._names[route] = f"{crc32(route.encode()):08x}"
        rule = self.rules.get(route)
        if rule is None:
            return Verdict(_headers(name, GENEROUS, GENEROUS.limit - 1, now, GENEROUS.seconds))
        major = "/".join(params[key] for key in MAJOR if key in params)
        bucket = self._bucket((name, major), rule, now)
        headers = _headers(name, rule, max(bucket.left, 0), now, bucket.resets_at - now)
        if bucket.left < 0:
            return self._too_many(bucket, now, headers)
        return Verdict(headers)

    def _bucket(self, key: tuple[str, str], rule: Rule, now: float) -> _Bucket:
        bucket = self._buckets.get(key)
        if bucket is None or bucket.resets_at <= now:
            bucket = self._buckets[key] = _Bucket(rule.limit, now + rule.seconds)
        bucket.left -= 1
        return bucket

    @staticmethod
    def _too_many(bucket: _Bucket, now: float, headers: dict[str, str]) -> Verdict:
        wait = round(max(bucket.resets_at - now, 0.001), 3)
        everywhere = "X-RateLimit-Global" in headers
        return Verdict(
            headers
            | {
                "Retry-After": str(max(1, round(wait))),
                "X-RateLimit-Scope": "global" if everywhere else "user",
                "Via": VIA,
            },
            wait,
            everywhere,
        )


def _headers(name: str, rule: Rule, left: int, now: float, wait: float) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(rule.limit),
        "X-RateLimit-Remaining": str(left),
        "X-RateLimit-Reset": f"{now + wait:.3f}",
        "X-RateLimit-Reset-After": f"{wait:.3f}",
        "X-RateLimit-Bucket": name,
        "Via": VIA,
    }


def realistic(clock: Clock) -> RateLimits:
    """Give limits of the size that bots report: 50 a second, 5 messages in 5 s per channel."""
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
