"""The playground: a small Discord on the loopback interface, with a few people in it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from aiohttp import web

from playground.activities.instances import Activities
from playground.activities.oauth2 import OAuth2
from playground.activities.proxy import ActivityProxy
from playground.addresses import GATEWAY_PATH, Addresses, base_url, is_loopback
from playground.cdn import Cdn
from playground.client import ChannelRef
from playground.clock import Clock, RealClock
from playground.errors import SAFETY_SECONDS
from playground.events import Event
from playground.faults import Faults
from playground.gateway.server import Gateway
from playground.http_server import HttpServer
from playground.interactions import Interactions
from playground.limits.message import REQUEST_BYTES
from playground.messages import Messages
from playground.model import Channel, Guild, Message, Overwrite, User
from playground.openapi import OpenApi
from playground.people import Person
from playground.permissions import Permission
from playground.ratelimits import RateLimits
from playground.request_log import Request, Violation
from playground.rest.api import RestApi
from playground.rest.applications import ApplicationRoutes
from playground.rest.channels import ChannelRoutes
from playground.rest.guilds import GuildRoutes
from playground.rest.interactions import InteractionRoutes
from playground.rest.oauth2 import OAuth2Routes
from playground.rest.threads import ThreadRoutes
from playground.rest.users import UserRoutes
from playground.world import World

GUILD = "The Games Club"
CHANNELS = (
    ("general", "Anything goes"),
    ("games", "Challenges and boards"),
    ("quiet", "No pictures: the bot can't attach files here"),
    ("elsewhere", "Another table"),
)
PEOPLE = (("Ann", 0xB5483A), ("Ben", 0x2E6F9E), ("Carol", 0x3F7D4E), ("Dan", 0x8A5AA8))
FRIENDS = ("Ann", "Ben", "Carol")
GROUP = "old friends"
"""The friends' group DM. The bot is not a member, but works there for users who installed it."""

MAX_CONNECTIONS = 500
"""Of the bot's shards, its requests and the chat page's windows together."""
_FORBIDDEN = "The playground only answers on this machine, at the address it printed."


class Playground(Addresses):
    """A small Discord: an asynchronous context manager, or :meth:`start` and :meth:`stop`.

    Args:
        clock: the time; the system's clock by default.
        host: a loopback address; nothing else is allowed, as the bot's token is sent in the clear.
        port: 0 for any free one.
        token: the bot's token; random by default.
        client_secret: the application's secret for OAuth2; random by default.
        limits: rate limits; generous by default.
        faults: injects faults; none by default.
        openapi: Discord's OpenAPI document, to validate every request and response.
        attach: called with the playground and its web application before it starts, to add routes.

    Raises:
        ValueError: if the host is not a loopback address.
    """

    def __init__(
        self,
        *,
        clock: Clock | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
        token: str | None = None,
        client_secret: str | None = None,
        limits: RateLimits | None = None,
        faults: Faults | None = None,
        openapi: OpenApi | None = None,
        attach: Sequence[Callable[[Playground, web.Application], None]] = (),
    ) -> None:
        if not is_loopback(host):
            raise ValueError(
                f"The playground only serves this machine: {host!r} isn't a loopback address. "
                "Use 127.0.0.1."
            )
        super().__init__(base_url(host, port))
        self.host = host
        self.port = port
        self.clock: Clock = clock or RealClock()
        self.token = token or secrets.token_urlsafe(36)
        self.world = World(self.clock)
        self.messages = Messages(self.world)
        self.world.application.client_secret = client_secret or secrets.token_urlsafe(24)
        self.oauth2 = OAuth2(self.clock, self.world.application)
        self.activities = Activities(self.world)
        self.interactions = Interactions(self.world, self.messages, self.activities)
        self.faults = faults or Faults()
        self.rest = RestApi(
            token=self.token,
            clock=self.clock,
            limits=limits or RateLimits(self.clock),
            faults=self.faults,
            oauth2=self.oauth2,
            openapi=openapi,
        )
        self.gateway = Gateway(self.world, self.token, self._invite_bot)
        self._people: dict[str, Person] = {}
        self._attach = tuple(attach)
        self._proxy = ActivityProxy(self.world.application)
        self._server = HttpServer(
            lambda host: is_loopback(host) or self._proxy.serves(host),
            _FORBIDDEN,
            max_connections=MAX_CONNECTIONS,
        )
        self.guild = self._add_guild()

    def _add_guild(self) -> Guild:
        """Create the server that everyone is in."""
        world = self.world
        guild = world.add_guild(GUILD, world.application.owner)
        for name, topic in CHANNELS:
            world.add_channel(guild, name, topic=topic)
        quiet = world.find_channel("quiet")
        quiet.overwrites[world.bot.id] = Overwrite(1, deny=Permission.ATTACH_FILES)
        for name, colour in PEOPLE:
            self.add_person(name, colour=colour)
        self._register(world.application.owner, guild)
        world.add_group_dm(GROUP, *(self.person(name).user for name in FRIENDS))
        return guild

    def _invite_bot(self) -> None:
        """Add the bot to its servers, as their owners would before it starts."""
        for guild in self.world.guilds.values():
            if guild.invites_bots:
                self.world.invite_bot(guild)

    # People and channels

    def add_person(
        self, name: str, *, colour: int = 0x5865F2, guild: Guild | None = None
    ) -> Person:
        """Add a person to the first server, or another."""
        user = self.world.add_user(name, colour=colour)
        home = guild or next(iter(self.world.guilds.values()))
        self.world.add_member(home, user)
        return self._register(user, home)

    def _register(self, user: User, home: Guild) -> Person:
        """Register a user as a person acting in a server."""
        place = next(iter(home.channels.values()))
        person = Person(user, self.world, self.messages, self.interactions, place)
        self._people[user.display] = person
        return person

    def add_server(
        self, name: str, people: Sequence[str], *, channels: Sequence[str] = ("games",)
    ) -> Guild:
        """Create another server with the bot and new people, the first of them its owner.

        It may fall on any shard.
        """
        guild = self.world.add_guild(name, self.world.add_user(people[0]))
        guild.invites_bots = True
        for channel in channels:
            self.world.add_channel(guild, channel)
        self._register(self.world.user(guild.owner_id), guild)
        for person in people[1:]:
            self.add_person(person, guild=guild)
        return guild

    def person(self, name: str) -> Person:
        """Find a person by name.

        Raises:
            LookupError: if there is none.
        """
        try:
            return self._people[name]
        except KeyError:
            known = ", ".join(self._people)
            raise LookupError(f"No person named {name!r}. Known: {known}.") from None

    @property
    def people(self) -> list[Person]:
        """All people."""
        return list(self._people.values())

    def channel(self, name: ChannelRef) -> Channel:
        """Find a channel or thread by name.

        Raises:
            LookupError: if there is none.
        """
        return self.world.find_channel(name)

    # Activities

    @property
    def client_secret(self) -> str:
        """The application's secret for OAuth2."""
        return self.world.application.client_secret

    def enable_activities(self, url: str) -> None:
        """Make a page on this machine the application's Activity, as Discord's portal does.

        Raises:
            ValueError: if the page isn't on this machine.
        """
        self.activities.enable(url)

    # Requests

    @property
    def requests(self) -> Sequence[Request]:
        """The bot's latest requests, oldest first."""
        return self.rest.requests

    @property
    def violations(self) -> list[Violation]:
        """Problems with the bot's requests."""
        return self.rest.violations

    @property
    def schema_errors(self) -> list[str]:
        """Differences between the playground's responses and Discord's OpenAPI document."""
        return self.rest.schema_errors

    async def wait_for(
        self,
        place: ChannelRef,
        matching: Callable[[Message], bool] | None = None,
        *,
        after: Message | None = None,
        timeout: float = SAFETY_SECONDS,
    ) -> Message:
        """Return a channel's newest matching message, or wait for one, edits included.

        Args:
            place: the channel.
            matching: called with each message; by default all match.
            after: consider only messages newer than this one.
            timeout: in real seconds; a safety net, not for measuring time.

        Raises:
            NothingHappened: if none comes.
        """
        channel = self.world.find_channel(place)
        oldest = after.id if after is not None else 0

        def find(_event: Event | None) -> Message | None:
            for message in reversed(channel.messages.values()):
                if message.id <= oldest:
                    return None
                if matching is None or matching(message):
                    return message
            return None

        return await self.world.until(find, what=f"a message in #{channel.name}", timeout=timeout)

    # Starting and stopping

    async def start(self) -> Self:
        """Start serving. Sets `port` and the URLs."""
        app = web.Application(
            middlewares=[self._proxy.middleware()], client_max_size=REQUEST_BYTES + 1_000_000
        )
        self._add_routes(app)
        await self._server.start(app, self.host, self.port, shutdown_timeout=1.0)
        self.port = self._server.port
        self.url = base_url(self.host, self.port)
        self.world.cdn_base = self.cdn_url
        self.gateway.url = self.gateway_url
        return self

    def _add_routes(self, app: web.Application) -> None:
        for attach in self._attach:
            attach(self, app)
        app.router.add_get(GATEWAY_PATH, self.gateway.serve)
        Cdn(self.world).register(app)
        bot_routes = (
            ChannelRoutes(self.world, self.messages).table()
            | ThreadRoutes(self.world, self.messages).table()
            | ApplicationRoutes(self.world, self.gateway, self.activities).table()
            | UserRoutes(self.world).table()
            | GuildRoutes(self.world).table()
        )
        for route, handler in bot_routes.items():
            self.rest.register(app, route, handler)
        oauth2 = OAuth2Routes(self.world, self.oauth2)
        for route, handler in {
            **UserRoutes(self.world).bearer_table(),
            **oauth2.bearer_table(),
        }.items():
            self.rest.register(app, route, handler, bearer=True)
        for route, handler in oauth2.form_table().items():
            self.rest.register(app, route, handler, form=True)
        hooks = InteractionRoutes(self.world, self.messages, self.interactions)
        for route, handler in hooks.table().items():
            self.rest.register(app, route, handler, known=hooks.known)
        self.rest.register_unknown(app)

    async def stop(self) -> None:
        """Stop serving and drop all connections."""
        self.gateway.drop()
        await self._server.stop()
        await self._proxy.stop()

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()
