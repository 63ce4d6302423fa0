"""Finds the users and roles that a message mentions, as far as its ``allowed_mentions`` permit."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playground.access import permissions_in
from playground.errors import JSON
from playground.model import Channel, User
from playground.permissions import Permission
from playground.world import World

_USER = re.compile(r"<@!?(\d{15,20})>")
_ROLE = re.compile(r"<@&(\d{15,20})>")
_ALL = re.compile(r"@(?:everyone|here)\b")


@dataclass(frozen=True, slots=True)
class Mentions:
    """The mentions of a message."""

    users: tuple[User, ...] = ()
    roles: tuple[int, ...] = ()
    everyone: bool = False


def resolve_mentions(
    text: str, allowed: JSON | None, world: World, channel: Channel, author: User
) -> Mentions:
    """Find the mentions in a text. Code spans count: only clients exclude them.

    Args:
        text: the message's text.
        allowed: the message's ``allowed_mentions``; None allows all.
        world: has the users.
        channel: the message's channel.
        author: the author, who needs permission to mention everyone.
    """
    if "@" not in text:
        return Mentions()
    parse = {"users", "roles", "everyone"} if allowed is None else set(allowed.get("parse") or ())
    only_users = {int(u) for u in (allowed or {}).get("users") or ()}
    only_roles = {int(r) for r in (allowed or {}).get("roles") or ()}
    users = []
    for found in dict.fromkeys(map(int, _USER.findall(text))):
        user = world.users.get(found)
        if user is not None and ("users" in parse or found in only_users):
            users.append(user)
    roles = [
        found
        for found in dict.fromkeys(map(int, _ROLE.findall(text)))
        if channel.guild is not None
        and found in channel.guild.roles
        and ("roles" in parse or found in only_roles)
    ]
    everyone = (
        "everyone" in parse
        and _ALL.search(text) is not None
        and bool(permissions_in(author, channel) & Permission.MENTION_EVERYONE)
    )
    return Mentions(tuple(users), tuple(roles), everyone)
