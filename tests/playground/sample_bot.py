"""A small bot on the unmodified discord.py that uses a bit of everything."""

from __future__ import annotations

import asyncio
import io
import struct
import sys
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import discord
import pytest
from discord import app_commands, ui

from playground.app import Playground

Ask = discord.Interaction[discord.Client]


def png(width: int = 2, height: int = 1) -> bytes:
    """Draw a small black picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    rows = b"".join(b"\0" + bytes(width) for _ in range(height))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def picture(name: str = "board.png", description: str | None = "A board.") -> discord.File:
    """Prepare a picture to send."""
    return discord.File(io.BytesIO(png()), name, description=description)


class Count(ui.DynamicItem[ui.Button[Any]], template=r"count:(?P<n>\d+)"):
    """A button that counts its presses in its own custom_id."""

    def __init__(self, n: int) -> None:
        super().__init__(ui.Button(label="More", custom_id=f"count:{n}"))
        self.n = n

    @classmethod
    async def from_custom_id(cls, _: Ask, __: ui.Item[Any], match: Any) -> Count:
        """Read the count from the custom_id."""
        return cls(int(match["n"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Count."""
        await interaction.response.edit_message(view=board(self.n + 1))


def board(n: int, *, picture_name: str | None = None) -> ui.LayoutView:
    """Lay out a counter with its button and, if named, a picture."""
    view = ui.LayoutView(timeout=None)
    container: ui.Container[Any] = ui.Container(ui.TextDisplay(f"Counted {n}."))
    if picture_name:
        container.add_item(
            ui.MediaGallery(
                discord.MediaGalleryItem(f"attachment://{picture_name}", description="A counter.")
            )
        )
    row: ui.ActionRow[Any] = ui.ActionRow()
    row.add_item(Count(n))
    container.add_item(row)
    view.add_item(container)
    return view


class SampleBot(discord.Client):
    """The bot; a test sets how it reacts to ``/do`` and to messages."""

    def __init__(self, *, intents: discord.Intents | None = None) -> None:
        super().__init__(intents=intents or discord.Intents(guilds=True))
        self._connection.guild_ready_timeout = 0.05
        self.tree = app_commands.CommandTree(self)
        self.heard: list[str] = []
        self.problems: list[BaseException] = []
        self.done = asyncio.Event()
        self.do: Callable[[Ask], Awaitable[Any]] | None = None
        self.add_dynamic_items(Count)

        @self.tree.command(name="do", description="Does what the test says")
        async def _do(interaction: Ask) -> None:
            assert self.do is not None
            try:
                await self.do(interaction)
            except discord.HTTPException as problem:
                self.problems.append(problem)
            finally:
                self.done.set()

        @self.tree.error
        async def _error(_: Ask, error: app_commands.AppCommandError) -> None:
            self.problems.append(error)

    async def setup_hook(self) -> None:
        """Sync the commands."""
        await self.tree.sync()

    async def on_socket_event_type(self, name: str) -> None:
        """Record the type of each gateway event."""
        self.heard.append(name)

    async def on_error(self, _event: str, *_: Any, **__: Any) -> None:
        """Keep a listener's error."""
        problem = sys.exc_info()[1]
        assert problem is not None
        self.problems.append(problem)

    @property
    def codes(self) -> list[int]:
        """Discord's codes of the errors."""
        return [p.code for p in self.problems if isinstance(p, discord.HTTPException)]

    def room(self, channel: Any) -> discord.TextChannel:
        """Return the bot's own view of a channel."""
        found = self.get_channel(channel.id)
        assert isinstance(found, discord.TextChannel)
        return found


@contextmanager
def refusing(
    code: int, kind: type[discord.HTTPException] = discord.HTTPException
) -> Iterator[None]:
    """Expect a request to be refused with one of Discord's codes."""
    with pytest.raises(kind) as refusal:
        yield
    assert refusal.value.code == code


def identify(playground: Playground, **more: Any) -> dict[str, Any]:
    return {"op": 2, "d": {"token": playground.token, "intents": 1, "properties": {}, **more}}
