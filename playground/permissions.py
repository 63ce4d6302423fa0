"""Who may do what where: Discord's permission bits and how roles and channels combine them."""

from __future__ import annotations

from enum import IntFlag
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playground.model import Channel, Guild, User


class Permission(IntFlag):
    """The bits that matter here, by Discord's numbers."""

    KICK_MEMBERS = 1 << 1
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    PIN_MESSAGES = 1 << 51


ALL = Permission((1 << 53) - 1)
NOTHING = Permission(0)

EVERYONE = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.ADD_REACTIONS
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)
"""What anybody in a new server may do."""

DIRECT = EVERYONE & ~Permission.CREATE_PUBLIC_THREADS
"""What anybody may do in a direct message."""


def base_permissions(user: User, guild: Guild) -> Permission:
    """Combine the roles of a member, before any channel has its say."""
    if user.id == guild.owner_id:
        return ALL
    member = guild.members.get(user.id)
    if member is None:
        return NOTHING
    total = guild.roles[guild.id].permissions
    for role_id in member.role_ids:
        total |= guild.roles[role_id].permissions
    return ALL if total & Permission.ADMINISTRATOR else total


def permissions_in(user: User, channel: Channel) -> Permission:
    """Tell what a user may do in a channel; nothing at all where they cannot look in.

    A thread has the permissions of the channel that it hangs from. Overwrites apply in
    Discord's order: everyone's, then those of all roles together, then the member's own.
    """
    if channel.parent is not None:
        if channel.private and user.id not in channel.thread_members:
            full = permissions_in(user, channel.parent)
            return full if full & Permission.MANAGE_THREADS else NOTHING
        return permissions_in(user, channel.parent)
    guild = channel.guild
    if guild is None:
        return DIRECT if user in channel.recipients else NOTHING
    total = base_permissions(user, guild)
    if total == ALL or not total:
        return total
    member = guild.members[user.id]
    everyone = channel.overwrites.get(guild.id)
    if everyone is not None:
        total = total & ~everyone.deny | everyone.allow
    allow, deny = NOTHING, NOTHING
    for role_id in member.role_ids:
        overwrite = channel.overwrites.get(role_id)
        if overwrite is not None:
            allow |= overwrite.allow
            deny |= overwrite.deny
    total = total & ~deny | allow
    own = channel.overwrites.get(user.id)
    if own is not None:
        total = total & ~own.deny | own.allow
    return total if total & Permission.VIEW_CHANNEL else NOTHING
