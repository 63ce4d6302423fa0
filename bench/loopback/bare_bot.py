"""A bare discord.py program: answers each press from a recording, with nothing behind it.

It sends the requests that the bot sends for the same press: where the turn stays with the player
the pressed message is edited in place with a new picture, by the answer to the press; where it
passes, that answer takes the controls off, and a new message brings the next board. Words,
menus and pictures are the bot's own, played back from memory. There are no rules, no store, no
checks and no painting.

    python -m bench.loopback.bare_bot FILE        (PLAYGROUND_URL and DISCORD_TOKEN as for the bot)
"""

from __future__ import annotations

import asyncio
import io
import logging
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import discord
from discord import app_commands, ui

from bench.loopback.recorded_answers import Answer, Board, load
from playground.addresses import Addresses
from playground.connect import point_discord_here

_NOBODY = discord.AllowedMentions.none()


class BareBot(discord.Client):
    """The program. ``/start`` posts a first board."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        """Answer from a recording."""
        super().__init__(
            intents=discord.Intents(guilds=True), max_messages=None, allowed_mentions=_NOBODY
        )
        self.answers = answers
        self.sent = 0
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(_start)

    async def setup_hook(self) -> None:
        """Listen to the controls and sync the one command."""
        self.add_dynamic_items(Choose, Push)
        await self.tree.sync()

    async def answer(self, interaction: discord.Interaction[BareBot], place: int) -> None:
        """Answer the press of a control with the recorded answer at its place."""
        answer = self.answers[place]
        following = (place + 1) % len(self.answers)
        if not answer.passes:
            await interaction.response.edit_message(
                view=_message(answer.board, following),
                attachments=[_picture(answer.board)],
                allowed_mentions=_NOBODY,
            )
            return
        assert interaction.message is not None
        kept = interaction.message.attachments
        left = _left(answer, kept[0].filename if kept else None)
        await interaction.response.edit_message(
            view=left, attachments=kept, allowed_mentions=_NOBODY
        )
        self.sent += 1
        channel = self.get_partial_messageable(interaction.channel_id or 0)
        await channel.send(
            view=_message(answer.board, following),
            file=_picture(answer.board),
            nonce=f"b{self.sent}",
            allowed_mentions=discord.AllowedMentions(
                everyone=False, roles=False, replied_user=False, users=[interaction.user]
            ),
        )


class Choose(ui.DynamicItem[ui.Select[Any]], template=r"t:m:(?P<place>\d+):(?P<number>\d+)"):
    """A menu."""

    def __init__(self, place: int, number: int, item: ui.Select[Any]) -> None:
        """Address a recorded answer."""
        item.custom_id = f"t:m:{place}:{number}"
        super().__init__(item)
        self.place = place

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> Choose:
        """Rebuild a menu from its address."""
        assert isinstance(item, ui.Select)
        return cls(int(match["place"]), int(match["number"]), item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer."""
        client: BareBot = interaction.client
        await client.answer(interaction, self.place)


class Push(ui.DynamicItem[ui.Button[Any]], template=r"t:b:(?P<place>\d+):(?P<number>\d+)"):
    """A button."""

    def __init__(self, place: int, number: int, label: str = "") -> None:
        """Address a recorded answer."""
        super().__init__(ui.Button(label=label or "…", custom_id=f"t:b:{place}:{number}"))
        self.place = place

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> Push:
        """Rebuild a button from its address."""
        return cls(int(match["place"]), int(match["number"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer."""
        client: BareBot = interaction.client
        await client.answer(interaction, self.place)


@app_commands.command(name="start", description="Bring a first board")
async def _start(interaction: discord.Interaction[BareBot], place: int) -> None:
    answer = interaction.client.answers[place % len(interaction.client.answers)]
    following = (place + 1) % len(interaction.client.answers)
    await interaction.response.send_message(
        view=_message(answer.board, following), file=_picture(answer.board)
    )


def _message(board: Board, place: int) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    controls: list[ui.Item[Any]] = []
    for number, menu in enumerate(board.menus):
        options = [
            discord.SelectOption(label=label, value=str(index), description=description or None)
            for index, (label, description) in enumerate(menu.options)
        ]
        select: ui.Select[Any] = ui.Select(placeholder=menu.placeholder, options=options)
        controls.append(ui.ActionRow(Choose(place, number, select)))
    for start in range(0, len(board.buttons), 5):
        row = enumerate(board.buttons[start : start + 5], start)
        controls.append(ui.ActionRow(*(Push(place, number, label) for number, label in row)))
    view.add_item(
        ui.Container(
            *_shown(board.words, board.alt, "board.png"), *controls, accent_colour=0x9A6B3F
        )
    )
    return view


def _left(answer: Answer, filename: str | None) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    parts = _shown(answer.left_words, answer.board.alt, filename or "board.png")
    view.add_item(ui.Container(*parts, accent_colour=0x9A6B3F))
    return view


def _shown(words: Sequence[str], alt: str, filename: str) -> list[ui.Item[Any]]:
    first, *others = words
    gallery = ui.MediaGallery[Any](
        discord.MediaGalleryItem(f"attachment://{filename}", description=alt or None)
    )
    return [ui.TextDisplay(first), gallery, *(ui.TextDisplay(other) for other in others)]


def _picture(board: Board) -> discord.File:
    return discord.File(io.BytesIO(board.picture), filename="board.png")


async def _run(url: str, token: str, file: Path) -> None:
    with point_discord_here(Addresses(url)):
        async with BareBot(load(file)) as client:
            await client.start(token)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    asyncio.run(_run(os.environ["PLAYGROUND_URL"], os.environ["DISCORD_TOKEN"], Path(sys.argv[1])))
