"""The message that shows a match: who plays, the picture, what happened, and the controls."""

from __future__ import annotations

from functools import partial
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
from bot.matches import results
from bot.matches.board_actions import buttons_below
from bot.matches.board_text import STEP_MARK, placeholder
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bot.interactions.components import Component
    from bot.interactions.reply import Reply
    from bot.matches.board_text import BoardPost, Option
    from bot.matches.positions import MatchView
    from bot.replays.animation import Animation

PICTURE: Final = "board.png"
"""The name of every board's picture, so that an edit never names a picture that is gone."""
MAX_BUTTONS: Final = 5
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


def result(post: BoardPost, view: MatchView, story: str) -> Layout:
    """Return the post that tells a channel how a match in a thread ended.

    Args:
        post: the last board.
        view: the match.
        story: what decided it, where that is known.

    """
    title = say("### {game}", game=view.game.title)
    where = say("-# Played in {thread}", thread=f"<#{view.match.channel_id}>")
    return Layout(
        text_display(lines((title, results.result(view)))),
        picture_component(PICTURE, post.scene.alt),
        text_display(lines(part for part in (story, where) if part)),
        *rows(buttons_below("ended", post)),
    )


def picture(png: bytes) -> Upload:
    """Return the picture of a board as a file to attach."""
    return Upload(PICTURE, png)


def _controls(post: BoardPost) -> Sequence[Component]:
    if post.over:
        return rows(buttons_below("ended", post))
    if not post.menu:
        return ()
    return step_controls(
        post.menu,
        post.chosen,
        button_id=partial(_address, post),
        menu_id=lambda n: _address(post, f"{STEP_MARK.join(post.chosen)}~{n}"),
    )


def step_controls(
    entries: Sequence[Option],
    chosen: tuple[str, ...],
    *,
    button_id: Callable[[str], str],
    menu_id: Callable[[int], str],
    most: int = MAX_BUTTONS,
) -> list[Component]:
    """Return controls that choose a move or the next step of one, and one to choose again.

    Args:
        entries: the moves or steps.
        chosen: the steps chosen so far.
        button_id: the address of a button, from its steps.
        menu_id: the address of a menu, from its number.
        most: maximum number of entries as buttons, which say what a move does; more become menus.

    """
    again = [button(button_id(""), say("Choose again"))] if chosen else []
    if len(entries) <= most:
        labels = [f"{one.label} …" if one.opens else one.description for one in entries]
        buttons = [
            button(button_id(one.value), label, style="primary")
            for one, label in zip(entries, labels, strict=True)
        ]
        return rows([*buttons, *again])
    options = [option(one.label, one.value, one.description or None) for one in entries]
    menus = [
        string_select(
            menu_id(number),
            options[start : start + _MAX_OPTIONS],
            placeholder=placeholder(chosen),
        )
        for number, start in enumerate(range(0, len(options), _MAX_OPTIONS))
    ]
    return [*map(action_row, menus), *rows(again)]


def _address(post: BoardPost, steps: str) -> str:
    return MoveControl(post.match_id, post.ply, steps).custom_id


def _split(steps: str) -> tuple[str, ...]:
    return tuple(steps.split(STEP_MARK)) if steps else ()
