"""What is said of a match after its end: the picture, the words, and ways into the replay.

Addresses are ``y:<name>`` for the analysis and ``y:<name>:<ply>`` for a place in the replay, where
the name is the number of a match, or ``i`` and the number of a record that a player brought along.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.analysis import text as words
from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.pictures import styles
from bot.replays import buttons as replay_view
from engine.phrase import glued, lines, say

if TYPE_CHECKING:
    import re

    from bot.analysis.report import AnalysisReport
    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.replays.service import Replay
    from engine.phrase import Phrase


class AnalysisButton(Pressed, ui.DynamicItem[ui.Button[Any]], template=r"y:(?P<name>i?\d+)"):
    """Shows what could have been played better in a match."""

    def __init__(self, name: str) -> None:
        """Address the analysis of one match or record."""
        super().__init__(
            ui.Button(
                label=say("Analysis"),
                style=discord.ButtonStyle.secondary,
                custom_id=f"y:{name}",
            )
        )
        self.name = name

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> AnalysisButton:
        """Rebuild a button from its address."""
        return cls(match["name"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show the analysis, to this person alone."""
        await show(answer, client, self.name)


class SeeButton(
    Pressed, ui.DynamicItem[ui.Button[Any]], template=r"y:(?P<name>i?\d+):(?P<ply>\d+)"
):
    """Opens the replay of a match where a mistake was made, and tells what was better."""

    def __init__(self, name: str, ply: int, number: int = 0) -> None:
        """Address one place in the replay of one match or record."""
        super().__init__(
            ui.Button(
                label=say("See {number}", number=number),
                style=discord.ButtonStyle.secondary,
                custom_id=f"y:{name}:{ply}",
            )
        )
        self.name, self.ply = name, ply

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> SeeButton:
        """Rebuild a button from its address."""
        return cls(match["name"], int(match["ply"]))

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show that place, to this person alone."""
        reel = await replay_view.found(answer, client, self.name)
        found = await ask(client, reel, answer.interaction.user.id)
        note = words.mistake_at(reel, found, self.ply)
        await replay_view.show(answer, client, reel, self.ply, new=True, note=note)


async def ask(client: Bot, reel: Replay, reader: int) -> AnalysisReport:
    """Return what there is to say of a match, or of a record to who brought it along.

    Raises:
        Refusal: it goes on, or nothing could be found out.

    """
    if reel.brought:
        return await client.records.ask(reel, reader)
    return await client.analysis_queue.ask(reel.view)


async def show(answer: Reply, client: Bot, name: str) -> None:
    """Show what there is to say of a match, as soon as it is known; of a record to who brought it.

    Raises:
        Refusal: there is no such match here, it goes on, or nothing could be found out.

    """
    reel, reader = await replay_view.found(answer, client, name), answer.interaction.user.id
    found = await ask(client, reel, reader)
    public = False if reel.brought else None
    tongue = await answer.tongue(public=public)
    look = await styles.for_player(client.choices, reel.view, reader, tongue)
    png = await client.studio.equity(words.chart(reel, found), look)
    file = discord.File(io.BytesIO(png), filename=_filename(reel))
    luck = await client.exchange.luck(reel.number) if reel.brought and found.thrown else None
    await answer.tell(message(reel, found, luck), files=[file], public=public)


def message(reel: Replay, found: AnalysisReport, luck: Phrase | None = None) -> layouts.Message:
    """Return the message of an analysis; ``luck`` tells whether that of a record was fair."""
    picture = discord.MediaGalleryItem(
        f"attachment://{_filename(reel)}", description=words.alt(reel, found)
    )
    buttons = [
        SeeButton(reel.name, mistake.ply, place) for place, mistake in enumerate(found.mistakes, 1)
    ]
    return layouts.Message(
        ui.TextDisplay(lines([reel.heading()])),
        ui.MediaGallery(picture),
        ui.TextDisplay(words.told(reel, found)),
        *([] if luck is None else [ui.TextDisplay(glued("-# ", luck))]),
        *layouts.rows(buttons),
    )


def _filename(reel: Replay) -> str:
    return f"analysis-{reel.name}.png"
