"""The message that shows a match: who plays, the picture, what happened, and the controls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.interactions.components import (
    action_row,
    button,
    option,
    rows,
    string_select,
    text_display,
)
from bot.interactions.components import picture as picture_component
from bot.interactions.controls import Button, Control
from bot.interactions.layout import Layout, Upload
from bot.matches.board_actions import buttons_below
from bot.matches.board_text import STEP_MARK
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.interactions.components import Component
    from bot.interactions.reply import Reply
    from bot.matches.board_text import BoardPost, Option
    from bot.replays.animation import Animation

PICTURE: Final = "board.png"
"""The name of every board's picture, so that an edit never names a picture that is gone."""
_MAX_BUTTONS: Final = 5
"""Maximum number of moves offered as buttons; more become a menu."""
_MAX_OPTIONS: Final = 25


class MoveHandler:
    """Answers the controls of boards."""

    async def choose(self, reply: Reply, match_id: int, ply: int, steps: tuple[str, ...]) -> None:
        """Take the next step of a move, or play it when it is complete."""
        raise NotImplementedError

    async def confirm(self, reply: Reply, match_id: int, ply: int, steps: tuple[str, ...]) -> None:
        """Play a move that its player was asked about."""
        raise NotImplementedError


class MoveControl(Control, prefix="t"):
    """Chooses steps of a move at one turn: a button one of them, a menu one of many.

    The steps of a button are all that are chosen with it, none to choose again. Those of a menu
    are what was chosen before, and a number that tells the menus of a board apart.
    """

    match_id: int
    ply: int
    steps: str

    async def press(self, reply: Reply) -> None:
        """Choose this step, or the first choice again."""
        steps = _split(self.steps)
        await reply.get(MoveHandler).choose(reply, self.match_id, self.ply, steps)

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Choose the step that was picked; its value holds all steps up to it."""
        steps = _split(values[0])
        await reply.get(MoveHandler).choose(reply, self.match_id, self.ply, steps)


class ConfirmButton(Button, prefix="ty"):
    """Plays a move that its player was asked about; without steps goes back to choosing."""

    match_id: int
    ply: int
    steps: str

    async def press(self, reply: Reply) -> None:
        """Play the move, or show the choices again."""
        handler, steps = reply.get(MoveHandler), _split(self.steps)
        answer = handler.confirm if steps else handler.choose
        await answer(reply, self.match_id, self.ply, steps)


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
    again = [button(_address(post, ""), say("Choose again"))] if post.chosen else []
    if len(post.menu) <= _MAX_BUTTONS:
        return rows([*(_button(post, entry) for entry in post.menu), *again])
    menus = [
        action_row(_menu(post, post.menu[start : start + _MAX_OPTIONS], number))
        for number, start in enumerate(range(0, len(post.menu), _MAX_OPTIONS))
    ]
    return [*menus, *rows(again)]


def _button(post: BoardPost, entry: Option) -> Component:
    """Return the button for one entry of a board's menu; it says what the move does."""
    words = f"{entry.label} …" if entry.opens else entry.description
    return button(_address(post, entry.value), words, style="primary")


def _menu(post: BoardPost, entries: Sequence[Option], number: int) -> Component:
    address = _address(post, f"{STEP_MARK.join(post.chosen)}~{number}")
    options = [option(entry.label, entry.value, entry.description or None) for entry in entries]
    return string_select(address, options, placeholder=post.placeholder)


def _address(post: BoardPost, steps: str) -> str:
    return MoveControl(post.match_id, post.ply, steps).custom_id


def _split(steps: str) -> tuple[str, ...]:
    return tuple(steps.split(STEP_MARK)) if steps else ()
