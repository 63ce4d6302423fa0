"""The question before a move is made, for players who want to be asked.

Only the one who moves sees it. Its addresses are those of move controls, with another beginning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.matches.board_text import STEP_MARK
from engine.phrase import capital, lines, say, shortened

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView
    from engine.scene import Scene

_MOST_ALT = 1024


class ConfirmButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"y:(?P<match>\d+):(?P<ply>\d+):(?P<steps>.*)",
):
    """Plays the move that was chosen; without steps it goes back to choosing."""

    def __init__(self, match_id: int, ply: int, steps: tuple[str, ...]) -> None:
        """Address one move at one turn of one match."""
        style = discord.ButtonStyle.primary if steps else discord.ButtonStyle.secondary
        super().__init__(
            ui.Button(
                label=say("Play it") if steps else say("Choose again"),
                style=style,
                custom_id=f"y:{match_id}:{ply}:{STEP_MARK.join(steps)}",
            )
        )
        self.match_id, self.ply, self.steps = match_id, ply, steps

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> ConfirmButton:
        """Rebuild a button from its address."""
        steps = match["steps"]
        chosen = tuple(steps.split(STEP_MARK)) if steps else ()
        return cls(int(match["match"]), int(match["ply"]), chosen)

    async def press(self, answer: Reply, client: Bot) -> None:
        """Play the move, or show the choices again."""
        if self.steps:
            await client.table.confirm(answer, self.match_id, self.ply, self.steps)
        else:
            await client.table.choose(answer, self.match_id, self.ply, ())


def preview(view: MatchView, steps: tuple[str, ...]) -> Scene:
    """Return the picture of what a move leads to, with the move marked in it."""
    game, state = view.game, view.state
    move = game.read(state, "".join(steps))
    return game.scene(game.after(state, move), [(state, move)])


def filename(view: MatchView) -> str:
    """Return the name of that picture."""
    return f"preview-{view.match.id}-{view.version}.png"


def question(view: MatchView, steps: tuple[str, ...], scene: Scene) -> layouts.Message:
    """Return the question whether to make a move."""
    game, state = view.game, view.state
    move = game.read(state, "".join(steps))
    assert view.to_move is not None
    told = say(
        "**{seat}**: {sentence}.",
        seat=capital(view.seat_name(view.to_move.seat)),
        sentence=game.tell(state, move),
    )
    alt = say("The board if you play it. {alt}", alt=scene.alt)
    item = discord.MediaGalleryItem(
        f"attachment://{filename(view)}", description=shortened(alt, _MOST_ALT)
    )
    words = lines([told, say("Nothing has been played yet.")])
    number, version = view.match.id, view.version
    buttons = (ConfirmButton(number, version, steps), ConfirmButton(number, version, ()))
    return layouts.Message(
        ui.TextDisplay(say("### Match #{number}: do you want to play this?", number=number)),
        ui.MediaGallery(item),
        ui.TextDisplay(words),
        ui.ActionRow(*buttons),
    )
