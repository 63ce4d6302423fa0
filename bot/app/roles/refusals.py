"""What to do once Discord has closed a connection for good."""

from __future__ import annotations

import asyncio
from typing import Final

import aiohttp
import discord

from bot.app.roles import CannotWork
from bot.core.shards.ownership import Shards

_TOO_MANY_SERVERS: Final = 4011
FINAL: Final = {
    4010: "Discord refuses this connection as a shard that cannot be (4010). Update the bot.",
    _TOO_MANY_SERVERS: "Discord wants this bot to use more connections (4011): one may have at most "
    "2,500 servers.",
    4012: "Discord no longer speaks this version of its gateway (4012). Update the bot.",
    4013: "Discord refuses the intents that the bot asks for (4013). Update the bot.",
}
"""Close codes after which Discord would refuse the same connection again, explained."""
_TIMEOUT: Final = 10.0


async def refused(code: int, token: str, shards: Shards, *, wanted: int | None) -> CannotWork:
    """Return how to end a process whose connection Discord has closed for good.

    Each attempt counts against the daily identifies. So a restart is only called helpful if it
    would connect with more shards than before.

    Args:
        code: the close code, one of `FINAL`.
        token: the bot's token.
        shards: those of the process.
        wanted: the total number of shards in the settings.

    """
    reason = FINAL[code]
    if code != _TOO_MANY_SERVERS:
        return CannotWork(reason, restart_helps=False)
    advice, helps = _more_shards(
        shards.count,
        await _recommended(token),
        chosen=wanted is not None,
        others=shards.processes > 1,
    )
    return CannotWork(f"{reason} {advice}", restart_helps=helps)


def _more_shards(
    count: int, recommended: int | None, *, chosen: bool, others: bool
) -> tuple[str, bool]:
    """Return how to get more shards, and whether a restart is enough.

    Args:
        count: how many there were.
        recommended: how many Discord recommends; ``None`` if it does not answer.
        chosen: whether the settings say how many.
        others: whether other gateways are running, which keep the number.

    """
    if recommended is not None and recommended <= count:
        return (
            f"Set SHARDS to more than {count}, as Discord recommends only {recommended}, and start "
            "the bot again. If there are several gateways, stop all of them first, for ten seconds."
        ), False
    if chosen:
        return (
            "Remove SHARDS from your settings and restart, so that Discord says how many."
        ), False
    if others:
        return (
            "Stop all gateways for ten seconds, then start them: they ask Discord again how many "
            "to share."
        ), False
    # Without an answer, the next start waits for one before it connects.
    return "Start the bot again: it asks Discord how many.", True


async def _recommended(token: str) -> int | None:
    """Return how many shards Discord recommends now, if it answers."""
    client = discord.Client(intents=discord.Intents.none())
    try:
        async with asyncio.timeout(_TIMEOUT), client:
            await client.login(token)
            shards, _, _ = await client.http.get_bot_gateway()
    except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError):
        return None
    return shards
