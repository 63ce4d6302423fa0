"""Players at benchmark tables recognise the next board, and wait for it."""

from __future__ import annotations

import itertools
import random
from datetime import UTC, datetime
from typing import Any

import discord

from bench.end_to_end import _start
from bench.loopback.bare_bot import BareBot, _message, _picture
from bench.loopback.load import LoadGenerator
from bench.loopback.recorded_answers import Answer, Board
from bench.loopback.tables import Table
from playground.app import Playground
from playground.components import Button
from playground.connect import point_discord_here
from playground.errors import JSON
from playground.model import Attachment, Channel, Message
from tests.playground.conftest import running
from tests.playground.sample_bot import png

BOARD = Board(words=("A board",), alt="", picture=png(), menus=(), buttons=("Go",))


class Again(BareBot):
    """Writes each board again before the next, like a bot whose request got no reply."""

    async def answer(self, interaction: discord.Interaction[BareBot], place: int) -> None:
        """Show the pressed board again, then the next."""
        await interaction.response.edit_message(
            view=_message(BOARD, place), attachments=[_picture(BOARD)]
        )
        await interaction.edit_original_response(
            view=_message(BOARD, place + 1), attachments=[_picture(BOARD)]
        )


async def test_the_result_of_an_earlier_match_is_not_the_end_of_this_one() -> None:
    async with Playground() as playground:
        table = Table(playground, 0, random.Random(1), playground.guild)
        number = itertools.count(1)

        def shown(channel: Channel, *controls: JSON) -> Message:
            """Return a message with a picture, and with a move's button if it is a board."""
            file = Attachment(1, "board.png", "image/png", png(), channel.id, "")
            now = datetime.now(UTC)
            person = table.people[0].user
            return Message(
                next(number), channel, person, now, attachments=[file], component_data=controls
            )

        thread = playground.world.add_thread(table.channel, "match", table.people[0].user)
        button = {"type": 1, "components": [{"type": 2, "custom_id": "t:1:1:a", "label": "a"}]}
        table._expect()
        table.handle(shown(thread, button))
        for after in (shown(table.channel), shown(thread)):
            table.over = False
            table._expect()
            table.handle(after)
            assert table.over is (after.channel is thread)


async def test_a_board_that_is_written_once_more_is_not_the_next_one() -> None:
    async with Playground() as playground:
        generator = LoadGenerator(playground, _start(1), tables=1, spare=0)
        bot: Any = Again([Answer(passes=False, left_words=(), board=BOARD)] * 2)
        with point_discord_here(playground):
            async with running(playground, bot):
                await generator.prepare()
                (table,) = generator.tables
                for _ in range(2):
                    assert table.board is not None
                    (pressed,) = table.board.buttons
                    await table.press()
                    (following,) = table.board.buttons
                    assert _place(following) == _place(pressed) + 1


def _place(button: Button) -> int:
    return int(str(button.custom_id).split(":")[2])
