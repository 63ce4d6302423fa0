"""The list of what moderators decided, page by page, and its lines in a channel of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord
import structlog
from discord import ui

from bot.i18n.mentions import all_of, who
from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.permissions.channels import require_manager
from data import audit
from engine import registry
from engine.phrase import glued, lines, say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from data.audit import Line

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

PER_PAGE: Final = 10


class AuditButton(Pressed, ui.DynamicItem[ui.Button[Any]], template=r"s:audit:(?P<page>\d+)"):
    """Turns to a page of what moderators did."""

    def __init__(self, page: int) -> None:
        """Address one page."""
        super().__init__(
            ui.Button(
                label=say("Page {number}", number=page + 1),
                style=discord.ButtonStyle.secondary,
                custom_id=f"s:audit:{page}",
            )
        )
        self.page = page

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> AuditButton:
        """Rebuild a button from its address."""
        return cls(int(match["page"]))

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show the page in place of the one before."""
        guild_id = require_manager(answer.interaction)
        await answer.replace(await audit_page(client, guild_id, self.page))


async def audit_page(client: Bot, guild_id: int, page: int = 0) -> layouts.Message:
    """Return a page of what moderators of a server did, the newest first."""
    async with client.store.read() as tx:
        total = await audit.count(tx, guild_id)
        pages = max(1, -(-total // PER_PAGE))
        page = min(page, pages - 1)
        found = await audit.page(tx, guild_id, limit=PER_PAGE, offset=page * PER_PAGE)
    if not found:
        return layouts.text(say("No moderator has decided anything here yet."))
    turners: list[ui.Item[Any]] = [
        AuditButton(other) for other in (page - 1, page + 1) if 0 <= other < pages
    ]
    title = say("### What moderators decided")
    return layouts.text(lines([title, *(dated(line) for line in found)]), *turners)


def dated(line: Line) -> str:
    """Return a line of the list, with when it was."""
    return glued(f"<t:{int(line.at.timestamp())}:f> ", told(line))


def told(line: Line) -> str:
    """Return what a moderator did, in one sentence."""
    detail = line.detail
    title = registry.games().get(detail.get("game", ""))
    facts = {
        "moderator": who(line.user_id),
        "game": detail.get("game", "") if title is None else title.title,
        "reason": detail.get("reason") or say("no reason was given"),
    }
    if line.action == "cleared":
        return say(
            "{moderator} closed challenge {number} to {game} by {challenger}: {reason}",
            number=line.challenge_id,
            challenger=who(detail["challenger"]),
            **facts,
        )
    if line.action == "barred":
        return say(
            "{moderator} keeps {player} out of rated play: {reason}",
            player=who(detail["player"]),
            **facts,
        )
    if line.action == "admitted":
        return say(
            "{moderator} lets {player} play rated again: {reason}",
            player=who(detail["player"]),
            **facts,
        )
    facts |= {"match": f"#{line.match_id}", "players": all_of(detail["players"])}
    if line.action == "voided":
        return say("{moderator} voided match {match} of {game}, {players}: {reason}", **facts)
    winners = detail["winners"]
    if len(winners) == len(detail["players"]):
        return say(
            "{moderator} ended match {match} of {game}, {players}, as a draw: {reason}", **facts
        )
    return say(
        "{moderator} ended match {match} of {game}, {players}, as won by {winners}: {reason}",
        winners=all_of(winners),
        **facts,
    )


async def write_in_log_channel(answer: Reply, client: Bot, line: Line) -> None:
    """Tell of a decision in the channel that the server has chosen; the list has it anyway."""
    channel_id = (await client.choices.server(line.guild_id)).log_channel
    if channel_id is None:
        return
    message = layouts.text(told(line))
    message.tongue = await client.tongues.of_guild(line.guild_id)
    try:
        await client.get_partial_messageable(channel_id).send(
            view=message,
            nonce=f"audit{line.id}",
            allowed_mentions=discord.AllowedMentions.none(),
        )
    except discord.HTTPException as error:
        log.info("no line in the log channel", channel=channel_id, code=error.code)
        words = say(
            "I could not tell of it in {channel}: check my permissions there, or choose another "
            "channel with `/server settings`.",
            channel=f"<#{channel_id}>",
        )
        await answer.tell(layouts.text(words), public=False)
