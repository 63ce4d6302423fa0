"""A hint on screen: the board with an arrow, the reason, and a button that plays the move."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.core.interactions.components import action_row, picture, text_display
from bot.core.interactions.layout import Layout
from bot.core.interactions.rendering import MAX_ALT
from bot.core.settings.service import SettingsStore
from bot.features.practice import text
from bot.features.practice.hints import Hints
from bot.play.boards import board_message_views
from bot.play.boards.board_message_views import PICTURE, ConfirmButton
from bot.play.boards.move_menu import STEP_MARK
from bot.play.pictures import styles
from bot.play.pictures.rendering import Renderer
from engine.overlay import along, overlaid
from engine.phrase import say, shortened

if TYPE_CHECKING:
    from bot.core.interactions.reply import Reply
    from bot.features.practice.hints import Hint
    from bot.play.matches.positions import MatchView
    from engine.scene import Scene


async def show(reply: Reply, view: MatchView) -> None:
    """Show the best move in a practice match to this player alone.

    Raises:
        Refusal: no hint is available; see `Hints.give`.

    """
    given, now = await reply.get(Hints).give(view, reply.user_id)
    scene = _scene(view, given)
    locale = await reply.locale(public=False)
    style = await styles.for_player(reply.get(SettingsStore), view, reply.user_id, locale)
    png = await reply.get(Renderer).picture(scene, style)
    move = view.game.read(view.state, given.move)
    play = ConfirmButton(view.match.id, view.version, STEP_MARK.join(view.game.steps(move)))
    layout = Layout(
        picture(PICTURE, scene.alt),
        text_display(await asyncio.to_thread(text.hint, view, given, now.match.hints)),
        action_row(play.component(say("Play it"), style="primary")),
    )
    await reply.send(layout, files=[board_message_views.picture(png)], public=False)


def _scene(view: MatchView, given: Hint) -> Scene:
    game, state = view.game, view.state
    move = game.read(state, given.move)
    last = [(played.before, played.move) for played in view.last_turn]
    scene = overlaid(game.scene(state, last), along(game.ways(state, move)))
    # Translators: move is in notation; a description of the position follows.
    alt = say("An arrow shows {move}. {alt}", move=given.move, alt=scene.alt)
    return replace(scene, alt=shortened(alt, MAX_ALT))
