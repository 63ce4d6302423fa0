"""``/play``."""

from __future__ import annotations

from bot.guide.play_buttons import open_play
from bot.interactions.commands import command
from bot.interactions.reply import Reply
from engine.phrase import say


@command("play", say("Start a game with a friend, the computer or anyone"))
async def play(reply: Reply) -> None:
    """Show a choice of games and opponents."""
    await open_play(reply)
