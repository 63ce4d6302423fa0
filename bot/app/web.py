"""The process that serves the page in the browser, beside gateways on PostgreSQL.

It has no connection to Discord's gateway and owns no shard: it asks Discord over HTTP who its readers
are and what they may see. What they do is committed here, and the gateways show it in Discord.
"""

from __future__ import annotations

from bot.app import CannotWork, gateway
from bot.app.membership import shared_database
from bot.core.config import Config
from data.cluster.cluster import WEB


async def run(settings: Config) -> None:
    """Run until a signal to stop; raise as `bot.app.gateway.run` does.

    Raises CannotWork also if there is no page, no database that processes can share, or no token.
    """
    shared_database(settings, "A process for the page")
    if settings.web_url is None:
        raise CannotWork(
            "There is no page to serve: set WEB_URL to the address that people see.",
            restart_helps=False,
        )
    if settings.discord_token is None and settings.playground_url is None:
        raise CannotWork(
            "The page needs the bot's token, to ask Discord who may see what: set DISCORD_TOKEN.",
            restart_helps=False,
        )
    await gateway.run(settings, role=WEB)
