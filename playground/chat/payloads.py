"""JSON for the chat page.

Messages, channels and commands are as Discord sends them to clients, plus some keys that a client
would compute.
"""

from __future__ import annotations

from collections.abc import Iterable

from playground import command_picker, message_payloads, payloads
from playground.app import Playground
from playground.errors import JSON
from playground.model import Channel, Message, User
from playground.people import Person


def key_of(person: Person) -> str:
    """Return the key that stands for a person in the page's URL."""
    return person.name.lower().replace(" ", "-")


def find_person(playground: Playground, key: str) -> Person | None:
    """Find the person for a key in the page's URL; an empty key finds the first person."""
    return next((p for p in playground.people if key_of(p) == key.lower() or not key), None)


def user(of: User, *, key: str | None = None, roles: Iterable[int] = ()) -> JSON:
    """Return a user with the avatar's colour and, for a person, the key in their page's URL."""
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


def people(playground: Playground) -> JSON:
    """Return the people, the bots and the server.

    People who have left are included, as older messages show their names.
    """
    members = playground.guild.members
    listed = [
        user(p.user, key=key_of(p), roles=members[p.id].role_ids)
        if p.id in members
        else {**user(p.user, key=key_of(p)), "left": True}
        for p in playground.people
        if p.id in members or p.id in playground.guild.former_members
    ]
    listed += [user(m.user, roles=m.role_ids) for m in members.values() if m.user.bot]
    roles = [payloads.role(r) for r in playground.guild.roles.values()]
    guild = {"id": str(playground.guild.id), "name": playground.guild.name, "roles": roles}
    return {"people": listed, "guild": guild}


def channel(of: Channel) -> JSON:
    """Return a channel; a DM includes all its members, bots too."""
    data = payloads.channel(of)
    if of.is_dm:
        data["recipients"] = [user(u) for u in of.recipients]
    return data


def channels(person: Person, playground: Playground) -> list[Channel]:
    """List the channels on the page: a person's server channels and DMs."""
    return [c for c in person.channels() if c.guild in {None, playground.guild}]


def commands(playground: Playground, person: Person, place: Channel) -> list[JSON]:
    """List the commands that Discord's client offers a person in a channel."""
    here = (playground.world, person.user, place)
    found = [*command_picker.typed(*here), *command_picker.offered(*here, command_picker.USER)]
    return [one.data for one in found]


def message(of: Message, locale: str) -> JSON:
    """Return a message for a reader with a language.

    Added keys: ``pings``, the ids of the users notified; ``command``, the command it responds to;
    and, in a reply, ``referenced_message``, the message it replies to, or None if that is deleted.
    """
    data = {**message_payloads.message(of), "pings": [str(u.id) for u in of.pinged]}
    if of.command:
        data["command"] = command_picker.line_of(of.command, locale)
    replied_to = str((of.reference or {}).get("message_id"))
    if replied_to.isdecimal():
        earlier = of.channel.messages.get(int(replied_to))
        shown = earlier is not None and earlier.ephemeral_for is None
        data["referenced_message"] = (
            message_payloads.message(earlier) if earlier and shown else None
        )
    return data


class ReadStates:
    """The last message each person has read in each channel."""

    def __init__(self) -> None:
        self._read: dict[tuple[int, int], int] = {}

    def read(self, person: Person, place: Channel, message_id: int) -> None:
        """Mark a channel as read up to a message, never back to an older one."""
        key = (person.id, place.id)
        self._read[key] = max(self._read.get(key, 0), message_id)

    def unread(self, person: Person, place: Channel) -> JSON:
        """Count a person's unread messages in a channel, and those that mention them."""
        last_read = self._read.get((person.id, place.id), 0)
        count = mentions = 0
        for one in reversed(place.messages.values()):
            if one.id <= last_read:
                break
            if one.author is not person.user and one.ephemeral_for is None:
                count += 1
                mentions += person.user in one.pinged
        return {"count": count, "mentions": mentions}
