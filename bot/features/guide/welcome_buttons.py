"""The welcome: a picture of each game, and buttons to play, learn and set up the bot."""

from __future__ import annotations

from typing import Final

from bot.core.interactions.components import Component, gallery, rows, text_display
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, Upload, text_layout
from bot.core.interactions.reply import Reply
from bot.core.settings.service import SettingsStore
from bot.features.guide import text
from bot.features.guide.play_buttons import MAX_GAMES, OpenPlayButton
from bot.features.lessons.buttons import LessonButton
from bot.features.settings.buttons import show
from bot.play.pictures.rendering import Renderer
from bot.play.pictures.styles import BoardStyle
from engine import registry
from engine.phrase import Tongue, say

_MAX_PICTURES: Final = 10


class LearnButton(Button, prefix="learn"):
    """Asks which game to learn."""

    async def press(self, reply: Reply) -> None:
        """Show a button for each game privately."""
        games = [game for game in registry.games().values() if game.lessons][:MAX_GAMES]
        buttons = [LessonButton(game.slug, 0).component(game.title) for game in games]
        await reply.send(text_layout(text.learn(), *buttons), public=False)


class SetUpButton(Button, prefix="setup"):
    """Opens the server settings, for managers."""

    async def press(self, reply: Reply) -> None:
        """Show the settings privately; refuse anyone but managers."""
        await reply.send(await show(reply, "server"), public=False)


async def welcome(
    renderer: Renderer, locale: Tongue, *, server: bool
) -> tuple[Layout, list[Upload]]:
    """Return the welcome with pictures of all games; ``server`` adds managers' set-up button."""
    pictures, files = await _pictures(renderer, BoardStyle(locale=locale))
    buttons = doors(server=server)
    if server:
        buttons.append(SetUpButton().component(say("Set up here")))
    return Layout(text_display(text.welcome()), pictures, *rows(buttons)), files


async def openings(reply: Reply) -> tuple[Component, list[Upload]]:
    """Return pictures of each game's opening position, styled for one person."""
    settings = await reply.get(SettingsStore).player(reply.user_id)
    style = BoardStyle(settings.theme or "wood", locale=await reply.locale(public=False))
    return await _pictures(reply.get(Renderer), style)


def doors(*, server: bool) -> list[Component]:
    """Return the buttons that lead to games and lessons; challenges to friends only in servers."""
    buttons = [OpenPlayButton("computer").component(say("Play the computer"), style="success")]
    if server:
        people = OpenPlayButton("people")
        buttons.append(people.component(say("Challenge a friend"), style="primary"))
    return [*buttons, LearnButton().component(say("Learn"))]


async def _pictures(renderer: Renderer, style: BoardStyle) -> tuple[Component, list[Upload]]:
    scenes = {game.slug: game.scene(game.initial()) for game in registry.games().values()}
    shown = {f"{slug}.png": scene for slug, scene in list(scenes.items())[:_MAX_PICTURES]}
    files = [Upload(name, await renderer.picture(scene, style)) for name, scene in shown.items()]
    return gallery({name: scene.alt for name, scene in shown.items()}), files
