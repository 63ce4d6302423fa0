"""The data model: users, servers, channels, messages.

Plain data with derived properties, changed by :mod:`playground.world` and
:mod:`playground.messages`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, IntFlag
from typing import Final

from playground import components
from playground.errors import JSON
from playground.permissions import EVERYONE, NOTHING, Permission

EMBEDDED: Final = 1 << 17
"""The flag of an application that has Activities."""
MAX_REPLACED: Final = 4
"""Files kept of a message after an edit has removed them."""


class ChannelType(IntEnum):
    """The channel types supported here, with Discord's numbers."""

    GUILD_TEXT = 0
    DM = 1
    GROUP_DM = 3
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12


class MessageFlag(IntFlag):
    """The relevant message flags, with Discord's bits."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


@dataclass(slots=True, eq=False)
class User:
    """A person or bot. The avatar shows the name's first letter on ``colour``."""

    id: int
    name: str
    display: str
    colour: int = 0x5865F2
    bot: bool = False
    locale: str = "en-US"
    dms_open: bool = True
    installed: bool = True
    """Whether this user has installed the application for themselves."""

    @property
    def avatar(self) -> str:
        """The avatar hash; it changes with the picture."""
        return f"{self.colour:06x}{ord(self.display[0]):026x}"[:32]

    @property
    def mention(self) -> str:
        """The text that mentions this user."""
        return f"<@{self.id}>"


@dataclass(slots=True, eq=False)
class Application:
    """The bot's application. It shares its id with the bot's user, as most do."""

    id: int
    name: str
    user: User
    owner: User
    permissions: Permission
    description: str = "A bot under development"
    client_secret: str = field(default="", repr=False)
    activity_url: str | None = None
    """Where the page of its Activity is, if Activities are enabled."""

    @property
    def flags(self) -> int:
        """Discord's flags: that it has Activities."""
        return 0 if self.activity_url is None else EMBEDDED


@dataclass(slots=True, eq=False)
class Role:
    """A server role. @everyone has the server's id."""

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
    timed_out_until: datetime | None = None
    """While set, they may only look on."""


@dataclass(slots=True, eq=False)
class Overwrite:
    """A channel's permission overwrite for a role or member."""

    type: int  # 0 a role, 1 a member
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
    former_members: set[int] = field(default_factory=set)
    channels: dict[int, Channel] = field(default_factory=dict)
    threads: dict[int, Channel] = field(default_factory=dict)
    locale: str = "en-US"
    invites_bots: bool = True
    unavailable: bool = False


@dataclass(slots=True, eq=False)
class Channel:
    """A text channel, thread (with a parent), DM or group DM (with recipients)."""

    id: int
    type: ChannelType
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
    created_at: datetime | None = None
    auto_archive: int = 1440  # minutes
    thread_members: dict[int, datetime] = field(default_factory=dict)
    message_count: int = 0
    deleted: bool = False
    pins: list[int] = field(default_factory=list)

    @property
    def is_private(self) -> bool:
        """Whether it is a private thread."""
        return self.type is ChannelType.PRIVATE_THREAD

    @property
    def is_dm(self) -> bool:
        """Whether it is a DM or group DM."""
        return self.type in {ChannelType.DM, ChannelType.GROUP_DM}

    @property
    def is_thread(self) -> bool:
        """Whether it is a thread."""
        return self.parent is not None

    @property
    def last_message_id(self) -> int | None:
        """The id of the newest message, excluding ephemeral ones."""
        for message in reversed(self.messages.values()):
            if message.ephemeral_for is None:
                return message.id
        return None

    @property
    def label(self) -> str:
        """The channel's name for use in a sentence."""
        return f"#{self.name}" if self.name else "these direct messages"

    def __repr__(self) -> str:
        return f"<Channel #{self.name or 'dm'} {self.id}>"


@dataclass(slots=True, eq=False)
class Attachment:
    """A file attached to a message, served by the CDN."""

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


class _WithComponents:
    """Reads the buttons and menus in ``component_data``."""

    __slots__ = ()
    component_data: Sequence[JSON]

    @property
    def buttons(self) -> list[components.Button]:
        """The buttons, in reading order."""
        return components.buttons(self.component_data)

    @property
    def menus(self) -> list[components.SelectMenu]:
        """The select menus, in reading order."""
        return components.menus(self.component_data)


@dataclass(slots=True, eq=False)
class Message(_WithComponents):
    """A message in its current state; edits change it in place.

    An edit replaces ``component_data`` as a whole and never modifies it, so a :class:`Snapshot` can
    share it.
    """

    id: int
    channel: Channel
    author: User
    created_at: datetime
    content: str = ""
    component_data: Sequence[JSON] = ()
    embeds: list[JSON] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    replaced: deque[Attachment] = field(default_factory=lambda: deque(maxlen=MAX_REPLACED))
    """Files that edits have removed, still served to those who are just loading them."""
    flags: int = 0
    type: int = 0
    nonce: str | int | None = None
    tts: bool = False
    edited_at: datetime | None = None
    pinned: bool = False
    deleted: bool = False
    reference: JSON | None = None
    thread: Channel | None = None
    interaction_metadata: JSON | None = None
    command: tuple[JSON, ...] = ()
    """The command that this message responds to, as the definitions of its words."""
    ephemeral_for: User | None = None
    mentions: tuple[User, ...] = ()
    mention_roles: tuple[int, ...] = ()
    mention_everyone: bool = False
    pinged: tuple[User, ...] = ()
    """The users whose clients made a sound."""
    allowed_mentions: JSON | None = None
    revision: int = 0
    payload: JSON | None = field(default=None, repr=False)

    @property
    def ephemeral(self) -> bool:
        """Whether only one person can see it."""
        return self.ephemeral_for is not None

    @property
    def loading(self) -> bool:
        """Whether it still reads "is thinking"."""
        return bool(self.flags & MessageFlag.LOADING)

    @property
    def v2(self) -> bool:
        """Whether it uses components V2."""
        return bool(self.flags & MessageFlag.COMPONENTS_V2)

    @property
    def text(self) -> str:
        """All its text, one part per line: content, text displays and embeds."""
        parts = [self.content] if self.content else []
        parts += components.texts(self.component_data)
        for embed in self.embeds:
            parts += [str(embed[key]) for key in ("title", "description") if embed.get(key)]
            for entry in embed.get("fields", ()):
                parts += [entry["name"], entry["value"]]
        return "\n".join(parts)

    @property
    def picture(self) -> bytes | None:
        """The bytes of the first attachment."""
        return self.attachments[0].data if self.attachments else None

    @property
    def alt(self) -> str | None:
        """The alt text of the first picture: the component's, otherwise the attachment's."""
        described = components.descriptions(self.component_data)
        if described:
            return described[0]
        return self.attachments[0].description if self.attachments else None

    def snapshot(self) -> Snapshot:
        """Keep the current state, like a client that lags behind."""
        return Snapshot(self, self.revision, self.component_data, self.text)

    def __repr__(self) -> str:
        return f"<Message {self.id} by {self.author.display}: {self.text[:60]!r}>"


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot(_WithComponents):
    """A past state of a message, whose components can be used with ``stale=True``."""

    message: Message
    revision: int
    component_data: Sequence[JSON]
    text: str
