"""How every command runs: counted, guarded and answered in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.interactions.errors import explain
from bot.interactions.reply import Reply, guarded

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import discord

    from bot.client import Bot


async def run(
    interaction: discord.Interaction[Bot],
    work: Callable[[Reply], Awaitable[None]],
    *,
    public: bool = False,
) -> None:
    """Do the work of a command; whatever it raises becomes an answer.

    Args:
        interaction: the command as it was given.
        work: what it does; it answers through the `Reply` it is handed.
        public: whether the answer is for everybody in the channel.

    """
    with interaction.client.at_work():
        answer = Reply(interaction, public=public, patience=interaction.client.patience)
        await guarded(answer, lambda: work(answer), explain)
