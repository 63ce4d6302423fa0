"""What one person has on the screen, as JSON for the chat page.

Messages, channels and commands look as Discord's clients get them, with a few keys added that a
client would work out for itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from playground import command_picker, payloads

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playground.app import Playground
    from playground.errors import JSON
    from playground.interaction import Interaction
    from playground.model import Channel, Message, User
    from playground.people import Person

_REPLIES: Final = frozenset({0, 19})
_SUB_TYPES: Final = frozenset({command_picker.SUB, command_picker.GROUP})


def key_of(person: Person) -> str:
    """Give the word that stands for a person in the page's address."""
    return person.name.lower().replace(" ", "-")


def find_person(town: Playground, key: str) -> Person | None:
    """Find the person that a page's address stands for."""
    return next((p for p in town.people if key_of(p) == key.lower()), None)


def user(of: User, *, key: str | None = None, roles: Iterable[int] = ()) -> JSON:
    """Describe a user with the avatar's colour and, where a page can be theirs, its key."""
    data: JSON = {
        "id": str(of.id),
        "username": of.name,
        "global_name": of.display,
        "bot": of.bot,
        "colour": of.colour,
        "roles": [str(r) for r in roles],
    }
    if key is not None:
        data["key"] = key
    return data


def people(town: Playground) -> JSON:
    """Describe who is there: those whom a page can be, then the bots; and the server.

    Who has left the server is described as well, for their name stands in older messages.
    """
    members = town.guild.members
    described = [
        user(p.user, key=key_of(p), roles=members[p.id].role_ids)
        if p.id in members
        else {**user(p.user, key=key_of(p)), "left": True}
        for p in town.people
        if p.id in members or p.id in town.guild.left
    ]
    described += [user(m.user, roles=m.role_ids) for m in members.values() if m.user.bot]
    roles = [payloads.role(r) for r in town.guild.roles.values()]
    guild = {"id": str(town.guild.id), "name": town.guild.name, "roles": roles}
    return {"people": described, "guild": guild}


def channel(of: Channel) -> JSON:
    """Describe a channel; a direct message with everybody in it, bots too."""
    data = payloads.channel(of)
    if of.direct:
        data["recipients"] = [user(u) for u in of.recipients]
    return data


def channels(person: Person, town: Playground) -> list[Channel]:
    """List what a person sees of the page's server, and their direct messages."""
    return [c for c in person.channels() if c.guild in {None, town.guild}]


def commands(town: Playground, person: Person, place: Channel) -> list[JSON]:
    """List the commands that Discord offers to a person in a channel."""
    kinds = (1, 2)
    return [
        c.data
        for kind in kinds
        for c in command_picker.offered(town.world, person.user, place, kind)
    ]


def command_line(interaction: Interaction) -> str:
    """Write the command that somebody used as others see it above the answer."""
    data = interaction.data
    words = [str(data["name"])]
    inner = data.get("options") or []
    while inner and inner[0]["type"] in _SUB_TYPES:
        words.append(str(inner[0]["name"]))
        inner = inner[0].get("options") or []
    return ("/" if data["type"] == 1 else "") + " ".join(words)


def message(of: Message) -> JSON:
    """Describe a message.

    Added: ``pings``, the ids of those whom it called; ``command``, what somebody used to get it;
    ``referenced_message``, in a reply, what it replies to, or None when that is gone.
    """
    data = {**payloads.message(of), "pings": [str(u.id) for u in of.pinged]}
    if of.interaction is not None and of.type in {20, 23}:
        data["command"] = command_line(of.interaction)
    replied_to = str((of.reference or {}).get("message_id"))
    if of.type in _REPLIES and replied_to.isdecimal():
        earlier = of.channel.messages.get(int(replied_to))
        shown = earlier is not None and earlier.ephemeral_for is None
        data["referenced_message"] = payloads.message(earlier) if earlier and shown else None
    return data


class ReadStates:
    """How far each person has read each channel."""

    def __init__(self) -> None:
        self._read: dict[tuple[int, int], int] = {}

    def read(self, person: Person, place: Channel, message_id: int) -> None:
        """Note that a person has seen a channel up to a message. A mark never goes back."""
        key = (person.id, place.id)
        self._read[key] = max(self._read.get(key, 0), message_id)

    def unread(self, person: Person, place: Channel) -> JSON:
        """Count what a person has not seen of a channel, and how often it calls them."""
        mark = self._read.get((person.id, place.id), 0)
        count = mentions = 0
        for one in reversed(place.messages.values()):
            if one.id <= mark:
                break
            if one.author is not person.user and one.ephemeral_for is None:
                count += 1
                mentions += person.user in one.pinged
        return {"count": count, "mentions": mentions}
