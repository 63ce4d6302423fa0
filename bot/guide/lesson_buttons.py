"""A course of lessons: a picture, a task, and a button for each reply."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.guide.lessons import LessonPost, lesson
from bot.interactions.buttons import Pressed
from bot.interactions.layouts import Message, rows
from bot.pictures.styles import BoardStyle
from engine.phrase import say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply


class LessonButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"l:(?P<game>[a-z0-9_]+):(?P<number>\d+)(?::(?P<reply>\d+))?",
):
    """Opens a lesson, or replies to it."""

    def __init__(self, slug: str, number: int, reply: int | None = None, label: str = "?") -> None:
        """Address one lesson of a game, or one reply to it."""
        chosen = "" if reply is None else f":{reply}"
        style = discord.ButtonStyle.primary if reply is None else discord.ButtonStyle.secondary
        super().__init__(
            ui.Button(label=label, style=style, custom_id=f"l:{slug}:{number}{chosen}")
        )
        self.slug, self.number, self.reply = slug, number, reply

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> LessonButton:
        """Rebuild a button from its address."""
        reply = match["reply"]
        return cls(match["game"], int(match["number"]), None if reply is None else int(reply))

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show the lesson with what is said to the reply, in place of what was there."""
        post = lesson(self.slug, self.number, self.reply)
        message, files = await drawn(post, client, answer)
        pressed = answer.interaction.message
        if pressed is not None and pressed.flags.ephemeral:
            await answer.replace(message, files=files)
        else:
            await answer.tell(message, files=files, public=False)


async def drawn(post: LessonPost, client: Bot, answer: Reply) -> tuple[Message, list[discord.File]]:
    """Return the message of a lesson and its picture, as this person likes it."""
    chosen = await client.choices.player(answer.interaction.user.id)
    tongue = await answer.tongue(public=False)
    look = BoardStyle(chosen.theme or "wood", coordinates=chosen.coordinates, tongue=tongue)
    png = await client.studio.picture(post.scene, look)
    return message(post), [discord.File(io.BytesIO(png), filename=post.filename)]


def message(post: LessonPost) -> Message:
    """Return the message of a lesson; its picture is to be attached."""
    shown = discord.MediaGalleryItem(
        f"attachment://{post.filename}", description=post.scene.alt or None
    )
    buttons: list[ui.Item[Any]] = [
        LessonButton(post.slug, post.number, index, move) for index, move in enumerate(post.replies)
    ]
    if post.following is not None:
        buttons.append(LessonButton(post.slug, post.following, label=say("Next lesson")))
    elif not post.replies:
        buttons.append(LessonButton(post.slug, 1, label=say("From the beginning")))
    return Message(ui.TextDisplay(post.words), ui.MediaGallery(shown), *rows(buttons))
