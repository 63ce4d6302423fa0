"""Pages of the rules, and lessons: a picture, a task, a button for each reply."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bot.guide.lessons import lesson
from bot.interactions.components import picture, rows, text_display
from bot.interactions.controls import Button
from bot.interactions.layout import Layout, Upload, text_layout
from bot.interactions.pager import Page
from bot.matches.text import rules_pages
from bot.pictures.rendering import Renderer
from bot.pictures.styles import BoardStyle
from bot.settings.service import SettingsStore
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from bot.guide.lessons import LessonPost
    from bot.interactions.reply import Reply


class RulesButton(Button, prefix="rules"):
    """Turns to a page of the rules of a game."""

    game: str
    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the one before."""
        await reply.replace(rules_page(self.game, self.page))


class LessonButton(Button, prefix="l"):
    """Opens a lesson, or replies to it."""

    game: str
    number: int
    choice: int | None = None

    async def press(self, reply: Reply) -> None:
        """Replace the lesson's message with the feedback on the reply."""
        shown, files = await lesson_page(lesson(self.game, self.number, self.choice), reply)
        pressed = reply.interaction.message
        if pressed is not None and pressed.flags.ephemeral:
            await reply.replace(shown, files=files)
        else:
            await reply.tell(shown, files=files, public=False)


def rules_page(slug: str, wanted: int = 0) -> Layout:
    """Return a page of the rules of a game."""
    told = rules_pages(registry.game(slug))
    page = Page.of(wanted, total=len(told), size=1)
    return text_layout(told[page.number], *page.buttons(partial(RulesButton, slug)))


async def lesson_page(post: LessonPost, reply: Reply) -> tuple[Layout, list[Upload]]:
    """Return the message of a lesson and its picture, as this person likes it."""
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
    settings = await reply.get(SettingsStore).player(reply.user_id)
    locale = await reply.locale(public=False)
    style = BoardStyle(settings.theme or "wood", coordinates=settings.coordinates, locale=locale)
    png = await reply.get(Renderer).picture(post.scene, style)
    shown = picture(post.filename, post.scene.alt)
    return Layout(text_display(post.words), shown, *rows(buttons)), [Upload(post.filename, png)]
