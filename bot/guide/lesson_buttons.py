"""A course of lessons: a picture, a task, and a button for each reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.guide.lessons import LessonPost, lesson
from bot.interactions.components import picture, rows, text_display
from bot.interactions.controls import Button
from bot.interactions.layout import Layout, Upload
from bot.pictures.rendering import Renderer
from bot.pictures.styles import BoardStyle
from bot.settings.service import SettingsStore
from engine.phrase import say

if TYPE_CHECKING:
    from bot.interactions.reply import Reply


class LessonButton(Button, prefix="l"):
    """Opens a lesson, or replies to it."""

    game: str
    number: int
    choice: int | None = None

    async def press(self, reply: Reply) -> None:
        """Replace the lesson's message with the feedback on the reply."""
        shown, files = await drawn(lesson(self.game, self.number, self.choice), reply)
        pressed = reply.interaction.message
        if pressed is not None and pressed.flags.ephemeral:
            await reply.replace(shown, files=files)
        else:
            await reply.tell(shown, files=files, public=False)


async def drawn(post: LessonPost, reply: Reply) -> tuple[Layout, list[Upload]]:
    """Return the message of a lesson and its picture, as this person likes it."""
    settings = await reply.get(SettingsStore).player(reply.user_id)
    locale = await reply.locale(public=False)
    style = BoardStyle(settings.theme or "wood", coordinates=settings.coordinates, locale=locale)
    png = await reply.get(Renderer).picture(post.scene, style)
    return _layout(post), [Upload(post.filename, png)]


def _layout(post: LessonPost) -> Layout:
    buttons = [
        LessonButton(post.slug, post.number, index).component(move)
        for index, move in enumerate(post.replies)
    ]
    if post.following is not None:
        following = LessonButton(post.slug, post.following)
        buttons.append(following.component(say("Next lesson"), style="primary"))
    elif not post.replies:
        again = LessonButton(post.slug, 1)
        buttons.append(again.component(say("From the beginning"), style="primary"))
    return Layout(text_display(post.words), picture(post.filename, post.scene.alt), *rows(buttons))
