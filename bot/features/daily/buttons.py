"""The messages of daily puzzles: the puzzle with its button, and what managers need to know."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import ClassVar

import discord
import structlog

from bot.core.errors import Refusal
from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import mention
from bot.core.interactions.components import action_row, text_display
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, pictured, text_layout
from bot.core.interactions.reply import Reply
from bot.core.permissions.channels import lacking, permission_names
from bot.core.permissions.members import Members
from bot.core.posts.kinds import Content, Later, PostKind
from bot.core.requests.faults import MAX_PAUSE
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.features.daily.service import Announced, DailyPuzzles
from bot.features.puzzles import puzzles
from bot.features.puzzles.puzzle_buttons import pose, show_solution
from bot.play.pictures.rendering import BoardStyle, Renderer
from data import posts
from data.posts import Post
from data.puzzles import daily_puzzles
from data.store.store import Store, Transaction
from engine.phrase import Phrase, Tongue, concat, lines, listed, plural, say

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class DailyPuzzleButton(Button, prefix="daily"):
    """Opens a daily puzzle for the presser."""

    daily: int

    async def press(self, reply: Reply) -> None:
        """Show the puzzle privately, or the solution if the player has found it."""
        opened = await reply.get(DailyPuzzles).open(self.daily, reply.guild_id, reply.user_id)
        if opened.counts and opened.solved is not None:
            await show_solution(reply, opened.solved, mixed=True, new=True)
            return
        late = say("-# There's a newer puzzle of the day, so this one is just for fun.")
        await pose(reply, opened.posed, mixed=True, note=None if opened.counts else late, new=True)


@dataclass(eq=False, repr=False)
class DailyPost(PostKind):
    """Poses a puzzle."""

    kind: ClassVar[str] = daily_puzzles.POST
    kept: ClassVar[bool] = False

    client: discord.Client
    store: Store
    renderer: Renderer
    puzzles: DailyPuzzles
    members: Members
    settings: SettingsStore
    locales: Locales
    clock: WallClock

    async def content(self, post: Post) -> Content | None:
        """Return the puzzle with its button; ``None`` if it is gone or was posted elsewhere."""
        async with self.store.read() as tx:
            daily = await daily_puzzles.get(tx, post.subject)
        if daily is None or daily.message_id not in {None, post.message_id}:
            return None
        try:
            announced = await self.puzzles.announced(daily)
        except Refusal as error:
            log.warning("a daily puzzle cannot be shown", daily=daily.id, reason=str(error))
            raise Later(self.clock() + MAX_PAUSE) from None
        locale = await self.locales.of_guild(daily.guild_id)
        layout = await self._message(announced, locale)
        return Content(layout, locale, daily.channel_id)

    async def posted(self, tx: Transaction, post: Post, message_id: int) -> None:
        """Record the message."""
        await daily_puzzles.mark_posted(tx, post.subject, message_id)
        await daily_puzzles.mark_notified(tx, post.guild_id or 0, notified=False)

    async def refused(self, post: Post, content: Content) -> None:
        """Tell the managers once."""
        async with self.store.write() as tx:
            if await daily_puzzles.mark_notified(tx, post.guild_id or 0, notified=True):
                await self._tell(tx, post, content.channel_id, gone=False)

    async def ended(self, post: Post) -> None:
        """End a server's puzzles, as their channel was deleted, and tell its managers."""
        async with self.store.read() as tx:
            daily = await daily_puzzles.get(tx, post.subject)
        if daily is None:
            return
        settings, me = await self.settings.server(daily.guild_id), self.client.user
        assert me is not None, "it has tried to post"
        if settings.puzzle_channel == daily.channel_id:  # else another one was chosen meanwhile
            await self.settings.change_server(daily.guild_id, {"puzzle_channel": None}, by=me.id)
            async with self.store.write() as tx:
                await self._tell(tx, post, daily.channel_id, gone=True)

    async def _tell(self, tx: Transaction, post: Post, channel: int | None, *, gone: bool) -> None:
        await posts.want(
            tx,
            TroublePost.kind,
            post.subject,
            at=self.clock(),
            guild_id=post.guild_id,
            payload={"channel": channel, "gone": gone},
        )

    async def _message(self, announced: Announced, locale: Tongue) -> Layout:
        posed, daily = announced.posed, announced.daily
        scene = posed.game.scene(posed.state, ())
        theme = (await self.settings.server(daily.guild_id)).theme
        png = await self.renderer.picture(scene, BoardStyle(theme, locale=locale))
        people = [user_id for user_id, _ in announced.streaks]
        departed = await self.members.departed(daily.guild_id, people)
        title = say("### Puzzle of the day · {game}", game=posed.game.title)
        button = DailyPuzzleButton(daily.id).component(say("Solve it"), style="primary")
        return Layout(
            text_display(lines((title, puzzles.facts(posed)))),
            pictured(f"puzzle-of-{daily.day}.png", png, scene.alt),
            text_display(body(announced, departed)),
            action_row(button),
        )


@dataclass(eq=False, repr=False)
class TroublePost(PostKind):
    """Tells a server's managers why there is no puzzle: in their log channel, or the owner."""

    kind: ClassVar[str] = "daily_puzzle_trouble"
    kept: ClassVar[bool] = False

    client: discord.Client
    settings: SettingsStore
    locales: Locales

    async def content(self, post: Post) -> Content | None:
        """Return the reason; ``None`` if nobody is there to read it."""
        guild = self.client.get_guild(post.guild_id or 0)
        if guild is None:
            return None
        channel: int = post.payload["channel"]
        names = lacking(self.client, channel, None)
        if post.payload["gone"]:
            sentence = say(
                "The channel of the puzzle of the day was deleted, so there are no more puzzles. To "
                "get them back, pick another channel with `/server settings`."
            )
        elif names:
            sentence = say(
                "I can't post the puzzle of the day in {channel}. I need {permissions}. I'll try "
                "again every hour. To stop it, use `/server settings`.",
                channel=f"<#{channel}>",
                permissions=permission_names(names),
            )
        else:
            sentence = say(
                "Discord won't let me post the puzzle of the day in {channel}. Check my "
                "permissions there, or pick another channel with `/server settings`.",
                channel=f"<#{channel}>",
            )
        layout, locale = text_layout(sentence), await self.locales.of_guild(guild.id)
        there = (await self.settings.server(guild.id)).log_channel
        if there is not None and not lacking(self.client, there, None):
            return Content(layout, locale, there)
        if guild.owner_id is None:
            return None
        return Content(layout, locale, user_id=guild.owner_id)


def body(announced: Announced, departed: Container[int]) -> Phrase:
    """Return the words below the picture: the question, and the previous puzzle's results."""
    found = [puzzles.question(announced.posed)]
    before = announced.before
    if before is not None and before.tried:
        found.append(
            plural(
                # Translators: about the previous daily puzzle; at_once is a number of people.
                "-# Last time: solved by {solved} of {n} person, {at_once} first time",
                "-# Last time: solved by {solved} of {n} people, {at_once} first time",
                before.tried,
                solved=before.solved,
                at_once=before.first_try,
            )
        )
    if announced.streaks:
        each = (
            concat(mention(user_id, departed), " ", str(streak))
            for user_id, streak in announced.streaks
        )
        # Translators: days in a row on the daily puzzle; streaks is like "@Ann 12, @Ben 7".
        found.append(say("-# Streaks: {streaks}", streaks=listed(each)))
    return lines(found)
