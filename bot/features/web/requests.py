"""What requests say, as far as it can be believed: what they ask, in which languages, and from where."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.core.errors import GONE

_CUSTOMER: Final = 64
"""Bits of an IPv6 address that its owner cannot choose."""


class Turned(Exception):
    """A request that is turned away."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


@contextmanager
def reading() -> Iterator[None]:
    """Turn away what no page of ours would ask."""
    try:
        yield
    except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
        raise Turned(HTTPStatus.BAD_REQUEST, GONE) from error


def as_text(value: object) -> str:
    """Return a text that was sent and can be stored; raise TypeError or ValueError for anything else."""
    if not isinstance(value, str):
        raise TypeError(value)
    if "\0" in value or value != as_unicode(value):
        raise ValueError(value)
    return value


def as_unicode(text: str) -> str:
    """Return a text with question marks for what is not Unicode, as headers may have it."""
    return text.encode(errors="replace").decode()


def device_of(request: web.Request) -> str:
    """Return what a browser says of itself."""
    return as_unicode(request.headers.get("User-Agent", ""))


def languages_of(request: web.Request) -> str:
    """Return the languages that a browser accepts, as it says so."""
    return request.headers.get("Accept-Language", "")


def preferred(accepted: str, languages: Iterable[str]) -> str | None:
    """Return the first of the languages that a browser accepts which there is, as Discord calls it."""
    found: list[tuple[float, int, str]] = []
    for part in accepted.split(",")[:20]:
        name, _, rest = part.strip().partition(";")
        try:
            weight = float(rest.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        found.append((-weight, len(found), name.strip().lower()))
    for weight, _, name in sorted(found):
        for code in languages:
            if weight < 0 and name and code.lower().split("-")[0] == name.split("-")[0]:
                return code
    return None


def forwarded(request: web.Request) -> str:
    """Return for whom a proxy says that it speaks; empty if there is no proxy, or it is not believed.

    Only the last entry of the last line is the proxy's own: a client may send others.
    """
    peer, passed = _parsed(request.remote or ""), request.headers.getall("X-Forwarded-For", ())
    if peer is None or not peer.is_private or not passed:
        return ""
    return passed[-1].rpartition(",")[2].strip()


def address_of(request: web.Request) -> str:
    """Return whose requests are counted together: an address, or an IPv6 network of one customer.

    A proxy with a private address is believed when it says whom it speaks for.
    """
    peer = _parsed(forwarded(request)) or _parsed(request.remote or "")
    if isinstance(peer, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((peer, _CUSTOMER), strict=False))
    return str(peer)


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return None
    # Servers that take both kinds write IPv4 addresses as IPv6.
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found
