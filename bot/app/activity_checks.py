"""What the doctor finds about the board inside Discord: its secret, and what the portal must say."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import aiohttp
from pydantic import SecretStr
from yarl import URL

from bot.app.machine_checks import Finding, ok, warning
from bot.core.config import Config

_ABOUT: Final = "activity"
_PORTAL: Final = "https://discord.com/developers/applications"
_ENTRY_POINT, _OURS = 4, 1


@dataclass(frozen=True, slots=True)
class Asked:
    """What the settings want of the board inside Discord."""

    secret: SecretStr | None
    web_url: str | None

    @classmethod
    def of(cls, settings: Config) -> Asked:
        """Return what settings want."""
        return cls(settings.discord_client_secret, settings.web_url)


async def examine(
    asked: Asked,
    *,
    base: str,
    application: int,
    enabled: bool,
    commands: Iterable[Mapping[str, Any]],
) -> AsyncIterator[Finding]:
    """Yield the findings, without any secret.

    ``base`` is the address of Discord's API, ``enabled`` whether the application has Activities, and
    ``commands`` are those that Discord has of it. Raises aiohttp.ClientError, OSError or TimeoutError.
    """
    if asked.secret is None:
        return
    if asked.web_url is None:
        yield warning(
            _ABOUT,
            "DISCORD_CLIENT_SECRET is set, and WEB_URL is not",
            "Set both to open boards inside Discord, or neither.",
        )
        return
    if not await _accepted(asked.secret, base, application):
        yield warning(
            _ABOUT,
            "Discord does not accept DISCORD_CLIENT_SECRET",
            f"Press Reset Secret on the OAuth2 page of {_PORTAL} and copy the new one. Until then boards "
            "open in the browser alone.",
        )
        return
    host = URL(asked.web_url).host
    mapping = f"/ to {host} on its URL Mappings page"
    if not enabled:
        yield warning(
            _ABOUT,
            "Activities are off in the developer portal, so Discord opens no board",
            f"Enable them under Activities, Settings in {_PORTAL}, and map {mapping}.",
        )
        return
    entry = next((one for one in commands if one.get("type") == _ENTRY_POINT), None)
    if entry is None or entry.get("handler") != _OURS:
        yield warning(
            _ABOUT,
            "the bot does not answer the command that opens it",
            "Start the bot: it takes that command over, unless it was deleted in the portal.",
        )
        return
    yield ok(_ABOUT, f"boards open inside Discord, if the portal maps {mapping}")


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
