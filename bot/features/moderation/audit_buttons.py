"""The audit log: in pages, and line by line in a channel of the server."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Final

from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import mention, mention_all, timestamp
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.channels import require_manager
from bot.core.posts.kinds import A_WEEK, Content, PostKind
from bot.core.posts.poster import Poster
from bot.core.settings.service import SettingsStore
from bot.features.moderation.service import DECISION_POST, Moderation
from data import posts
from data.people import audit
from data.people.audit import Line
from data.posts import Post
from data.store.store import Store
from engine import registry
from engine.phrase import Phrase, concat, lines, plural, say

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
    guild_id, moderation = require_manager(reply.interaction), reply.get(Moderation)
    found, page = await moderation.audit_page(guild_id, wanted)
    words = [concat(timestamp(line.at), " ", decision_line(line)) for line in found]
    words.insert(0, say("### Moderator decisions") if found else say("No moderator decisions yet."))
    if left := await moderation.leavers(guild_id):
        who = lines((concat(mention(user), f" {number}") for user, number in left), " · ")
        words.append(
            say(
                "-# Left early (before everyone had two turns) in the last seven days: {players}",
                players=who,
            )
        )
    return text_layout(lines(words), *page.buttons(AuditButton))


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


def decision_line(line: Line) -> str:
    """Return a moderator's decision in one sentence."""
    detail = line.detail
    facts = {
        "moderator": mention(line.user_id),
        "game": registry.title(detail.get("game", "")),
        "reason": detail.get("reason") or say("no reason given"),
    }
    if line.action == "cleared":
        return say(
            "{moderator} closed challenge {number} ({game}) by {challenger}: {reason}",
            number=line.challenge_id,
            challenger=mention(detail["challenger"]),
            **facts,
        )
    if line.action == "barred":
        return say(
            "{moderator} barred {player} from rated play: {reason}",
            player=mention(detail["player"]),
            **facts,
        )
    if line.action == "admitted":
        return say(
            "{moderator} let {player} play rated again: {reason}",
            player=mention(detail["player"]),
            **facts,
        )
    facts |= {"match": f"#{line.match_id}", "players": mention_all(detail["players"])}
    if line.action == "voided":
        return say("{moderator} voided match {match} of {game}, {players}: {reason}", **facts)
    winners = detail["winners"]
    if len(winners) == len(detail["players"]):
        return say(
            "{moderator} ended match {match} of {game}, {players}, as a draw: {reason}", **facts
        )
    return say(
        "{moderator} ended match {match} of {game}, {players}, as won by {winners}: {reason}",
        winners=mention_all(winners),
        **facts,
    )


def left_early(user_id: int, number: int) -> Phrase:
    """Return how many matches a player has left early."""
    return plural(
        "-# {player} left {n} match early here in the last seven days.",
        "-# {player} left {n} matches early here in the last seven days.",
        number,
        player=mention(user_id),
    )


@dataclass(eq=False, repr=False)
class DecisionPost(PostKind):
    """Writes a decision in the log channel, if the server has one."""

    kind: ClassVar[str] = DECISION_POST
    kept: ClassVar[bool] = False
    tried_for: ClassVar[timedelta | None] = A_WEEK  # it is in the audit log anyway

    store: Store
    settings: SettingsStore
    locales: Locales

    async def content(self, post: Post) -> Content | None:
        """Return the decision; ``None`` without a log channel."""
        async with self.store.read() as tx:
            line = await audit.get(tx, post.subject)
        if line is None:
            return None
        channel_id = (await self.settings.server(line.guild_id)).log_channel
        if channel_id is None:
            return None
        locale = await self.locales.of_guild(line.guild_id)
        return Content(text_layout(decision_line(line)), locale, channel_id)
