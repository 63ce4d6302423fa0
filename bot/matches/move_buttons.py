"""The controls of a board: buttons and menus that choose a move, whole or step by step.

Their addresses are ``t:<match>:<ply>:<steps>``. A menu's steps are those chosen before it and
each of its values holds all steps up to its own; ``~<number>`` at the end of its address keeps
several menus of one board apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.interactions.buttons import Pressed, chosen_value
from bot.matches.board_text import STEP_MARK, BoardPost, Option
from engine.phrase import say

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from bot.client import Bot
    from bot.interactions.reply import Reply


class MoveButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"t:(?P<match>\d+):(?P<ply>\d+):(?P<steps>[^~]*)",
):
    """A button that chooses a step; without steps it goes back to the first choice."""

    def __init__(self, match_id: int, ply: int, steps: str, label: str = "") -> None:
        """Address one choice at one turn of one match."""
        style = discord.ButtonStyle.primary if steps else discord.ButtonStyle.secondary
        super().__init__(
            ui.Button(
                label=label or say("Choose again"),
                style=style,
                custom_id=f"t:{match_id}:{ply}:{steps}",
            )
        )
        self.match_id, self.ply, self.steps = match_id, ply, steps

    @classmethod
    def of(cls, post: BoardPost, option: Option) -> MoveButton:
        """Return the button for one entry of a board's menu; it says what the move does."""
        words = f"{option.label} …" if option.opens else option.description
        return cls(post.match_id, post.ply, option.value, words)

    @classmethod
    def back(cls, post: BoardPost) -> MoveButton:
        """Return the button that takes all chosen steps back."""
        return cls(post.match_id, post.ply, "")

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> MoveButton:
        """Rebuild a button from its address."""
        return cls(int(match["match"]), int(match["ply"]), match["steps"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """Choose this step, or the first choice again."""
        await client.table.choose(answer, self.match_id, self.ply, _split(self.steps))


class MoveMenu(
    Pressed,
    ui.DynamicItem[ui.Select[Any]],
    template=r"t:(?P<match>\d+):(?P<ply>\d+):(?P<steps>[^~]*)~(?P<number>\d+)",
):
    """A menu of moves or steps."""

    def __init__(
        self,
        match_id: int,
        ply: int,
        steps: str,
        number: int,
        *,
        options: list[discord.SelectOption] | None = None,
        placeholder: str | None = None,
    ) -> None:
        """Address one menu at one turn of one match."""
        super().__init__(
            ui.Select(
                custom_id=f"t:{match_id}:{ply}:{steps}~{number}",
                placeholder=placeholder,
                options=options or [],
            )
        )
        self.match_id, self.ply = match_id, ply

    @classmethod
    def of(cls, post: BoardPost, entries: Sequence[Option], number: int) -> MoveMenu:
        """Return the menu for these entries of a board."""
        options = [
            discord.SelectOption(
                label=entry.label, value=entry.value, description=entry.description or None
            )
            for entry in entries
        ]
        steps = STEP_MARK.join(post.chosen)
        return cls(
            post.match_id,
            post.ply,
            steps,
            number,
            options=options,
            placeholder=post.placeholder,
        )

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> MoveMenu:
        """Rebuild a menu from its address, with the values that were chosen."""
        menu = cls(int(match["match"]), int(match["ply"]), match["steps"], int(match["number"]))
        assert isinstance(item, ui.Select)
        menu.item = item
        return menu

    async def press(self, answer: Reply, client: Bot) -> None:
        """Choose the step that was picked."""
        steps = _split(chosen_value(self.item))
        await client.table.choose(answer, self.match_id, self.ply, steps)


def _split(steps: str) -> tuple[str, ...]:
    return tuple(steps.split(STEP_MARK)) if steps else ()
