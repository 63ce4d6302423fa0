"""``python -m bot doctor``: examines everything the bot needs and says what to do.

Nothing is changed: no table is created, no command sent, no gateway connection opened.
"""

from __future__ import annotations

import asyncio
import email.utils
import math
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from typing import Any, Final, cast

import aiohttp
import discord
import structlog
from sqlalchemy import select

from bot import full_version
from bot.app import machine_checks
from bot.app.machine_checks import Finding, Level, error, ok, warning
from bot.app.membership import APPLICATION, database_of
from bot.app.page_checks import PORTAL, Asked, examine_activity, examine_page
from bot.core.config import Config
from bot.core.i18n.locales import Locales
from bot.core.interactions import entry_point, same_token
from bot.core.interactions.registration import failure_key
from bot.core.interactions.tree import offline_tree
from bot.core.permissions.channels import missing
from bot.core.settings.kinds import Channels
from bot.core.settings.server_settings import ServerSettings
from bot.core.settings.service import SettingsStore
from data.people.stored_settings import servers
from data.sql.errors import StoreError
from data.sql.key_values import key_values
from data.store.inspection import inspect
from data.store.store import Store
from engine.plain_text import one_line
from playground.addresses import Addresses
from playground.connect import point_discord_here

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

MAX_PER_SHARD: Final = 2500
"""Servers per connection, beyond which Discord closes it with 4011."""
_SOON: Final = 75
"""Servers from which Discord offers verification."""
_UNVERIFIED: Final = 100
"""Servers that an unverified bot can join."""
_FEW_IDENTIFIES: Final = 100
_SKEW: Final = 3.0
"""Seconds; Discord tells the time to the second."""
_TIMEOUT: Final = 30.0
_LONG_AGO: Final = "2026-01-01T00:00:00+00:00"
_AN_HOUR, _A_DAY = timedelta(hours=1), timedelta(days=1)


async def run(settings: Config) -> int:
    """Print all findings; return 0 if the bot can work, 1 if something prevents that."""
    worst = 0
    async for finding in examine(settings):
        print(finding, flush=True)  # noqa: T201 -- for the person at the terminal
        worst = max(worst, int(finding.level is Level.ERROR))
    print("\nThe bot cannot work like this." if worst else "\nThe bot can work.")  # noqa: T201 -- as above
    return worst


async def examine(settings: Config) -> AsyncIterator[Finding]:
    """Yield all findings."""
    yield ok("version", full_version())
    async with AsyncExitStack() as stack:
        url = database_of(settings, stack)
        findings = await machine_checks.database(url)
        for one in (*findings, *machine_checks.disks(url), await machine_checks.kernels()):
            yield one
        usable = all(one.level is not Level.ERROR for one in findings)
        configured, pairs = await _stored(url) if usable else ({}, {})
        if settings.web_url is not None:
            for one in await examine_page(settings.web_url, pairs.get(APPLICATION)):
                yield one
        if settings.playground_url is not None:
            stack.enter_context(point_discord_here(Addresses(settings.playground_url)))
        elif settings.discord_token is None:
            yield ok(
                "token", "none is set: enough for a worker, all else runs a Discord of its own here"
            )
            return
        token = settings.discord_token
        async for one in examine_discord(
            "playground" if token is None else token.get_secret_value(),
            shards=settings.shards,
            configured=configured,
            pairs=pairs,
            activity=Asked(settings.discord_client_secret, settings.web_url),
        ):
            yield one


async def _stored(url: str) -> tuple[dict[int, dict[str, Any]], dict[str, str]]:
    """Return the settings of servers and the key-value pairs, if there are tables."""
    inspection = await inspect(url)
    if not inspection.usable:
        return {}, {}
    try:
        store = await Store.open(url)  # its tables are in use as they are, so nothing is migrated
        try:
            async with store.read() as tx:
                chosen = await tx.rows(select(servers.c.guild_id, servers.c.settings))
                pairs = await tx.rows(select(key_values.c.key, key_values.c.value))
        finally:
            await store.close()
    except StoreError as failure:
        log.warning("could not read the servers' settings", reason=str(failure))
        return {}, {}
    return {row.guild_id: row.settings for row in chosen}, {row.key: row.value for row in pairs}


async def examine_discord(
    token: str,
    *,
    shards: int | None = None,
    configured: Mapping[int, Mapping[str, Any]] | None = None,
    pairs: Mapping[str, str] | None = None,
    activity: Asked | None = None,
) -> AsyncIterator[Finding]:
    """Yield the findings about Discord, over HTTP only.

    ``shards`` is the number in the settings, ``configured`` has the settings of servers by their ids,
    and ``pairs`` the key-value pairs of the store: the application it belongs to, hashes of the
    commands that were sent, and the number of shards that the gateways share. ``activity`` is what the
    settings want of the board inside Discord.
    """
    asked: list[tuple[datetime, datetime]] = []
    # It neither connects nor speaks: what discord.py warns of does not matter.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    client = discord.Client(intents=discord.Intents(guilds=True), http_trace=_clock_trace(asked))
    try:
        async with asyncio.timeout(_TIMEOUT):
            await client.login(token)
            kept = pairs or {}
            agreed = int(kept["shards"]) if "shards" in kept else None
            if another := _another_application(client, kept):
                yield another
            if another := _another_program(kept, datetime.now(UTC)):
                yield another
            info, number = client.application, client.application_id
            assert info is not None, "it is logged in"
            assert number is not None, "it is logged in"
            async for finding in _application(client, info, shards, agreed):
                yield finding
            there = await client.http.get_global_commands(number)
            yield await _commands(client, there, kept)
            found = activity and await examine_activity(
                activity,
                base=discord.http.Route.BASE,
                application=number,
                enabled=info.flags.embedded,
                answered=entry_point.answered(there),
            )
            if found:
                yield found
        async for finding in _channels(client, configured or {}):
            yield finding
        yield _clock(asked)
    except discord.LoginFailure:
        yield error(
            "token",
            "Discord does not accept it",
            f"Press Reset Token on the Bot page of {PORTAL} and copy the new one into .env.",
        )
    except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as failure:
        yield error(
            "Discord",
            f"it cannot be reached: {type(failure).__name__}",
            "Check that this machine can reach discord.com, and see discordstatus.com.",
        )
    finally:
        await client.close()


async def _application(
    client: discord.Client, info: discord.AppInfo, shards: int | None, agreed: int | None
) -> AsyncIterator[Finding]:
    assert client.user is not None
    yield ok("token", f"Discord accepts it, for {client.user}")
    flags = info.flags
    privileged = {
        "Presence": flags.gateway_presence or flags.gateway_presence_limited,
        "Server Members": flags.gateway_guild_members or flags.gateway_guild_members_limited,
        "Message Content": flags.gateway_message_content or flags.gateway_message_content_limited,
    }
    given = [name for name, is_given in privileged.items() if is_given]
    if given:
        yield warning(
            "intents",
            f"privileged ones are on that the bot does not use: {', '.join(given)}",
            f"Turn them off on the Bot page of {PORTAL}.",
        )
    else:
        yield ok("intents", "no privileged one is on, and none is needed")
    recommended, _, limits = await client.http.get_bot_gateway()
    yield _shards(info.approximate_guild_count, recommended, shards, agreed)
    yield _connects(limits)
    pages = bool(info.terms_of_service_url and info.privacy_policy_url)
    verified = client.user.public_flags.verified_bot
    if reminder := _verification(info.approximate_guild_count, verified=verified, pages=pages):
        yield reminder


def _another_application(client: discord.Client, kept: Mapping[str, str]) -> Finding | None:
    owner = kept.get(APPLICATION, str(client.application_id))
    if owner == str(client.application_id):
        return None
    return error(
        "application",
        f"the database belongs to application {owner}, the token to {client.application_id}",
        'Set the token or the database of the right one. "Move to another application" in '
        "docs/operating.md moves the games.",
    )


def _verification(servers: int, *, verified: bool, pages: bool) -> Finding | None:
    advice = 'See "More than 100 servers" in docs/operating.md.'
    if servers < _SOON or (verified and pages):
        return None
    if not verified:
        fact = f"{servers} servers: an unverified bot can join {_UNVERIFIED}"
        return warning("verified", fact, advice)
    return warning("verified", "the application links no terms or no privacy page", advice)


def _another_program(kept: Mapping[str, str], now: datetime) -> Finding | None:
    noticed = datetime.fromisoformat(kept.get(same_token.NOTICED, _LONG_AGO))
    if now - noticed > _A_DAY:
        return None
    level = error if now - noticed < _AN_HOUR else warning
    fact = f"another program answers with it, last noticed at {noticed:%Y-%m-%d %H:%M} UTC"
    return level(
        "token",
        fact,
        "Stop it, or reset the token if you can't find it. If there is none, this is not the database "
        "whose matches Discord shows: restore that one.",
    )


def _connects(limits: Mapping[str, Any]) -> Finding:
    left, total = limits["remaining"], limits["total"]
    fact = f"{left} of {total} are left today"
    if left >= _FEW_IDENTIFIES:
        return ok("connects", fact)
    hours = math.ceil(limits["reset_after"] / 3_600_000)
    return error(
        "connects",
        fact,
        f"Find out what restarts in circles. In {hours} h there are {total} again; at 0 Discord "
        "resets the token.",
    )


def _shards(servers: int, recommended: int, chosen: int | None, agreed: int | None) -> Finding:
    about, number = "shards", chosen or agreed
    if number is None:
        return ok(about, f"{servers} servers; Discord says {recommended}, and that is used")
    advice = (
        "Stop all gateways for ten seconds, then start them."
        if chosen is None
        else "Remove SHARDS from your settings, so that Discord says how many."
    )
    if servers > number * MAX_PER_SHARD:
        return error(
            about,
            f"{number} for {servers} servers: Discord refuses more than {MAX_PER_SHARD} a shard",
            advice,
        )
    if number < recommended:
        return warning(
            about, f"{number} for {servers} servers, Discord recommends {recommended}", advice
        )
    return ok(about, f"{number} for {servers} servers")


async def _commands(
    client: discord.Client, there: Iterable[Mapping[str, Any]], sent: Mapping[str, str]
) -> Finding:
    tree = offline_tree(client)
    # Command names come from the catalogues, whatever users have chosen.
    locales = Locales(cast("SettingsStore", None), lambda _: None)
    await locales.load()
    key, digest, payload = await tree.described(locales)
    registered = {(int(one.get("type", 1)), one["name"]) for one in there}
    registered = {(kind, name) for kind, name in registered if kind != entry_point.ENTRY_POINT}
    ours = {(int(one.get("type", 1)), one["name"]) for one in payload}
    about, advice = "commands", "Start the bot to register them."
    if failure := sent.get(failure_key(key)):
        advice = (
            f"Registering them failed last ({failure}). A running bot tries again at least hourly, and "
            "answers the commands that Discord has meanwhile."
        )
    if lacking := ours - registered:
        names = ", ".join(sorted(f"/{name}" for _, name in lacking))
        # Before the first start, and after another version ran, the next start registers them.
        level = error if failure or sent.get(key) == digest else warning
        return level(about, f"not registered: {names}", advice)
    if strange := registered - ours:
        names = ", ".join(sorted(f"/{name}" for _, name in strange))
        return warning(about, f"registered, but not ours any more: {names}", advice)
    if sent.get(key, digest) != digest or failure:
        return warning(about, "registered in an older form", advice)
    return ok(about, f"{len(ours)} registered and up to date")


async def _channels(
    client: discord.Client, configured: Mapping[int, Mapping[str, Any]]
) -> AsyncIterator[Finding]:
    """Examine each channel that a server has chosen."""
    examined, fine = 0, 0
    assert client.user is not None
    for guild_id, settings in configured.items():
        channels = list(_chosen(settings))
        if not channels:
            continue
        try:
            guild = await client.fetch_guild(guild_id)
            me = await guild.fetch_member(client.user.id)
        except (discord.NotFound, discord.Forbidden):
            continue  # the bot has left; the server's settings wait for its return
        for channel_id in channels:
            examined += 1
            reason = await _obstacle(guild, me, channel_id)
            if reason is None:
                fine += 1
            else:
                yield warning(  # everyone else can play: no reason to hold back a start
                    "channels",
                    f"channel {channel_id} of {one_line(guild.name)}: {reason[0]}",
                    reason[1],
                )
    yield ok("channels", f"{fine} of {examined} that servers have chosen can be used")


async def _obstacle(
    guild: discord.Guild, me: discord.Member, channel_id: int
) -> tuple[str, str] | None:
    """Return why the bot cannot play in a channel, and what to do; ``None`` if it can."""
    try:
        channel = await guild.fetch_channel(channel_id)
    except discord.NotFound:
        return (
            "it is gone",
            "A server manager can choose another one with /server settings.",
        )
    except discord.Forbidden:
        return "the bot may not see it", "Give it View Channel in the settings of the channel."
    if isinstance(channel, discord.Thread):
        return None
    names = [str(name) for name in missing(channel.permissions_for(me))]
    if names:
        return f"the bot lacks {', '.join(names)}", "Grant that in the settings of the channel."
    return None


def _chosen(settings: Mapping[str, Any]) -> Iterable[int]:
    for name, kind in ServerSettings.kinds():
        if isinstance(kind, Channels):
            value = settings.get(name)
            yield from map(int, value if isinstance(value, list) else filter(None, [value]))


def _clock_trace(asked: list[tuple[datetime, datetime]]) -> aiohttp.TraceConfig:
    """Return a trace that records our and Discord's time of day with each answer."""

    async def ended(_: object, __: object, end: aiohttp.TraceRequestEndParams) -> None:
        if date := end.response.headers.get("Date"):
            asked.append((datetime.now(UTC), email.utils.parsedate_to_datetime(date)))

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(ended)
    return trace


def _clock(asked: list[tuple[datetime, datetime]]) -> Finding:
    if not asked:
        return warning("clock", "Discord sent no time", "Sync this machine's clock with NTP.")
    # Each may be off by a second and by its time in transit: the smallest counts.
    ahead = min(((here - there).total_seconds() for here, there in asked), key=abs)
    if abs(ahead) > _SKEW:
        return error(
            "clock",
            f"it differs by {ahead:+.0f} s from Discord's",
            "Sync this machine's clock with NTP. Deadlines and reminders depend on it.",
        )
    return ok("clock", "it agrees with Discord's")
