"""Messages: how a checked request becomes one, changes one, or takes one away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from playground import components as kinds
from playground.clock import moment
from playground.events import MessageDeleted, MessageEdited, MessageSent
from playground.limits.message import check_message
from playground.mentions import called_by
from playground.model import Attachment, Message, MessageFlag
from playground.uploads import picture_size, picture_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from playground.errors import JSON
    from playground.interactions import Interaction
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
            moment(world.clock),
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
        message.component_data = self._settle(body.get("components"), message)
        self._call(message, ping=True)
        self._file(message)
        if key is not None:
            self._nonces[key] = (world.clock.time(), message)
        world.tell(MessageSent(message))
        return message

    def think(self, interaction: Interaction, *, ephemeral: bool, kind: int) -> Message:
        """Post the message that shows that the bot is thinking."""
        world = self._world
        message = Message(
            world.ids.next(),
            interaction.channel,
            world.bot,
            moment(world.clock),
            flags=int(MessageFlag.LOADING | (MessageFlag.EPHEMERAL if ephemeral else 0)),
            type=kind,
            interaction=interaction,
            ephemeral_for=interaction.user if ephemeral else None,
        )
        self._file(message)
        world.tell(MessageSent(message))
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
            message.component_data = self._settle(body["components"], message)
        if "allowed_mentions" in body:
            message.allowed_mentions = body["allowed_mentions"]
        self._call(message, ping=False)
        if not was_thinking:
            message.edited_at = moment(self._world.clock)
        self.touch(message)
        return message

    def touch(self, message: Message) -> None:
        """Tell everybody that a message shows something else now."""
        message.revision += 1
        message.payload = None
        self._world.tell(MessageEdited(message))

    def hang(self, message: Message, thread: Channel) -> None:
        """Let a thread hang from a message."""
        message.thread = thread
        message.flags |= int(MessageFlag.HAS_THREAD)
        self.touch(message)

    def delete(self, message: Message) -> None:
        """Take a message away."""
        message.channel.messages.pop(message.id, None)
        message.deleted = True
        self._world.tell(MessageDeleted(message))

    # How a message is made

    def _nonce_key(
        self, channel: Channel, author: User, body: JSON
    ) -> tuple[int, int, str] | None:
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
        called = called_by(
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

    def _settle(self, tree: Iterable[JSON] | None, message: Message) -> list[JSON]:
        """Give every component an id and turn references to files into addresses."""
        taken = {c["id"] for c in kinds.walk(list(tree or ())) if c.get("id")}
        free = iter(n for n in range(1, 10_000) if n not in taken)
        files = {attachment.filename: attachment for attachment in message.attachments}

        def media(value: JSON) -> JSON:
            url = str(value["url"])
            name = url.removeprefix("attachment://")
            if name == url:
                name = url.partition("?")[0].rpartition("/")[2] if "/cdn/" in url else ""
            file = files.get(name)
            if file is None:
                return {"id": str(self._world.ids.next()), "url": url, "proxy_url": url}
            return {
                "id": str(file.id),
                "url": file.url,
                "proxy_url": file.url,
                "width": file.width,
                "height": file.height,
                "content_type": file.content_type,
                "attachment_id": str(file.id),
            }

        def one(component: JSON) -> JSON:
            done: JSON = {**component, "id": component.get("id") or next(free)}
            kind = done["type"]
            if "components" in done:
                done["components"] = [one(inner) for inner in done["components"]]
            if kind in _DEFAULTS:
                for key, value in _DEFAULTS[kind].items():
                    done.setdefault(key, value)
            if kind == kinds.SECTION:
                done["accessory"] = one(done["accessory"])
            elif kind == kinds.GALLERY:
                done["items"] = [
                    {
                        "media": media(item["media"]),
                        "description": item.get("description"),
                        "spoiler": bool(item.get("spoiler")),
                    }
                    for item in done["items"]
                ]
            elif kind == kinds.THUMBNAIL:
                done["media"] = media(done["media"])
            elif kind == kinds.FILE:
                done["file"] = media(done["file"])
                name = str(component["file"]["url"]).removeprefix("attachment://")
                file = files.get(name)
                done |= {"name": name, "size": len(file.data) if file else 0}
            return done

        return [one(component) for component in tree or ()]


_DEFAULTS: dict[int, dict[str, Any]] = {
    kinds.STRING_SELECT: {"min_values": 1, "max_values": 1},
    **{kind: {"min_values": 1, "max_values": 1} for kind in (5, 6, 7, 8)},
    kinds.CONTAINER: {"accent_color": None, "spoiler": False},
    kinds.THUMBNAIL: {"description": None, "spoiler": False},
    kinds.SEPARATOR: {"spacing": 1, "divider": True},
    kinds.FILE: {"spoiler": False},
}


