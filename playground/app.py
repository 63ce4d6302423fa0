"""The playground as a whole: a Discord with a few people in it, on the loopback address."""

from __future__ import annotations

import ipaddress
import secrets
from typing import TYPE_CHECKING, Self

from aiohttp import web

from playground.cdn import PREFIX as CDN_PREFIX
from playground.cdn import Cdn
from playground.clock import RealClock
from playground.events import MessageEdited, MessageSent
from playground.faults import Faults
from playground.gateway.server import Gateway
from playground.interactions import Interactions
from playground.limits.message import REQUEST_BYTES
from playground.messages import Messages
from playground.model import Overwrite
from playground.people import Person
from playground.permissions import Permission
from playground.ratelimits import RateLimits
from playground.rest.api import PREFIX, RestApi
from playground.rest.applications import ApplicationRoutes
from playground.rest.channels import ChannelRoutes
from playground.rest.guilds import GuildRoutes
from playground.rest.interactions import InteractionRoutes
from playground.rest.threads import ThreadRoutes
from playground.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from playground.client import ChannelRef
    from playground.clock import Clock
    from playground.events import Event
    from playground.model import Channel, Guild, Message
    from playground.openapi import OpenApi
    from playground.request_log import Request, Violation

GATEWAY_PATH = "/gateway/"
SERVER = "Old Board Games"
CHANNELS = (
    ("general", "Whatever comes up"),
    ("games", "Challenges and boards"),
    ("quiet", "No pictures here: the bot may not attach files"),
    ("elsewhere", "Another table"),
)
PEOPLE = (("Ann", 0xB5483A), ("Ben", 0x2E6F9E), ("Carol", 0x3F7D4E), ("Dan", 0x8A5AA8))
FRIENDS = ("Ann", "Ben", "Carol")
GROUP = "old friends"
"""A group without the bot: who has installed it for themselves can use it there all the same."""


class Playground:
    """A small Discord.

    Use it as an asynchronous context manager, or call :meth:`start` and :meth:`stop`.

    Args:
        clock: what time it is; the clock on the wall, if not said.
        host: a loopback address. Nothing else is allowed: the bot's token travels in the clear.
        port: 0 for any free one.
        token: the bot's token; a fresh one, if not said.
        limits: rate limits; generous ones, if not said.
        openapi: Discord's own description, to compare every request and answer with.
        attach: called with the playground and its application before it starts, to add routes.

    Raises:
        ValueError: for an address that is not a loopback one.
    """

    def __init__(
        self,
        *,
        clock: Clock | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
        token: str | None = None,
        limits: RateLimits | None = None,
        openapi: OpenApi | None = None,
        attach: Sequence[Callable[[Playground, web.Application], None]] = (),
    ) -> None:
        if not is_loopback(host):
            raise ValueError(
                f"The playground serves this machine only: {host!r} is no loopback address. "
                "Use 127.0.0.1."
            )
        self.clock: Clock = clock or RealClock()
        self.host = host
        self.port = port
        self.token = token or secrets.token_urlsafe(36)
        self.world = World(self.clock)
        self.messages = Messages(self.world)
        self.interactions = Interactions(self.world, self.messages)
        self.faults = Faults()
        self.rest = RestApi(
            token=self.token,
            clock=self.clock,
            limits=limits or RateLimits(self.clock),
            faults=self.faults,
        )
        self.rest.openapi = openapi
        self.gateway = Gateway(self.world, self.interactions, self.token, self._invite_bot)
        self._people: dict[str, Person] = {}
        self._attach = tuple(attach)
        self._runner: web.AppRunner | None = None
        self._applications = ApplicationRoutes(self.world)
        self.guild = self._add_guild()

    def _add_guild(self) -> Guild:
        """Found the server that everybody is in."""
        world = self.world
        guild = world.add_guild(SERVER, world.application.owner)
        for name, topic in CHANNELS:
            world.add_channel(guild, name, topic=topic)
        quiet = world.named("quiet")
        quiet.overwrites[world.bot.id] = Overwrite(1, deny=Permission.ATTACH_FILES)
        for name, colour in PEOPLE:
            self.add_person(name, colour=colour)
        friends = [self.person(name).user for name in FRIENDS]
        world.group(GROUP, *friends)
        return guild

    def _invite_bot(self) -> None:
        """Let the bot into every server, as its owner would before starting it."""
        for guild in self.world.guilds.values():
            if guild.invites_bots:
                self.world.invite_bot(guild)

    # People and places

    def add_person(
        self, name: str, *, colour: int = 0x5865F2, guild: Guild | None = None
    ) -> Person:
        """Let somebody join the first server, or another."""
        user = self.world.add_user(name, colour=colour)
        home = guild or next(iter(self.world.guilds.values()))
        self.world.add_member(home, user)
        place = next(iter(home.channels.values()))
        person = Person(user, self.world, self.messages, self.interactions, place)
        self._people[name] = person
        return person

    def person(self, name: str) -> Person:
        """Find somebody by name.

        Raises:
            LookupError: when nobody is called so.
        """
        try:
            return self._people[name]
        except KeyError:
            known = ", ".join(self._people)
            raise LookupError(f"Nobody here is called {name!r}. There are {known}.") from None

    @property
    def people(self) -> list[Person]:
        """Everybody."""
        return list(self._people.values())

    def channel(self, name: ChannelRef) -> Channel:
        """Find a channel or thread by name.

        Raises:
            LookupError: when there is none.
        """
        return self.world.named(name)

    # The book

    @property
    def requests(self) -> Sequence[Request]:
        """Every request of the bot, oldest first (the latest twenty thousand)."""
        return self.rest.requests

    @property
    def violations(self) -> list[Violation]:
        """What was wrong with the bot's requests."""
        return self.rest.violations

    @property
    def schema_errors(self) -> list[str]:
        """Where the playground's own answers differ from Discord's description."""
        return self.rest.schema_errors

    # Waiting

    async def wait_for(
        self,
        place: ChannelRef,
        matching: Callable[[Message], bool] | None = None,
        *,
        after: Message | None = None,
        timeout: float = 20.0,
    ) -> Message:
        """Give the newest message of a channel that matches, or wait for one, edits included.

        Args:
            place: the channel.
            matching: asked about each message.
            after: look only at messages younger than this one.
            timeout: in real seconds; a safety net, nothing to measure time with.

        Raises:
            NothingHappened: when none comes.
        """
        channel = self.world.named(place)
        oldest = after.id if after is not None else 0

        def look(_event: Event | None) -> Message | None:
            for message in reversed(channel.messages.values()):
                if message.id <= oldest:
                    return None
                if matching is None or matching(message):
                    return message
            return None

        return await self.world.until(look, what=f"a message in #{channel.name}", timeout=timeout)

    async def next_message(
        self,
        place: ChannelRef,
        matching: Callable[[Message], bool] | None = None,
        *,
        timeout: float = 20.0,
    ) -> Message:
        """Wait for a message that is posted or edited from now on.

        Call it, as a task, before what makes the message come; else use :meth:`wait_for`.

        Raises:
            NothingHappened: when none comes.
        """
        channel = self.world.named(place)

        def look(event: Event | None) -> Message | None:
            if not isinstance(event, MessageSent | MessageEdited):
                return None
            message = event.message
            if message.channel is channel and (matching is None or matching(message)):
                return message
            return None

        return await self.world.until(
            look, what=f"a new message in #{channel.name}", timeout=timeout
        )

    # Addresses

    @property
    def url(self) -> str:
        """Where the playground is; the chat page is served there."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def rest_url(self) -> str:
        """Where the REST interface is."""
        return self.url + PREFIX

    @property
    def gateway_url(self) -> str:
        """Where the gateway is."""
        return self.url.replace("http", "ws", 1) + GATEWAY_PATH

    @property
    def cdn_url(self) -> str:
        """Where files and avatars are."""
        return self.url + CDN_PREFIX

    # Opening hours

    async def start(self) -> Self:
        """Open. The port is known afterwards."""
        app = web.Application(client_max_size=REQUEST_BYTES + 1_000_000)
        self._register(app)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        site = web.TCPSite(runner, self.host, self.port)
        await site.start()
        self._runner = runner
        self.port = runner.addresses[0][1]
        self.world.cdn_base = self.cdn_url
        self.gateway.url = self.gateway_url
        self._applications.gateway_url = self.gateway_url
        return self

    def _register(self, app: web.Application) -> None:
        for attach in self._attach:
            attach(self, app)
        app.router.add_get(GATEWAY_PATH, self.gateway.serve)
        Cdn(self.world).register(app)
        plain = (
            ChannelRoutes(self.world, self.messages).table()
            | ThreadRoutes(self.world, self.messages).table()
            | self._applications.table()
            | GuildRoutes(self.world).table()
        )
        for route, handler in plain.items():
            self.rest.register(app, route, handler)
        webhook = InteractionRoutes(self.world, self.messages, self.interactions).table()
        for route, handler in webhook.items():
            self.rest.register(app, route, handler, webhook=True)
        self.rest.register_unknown(app)

    async def stop(self) -> None:
        """Close. Bots that are connected lose their connection."""
        self.gateway.drop()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()


def is_loopback(host: str) -> bool:
    """Tell whether an address can only be reached from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
