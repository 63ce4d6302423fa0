"""Lets discord.py talk to the playground in the place of Discord.

Three addresses inside discord.py are exchanged, nothing else. The bot's token goes wherever they
point, so only loopback addresses are taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self
from urllib.parse import urlsplit

from playground.app import GATEWAY_PATH, is_loopback
from playground.cdn import PREFIX as CDN_PREFIX
from playground.rest.api import PREFIX as REST_PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType


class Addresses(Protocol):
    """Where a Discord is. A :class:`~playground.app.Playground` is one."""

    @property
    def rest_url(self) -> str:
        """Where the REST interface is, version included."""

    @property
    def gateway_url(self) -> str:
        """Where the gateway is."""

    @property
    def cdn_url(self) -> str:
        """Where avatars are."""


class At:
    """The addresses of a playground that runs elsewhere on this machine, such as its own process.

    Args:
        url: where it is, as :attr:`~playground.app.Playground.url` tells.
    """

    def __init__(self, url: str) -> None:
        url = url.rstrip("/")
        self.rest_url = url + REST_PREFIX
        self.gateway_url = url.replace("http", "ws", 1) + GATEWAY_PATH
        self.cdn_url = url + CDN_PREFIX


class Redirection:
    """discord.py talking to a playground. Undo it, or use it as a context manager."""

    def __init__(self, undo: Callable[[], None]) -> None:
        self._undo: Callable[[], None] | None = undo

    def undo(self) -> None:
        """Let discord.py talk to Discord again. Doing it twice does nothing more."""
        global _pointing  # noqa: PLW0603 - the addresses in discord.py are as global as this
        if self._undo is not None:
            self._undo()
            self._undo = None
            _pointing = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.undo()


_pointing = False


def point_discord_here(here: Addresses) -> Redirection:
    """Let discord.py, in this process, talk to a playground.

    Raises:
        ValueError: for an address that is not a loopback one.
        RuntimeError: when discord.py talks to a playground already.
    """
    global _pointing  # noqa: PLW0603 - the addresses in discord.py are as global as this
    for url in (here.rest_url, here.gateway_url, here.cdn_url):
        if not is_loopback(urlsplit(url).hostname or ""):
            raise ValueError(
                f"discord.py may only be pointed at this machine, and {url} is not on it."
            )
    if _pointing:
        raise RuntimeError("discord.py talks to a playground already: undo that first.")

    import yarl  # noqa: PLC0415 - the playground itself needs no discord.py
    from discord import asset, gateway, http  # noqa: PLC0415

    before = (http.Route.BASE, gateway.DiscordWebSocket.DEFAULT_GATEWAY, asset.Asset.BASE)

    def put(rest: str, door: yarl.URL, cdn: str) -> None:
        http.Route.BASE = rest
        gateway.DiscordWebSocket.DEFAULT_GATEWAY = door
        asset.Asset.BASE = cdn

    put(here.rest_url, yarl.URL(here.gateway_url), here.cdn_url)
    _pointing = True
    return Redirection(lambda: put(*before))
