"""What `doctor` finds out about the page: in the browser, by going to it, and inside Discord, by asking there."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final

import aiohttp
from pydantic import SecretStr
from yarl import URL

from bot import full_version
from bot.app.machine_checks import Finding, error, ok, warning
from bot.features.web.guard import ABOUT
from bot.features.web.server import ABOUT_PAUSE, NOT_HERE

PORTAL: Final = "https://discord.com/developers/applications"
_PAGE: Final = "page"
_ACTIVITY: Final = "activity"
_TIMEOUT: Final = 15.0
_SOON: Final = 10
"""Days before a certificate ends by which it should have been renewed."""
_CLAIMED: Final = "192.0.2.1"
"""An address that nobody has: a proxy must not believe that requests come from it."""
_NO_BOT: Final = {
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
}
_GUIDE: Final = 'See "The board in the browser" in docs/operating.md.'


@dataclass(frozen=True, slots=True)
class _Answer:
    """What came back from the page's address."""

    status: int
    text: str
    began: float
    """Seconds until its first part had arrived."""
    ended: float
    location: str | None
    certificate_ends: datetime | None


async def examine_page(url: str, application: str | None) -> list[Finding]:
    """Examine the page at its public address; ``application`` is the bot's, if it is known."""
    try:
        async with asyncio.timeout(_TIMEOUT):
            answer = await _ask(url)
    except aiohttp.ClientSSLError as failure:
        return [
            warning(
                _PAGE,
                f"browsers refuse the certificate of {url}: {type(failure).__name__}",
                f"The reverse proxy needs a valid certificate for this name. {_GUIDE}",
            )
        ]
    except (aiohttp.ClientError, OSError) as failure:
        return [
            warning(
                _PAGE,
                f"{url} cannot be reached: {type(failure).__name__}",
                f"Check the name in DNS, the firewall, and that a reverse proxy listens there. {_GUIDE}",
            )
        ]
    problem = _problem(url, answer)
    if problem is not None:
        return [problem]
    about = _read(answer.text)
    if about is None:
        return [
            error(
                _PAGE,
                f"something else answers at {url}",
                "People would be sent there with their links: correct WEB_URL, or the reverse proxy.",
            )
        ]
    if application not in {None, about.get("application")}:
        return [
            error(
                _PAGE,
                f"another bot's page answers at {url}: of application {about.get('application')}",
                "People would be sent there with their links: correct WEB_URL, or the reverse proxy.",
            )
        ]
    found = list(_weaknesses(answer, about))
    return found or [ok(_PAGE, f"{url} answers, and news arrives at once")]


async def _ask(url: str) -> _Answer:
    asked = time.monotonic()
    headers = {"X-Forwarded-For": _CLAIMED}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"{url}{ABOUT}", allow_redirects=False) as answer,
    ):
        ends = _end_of_certificate(answer)
        text = (await answer.content.readany()).decode(errors="replace")
        began = time.monotonic() - asked
        text += (await answer.content.read()).decode(errors="replace")
        ended = time.monotonic() - asked
        return _Answer(answer.status, text, began, ended, answer.headers.get("Location"), ends)


def _end_of_certificate(answer: aiohttp.ClientResponse) -> datetime | None:
    transport = None if answer.connection is None else answer.connection.transport
    certificate = None if transport is None else transport.get_extra_info("peercert")
    if not certificate:
        return None
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notAfter"]), UTC)


def _problem(url: str, answer: _Answer) -> Finding | None:
    """Return why the page was not reached, if it was not."""
    if answer.location is not None:
        return warning(
            _PAGE,
            f"{url} sends people on to {answer.location.split(ABOUT)[0]}",
            "Set WEB_URL to where they end up.",
        )
    if answer.status in _NO_BOT:
        return warning(
            _PAGE,
            f"the reverse proxy at {url} does not reach the bot ({answer.status})",
            "Start the bot, or `python -m bot web` beside gateways, and let the proxy ask WEB_ADDRESS.",
        )
    if answer.status == HTTPStatus.FORBIDDEN and NOT_HERE in answer.text:
        return warning(
            _PAGE,
            "the reverse proxy asks for it by another name than WEB_URL has",
            f"Let it pass on the name that browsers ask for, as `Host`. {_GUIDE}",
        )
    return None


def _read(text: str) -> dict[str, Any] | None:
    """Return what the page says of itself; ``None`` if that is no page of such a bot."""
    first = text.partition("\n\n")[0]
    try:
        about = json.loads(first.removeprefix("data: "))
    except ValueError:
        return None
    return about if isinstance(about, dict) and {"version", "application"} <= about.keys() else None


def _weaknesses(answer: _Answer, about: dict[str, Any]) -> Iterator[Finding]:
    if answer.ended - answer.began < ABOUT_PAUSE / 2:
        yield warning(
            _PAGE,
            "a proxy holds news back until the answer ends, so windows show moves late or never",
            f"Turn its buffering off for this address. {_GUIDE}",
        )
    if about.get("from") == _CLAIMED:
        yield warning(
            _PAGE,
            "a proxy passes on whom requests claim to come from, so limits can be evaded",
            f"Let it write X-Forwarded-For itself, or add to it. {_GUIDE}",
        )
    if about["version"] != full_version():
        yield warning(
            _PAGE,
            f"version {about['version']} is served there",
            "Restart it, if that is the old one.",
        )
    ends = answer.certificate_ends
    if ends is not None and (left := (ends - datetime.now(UTC)).days) < _SOON:
        yield warning(
            _PAGE,
            f"its certificate ends in {left} days",
            "Find out why the reverse proxy has not renewed it.",
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """What the settings want of the board inside Discord."""

    secret: SecretStr | None
    web_url: str | None


async def examine_activity(
    asked: Asked, *, base: str, application: int, enabled: bool, answered: bool
) -> Finding | None:
    """Return what is found, without any secret; ``None`` if nothing is wanted.

    ``base`` is the address of Discord's API, ``enabled`` whether the application has Activities, and
    ``answered`` whether the bot answers the command that opens it. Raises aiohttp.ClientError, OSError
    or TimeoutError.
    """
    if asked.secret is None:
        return None
    if asked.web_url is None:
        return warning(
            _ACTIVITY,
            "DISCORD_CLIENT_SECRET is set, and WEB_URL is not",
            "Set both to open boards inside Discord, or neither.",
        )
    if not await _accepted(asked.secret, base, application):
        return warning(
            _ACTIVITY,
            "Discord does not accept DISCORD_CLIENT_SECRET",
            f"Press Reset Secret on the OAuth2 page of {PORTAL} and copy the new one. Until then boards "
            "open in the browser alone.",
        )
    mapping = f"/ to {URL(asked.web_url).host} on its URL Mappings page"
    if not enabled:
        return warning(
            _ACTIVITY,
            "Activities are off in the developer portal, so Discord opens no board",
            f"Enable them under Activities, Settings in {PORTAL}, and map {mapping}.",
        )
    if not answered:
        return warning(
            _ACTIVITY,
            "the bot does not answer the command that opens it",
            "Start the bot: it takes that command over, unless it was deleted in the portal.",
        )
    return ok(_ACTIVITY, f"boards open inside Discord, if the portal maps {mapping}")


async def _accepted(secret: SecretStr, base: str, application: int) -> bool:
    """Return whether Discord takes a client secret."""
    form = {
        "client_id": str(application),
        "client_secret": secret.get_secret_value(),
        "grant_type": "client_credentials",
        "scope": "identify",
    }
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{base}/oauth2/token", data=form) as answer,
    ):
        if answer.status == HTTPStatus.UNAUTHORIZED:
            return False
        answer.raise_for_status()
        return True
