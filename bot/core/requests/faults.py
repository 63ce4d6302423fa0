"""What to do about a request that Discord did not carry out: pure decisions.

A fault is tried again by a clock, with growing pauses of at most an hour, whatever its code: what
Discord refuses now it may accept later without any event.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from typing import Final, NamedTuple

MAX_PAUSE: Final = timedelta(hours=1)
"""The longest pause between two attempts."""
_FIRST_PAUSE: Final = {False: timedelta(seconds=2), True: timedelta(minutes=1)}
"""Pause after a first failure, by whether Discord refused."""
_MAX_DOUBLINGS: Final = 12
_SOON: Final = timedelta(seconds=30)
_REFUSED: Final = timedelta(seconds=50)
"""Less than the minute after which a channel that refuses is looked at: the refusal takes a moment."""
_MAX_GROWTH: Final = 300
_JITTER: Final = 0.25
"""The part of a pause that is random, so that what failed together is not tried again together."""

_PATH: Final = re.compile(r"/(?:api/v\d+/)?(channels|users)/(@?\w+)(.*)")


class Route(NamedTuple):
    """Requests that are likely to fail together."""

    method: str
    about: str
    """Its path without numbers, such as ``channels/messages``."""
    channel_id: int | None = None
    """The channel; ``None`` for all channels."""


POST: Final = Route("POST", "channels/messages")


EDIT: Final = Route("PATCH", "channels/messages")


SEARCH: Final = Route("GET", "channels/messages")


UPLOAD: Final = Route("", "files")
"""Any request with files."""


def route_to(method: str, path: str) -> Route | None:
    """Return the route of a request, with its channel; ``None`` if nothing waits for such requests."""
    found = _PATH.fullmatch(path)
    if found is None:
        return None
    about, number, rest = found.groups()
    channel_id = int(number) if about == "channels" else None
    return Route(method, about + re.sub(r"/[0-9]+", "", rest), channel_id)


class NoReply(Exception):
    """No reply yet; the request continues in the background."""

    def __init__(self, route: Route | None = None) -> None:
        """Keep the route of the request."""
        super().__init__()
        self.route = route


class Fault(Enum):
    """Why a request did not do what it should."""

    NO_REPLY = auto()
    """There was no reply, or the server failed: Discord may have carried it out all the same."""
    BUSY = auto()
    """Too many requests; Discord says how long to wait."""
    FORBIDDEN = auto()
    """The bot may not do this here."""
    REFUSED = auto()
    """Refused for another reason, such as what the message says."""
    MESSAGE_GONE = auto()
    CHANNEL_GONE = auto()
    CLOSED = auto()
    """The recipient takes no direct messages."""
    FILES_REFUSED = auto()
    EDITS_REFUSED = auto()
    """This message takes no more edits for now."""


_BY_CODE: Final = {
    10003: Fault.CHANNEL_GONE,
    10008: Fault.MESSAGE_GONE,
    10013: Fault.CLOSED,  # no such user
    30046: Fault.EDITS_REFUSED,  # too many
    40003: Fault.BUSY,  # direct messages are opened too fast
    40005: Fault.FILES_REFUSED,  # too large
    50007: Fault.CLOSED,
    50278: Fault.CLOSED,  # no server in common
}
"""Discord's error codes."""
_BY_STATUS: Final = {403: Fault.FORBIDDEN, 413: Fault.FILES_REFUSED, 429: Fault.BUSY}


def fault_of(status: int | None, code: int) -> Fault:
    """Return what an HTTP status, ``None`` without an answer, and an error code of Discord mean."""
    if status is None or status >= 500:
        return Fault.NO_REPLY
    return _BY_CODE.get(code) or _BY_STATUS.get(status, Fault.REFUSED)


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to post or edit a message that failed."""

    failures: int
    """Failed attempts before it, since the last success."""
    edits: bool
    """Whether it edited a message rather than post one."""
    has_files: bool
    """Whether it uploaded files."""
    replaces: bool
    """Whether a message that cannot be edited, or was deleted, is posted anew."""
    renews: bool = True
    """Whether one that cannot be edited is, too."""


@dataclass(frozen=True, slots=True)
class Retry:
    """How to try again."""

    pause: timedelta
    """Zero for at once."""
    doubt: bool = False
    """Whether the message may be there already, so it is searched for first."""
    anew: bool = False
    """Whether to post a new message in place of the one there is."""
    without_files: bool = False
    """Whether to do without files, which then follow later."""


def after(
    attempt: Attempt, fault: Fault, *, wait: float = 0.0, jitter: float = 0.0
) -> Retry | None:
    """Return how to go on after a failed attempt; ``None`` if nothing is left to try.

    It waits at least the ``wait`` seconds that Discord says; ``jitter`` is random, from 0 to 1.
    """
    gone = fault is Fault.MESSAGE_GONE and not attempt.replaces
    if gone or fault in {Fault.CHANNEL_GONE, Fault.CLOSED}:
        return None
    refused = fault in {Fault.REFUSED, Fault.FORBIDDEN}
    pause = pause_after(attempt.failures, refused=refused, jitter=jitter)
    again = attempt.failures > 0
    if attempt.edits:
        # A message that cannot be edited for good is replaced rather than waited for.
        lasting = attempt.renews and (fault is Fault.EDITS_REFUSED or again)
        lasting |= fault is Fault.MESSAGE_GONE
        if attempt.replaces and lasting and fault is not Fault.BUSY:
            return Retry(timedelta(), anew=True)
    if fault is Fault.FILES_REFUSED and attempt.has_files:
        return Retry(timedelta(), without_files=True)
    said = min(timedelta(seconds=wait), MAX_PAUSE)
    if fault is Fault.EDITS_REFUSED and said:
        return Retry(max(said, _FIRST_PAUSE[False]))
    if fault is Fault.BUSY:
        return Retry(max(pause, said))
    lost = fault is Fault.NO_REPLY
    # Perhaps only uploads fail: after the second time in a row it goes out in words.
    words = attempt.has_files and again and fault in {Fault.NO_REPLY, Fault.REFUSED}
    return Retry(pause, doubt=lost and not attempt.edits, without_files=words)


def pause_after(failures: int, *, refused: bool, jitter: float = 0.0) -> timedelta:
    """Return the pause before the next attempt, after ``failures`` earlier failures and this one."""
    grown: timedelta = _FIRST_PAUSE[refused] * 2 ** min(failures, _MAX_DOUBLINGS)
    return min(grown, MAX_PAUSE) * (1 - _JITTER * jitter)


def wake_after(failures: int, fault: Fault, *, wait: float = 0.0) -> timedelta:
    """Return the pause before a success elsewhere, or a look at the route, may try it again.

    It is shorter than the pause of its own clock, `pause_after`, so that what works again is not
    waited for; but what does not work is not tried at each success of others. What Discord refuses
    for what it says is tried each minute for an hour, and then in pauses that grow by a sixtieth.
    """
    if fault is Fault.BUSY or (fault is Fault.EDITS_REFUSED and wait):
        return min(timedelta(seconds=wait), MAX_PAUSE)
    if fault in {Fault.FORBIDDEN, Fault.NO_REPLY}:
        return min(pause_after(failures, refused=fault is Fault.FORBIDDEN), _SOON)
    grown: timedelta = _REFUSED * (61 / 60) ** min(max(0, failures - 60), _MAX_GROWTH)
    return min(grown, MAX_PAUSE)
