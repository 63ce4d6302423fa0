"""The page as a Discord Activity: which clients may show it, and who has opened it there.

A client of Discord's gives the page a code, and Discord tells who that is to whoever knows the code
and the application's secret. That secret, the code and what Discord gives for it stay in this module:
nothing of them is stored, logged or sent to the page.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, ClassVar, Final

import aiohttp
import discord
import structlog
from pydantic import SecretStr
from yarl import URL

from bot.core.errors import NotAllowed, Refusal
from bot.core.scheduling.scheduler import WallClock
from engine.phrase import say

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

SCOPE: Final = "identify"
_TIMEOUT: Final = aiohttp.ClientTimeout(total=8.0)
"""For each of Discord's two answers: the person looks at an empty frame meanwhile."""
MAX_AT_ONCE: Final = 50
"""People whom Discord is asked about at once: when it is slow, others are told so at once."""
MAX_REFUSED: Final = 100
"""Refusals in `_COUNTED`: Discord shuts out an address that gets 10,000, and the whole bot with it."""
_COUNTED: Final = timedelta(minutes=10)
_REFUSALS: Final = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS}
_MAX_CODE: Final = 200
_MAX_LOCALE: Final = 16
_DISCORD: Final = "discord.com"
_CLIENTS: Final = tuple(
    f"https://{channel}{host}"
    for host in (_DISCORD, "discordapp.com")
    for channel in ("", "ptb.", "canary.")
)
"""The origins of Discord's clients, as its own SDK lists them."""
_OFF: Final = say("The board in Discord is off here.")
_SILENT: Final = say(
    "Discord isn't answering, so I don't know who you are. Close this and try again in a moment, or "
    "get a link with **In the browser**, behind *More*."
)
_UNKNOWN: Final = say("Discord doesn't say who you are. Close this and open it again.")
_BUSY: Final = say("Too many people are opening this right now. Try again in a moment.")


@dataclass(frozen=True, slots=True)
class Opener:
    """Who has opened the Activity, as Discord says."""

    user_id: int
    locale: str


@dataclass(eq=False, repr=False)
class Activity:
    """Asks Discord who has opened the page inside it."""

    client: discord.Client
    clock: WallClock
    secret: SecretStr | None = field(default=None, init=False)
    """The application's client secret; without one, there is no Activity."""
    running: ClassVar[set[int]] = set()
    """Activities of this process, by identity: whether boards offer the page outside Discord, too."""
    _asking: int = field(default=0, init=False)
    _refused: deque[datetime] = field(default_factory=deque, init=False)

    def begin(self, secret: SecretStr | None) -> None:
        """Open the page inside Discord from now on, given the application's client secret."""
        self.secret = secret
        self.running.add(id(self))

    async def close(self) -> None:
        """Open it there no longer."""
        self.secret = None
        self.running.discard(id(self))

    @property
    def on(self) -> bool:
        """Whether the page opens inside Discord."""
        return self.secret is not None and self.client.application_id is not None

    @property
    def application(self) -> str:
        """The application's id; raise Refusal if there is no Activity."""
        if not self.on:
            raise Refusal(_OFF)
        return str(self.client.application_id)

    @property
    def parents(self) -> tuple[str, ...]:
        """The origins of the clients with which the page speaks."""
        origin = URL(discord.http.Route.BASE).origin()
        if origin.host == _DISCORD:
            return _CLIENTS
        return tuple(str(origin.with_host(host)) for host in ("127.0.0.1", "localhost"))

    @property
    def frames(self) -> str:
        """Who may show the page in a frame, as a Content-Security-Policy has it."""
        if not self.on:
            return "'none'"
        if self.parents is not _CLIENTS:
            return " ".join(self.parents)
        wild = (f"https://*.{host}" for host in (_DISCORD, "discordapp.com"))
        proxy = f"https://{self.client.application_id}.discordsays.com"
        return " ".join(("https://discord.com", "https://discordapp.com", *wild, proxy))

    async def opener(self, code: str) -> Opener:
        """Return who a code is about.

        Raises NotAllowed if Discord does not accept the code, and Refusal if it does not answer, or not
        this application.
        """
        while self._refused and self._refused[0] <= self.clock() - _COUNTED:
            self._refused.popleft()
        if self._asking >= min(MAX_AT_ONCE, MAX_REFUSED - len(self._refused)):
            raise Refusal(_BUSY)
        with self._counted():
            try:
                return await self._ask(code[:_MAX_CODE])
            except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
                # Not its text: it may quote what Discord has sent.
                log.warning("Discord did not say who opened the page", reason=type(error).__name__)
                raise Refusal(_SILENT) from None

    async def _ask(self, code: str) -> Opener:
        assert self.application, "it is on"
        assert self.secret is not None, "it is on"
        base = discord.http.Route.BASE
        form = {
            "client_id": self.application,
            "client_secret": self.secret.get_secret_value(),
            "grant_type": "authorization_code",
            "code": code,
        }
        async with aiohttp.ClientSession(timeout=_TIMEOUT) as session:
            async with session.post(f"{base}/oauth2/token", data=form) as answer:
                granted = await self._read(answer)
            if SCOPE not in str(granted.get("scope")).split():
                raise NotAllowed(_UNKNOWN)
            bearer = {"Authorization": f"Bearer {granted.get('access_token')}"}
            async with session.get(f"{base}/users/@me", headers=bearer) as answer:
                person = await self._read(answer)
        locale = str(person.get("locale") or "en-US")[:_MAX_LOCALE]
        return Opener(int(person.get("id", "")), locale)

    async def _read(self, answer: aiohttp.ClientResponse) -> dict[str, Any]:
        """Return what Discord says; raise NotAllowed if it refuses, ClientError if it fails."""
        if answer.status in _REFUSALS:
            self._refused.append(self.clock())
        if answer.status == HTTPStatus.UNAUTHORIZED:
            log.error(
                "Discord does not accept DISCORD_CLIENT_SECRET: copy it again from the portal"
            )
            raise Refusal(_SILENT)
        if answer.status in {HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN}:
            raise NotAllowed(_UNKNOWN)
        answer.raise_for_status()
        said = await answer.json()
        if not isinstance(said, dict):
            raise aiohttp.ClientPayloadError
        return said

    @contextmanager
    def _counted(self) -> Iterator[None]:
        self._asking += 1
        try:
            yield
        finally:
            self._asking -= 1
