"""The things of a Discord: people, servers, channels, messages.

Data with names, no behaviour beyond reading itself; :mod:`playground.world` is where they change.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING

from playground import components
from playground.permissions import EVERYONE, NOTHING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from playground.errors import JSON
    from playground.interaction import Interaction
    from playground.permissions import Permission


class ChannelType(IntEnum):
    """Discord's numbers for the kinds of channel there are here."""

    TEXT = 0
    DIRECT = 1
    GROUP = 3
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12


class MessageFlag(IntFlag):
    """Discord's bits for the flags of a message that matter here."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


@dataclass(slots=True, eq=False)
class User:
    """A person or the bot. ``colour`` and the first letter of the name make the avatar."""

    id: int
    name: str
    display: str
    colour: int = 0x5865F2
    bot: bool = False
    locale: str = "en-US"
    dms_open: bool = True
    installed: bool = True
    """Whether this person has installed the application for themselves."""

    @property
    def avatar(self) -> str:
        """The hash in the avatar's address; it changes with what the avatar shows."""
        return f"{self.colour:06x}{ord(self.display[0]):026x}"[:32]

    @property
    def mention(self) -> str:
        """The text that mentions this user."""
        return f"<@{self.id}>"


@dataclass(slots=True, eq=False)
class Role:
    """A role of a server. The role with the server's own id is everyone's."""

    id: int
    name: str
    permissions: Permission = EVERYONE
    position: int = 0
    colour: int = 0
    managed: bool = False


@dataclass(slots=True, eq=False)
class Member:
    """A user in a server."""

    user: User
    joined_at: datetime
    role_ids: list[int] = field(default_factory=list)
    nick: str | None = None


@dataclass(slots=True, eq=False)
class Overwrite:
    """What one channel allows or denies to a role or to one member."""

    kind: int  # 0 a role, 1 a member
    allow: Permission = NOTHING
    deny: Permission = NOTHING


@dataclass(slots=True, eq=False)
class Guild:
    """A server."""

    id: int
    name: str
    owner_id: int
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    left: set[int] = field(default_factory=set)
    """Who was a member once and is not now."""
    channels: dict[int, Channel] = field(default_factory=dict)
    threads: dict[int, Channel] = field(default_factory=dict)
    locale: str = "en-US"
    invites_bots: bool = True


@dataclass(slots=True, eq=False)
class Channel:
    """A text channel, a thread (it has a parent) or direct messages (they have recipients)."""

    id: int
    kind: ChannelType
    name: str = ""
    guild: Guild | None = None
    position: int = 0
    topic: str | None = None
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    recipients: tuple[User, ...] = ()
    parent: Channel | None = None
    owner_id: int = 0
    archived: bool = False
    locked: bool = False
    archived_at: datetime | None = None
    made_at: datetime | None = None
    auto_archive: int = 1440  # minutes
    thread_members: dict[int, datetime] = field(default_factory=dict)
    sent: int = 0
    removed: bool = False
    pins: list[int] = field(default_factory=list)

    @property
    def private(self) -> bool:
        """Whether it is a private thread."""
        return self.kind is ChannelType.PRIVATE_THREAD

    @property
    def direct(self) -> bool:
        """Whether it is direct messages, of two or of a group."""
        return self.kind in {ChannelType.DIRECT, ChannelType.GROUP}

    @property
    def is_thread(self) -> bool:
        """Whether it hangs from another channel."""
        return self.parent is not None

    @property
    def last_message_id(self) -> int | None:
        """The id of the newest message that everybody can see."""
        for message in reversed(self.messages.values()):
            if message.ephemeral_for is None:
                return message.id
        return None

    @property
    def address(self) -> str:
        """What people call it."""
        return f"#{self.name}" if self.name else "these direct messages"

    def __repr__(self) -> str:
        return f"<Channel #{self.name or 'direct'} {self.id}>"


@dataclass(slots=True, eq=False)
class Attachment:
    """A file of a message, as the CDN hands it out."""

    id: int
    filename: str
    content_type: str
    data: bytes = field(repr=False)
    channel_id: int
    url: str
    description: str | None = None
    width: int | None = None
    height: int | None = None
    ephemeral: bool = False
    spoiler: bool = False


@dataclass(slots=True, eq=False)
class Message:
    """A message as it stands now. It changes in place when it is edited.

    ``component_data`` is replaced as a whole by an edit, never changed, so that a
    :class:`Snapshot` can keep the old one at no cost.
    """

    id: int
    channel: Channel
    author: User
    created_at: datetime
    content: str = ""
    component_data: Sequence[JSON] = ()
    embeds: list[JSON] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    type: int = 0
    nonce: str | int | None = None
    tts: bool = False
    edited_at: datetime | None = None
    pinned: bool = False
    deleted: bool = False
    reference: JSON | None = None
    thread: Channel | None = None
    interaction: Interaction | None = None
    ephemeral_for: User | None = None
    mentions: tuple[User, ...] = ()
    mention_roles: tuple[int, ...] = ()
    mention_everyone: bool = False
    pinged: tuple[User, ...] = ()
    allowed_mentions: JSON | None = None
    revision: int = 0
    payload: JSON | None = field(default=None, repr=False)

    @property
    def ephemeral(self) -> bool:
        """Whether only one person can see it."""
        return self.ephemeral_for is not None

    @property
    def loading(self) -> bool:
        """Whether it still shows that the bot is thinking."""
        return bool(self.flags & MessageFlag.LOADING)

    @property
    def v2(self) -> bool:
        """Whether it is built of components only."""
        return bool(self.flags & MessageFlag.COMPONENTS_V2)

    @property
    def text(self) -> str:
        """All words that it shows: content, text displays and embeds, a line break between."""
        parts = [self.content] if self.content else []
        parts += components.texts(self.component_data)
        for embed in self.embeds:
            parts += [str(embed[key]) for key in ("title", "description") if embed.get(key)]
            for entry in embed.get("fields", ()):
                parts += [entry["name"], entry["value"]]
        return "\n".join(parts)

    @property
    def buttons(self) -> list[components.Button]:
        """Its buttons in reading order."""
        return components.buttons(self.component_data)

    @property
    def menus(self) -> list[components.SelectMenu]:
        """Its select menus in reading order."""
        return components.menus(self.component_data)

    @property
    def picture(self) -> bytes | None:
        """The bytes of its first attachment."""
        return self.attachments[0].data if self.attachments else None

    @property
    def alt(self) -> str | None:
        """The description of its first picture: the component's own or the attachment's."""
        described = components.descriptions(self.component_data)
        if described:
            return described[0]
        return self.attachments[0].description if self.attachments else None

    def snapshot(self) -> Snapshot:
        """Keep what the message shows now, as a client with a lagging view would."""
        return Snapshot(self, self.revision, self.component_data, self.text)

    def __repr__(self) -> str:
        return f"<Message {self.id} by {self.author.display}: {self.text[:60]!r}>"


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """What a message showed at one time. ``stale=True`` lets a person press on it later."""

    message: Message
    revision: int
    component_data: Sequence[JSON]
    text: str

    @property
    def buttons(self) -> list[components.Button]:
        """The buttons that it had."""
        return components.buttons(self.component_data)

    @property
    def menus(self) -> list[components.SelectMenu]:
        """The menus that it had."""
        return components.menus(self.component_data)


@dataclass(slots=True, eq=False)
class Command:
    """A command that the bot has synced: the JSON as Discord would return it."""

    id: int
    data: JSON
    guild_id: int | None = None

    @property
    def type(self) -> int:
        """1 a slash command, 2 on a user, 3 on a message."""
        return int(self.data.get("type", 1))

    @property
    def name(self) -> str:
        """The name in the bot's own language."""
        return str(self.data["name"])
