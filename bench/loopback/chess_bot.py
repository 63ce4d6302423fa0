"""A chess bot as people write them: discord.py, python-chess for the rules, CairoSVG for the board.

One message has the board and a menu of moves. A move changes the game, which is kept in memory, and
edits the message: one request a turn. There are no store, no clocks, no languages and no texts for
screen readers, and the picture is drawn where it is needed, on the event loop.

    python -m bench.loopback.chess_bot        (PLAYGROUND_URL and DISCORD_TOKEN as for the bot)
"""

from __future__ import annotations

import asyncio
import io
import logging
import os
import random
from typing import Any, Final

import cairosvg
import chess
import chess.svg
import discord
from discord import app_commands, ui

from playground.addresses import Addresses
from playground.connect import point_discord_here

WIDTH: Final = 800
"""The width of the bot's own pictures, in pixels."""
_MOST: Final = 25
"""Maximum options in a menu."""


class ChessBot(discord.Client):
    """The bot. ``/chess`` starts a game."""

    def __init__(self) -> None:
        """Set up the one command."""
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(_begin)

    async def setup_hook(self) -> None:
        """Sync it."""
        await self.tree.sync()


class Game(ui.View):
    """A game and its menu. When it is over, the next one takes its place."""

    def __init__(self, one: discord.abc.User, other: discord.abc.User, number: int) -> None:
        """Start a game between two people."""
        super().__init__(timeout=None)
        self.players = (one, other)
        self.board = chess.Board()
        self.luck = random.Random(number)
        self.menu: ui.Select[Game] = ui.Select(custom_id=f"t:{number}", placeholder="Your move")
        self.menu.callback = self.play  # type: ignore[method-assign]  # as discord.py says
        self.add_item(self.menu)
        self.offer()

    def offer(self) -> None:
        """Put as many moves as fit into the menu."""
        moves = list(self.board.legal_moves)
        if len(moves) > _MOST:
            moves = self.luck.sample(moves, _MOST)
        self.menu.options = [
            discord.SelectOption(label=self.board.san(move), value=move.uci()) for move in moves
        ]

    @property
    def content(self) -> str:
        """Whose turn it is."""
        return f"{self.players[0 if self.board.turn else 1].mention}, your turn."

    def picture(self) -> discord.File:
        """Draw the board."""
        last = self.board.peek() if self.board.move_stack else None
        svg = chess.svg.board(self.board, size=WIDTH, lastmove=last)
        return discord.File(io.BytesIO(cairosvg.svg2png(svg.encode())), filename="board.png")

    async def play(self, interaction: discord.Interaction[Any]) -> None:
        """Make the chosen move."""
        if interaction.user not in self.players:
            await interaction.response.send_message("This is not your game.", ephemeral=True)
            return
        self.board.push_uci(self.menu.values[0])
        if self.board.is_game_over(claim_draw=False):
            self.board.reset()
        self.offer()
        await interaction.response.edit_message(
            content=self.content, attachments=[self.picture()], view=self
        )


@app_commands.command(name="chess", description="Play chess")
async def _begin(interaction: discord.Interaction[ChessBot], opponent: discord.User) -> None:
    game = Game(interaction.user, opponent, interaction.id)
    await interaction.response.send_message(game.content, file=game.picture(), view=game)


async def _run(url: str, token: str) -> None:
    with point_discord_here(Addresses(url)):
        async with ChessBot() as client:
            await client.start(token)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    asyncio.run(_run(os.environ["PLAYGROUND_URL"], os.environ["DISCORD_TOKEN"]))
