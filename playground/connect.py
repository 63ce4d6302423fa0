"""Points discord.py at a playground instead of Discord, by replacing three of its URLs.

The bot's token is sent there, so only loopback addresses are accepted.
"""

from __future__ import annotations

from contextlib import ExitStack
from urllib.parse import urlsplit

from playground.addresses import Addresses, is_loopback


def point_discord_here(here: Addresses) -> ExitStack:
    """Point discord.py, in this process, at a playground until the returned stack is closed.

    Raises:
        ValueError: if its address is not a loopback one.
        RuntimeError: if discord.py already points at a playground.
    """
    if not is_loopback(urlsplit(here.url).hostname or ""):
        raise ValueError(
            f"discord.py may only be pointed at this machine, and {here.url} is not on it."
        )

    import yarl  # noqa: PLC0415 - the playground itself needs no discord.py
    from discord import asset, gateway, http  # noqa: PLC0415

    if is_loopback(urlsplit(http.Route.BASE).hostname or ""):
        raise RuntimeError("discord.py talks to a playground already: undo that first.")

    def set_urls(rest: str, gateway_url: yarl.URL, cdn: str) -> None:
        http.Route.BASE = rest
        gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway_url
        asset.Asset.BASE = cdn

    redirected = ExitStack()
    redirected.callback(
        set_urls, http.Route.BASE, gateway.DiscordWebSocket.DEFAULT_GATEWAY, asset.Asset.BASE
    )
    set_urls(here.rest_url, yarl.URL(here.gateway_url), here.cdn_url)
    return redirected
