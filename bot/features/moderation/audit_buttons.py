"""The audit log: in pages, and line by line in a channel of the server."""

from __future__ import annotations

from typing import Final

from bot.core.i18n.mentions import timestamp
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.channels import require_manager
from bot.core.posts.poster import Poster
from bot.core.settings.service import SettingsStore
from bot.features.moderation.audit_text import decision_line, leavers_line
from bot.features.moderation.service import DECISION_POST, Moderation
from data.people.audit import Line
from data.posts import posts
from data.store.store import Store
from engine.phrase import glued, lines, say

_AT_ONCE: Final = 3.0
"""Seconds in which a line should be in the log channel, before its moderator is told that it is not."""


class AuditButton(Button, prefix="audit"):
    """Turns to a page of the audit log."""

    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the previous one."""
        await reply.replace(await audit_page(reply, self.page))


async def audit_page(reply: Reply, wanted: int = 0) -> Layout:
    """Return a page of a server's audit log, newest first."""
    guild_id = require_manager(reply.interaction)
    found, page = await reply.get(Moderation).audit_page(guild_id, wanted)
    left = await reply.get(Moderation).leavers(guild_id)
    leavers = [leavers_line(left)] if left else []
    if not found:
        words = lines([say("No moderator decisions yet."), *leavers])
        return text_layout(words)
    dated = [glued(timestamp(line.at), " ", decision_line(line)) for line in found]
    words = lines([say("### Moderator decisions"), *dated, *leavers])
    return text_layout(words, *page.buttons(AuditButton))


async def post_in_log_channel(reply: Reply, line: Line) -> None:
    """Post a decision in the server's log channel, and say so if that has to wait."""
    channel_id = (await reply.get(SettingsStore).server(line.guild_id)).log_channel
    if channel_id is None:
        return
    store = reply.get(Store)
    async with store.read() as tx:
        post = await posts.find(tx, DECISION_POST, line.id)
    if post is not None:
        await reply.get(Poster).post_first([post.id], _AT_ONCE)
        async with store.read() as tx:
            post = await posts.find(tx, DECISION_POST, line.id)
    if post is not None or reply.interaction.client.get_channel(channel_id) is None:
        words = say(
            "I couldn't post this in {channel}. Check my permissions there, or pick another "
            "channel with `/server settings`.",
            channel=f"<#{channel_id}>",
        )
        await reply.send(text_layout(words), public=False)
