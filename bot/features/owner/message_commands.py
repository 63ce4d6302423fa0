"""The owner's commands in direct messages: ``owner ...``, for the application's owner or team alone.

They are no slash commands: Discord shows those to everyone who may write to the bot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import aiohttp
import discord
import structlog

from bot.core.i18n.catalogues import ENGLISH
from bot.core.interactions.layout import text_layout
from bot.core.posts.kinds import Content
from bot.core.posts.poster import Poster
from bot.features.owner.arguments import USAGE, BadCommand, MessageParser, add_arguments
from bot.features.owner.desk import OwnerDesk, Server
from bot.features.owner.service import AskOwners
from data.sql.errors import StoreError

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_WORD: Final = "owner"
_MAX_CHARACTERS: Final = 3_800


@dataclass(eq=False, repr=False)
class OwnerMessages:
    """Answers the messages of owners."""

    desk: OwnerDesk
    poster: Poster
    owners: AskOwners

    async def answer(self, message: discord.Message) -> bool:
        """Answer a message that is a command of an owner; return whether it is one."""
        word, _, rest = message.content.strip().partition(" ")
        if message.guild is not None or word.lower() != _WORD or message.author.bot:
            return False
        if message.author.id not in (await self.owners() or ()):
            return False
        text = (await self._answer(rest, message.author.id)).replace("`", "'")
        layout = text_layout(f"```\n{text[:_MAX_CHARACTERS]}\n```")
        content = Content(layout, ENGLISH, message.channel.id)
        await self.poster.answer(message.channel.id, content, nonce=f"o{message.id}")
        return True

    async def _answer(self, typed: str, user_id: int) -> str:
        if typed.strip().lower() in {"", "help", "--help"}:
            return USAGE
        parser = MessageParser(prog=_WORD)
        add_arguments(parser)
        try:
            return await self.desk.answer(parser.parse_args(typed.split()), user_id=user_id, page=1)
        except BadCommand as error:
            return str(error)
        except StoreError as error:
            log.warning("a command of the owner failed", reason=str(error))
            return "The database cannot be used just now. Nothing has changed."


async def list_servers(client: discord.Client) -> list[Server] | None:
    """Return all servers that a logged-in bot is in; ``None`` if Discord does not say."""
    try:
        return [
            Server(guild.id, guild.name, guild.approximate_member_count or 0)
            async for guild in client.fetch_guilds(limit=None)
        ]
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        log.warning("Discord does not list the servers", reason=str(error))
        return None


def owners_of(application: discord.AppInfo) -> frozenset[int]:
    """Return who owns an application: one user, or the members of a team who may change it."""
    team = application.team
    if team is None:
        return frozenset({application.owner.id})
    accepted = discord.TeamMembershipState.accepted
    may_change = {discord.TeamMemberRole.admin, discord.TeamMemberRole.developer}
    members = (
        one.id
        for one in team.members
        if one.membership_state is accepted and one.role in may_change
    )
    return frozenset({*members, *filter(None, [team.owner_id])})
