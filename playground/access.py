"""Computes permissions from roles and channel overwrites, and who can see what."""

from __future__ import annotations

from playground.model import Channel, Guild, Message, User
from playground.permissions import ALL, DM, NOTHING, TIMED_OUT, Permission


def base_permissions(user: User, guild: Guild) -> Permission:
    """Combine a member's roles, without channel overwrites."""
    if user.id == guild.owner_id:
        return ALL
    member = guild.members.get(user.id)
    if member is None:
        return NOTHING
    total = guild.roles[guild.id].permissions
    for role_id in member.role_ids:
        total |= guild.roles[role_id].permissions
    if total & Permission.ADMINISTRATOR:
        return ALL
    return total if member.timed_out_until is None else total & TIMED_OUT


def permissions_in(user: User, channel: Channel) -> Permission:
    """Compute a user's permissions in a channel; none if they cannot view it.

    Threads inherit from their parent channel. Overwrites apply in Discord's order: @everyone,
    then all roles together, then the member.
    """
    if channel.parent is not None:
        if channel.is_private and user.id not in channel.thread_members:
            full = permissions_in(user, channel.parent)
            return full if full & Permission.MANAGE_THREADS else NOTHING
        return permissions_in(user, channel.parent)
    guild = channel.guild
    if guild is None:
        return DM if user in channel.recipients else NOTHING
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
    if member.timed_out_until is not None:
        total &= TIMED_OUT
    return total if total & Permission.VIEW_CHANNEL else NOTHING


def can_see(user: User, thing: Message | Channel) -> bool:
    """Return whether a user can see a channel or message."""
    if isinstance(thing, Message):
        if thing.deleted or thing.ephemeral_for not in {None, user}:
            return False
        thing = thing.channel
    if thing.deleted:
        return False
    if thing.is_dm:
        return user in thing.recipients
    return bool(permissions_in(user, thing) & Permission.VIEW_CHANNEL)
