"""The Discord client: its life cycle, and the Discord events it passes on."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import discord
import structlog
from svcs import Container

from bot.app.shard_work import ShardWork
from bot.core.interactions.dispatch import Dispatcher
from bot.core.interactions.reply import PRIVATE
from bot.core.metrics import Metrics
from bot.core.owner_decisions import OwnerDecisions
from bot.core.permissions.members import Members
from bot.core.posts.failing_routes import FailingRoutes
from bot.core.requests import faults, sending
from bot.core.requests.sending import URGENCY, RequestBudget
from bot.core.scheduling.reachability import Reachability, ServerOutages
from bot.core.shards.ownership import Limits, Shards
from bot.features.guide.commands import Welcomes
from bot.features.owner.message_commands import OwnerMessages, owners_of
from bot.features.tournaments.service import Tournaments
from bot.play.delivery.outbox_worker import OutboxWorker
from data.sql.errors import StoreError

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_SERVERS_FOLLOW: Final = 0.25
"""Seconds without a new server before a shard counts as ready. Servers that arrive later are still
announced; discord.py's 2 seconds would only hold up deliveries."""
_NO_ANSWER: Final = (discord.DiscordException, aiohttp.ClientError, OSError)
_API: Final = "/api/"
_GLOBAL: Final = "X-RateLimit-Global"
_OWNERS_KNOWN: Final = 60.0
"""Seconds before asking Discord again who owns the bot, as members leave teams."""
_LATER: Final = 0.5
"""Seconds after a limit on all requests by which discord.py should have ended it itself."""
_MAX_WHOLE: Final = 200_000
"""Bytes of a request that are sent in one piece: a board, but no film, which would take long."""
_ANSWERS: Final = ("/api/v10/interactions/", "/api/v10/webhooks/")
"""Path prefixes of answers to interactions: only the process that received one can answer it."""


class WholeBodies(aiohttp.TCPConnector):
    """Sends each message with files in one piece: otherwise each small part of it is a packet."""

    async def connect(
        self, req: aiohttp.ClientRequest, traces: list[Any], timeout: aiohttp.ClientTimeout
    ) -> Any:
        """Make a small body one piece, and connect."""
        body = req.body
        if isinstance(body, aiohttp.MultipartWriter) and 0 < (body.size or 0) <= _MAX_WHOLE:
            await req.update_body(await body.as_bytes())
        return await super().connect(req, traces, timeout)


class Client(discord.AutoShardedClient):
    """The connection to Discord. It holds no services: it finds them by type.

    It needs no privileged intents: commands and presses carry all it needs to know, and Discord
    includes the text of messages that mention the bot.
    """

    __aenter__ = __aexit__ = None  # type: ignore[assignment]
    """It is no context manager, as a container gives out none: the app closes it."""

    def __init__(self, services: Container, begin: Callable[[], Awaitable[None]]) -> None:
        """Pass events to services; ``begin`` prepares them once Discord has accepted the token."""
        # The bot uses no voice: silence the warnings about missing voice libraries.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True),
            max_messages=None,
            guild_ready_timeout=_SERVERS_FOLLOW,
            shard_ids=[],  # launched one by one, as this process acquires them
            shard_count=1,
            allowed_mentions=discord.AllowedMentions.none(),
            connector=WholeBodies(limit=0),
            http_trace=self._trace(),
        )
        self._services = services
        self._begin = begin
        self._owners: frozenset[int] | None = None
        self._owners_at = 0.0
        self._connect_locks: defaultdict[tuple[int, bool], asyncio.Lock] = defaultdict(asyncio.Lock)
        """Locks by bucket, as Discord lets its shards identify only one after another, and by whether
        this process owns the shard: those that another process still has must not delay ours."""
        self._ignore_unneeded_messages()

    def _ignore_unneeded_messages(self) -> None:
        """Stop discord.py from building objects for messages that do not matter.

        Edits never matter. New messages in a server matter only if they mention the bot: Discord
        withholds the text of all others.
        """
        parsers = self._connection.parsers
        created = parsers["MESSAGE_CREATE"]

        def hear(message: dict[str, Any]) -> None:
            if message.get("content") or "guild_id" not in message:
                created(message)

        parsers["MESSAGE_CREATE"] = hear
        del parsers["MESSAGE_UPDATE"]

    async def setup_hook(self) -> None:
        """Start the services."""
        await self._begin()

    async def application_info(self) -> discord.AppInfo:
        """Return the application. Each login needs it, so a second route stands in for the first."""
        try:
            async with sending.OneTry():
                return await super().application_info()
        except _NO_ANSWER as error:
            log.info("Discord does not say what the bot is", reason=str(error))
        data = await self.http.request(discord.http.Route("GET", "/applications/@me"))
        return discord.AppInfo(self._connection, data)

    async def launch_shards(self) -> None:
        """Connect this process's shards; discord.py calls this after login."""
        await self._services.get(Shards).begin(self, self._services.get(ShardWork))

    async def ask_limits(self) -> Limits:
        """Ask Discord how many shards it recommends and how fast they may connect."""
        shards, _, limit = await self.http.get_bot_gateway()
        return Limits(shards, limit)

    async def connect_shard(self, number: int, count: int) -> None:
        """Connect a shard; return once it has identified."""
        self.shard_count = self._connection.shard_count = count
        # discord.py waits for all of these before it calls itself ready, and a shard that connects
        # meanwhile would break that off for the others. So it waits for ever; `on_shard_ready`
        # reports readiness instead.
        self._connection.shard_ids = range(count + 1)
        shards = self._services.get(Shards)
        # Discord closes connections that do not identify, so each opens only in its turn.
        async with self._connect_locks[number % shards.max_concurrency, shards.has(number)]:
            with suppress(StoreError, *_NO_ANSWER):  # asked again when the shard identifies
                await shards.wait_allowed()
            gateway = discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
            await self.launch_shard(gateway, number, initial=True)

    async def _give_up_connecting(self, number: int) -> None:
        """Close what discord.py leaves open of an abandoned shard: its heartbeat never stops."""
        for thread in threading.enumerate():
            if isinstance(thread, discord.gateway.KeepAliveHandler):
                socket = thread.ws
                ours = socket._connection is self._connection  # noqa: SLF001 -- no public way
                if ours and socket.shard_id == number:
                    thread.stop()
                    await socket.close(1000)

    async def disconnect_shard(self, number: int) -> None:
        """Close the connection of a shard for good."""
        shard = self.get_shard(number)
        if shard is not None:
            await shard.disconnect()
        for guild in [one for one in self.guilds if one.shard_id == number]:
            self._connection._remove_guild(guild)  # noqa: SLF001 -- it would go stale

    def is_connected(self, number: int) -> bool:
        """Return whether a shard is connected."""
        shard = self.get_shard(number)
        return shard is not None and not shard.is_closed()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until Discord allows another connection."""
        del initial
        number = shard_id or 0
        try:
            await self._services.get(Shards).before_identify(number)
        except asyncio.CancelledError:
            await self._give_up_connecting(number)
            raise

    @property
    def questions(self) -> tuple[Callable[[], Awaitable[object]], ...]:
        """Requests that change nothing, each to another route, to find out if Discord answers."""

        async def ask(path: str) -> None:
            async with sending.OneTry():
                await self.http.request(discord.http.Route("GET", path))

        paths = ("/oauth2/applications/@me", "/gateway/bot", "/users/@me")
        return tuple(partial(ask, path) for path in paths)

    def is_available(self, guild_id: int) -> bool | None:
        """Return whether a server is available; ``None`` if the bot is not in it."""
        guild = self.get_guild(guild_id)
        return None if guild is None else not guild.unavailable

    def locale_of(self, guild_id: int) -> str | None:
        """Return the language of a server, if Discord has sent it."""
        guild = self.get_guild(guild_id)
        return None if guild is None else guild.preferred_locale.value

    async def show_presence(self, text: str) -> None:
        """Show a text in the bot's status, or none for an empty one, as far as shards are connected."""
        activity = discord.CustomActivity(name=text) if text else None
        for number, shard in self.shards.items():
            with suppress(*_NO_ANSWER):  # it is shown once the shard has connected again
                if not shard.is_closed():
                    await self.change_presence(activity=activity, shard_id=number)

    async def owners(self) -> frozenset[int] | None:
        """Return who owns the application; ``None`` if Discord does not say."""
        now = asyncio.get_running_loop().time()
        if self._owners is None or now - self._owners_at >= _OWNERS_KNOWN:
            try:
                self._owners, self._owners_at = owners_of(await self.application_info()), now
            except _NO_ANSWER as error:
                log.info("Discord does not say who owns the bot", reason=str(error))
                return None
        return self._owners

    async def leave_server(self, guild_id: int) -> bool:
        """Leave a server; return whether the bot isn't there any more."""
        try:
            async with sending.OneTry():
                await self.http.leave_guild(guild_id)
        except discord.NotFound:
            return True
        except _NO_ANSWER as error:
            log.warning("could not leave a server", guild=guild_id, reason=str(error))
            return False
        log.info("left a server", guild=guild_id)
        return True

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer presses, choices and forms; commands go through their tree."""
        if interaction.guild_id is not None:
            self._services.get(Members).seen(interaction.guild_id, interaction.user)
        await self._services.get(Dispatcher).dispatch(interaction)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Welcome a server, and resume its matches if the bot was there before.

        A server that the bot's owner has blocked is left again.
        """
        if self._services.get(OwnerDecisions).is_blocked(guild.id):
            await self.leave_server(guild.id)
            return
        self._services.get(ServerOutages).changed(guild.id)
        self._services.get(OutboxWorker).retry(guild.id)
        await self._services.get(Welcomes).greet(guild)

    async def on_message(self, message: discord.Message) -> None:
        """Answer messages that mention the bot or are sent to it."""
        if self._services.get(OwnerDecisions).is_blocked(message.author.id):
            return
        if not await self._services.get(OwnerMessages).answer(message):
            await self._services.get(Welcomes).answer(message)

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Hold the matches of a server that is unavailable, or has removed the bot."""
        self._services.get(ServerOutages).changed(guild.id)

    on_guild_remove = on_guild_unavailable

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Resume the matches of a server that was unavailable.

        When its shard connects, that resumes all of them at once (`bot.app.shard_work`).
        """
        self._services.get(ServerOutages).changed(guild.id)
        if self._services.get(Shards).is_ready(guild.id):
            self._services.get(OutboxWorker).retry(guild.id)

    async def _retry_blocked(self, *changed: discord.abc.GuildChannel | discord.Role) -> None:
        """Retry what permissions blocked, in case it is allowed now."""
        self._services.get(OutboxWorker).retry(changed[-1].guild.id)

    on_guild_channel_create = on_guild_channel_update = on_guild_role_update = _retry_blocked

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Tell the organisers of tournaments that were for a role."""
        await self._services.get(Tournaments).lose_role(role.guild.id, role.id)

    async def on_member_update(self, _: discord.Member, after: discord.Member) -> None:
        """Retry what permissions blocked, in case the bot has a new role."""
        if after.id == after.guild.me.id:
            self._services.get(OutboxWorker).retry(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Retry blocked jobs, in case the thread was unlocked."""
        self._services.get(OutboxWorker).retry(payload.guild_id)

    async def on_ready(self) -> None:
        """Log that the first shards are connected."""
        log.info("ready", user=str(self.user), guilds=len(self.guilds))

    async def on_shard_ready(self, number: int) -> None:
        """Resume the work of a shard, as presses arrive there now."""
        # First, so that no clock runs out in a server that is unavailable.
        here = [guild.id for guild in self.guilds if guild.shard_id == number]
        await self._services.get(ServerOutages).connected(number, here)
        self._services.get(Reachability).connected(number)
        self._services.get(Shards).shard_ready(number)
        decisions = self._services.get(OwnerDecisions)
        if decisions.presence:
            await self.show_presence(decisions.presence)
        for guild_id in filter(decisions.is_blocked, here):
            await self.leave_server(guild_id)
        if not self.is_ready():
            self._connection.call_handlers("ready")
            self.dispatch("ready")

    async def on_shard_resumed(self, number: int) -> None:
        """Called when presses arrive at a shard again."""
        self._services.get(Reachability).connected(number)

    async def on_shard_disconnect(self, number: int) -> None:
        """Called when presses no longer arrive at a shard."""
        self._services.get(Reachability).disconnected(number)

    def _trace(self) -> aiohttp.TraceConfig:
        """Return a trace that records whether Discord answers requests."""

        async def ended(_: object, __: object, end: aiohttp.TraceRequestEndParams) -> None:
            self._services.get(Metrics).answered(end.response)
            log.debug("request", method=end.method, path=end.url.path, status=end.response.status)
            # Connecting to the gateway does not prove that a press can be answered.
            if end.response.url.path.startswith(_API):
                reachability = self._services.get(Reachability)
                if _is_from_discord(end.response):
                    reachability.answered()
                else:
                    reachability.failed()
            if end.response.status < 400:
                self._services.get(FailingRoutes).answered(end.method, end.url.path)
            self._end_global_limit(end.response)
            if (attempt := sending.current()) is not None:
                await attempt.answered(end.response)

        async def broke(_: object, __: object, end: aiohttp.TraceRequestExceptionParams) -> None:
            if not isinstance(end.exception, asyncio.CancelledError):
                self._services.get(Metrics).unanswered()
                self._services.get(Reachability).failed()

        async def begins(_: object, __: object, begun: aiohttp.TraceRequestStartParams) -> None:
            await self._permit(begun.url.path)
            if (attempt := sending.current()) is not None:
                attempt.sent(faults.route_to(begun.method, begun.url.path))

        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(begins)
        trace.on_request_end.append(ended)
        trace.on_request_exception.append(broke)
        return trace

    def _end_global_limit(self, response: aiohttp.ClientResponse) -> None:
        """Let requests go on after a limit on all of them, if the one that met it is cancelled.

        discord.py holds up every request until that one has waited, and for good if it never does.
        """
        if response.status == HTTPStatus.TOO_MANY_REQUESTS and _GLOBAL in response.headers:
            wait = float(response.headers.get("Retry-After", 1.0))
            over = self.http._global_over  # noqa: SLF001 -- nothing else ends it
            asyncio.get_running_loop().call_later(wait + _LATER, over.set)

    async def _permit(self, path: str) -> None:
        """Return once a request may be sent: a process that was suspended finds out here.

        Raises StoreError, aiohttp.ClientError if another process may have taken this one's place.
        """
        shards = self._services.get(Shards)
        if path.startswith(_ANSWERS):
            # Discord waits three seconds for an answer, however slow the database is. Those that
            # show boards have confirmed it themselves (`InteractionTransport`).
            if not PRIVATE.get() and await shards.replaced():
                raise aiohttp.ClientConnectionError("another process answers in place of this one")
        elif path.startswith(_API):
            await shards.confirm()
            await self._services.get(RequestBudget).take(URGENCY.get())


def _is_from_discord(response: aiohttp.ClientResponse) -> bool:
    """Return whether a response proves that Discord is there: any refusal of its own does.

    A proxy in front of it, which may have blocked this machine, answers with a page.
    """
    if response.status >= 500:
        return False
    if response.status < 400 or "Via" in response.headers:
        return True
    return response.status != 429 and response.content_type == "application/json"
