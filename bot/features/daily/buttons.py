"""The button below a daily puzzle, for each player to solve it privately."""

from __future__ import annotations

from bot.core.interactions.controls import Button
from bot.core.interactions.reply import Reply
from bot.features.daily import text as words
from bot.features.daily.service import DailyPuzzles
from bot.features.puzzles.puzzle_buttons import pose, show_solution


class DailyPuzzleButton(Button, prefix="daily"):
    """Opens a daily puzzle for the presser."""

    daily: int

    async def press(self, reply: Reply) -> None:
        """Show the puzzle privately, or the solution if the player has found it."""
        opened = await reply.get(DailyPuzzles).open(self.daily, reply.guild_id, reply.user_id)
        if opened.counts and opened.solved is not None:
            await show_solution(reply, opened.solved, mixed=True, new=True)
            return
        note = None if opened.counts else words.late()
        await pose(reply, opened.posed, mixed=True, note=note, new=True)
