"""The confirmation before a move, for players who want one. Only they see it."""

from __future__ import annotations

from bot.core.interactions.components import action_row, picture, text_display
from bot.core.interactions.layout import Layout
from bot.core.interactions.rendering import MAX_ALT
from bot.play.boards.board_message_views import PICTURE, ConfirmButton
from bot.play.boards.move_menu import STEP_MARK
from bot.play.matches.positions import MatchView
from engine.phrase import capital, lines, say, shortened
from engine.scene import Scene


def preview(view: MatchView, steps: tuple[str, ...]) -> Scene:
    """Return the scene after a move, with the move marked."""
    game, state = view.game, view.state
    move = game.read(state, "".join(steps))
    return game.scene(game.after(state, move), [(state, move)])


def question(view: MatchView, steps: tuple[str, ...], scene: Scene) -> Layout:
    """Return the confirmation of a move; its picture is attached as `PICTURE`."""
    game, state = view.game, view.state
    move = game.read(state, "".join(steps))
    assert view.to_move is not None
    sentence = say(
        "**{seat}**: {sentence}.",
        seat=capital(view.seat_names[view.to_move.seat]),
        sentence=game.tell(state, move),
    )
    alt = say("The board if you play it. {alt}", alt=scene.alt)
    number, version = view.match.id, view.version
    play = ConfirmButton(number, version, STEP_MARK.join(steps))
    return Layout(
        text_display(say("### Match #{number}: do you want to play this?", number=number)),
        picture(PICTURE, shortened(alt, MAX_ALT)),
        text_display(lines([sentence, say("Nothing has been played yet.")])),
        action_row(
            play.component(say("Play it"), style="primary"),
            ConfirmButton(number, version, "").component(say("Choose again")),
        ),
    )
