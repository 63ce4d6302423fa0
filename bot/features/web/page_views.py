"""Answers presses on the page: what Discord would show privately, the page shows.

The controls, what they do and who may use them are the same as in Discord. What everybody in the
channel would see is posted there by the bot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

import discord
from svcs import Container

from bot.core.errors import NotAllowed
from bot.core.interactions.components import Component
from bot.core.interactions.layout import NOBODY_PINGED, Layout, Pinged, Upload
from bot.core.interactions.reply import Reply
from bot.core.interactions.views import NOBODY, Modal, View, attached, kept, only
from bot.core.permissions.play import OUT_OF_SIGHT
from bot.core.requests.sending import OneTry
from engine.phrase import Tongue

_ATTACHED: Final = "attachment://"


@dataclass(frozen=True, slots=True)
class Answer:
    """Something for the page to show."""

    kind: Literal["message", "form"]
    components: list[dict[str, Any]]
    title: str = ""
    """Of a form."""
    custom_id: str = ""
    """Of a form."""
    files: Sequence[Upload] = ()
    """What its pictures show."""

    def plain(self, addresses: Mapping[str, str]) -> dict[str, Any]:
        """Return it as JSON, given the addresses of its files by name."""
        return {
            "kind": self.kind,
            "components": [_filed(one, addresses) for one in self.components],
            "title": self.title,
            "custom_id": self.custom_id,
        }


class PageReply(Reply):
    """Collects the private answers to a press on the page, and posts the public ones."""

    in_discord = False

    def __init__(
        self,
        interaction: discord.Interaction[Any],
        services: Container,
        place: int | None,
        why: str = OUT_OF_SIGHT,
    ) -> None:
        """Answer a press about what is played in a channel.

        ``None`` if nothing can be posted there, which ``why`` tells: they cannot see it.
        """
        super().__init__(interaction, services)
        self._place = place
        self._why = why
        self.answers: list[Answer] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    @property
    def channel_id(self) -> int:
        """The channel in which it is played; 0 if they cannot see that."""
        return self._place or 0

    @property
    def place(self) -> int:
        """The channel in which it is played; raises NotAllowed if nothing can be posted there."""
        if self._place is None:
            raise NotAllowed(self._why)
        return self._place

    @property
    def pressed_is_private(self) -> bool:
        """Whether only this person sees what they pressed: always."""
        return True

    async def send(
        self, message: Layout, *, public: bool | None = None, mentions: Pinged = NOBODY_PINGED
    ) -> int | None:
        """Show a message on the page, or post it in the channel; return its id there."""
        if not public:
            await self.replace(message)
            return None
        view = View(message, await self.locale(public=True))
        async with OneTry(limited=False):
            sent = await self._channel().send(
                view=view,
                files=attached(message.files),
                allowed_mentions=only(mentions),
            )
        return sent.id

    async def replace(self, message: Layout) -> None:
        """Show a message on the page instead of the previous one."""
        locale = await self.locale(public=False)
        self.answers.append(Answer("message", message.rendered(locale), files=message.files))

    async def edit(
        self,
        message: Layout,
        locale: Tongue,  # noqa: ARG002 -- the page has its reader's language
        *,
        files: Sequence[Upload] | None = None,
    ) -> None:
        """Show a message on the page instead of the previous one."""
        await self.replace(message.with_files(*(files or ())))

    async def edit_sent(
        self,
        message_id: int,
        message: Layout,
        locale: Tongue,
        *,
        files: Sequence[Upload] | None = None,
    ) -> None:
        """Edit a message that `send` has posted."""
        async with OneTry(limited=False):
            await (
                self._channel()
                .get_partial_message(message_id)
                .edit(view=View(message, locale), attachments=kept(files), allowed_mentions=NOBODY)
            )

    async def ask(self, form: Component) -> None:
        """Open a form on the page."""
        shown = Modal(form, await self.locale(public=False)).to_dict()
        self.answers.append(
            Answer("form", shown["components"], title=shown["title"], custom_id=shown["custom_id"])
        )

    async def launch(self) -> bool:
        """Do nothing: the page is open."""
        return False

    async def acknowledge(self) -> None:
        """Do nothing: the page waits."""

    async def withdraw(self) -> None:
        """Remove the answer, as it can be seen elsewhere."""
        self.answers.clear()

    async def leave(self) -> None:
        """Do nothing: no other process answers."""

    def _channel(self) -> discord.PartialMessageable:
        client: discord.Client = self.interaction.client
        return client.get_partial_messageable(self.place)


def _filed(part: Any, addresses: Mapping[str, str]) -> Any:
    """Return a part of a message in which the addresses of attached files stand for their names."""
    if isinstance(part, dict):
        return {name: _filed(value, addresses) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [_filed(one, addresses) for one in part]
    if isinstance(part, str) and part.startswith(_ATTACHED):
        return addresses.get(part.removeprefix(_ATTACHED), "")
    return part
