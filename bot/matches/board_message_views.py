"""The message that shows a match: who plays, the picture, what happened, and the choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.interactions.components import action_row, rows, text_display
from bot.interactions.components import picture as picture_component
from bot.interactions.layout import Layout, Upload
from bot.matches import move_buttons
from bot.matches.board_actions import buttons_below
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.interactions.components import Component
    from bot.matches.board_text import BoardPost
    from bot.replays.animation import Animation

PICTURE: Final = "board.png"
"""The name of every board's picture, so that an edit never names a picture that is gone."""
_MAX_BUTTONS: Final = 5
"""Maximum number of moves offered as buttons; more become a menu."""
_MAX_OPTIONS: Final = 25


def message(post: BoardPost, *, above: str = "", film: Animation | None = None) -> Layout:
    """Return the message of a board, with its picture attached as `PICTURE`.

    Args:
        post: what it says.
        above: words before it, such as an answer to the person who sees it.
        film: what the player who is called has missed, where it goes along.

    """
    said = lines(part for part in (lines(post.story), post.prompt, post.footer) if part)
    parts = [text_display(above)] if above else []
    parts += [text_display(post.heading), picture_component(PICTURE, post.scene.alt)]
    if said:
        parts.append(text_display(said))
    parts += _controls(post)
    if film is not None:
        parts += [
            text_display(say("-# Since your last turn:")),
            picture_component(film.filename, film.alt),
        ]
    elif post.missed and post.menu:
        parts += rows(buttons_below("missed", post))
    return Layout(*parts)


def picture(png: bytes) -> Upload:
    """Return the picture of a board as a file to attach."""
    return Upload(PICTURE, png)


def _controls(post: BoardPost) -> Sequence[Component]:
    if post.over:
        return rows(buttons_below("ended", post))
    if not post.menu:
        return ()
    back = [move_buttons.back(post)] if post.chosen else []
    if len(post.menu) <= _MAX_BUTTONS:
        return rows([*(move_buttons.button(post, option) for option in post.menu), *back])
    menus = [
        move_buttons.menu(post, post.menu[start : start + _MAX_OPTIONS], number)
        for number, start in enumerate(range(0, len(post.menu), _MAX_OPTIONS))
    ]
    return [action_row(control) for control in (*menus, *back)]
