"""Messages: how a checked request becomes one, changes one, or takes one away."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from playground.clock import utc_now
from playground.component_normalizer import normalize_components
from playground.events import MessageDeleted, MessageEdited, MessageSent
from playground.limits.message import check_message
from playground.mentions import resolve_mentions
from playground.model import Attachment, Message, MessageFlag
from playground.uploads import picture_size, picture_type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playground.errors import JSON
    from playground.interaction import Interaction
    from playground.limits.problems import Path, Problems
    from playground.model import Channel, User
    from playground.uploads import Upload
    from playground.world import World

_NONCE_SECONDS = 300.0
_LINK_SECONDS = 86_400
_KEPT_FLAGS = MessageFlag.SUPPRESS_EMBEDS | MessageFlag.COMPONENTS_V2


class Messages:
    """Sends, edits and deletes messages in a world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._nonces: dict[tuple[int, int, str], tuple[float, Message]] = {}

    def send(
        self,
        channel: Channel,
        author: User,
        body: JSON,
        files: Mapping[int, Upload],
        problems: Problems,
        *,
        path: Path = (),
        interaction: Interaction | None = None,
        ephemeral_for: User | None = None,
        kind: int = 0,
    ) -> Message:
        """Post a message. The same enforced nonce within five minutes posts nothing new.

        Raises:
            ApiError: when the message breaks a limit; nothing is posted then.
        """
        check_message(problems, body, files, path=path)
        problems.refuse()
        world = self._world
        key = self._nonce_key(channel, author, body)
        if key is not None and key in self._nonces:
            return self._nonces[key][1]
        flags = int(body.get("flags") or 0) & (_KEPT_FLAGS | MessageFlag.SUPPRESS_NOTIFICATIONS)
        if ephemeral_for is not None:
            flags |= MessageFlag.EPHEMERAL
        message = Message(
            world.ids.next(),
            channel,
            author,
            utc_now(world.clock),
            content=body.get("content") or "",
            embeds=self._embeds(body),
            flags=int(flags),
            type=kind,
            nonce=body.get("nonce"),
            tts=bool(body.get("tts")),
            interaction=interaction,
            ephemeral_for=ephemeral_for,
            allowed_mentions=body.get("allowed_mentions"),
            reference=self._reference(channel, body),
        )
        if message.reference is not None:
            message.type = 19
        message.attachments = self._attach(message, body, files)
        message.component_data = normalize_components(
            body.get("components"), message.attachments, world.ids
        )
        self._call(message, ping=True)
        if interaction is not None:
            interaction.keep(message)
        self._file(message)
        if key is not None:
            self._nonces[key] = (world.clock.time(), message)
        world.emit(MessageSent(message))
        return message

    def think(self, interaction: Interaction, *, ephemeral: bool, kind: int) -> Message:
        """Post the message that shows that the bot is thinking."""
        world = self._world
        message = Message(
            world.ids.next(),
            interaction.channel,
            world.bot,
            utc_now(world.clock),
            flags=int(MessageFlag.LOADING | (MessageFlag.EPHEMERAL if ephemeral else 0)),
            type=kind,
            interaction=interaction,
            ephemeral_for=interaction.user if ephemeral else None,
        )
        interaction.keep(message)
        self._file(message)
        world.emit(MessageSent(message))
        return message

    def edit(
        self,
        message: Message,
        body: JSON,
        files: Mapping[int, Upload],
        problems: Problems,
        *,
        path: Path = (),
    ) -> Message:
        """Change a message. Keys that are absent stay as they are; null empties.

        Raises:
            ApiError: when the result would break a limit; nothing is changed then.
        """
        kept = self._kept(message, body)
        before: JSON = {
            "content": message.content,
            "embeds": message.embeds,
            "components": message.component_data,
            "flags": message.flags,
        }
        check_message(
            problems,
            body,
            files,
            path=path,
            kept=[attachment.filename for attachment in kept],
            before=before,
        )
        problems.refuse()
        flags = message.flags & ~MessageFlag.LOADING
        if "flags" in body:
            asked = int(body["flags"] or 0)
            flags = flags & ~MessageFlag.SUPPRESS_EMBEDS | asked & _KEPT_FLAGS
        was_thinking = message.loading
        message.flags = int(flags)
        if "content" in body:
            message.content = body["content"] or ""
        if "embeds" in body:
            message.embeds = self._embeds(body)
        if "attachments" in body or files:
            message.attachments = kept + self._attach(message, body, files)
        if "components" in body:
            message.component_data = normalize_components(
                body["components"], message.attachments, self._world.ids
            )
        if "allowed_mentions" in body:
            message.allowed_mentions = body["allowed_mentions"]
        self._call(message, ping=False)
        if not was_thinking:
            message.edited_at = utc_now(self._world.clock)
        self.touch(message)
        return message

    def touch(self, message: Message) -> None:
        """Tell everybody that a message shows something else now."""
        message.revision += 1
        message.payload = None
        self._world.emit(MessageEdited(message))

    def hang(self, message: Message, thread: Channel) -> None:
        """Let a thread hang from a message."""
        message.thread = thread
        message.flags |= int(MessageFlag.HAS_THREAD)
        self.touch(message)

    def delete(self, message: Message) -> None:
        """Take a message away."""
        message.channel.messages.pop(message.id, None)
        message.deleted = True
        self._world.emit(MessageDeleted(message))

    # How a message is made

    def _nonce_key(self, channel: Channel, author: User, body: JSON) -> tuple[int, int, str] | None:
        nonce = body.get("nonce")
        if nonce is None or not body.get("enforce_nonce"):
            return None
        oldest = self._world.clock.time() - _NONCE_SECONDS
        while self._nonces:
            key, (sent, _) = next(iter(self._nonces.items()))
            if sent > oldest:
                break
            del self._nonces[key]
        return (channel.id, author.id, str(nonce))

    def _file(self, message: Message) -> None:
        message.channel.messages[message.id] = message
        if message.ephemeral_for is None:
            message.channel.sent += 1

    @staticmethod
    def _embeds(body: JSON) -> list[JSON]:
        return [{"type": "rich", **embed} for embed in body.get("embeds") or ()]

    @staticmethod
    def _reference(channel: Channel, body: JSON) -> JSON | None:
        asked = body.get("message_reference")
        if not asked:
            return None
        reference: JSON = {
            "type": 0,
            "channel_id": str(channel.id),
            "message_id": str(asked.get("message_id")),
        }
        if channel.guild is not None:
            reference["guild_id"] = str(channel.guild.id)
        return reference

    def _call(self, message: Message, *, ping: bool) -> None:
        called = resolve_mentions(
            message.text,
            message.allowed_mentions,
            self._world,
            message.channel,
            message.author,
        )
        message.mentions = called.users
        message.mention_roles = called.roles
        message.mention_everyone = called.everyone
        silent = message.ephemeral or message.flags & MessageFlag.SUPPRESS_NOTIFICATIONS
        if ping and not silent:
            message.pinged = self._rung(message)

    def _rung(self, message: Message) -> tuple[User, ...]:
        """Find everybody whose client makes a sound: members who can see it, not its author."""
        guild = message.channel.guild
        rung = dict.fromkeys(message.mentions)
        if guild is not None:
            for member in guild.members.values():
                if message.mention_everyone or any(
                    r in member.role_ids for r in message.mention_roles
                ):
                    rung[member.user] = None
        return tuple(
            user
            for user in rung
            if user is not message.author and self._world.can_see(user, message.channel)
        )

    @staticmethod
    def _kept(message: Message, body: JSON) -> list[Attachment]:
        if body.get("attachments") is None:
            return [] if "attachments" in body else message.attachments
        asked = {str(entry.get("id")): entry for entry in body["attachments"]}
        kept = [a for a in message.attachments if str(a.id) in asked]
        for attachment in kept:
            attachment.description = asked[str(attachment.id)].get(
                "description", attachment.description
            )
        return kept

    def _attach(
        self, message: Message, body: JSON, files: Mapping[int, Upload]
    ) -> list[Attachment]:
        told = {str(entry.get("id")): entry for entry in body.get("attachments") or ()}
        return [
            self._attachment(message, upload, told.get(str(number), {}))
            for number, upload in sorted(files.items())
        ]

    def _attachment(self, message: Message, upload: Upload, told: JSON) -> Attachment:
        world = self._world
        attachment_id = world.ids.next()
        filename = told.get("filename") or upload.filename
        until = int(world.clock.time()) + _LINK_SECONDS
        size = picture_size(upload.data)
        return Attachment(
            attachment_id,
            filename,
            picture_type(upload),
            upload.data,
            message.channel.id,
            f"{world.cdn_base}/attachments/{message.channel.id}/{attachment_id}/"
            f"{quote(filename)}?ex={until:x}&is={until - _LINK_SECONDS:x}&hm={attachment_id:x}",
            description=told.get("description"),
            width=size[0] if size else None,
            height=size[1] if size else None,
            ephemeral=message.ephemeral,
            spoiler=filename.startswith("SPOILER_"),
        )
