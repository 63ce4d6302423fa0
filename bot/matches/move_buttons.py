"""The controls of a board: buttons and menus that choose a move, whole or step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.interactions import components
from bot.interactions.controls import Button, Control
from bot.matches.board_text import STEP_MARK, BoardPost, Option
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.interactions.components import Component
    from bot.interactions.reply import Reply


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
        await reply.get(MoveHandler).choose(reply, self.match_id, self.ply, _split(self.steps))

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Choose the step that was picked; its value holds all steps up to it."""
        await reply.get(MoveHandler).choose(reply, self.match_id, self.ply, _split(values[0]))


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


def button(post: BoardPost, option: Option) -> Component:
    """Return the button for one entry of a board's menu; it says what the move does."""
    words = f"{option.label} …" if option.opens else option.description
    address = MoveControl(post.match_id, post.ply, option.value).custom_id
    return components.button(address, words, style="primary")


def back(post: BoardPost) -> Component:
    """Return the button that takes all chosen steps back."""
    address = MoveControl(post.match_id, post.ply, "").custom_id
    return components.button(address, say("Choose again"))


def menu(post: BoardPost, entries: Sequence[Option], number: int) -> Component:
    """Return the menu for these entries of a board."""
    options = [components.option(e.label, e.value, e.description or None) for e in entries]
    steps = f"{STEP_MARK.join(post.chosen)}~{number}"
    address = MoveControl(post.match_id, post.ply, steps).custom_id
    return components.string_select(address, options, placeholder=post.placeholder)


def _split(steps: str) -> tuple[str, ...]:
    return tuple(steps.split(STEP_MARK)) if steps else ()
