"""What the bot must be allowed to do in a channel, and how to say what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from bot.refusals import CannotPost, NotAllowed
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Sequence

_NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
}

INVITE = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    attach_files=True,
    embed_links=True,
    read_message_history=True,
)
"""What the invite link asks for: nothing that a game does not need."""


def missing(allowed: discord.Permissions, *, thread: bool = False) -> list[str]:
    """Return the names of the permissions that the bot lacks to show boards."""
    needed = dict(_NEEDED)
    if thread:
        del needed["send_messages"]
        needed["send_messages_in_threads"] = "Send Messages in Threads"
    return [name for flag, name in needed.items() if not getattr(allowed, flag)]


def require_boards(interaction: discord.Interaction[Any]) -> None:
    """Refuse where boards cannot be shown.

    Raises:
        CannotPost: names each permission that is missing, and where.

    """
    if interaction.guild_id is None:
        return
    thread = isinstance(interaction.channel, discord.Thread)
    require_in(interaction.app_permissions, interaction.channel_id, thread=thread)


def require_in(
    allowed: discord.Permissions, channel_id: int | None, *, thread: bool = False
) -> None:
    """Refuse where a channel does not allow the bot to show boards.

    Raises:
        CannotPost: names each permission that is missing, and where.

    """
    lacking = missing(allowed, thread=thread)
    if lacking:
        raise CannotPost(_sentence(lacking, channel_id))


def require_manager(interaction: discord.Interaction[Any]) -> int:
    """Return the server in which a person may decide for it.

    Raises:
        NotAllowed: outside of servers, or they may not manage this one, or not any more.

    """
    guild_id = interaction.guild_id
    if guild_id is None:
        raise NotAllowed(say("This belongs to a server: use it in the server that you mean."))
    if not interaction.permissions.manage_guild:
        raise NotAllowed(
            say(
                "This is for those who may manage the server: you need the permission "
                "**Manage Server**."
            )
        )
    return guild_id


def why_no_board(
    interaction: discord.Interaction[Any], channel_id: int, error: discord.HTTPException
) -> str:
    """Return why Discord took no board in a channel, and what would help.

    Args:
        interaction: what a person did; it tells the permissions in the channel it was done in.
        channel_id: where the board should be.
        error: what Discord answered.

    """
    if isinstance(error, discord.NotFound):
        return "The channel of this match does not exist any more, so no board can be shown there."
    if interaction.channel_id == channel_id:
        thread = isinstance(interaction.channel, discord.Thread)
        lacking = missing(interaction.app_permissions, thread=thread)
        if lacking:
            return _sentence(lacking, channel_id)
    return (
        f"Discord does not let me show the board in <#{channel_id}>. "
        "Ask a moderator to check my permissions there."
    )


def _sentence(lacking: Sequence[str], channel_id: int | None) -> str:
    names = ", ".join(f"**{name}**" for name in lacking)
    noun = "the permission" if len(lacking) == 1 else "the permissions"
    return (
        f"I cannot show boards in <#{channel_id}>: I lack {noun} {names} there. "
        "Ask a moderator to grant it in the channel's settings, or play in another channel."
    )
