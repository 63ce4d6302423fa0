"""What the doctor finds about the board inside Discord: its secret, and what the portal must say."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

import aiohttp
from pydantic import SecretStr
from yarl import URL

from bot.app.machine_checks import Finding, ok, warning

_ABOUT: Final = "activity"
PORTAL: Final = "https://discord.com/developers/applications"


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
            _ABOUT,
            "DISCORD_CLIENT_SECRET is set, and WEB_URL is not",
            "Set both to open boards inside Discord, or neither.",
        )
    if not await _accepted(asked.secret, base, application):
        return warning(
            _ABOUT,
            "Discord does not accept DISCORD_CLIENT_SECRET",
            f"Press Reset Secret on the OAuth2 page of {PORTAL} and copy the new one. Until then boards "
            "open in the browser alone.",
        )
    mapping = f"/ to {URL(asked.web_url).host} on its URL Mappings page"
    if not enabled:
        return warning(
            _ABOUT,
            "Activities are off in the developer portal, so Discord opens no board",
            f"Enable them under Activities, Settings in {PORTAL}, and map {mapping}.",
        )
    if not answered:
        return warning(
            _ABOUT,
            "the bot does not answer the command that opens it",
            "Start the bot: it takes that command over, unless it was deleted in the portal.",
        )
    return ok(_ABOUT, f"boards open inside Discord, if the portal maps {mapping}")


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
