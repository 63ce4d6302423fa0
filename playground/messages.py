"""Sends, edits and deletes messages."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from playground.access import can_see
from playground.clock import utc_now
from playground.component_normalizer import normalize_components
from playground.errors import JSON
from playground.events import MessageDeleted, MessageEdited, MessageSent
from playground.interaction import Interaction
from playground.limits.message import check_message
from playground.limits.problems import Path, Problems
from playground.mentions import resolve_mentions
from playground.message_payloads import interaction_metadata
from playground.model import Attachment, Channel, Message, MessageFlag, User
from playground.uploads import Upload, picture_size, picture_type
from playground.world import World

_NONCE_SECONDS = 300.0
_LINK_SECONDS = 86_400
_COMMAND_RESPONSES = frozenset({20, 23})
_SETTABLE_FLAGS = MessageFlag.SUPPRESS_EMBEDS | MessageFlag.COMPONENTS_V2


class Messages:
    """Sends, edits and deletes messages."""

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
        """Post a message, or return the one with the same enforced nonce of the last five minutes.

        Raises:
            ApiError: if the message breaks a limit.
        """
        check_message(problems, body, files, path=path)
        problems.refuse()
        world = self._world
        key = self._nonce_key(channel, author, body)
        if key is not None and key in self._nonces:
            return self._nonces[key][1]
        flags = int(body.get("flags") or 0) & (_SETTABLE_FLAGS | MessageFlag.SUPPRESS_NOTIFICATIONS)
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
        self._set_mentions(message, ping=True)
        if interaction is not None:
            self._respond(interaction, message)
        self._add(message)
        if key is not None:
            self._nonces[key] = (world.clock.time(), message)
        world.emit(MessageSent(message))
        return message

    def send_loading(self, interaction: Interaction, *, ephemeral: bool, kind: int) -> Message:
        """Post the "is thinking" message of a deferred response."""
        world = self._world
        message = Message(
            world.ids.next(),
            interaction.channel,
            world.bot,
            utc_now(world.clock),
            flags=int(MessageFlag.LOADING | (MessageFlag.EPHEMERAL if ephemeral else 0)),
            type=kind,
            ephemeral_for=interaction.user if ephemeral else None,
        )
        self._respond(interaction, message)
        self._add(message)
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
        """Edit a message. Missing keys keep their values, null clears them.

        Raises:
            ApiError: if the result would break a limit; the message is unchanged.
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
            flags = flags & ~MessageFlag.SUPPRESS_EMBEDS | asked & _SETTABLE_FLAGS
        was_loading = message.loading
        message.flags = int(flags)
        if "content" in body:
            message.content = body["content"] or ""
        if "embeds" in body:
            message.embeds = self._embeds(body)
        if "attachments" in body or files:
            message.replaced.extend(one for one in message.attachments if one not in kept)
            message.attachments = kept + self._attach(message, body, files)
        if "components" in body:
            message.component_data = normalize_components(
                body["components"], message.attachments, self._world.ids
            )
        if "allowed_mentions" in body:
            message.allowed_mentions = body["allowed_mentions"]
        self._set_mentions(message, ping=False)
        if not was_loading:
            message.edited_at = utc_now(self._world.clock)
        self.touch(message)
        return message

    def touch(self, message: Message) -> None:
        """Announce a change to a message."""
        message.revision += 1
        message.payload = None
        self._world.emit(MessageEdited(message))

    def attach_thread(self, message: Message, thread: Channel) -> None:
        """Attach a thread to the message it was started from."""
        message.thread = thread
        message.flags |= int(MessageFlag.HAS_THREAD)
        self.touch(message)

    def delete(self, message: Message) -> None:
        """Delete a message."""
        message.channel.messages.pop(message.id, None)
        message.deleted = True
        self._world.emit(MessageDeleted(message))

    def _respond(self, interaction: Interaction, message: Message) -> None:
        message.interaction_metadata = interaction_metadata(interaction)
        if message.type in _COMMAND_RESPONSES:
            message.command = self._world.commands.words(interaction.data)
        interaction.add_message(message)

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

    @staticmethod
    def _add(message: Message) -> None:
        message.channel.messages[message.id] = message
        if message.ephemeral_for is None:
            message.channel.message_count += 1

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

    def _set_mentions(self, message: Message, *, ping: bool) -> None:
        mentions = resolve_mentions(
            message.text,
            message.allowed_mentions,
            self._world,
            message.channel,
            message.author,
        )
        message.mentions = mentions.users
        message.mention_roles = mentions.roles
        message.mention_everyone = mentions.everyone
        silent = message.ephemeral or message.flags & MessageFlag.SUPPRESS_NOTIFICATIONS
        if ping and not silent:
            message.pinged = self._pinged(message)

    @staticmethod
    def _pinged(message: Message) -> tuple[User, ...]:
        """Return the users notified: those mentioned who can see it, except its author."""
        guild = message.channel.guild
        pinged = dict.fromkeys(message.mentions)
        if guild is not None:
            for member in guild.members.values():
                if message.mention_everyone or any(
                    r in member.role_ids for r in message.mention_roles
                ):
                    pinged[member.user] = None
        return tuple(
            user for user in pinged if user is not message.author and can_see(user, message.channel)
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
        described = {str(entry.get("id")): entry for entry in body.get("attachments") or ()}
        return [
            self._attachment(message, upload, described.get(str(number), {}))
            for number, upload in sorted(files.items())
        ]

    def _attachment(self, message: Message, upload: Upload, described: JSON) -> Attachment:
        world = self._world
        attachment_id = world.ids.next()
        filename = described.get("filename") or upload.filename
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
            description=described.get("description"),
            width=size[0] if size else None,
            height=size[1] if size else None,
            ephemeral=message.ephemeral,
        )
