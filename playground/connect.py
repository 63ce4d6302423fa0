"""Points discord.py at a playground instead of Discord, by replacing three URLs in it.

The bot's token is sent wherever they point, so only loopback addresses are accepted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from playground.addresses import is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from playground.addresses import Addresses


class Redirection:
    """discord.py pointed at a playground. Undo it, or use it as a context manager."""

    def __init__(self, undo: Callable[[], None]) -> None:
        self._undo: Callable[[], None] | None = undo

    def undo(self) -> None:
        """Point discord.py at Discord again. Idempotent."""
        global _redirected  # noqa: PLW0603 - as global as the URLs in discord.py
        if self._undo is not None:
            self._undo()
            self._undo = None
            _redirected = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.undo()


_redirected = False


def point_discord_here(here: Addresses) -> Redirection:
    """Point discord.py, in this process, at a playground.

    Raises:
        ValueError: if its address is not a loopback one.
        RuntimeError: if discord.py is pointed at a playground already.
    """
    global _redirected  # noqa: PLW0603 - as global as the URLs in discord.py
    if not is_loopback(urlsplit(here.url).hostname or ""):
        raise ValueError(
            f"discord.py may only be pointed at this machine, and {here.url} is not on it."
        )
    if _redirected:
        raise RuntimeError("discord.py talks to a playground already: undo that first.")

    import yarl  # noqa: PLC0415 - the playground itself needs no discord.py
    from discord import asset, gateway, http  # noqa: PLC0415

    before = (http.Route.BASE, gateway.DiscordWebSocket.DEFAULT_GATEWAY, asset.Asset.BASE)

    def set_urls(rest: str, gateway_url: yarl.URL, cdn: str) -> None:
        http.Route.BASE = rest
        gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway_url
        asset.Asset.BASE = cdn

    set_urls(here.rest_url, yarl.URL(here.gateway_url), here.cdn_url)
    _redirected = True
    return Redirection(lambda: set_urls(*before))
