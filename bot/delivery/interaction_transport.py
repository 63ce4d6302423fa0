"""Places where the bot is only while somebody uses it.

Direct messages between people, groups, and servers without the bot: whoever has installed it for
themselves can use it there. It can post nothing there by itself, so every board is an answer to
what somebody does; what becomes due meanwhile waits for the next thing that somebody does there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord

from bot.delivery.transport import ChannelTransport

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bot.interactions.layouts import Message
    from bot.interactions.reply import Reply
    from bot.settings.service import Choices
    from data.boards import Shown
    from engine.phrase import Tongue

LENT: Final = "lent"
"""The place of a match that is played where the bot is only while somebody uses it."""


def lent(interaction: discord.Interaction[Any]) -> bool:
    """Return whether the bot is in a place only because somebody uses it there."""
    if interaction.guild_id is not None:
        return not interaction.is_guild_integration()
    return interaction.context.private_channel


def home_of(interaction: discord.Interaction[Any]) -> int | None:
    """Return the server that a match begun here belongs to; a server without the bot has none."""
    return None if lent(interaction) else interaction.guild_id


def place_of(interaction: discord.Interaction[Any]) -> str | None:
    """Return the place of a match begun here, if it is known before its first board."""
    return LENT if lent(interaction) else None


class InteractionTransport(ChannelTransport):
    """Posts by answering what one person does, for fifteen minutes. It changes nothing old."""

    edits = False

    def __init__(self, answer: Reply, choices: Choices) -> None:
        """Answer an interaction; call players as they have chosen."""
        super().__init__(answer.interaction.client, choices)
        self._answer = answer

    @property
    def channel_id(self) -> int | None:
        """Where it may post."""
        return self._answer.interaction.channel_id

    async def tongue(self) -> Tongue | None:
        """Return the language of answers to this person: nobody knows that of the place."""
        return await self._answer.tongue(public=True)

    async def post(
        self,
        channel_id: int,  # noqa: ARG002 -- an answer goes where it was asked for
        message: Message,
        *,
        nonce: str,  # noqa: ARG002 -- answers have none
        pings: Iterable[int] = (),
        files: Sequence[discord.File] = (),
    ) -> int:
        """Answer for everybody to see; see `ChannelTransport.post`."""
        called = [discord.Object(user) for user in pings if await self.may_call(user)]
        mentions = discord.AllowedMentions(
            everyone=False, roles=False, replied_user=False, users=called
        )
        sent = await self._answer.tell(message, files=files, public=True, mentions=mentions)
        assert sent is not None
        return sent

    async def find_picture(self, channel_id: int, filename: str) -> int | None:  # noqa: ARG002
        """Find nothing: nobody lets the bot read here."""
        return None

    async def find_mark(self, channel_id: int, number: int) -> int | None:  # noqa: ARG002
        """Find nothing: nobody lets the bot read here."""
        return None

    async def remove(self, channel_id: int, message_id: int) -> None:
        """Leave it there: only answers to the same interaction could be removed."""

    async def there(self, shown: Shown) -> bool:  # noqa: ARG002
        """Take it for gone: whoever asks for a board here gets one."""
        return False

    async def more_below(self, shown: Shown, number: int) -> bool:  # noqa: ARG002
        """Take it for out of sight."""
        return True
