"""What is said of a match after its end: the picture, the words, and ways into the replay.

Addresses are ``y:<match>`` for the analysis and ``y:<match>:<ply>`` for a place in the replay.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.pictures import looks
from bot.views import frame
from bot.views import replay as replay_view
from bot.views.press import Pressed
from bot.words import analysis as words
from engine.phrase import lines, say

if TYPE_CHECKING:
    import re

    from bot.answer import Answer
    from bot.client import Bot
    from bot.play.replay import Reel
    from bot.practice.findings import Findings


class AnalysisButton(Pressed, ui.DynamicItem[ui.Button[Any]], template=r"y:(?P<match>\d+)"):
    """Shows what could have been played better in a match."""

    def __init__(self, match_id: int) -> None:
        """Address the analysis of one match."""
        super().__init__(
            ui.Button(
                label=say("Analysis"),
                style=discord.ButtonStyle.secondary,
                custom_id=f"y:{match_id}",
            )
        )
        self.match_id = match_id

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> AnalysisButton:
        """Rebuild a button from its address."""
        return cls(int(match["match"]))

    async def press(self, answer: Answer, client: Bot) -> None:
        """Show the analysis, to this person alone."""
        await show(answer, client, str(self.match_id))


class SeeButton(Pressed, ui.DynamicItem[ui.Button[Any]], template=r"y:(?P<match>\d+):(?P<ply>\d+)"):
    """Opens the replay of a match where a mistake was made, and tells what was better."""

    def __init__(self, match_id: int, ply: int, number: int = 0) -> None:
        """Address one place in the replay of one match."""
        super().__init__(
            ui.Button(
                label=say("See {number}", number=number),
                style=discord.ButtonStyle.secondary,
                custom_id=f"y:{match_id}:{ply}",
            )
        )
        self.match_id, self.ply = match_id, ply

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> SeeButton:
        """Rebuild a button from its address."""
        return cls(int(match["match"]), int(match["ply"]))

    async def press(self, answer: Answer, client: Bot) -> None:
        """Show that place, to this person alone."""
        reel = await replay_view.found(answer, client, str(self.match_id))
        found = await client.studies.ask(reel.view)
        note = words.mistake(reel, found, self.ply)
        await replay_view.show(answer, client, reel, self.ply, new=True, note=note)


async def show(answer: Answer, client: Bot, name: str) -> None:
    """Show what there is to say of a match, as soon as it is known.

    Raises:
        Refusal: there is no such match here, it goes on, or nothing could be found out.

    """
    reel = await replay_view.found(answer, client, name)
    found = await client.studies.ask(reel.view)
    tongue = await answer.tongue()
    look = await looks.for_player(client.choices, reel.view, answer.interaction.user.id, tongue)
    png = await client.studio.equity(words.chart(reel, found), look)
    file = discord.File(io.BytesIO(png), filename=_filename(reel))
    await answer.tell(message(reel, found), files=[file])


def message(reel: Reel, found: Findings) -> frame.Message:
    """Return the message of an analysis."""
    number = reel.view.match.id
    picture = discord.MediaGalleryItem(
        f"attachment://{_filename(reel)}", description=words.alt(reel, found)
    )
    buttons = [SeeButton(number, slip.ply, place) for place, slip in enumerate(found.slips, 1)]
    return frame.Message(
        ui.TextDisplay(lines([reel.heading()])),
        ui.MediaGallery(picture),
        ui.TextDisplay(words.told(reel, found)),
        *frame.rows(buttons),
    )


def _filename(reel: Reel) -> str:
    return f"analysis-{reel.name}.png"
