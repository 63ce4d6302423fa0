"""Users, channels, servers and the application as JSON, with every key that Discord requires."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from playground.errors import JSON
from playground.model import Application, Channel, ChannelType, Guild, Member, Role, User
from playground.permissions import EVERYONE


def timestamp(when: datetime) -> str:
    """Format a time as Discord does."""
    return when.isoformat(timespec="microseconds")


def user(of: User) -> JSON:
    """Return a user object."""
    data: JSON = {
        "id": str(of.id),
        "username": of.name,
        "discriminator": "0000" if of.bot else "0",
        "global_name": None if of.bot else of.display,
        "avatar": of.avatar,
        "public_flags": 0,
        "flags": 0,
        "banner": None,
        "accent_color": None,
        "avatar_decoration_data": None,
        "collectibles": None,
        "primary_guild": None,
    }
    if of.bot:
        data["bot"] = True
        data["username"] = of.display
    return data


def own_user(of: User) -> JSON:
    """Return the current user object."""
    return {
        **user(of),
        "mfa_enabled": False,
        "locale": of.locale,
        "verified": True,
        "email": None,
    }


def authorized_user(of: User, scopes: Collection[str]) -> JSON:
    """Return a user object as applications see it that this user allowed some scopes."""
    data = {**user(of), "mfa_enabled": False, "locale": of.locale, "premium_type": 0}
    return {**data, "email": None, "verified": True} if "email" in scopes else data


def role(of: Role) -> JSON:
    """Return a role object."""
    return {
        "id": str(of.id),
        "name": of.name,
        "description": None,
        "permissions": str(int(of.permissions)),
        "position": of.position,
        "color": of.colour,
        "colors": {
            "primary_color": of.colour,
            "secondary_color": None,
            "tertiary_color": None,
        },
        "hoist": False,
        "managed": of.managed,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def partial_member(of: Member) -> JSON:
    """Return a member object without the user, as sent next to a message's author."""
    until = of.timed_out_until
    return {
        "avatar": None,
        "banner": None,
        "communication_disabled_until": None if until is None else timestamp(until),
        "flags": 0,
        "joined_at": timestamp(of.joined_at),
        "nick": of.nick,
        "pending": False,
        "premium_since": None,
        "roles": [str(r) for r in of.role_ids],
        "mute": False,
        "deaf": False,
    }


def member(of: Member) -> JSON:
    """Return a member object."""
    return {**partial_member(of), "user": user(of.user)}


def channel(of: Channel) -> JSON:
    """Return a channel object."""
    last = of.last_message_id
    data: JSON = {
        "id": str(of.id),
        "type": int(of.type),
        "flags": 0,
        "last_message_id": None if last is None else str(last),
    }
    if of.is_dm:
        data["recipients"] = [user(u) for u in of.recipients if not u.bot]
        if of.type is ChannelType.GROUP_DM:
            data |= {"name": of.name or None, "icon": None, "owner_id": str(of.owner_id)}
        return data
    assert of.guild is not None
    data |= {"guild_id": str(of.guild.id), "name": of.name, "rate_limit_per_user": 0}
    if of.parent is None:
        data |= {
            "position": of.position,
            "parent_id": None,
            "topic": of.topic,
            "nsfw": False,
            "permission_overwrites": [
                {
                    "id": str(target),
                    "type": o.type,
                    "allow": str(int(o.allow)),
                    "deny": str(int(o.deny)),
                }
                for target, o in of.overwrites.items()
            ],
        }
        return data
    assert of.archived_at is not None
    assert of.created_at is not None
    return data | {
        "parent_id": str(of.parent.id),
        "owner_id": str(of.owner_id),
        "message_count": of.message_count,
        "total_message_sent": of.message_count,
        "member_count": min(len(of.thread_members), 50),
        "thread_metadata": {
            "archived": of.archived,
            "archive_timestamp": timestamp(of.archived_at),
            "auto_archive_duration": of.auto_archive,
            "locked": of.locked,
            "create_timestamp": timestamp(of.created_at),
        },
    }


def thread_member(thread: Channel, user_id: int) -> JSON:
    """Return a thread member object."""
    return {
        "id": str(thread.id),
        "user_id": str(user_id),
        "join_timestamp": timestamp(thread.thread_members[user_id]),
        "flags": 0,
    }


def guild(of: Guild) -> JSON:
    """Return a guild object as in REST, without members and channels."""
    return {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "owner_id": str(of.owner_id),
        "application_id": None,
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "roles": [role(r) for r in of.roles.values()],
        "default_message_notifications": 1,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 500_000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": of.locale,
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
    }


def own_guild(of: Guild) -> JSON:
    """Return a partial guild object as in the list of the bot's own servers."""
    return {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "banner": None,
        "owner": False,
        "permissions": str(int(EVERYONE)),
        "features": [],
        "approximate_member_count": len(of.members),
        "approximate_presence_count": len(of.members),
    }


def gateway_guild(of: Guild, bot_id: int, visible: list[Channel]) -> JSON:
    """Return a guild object as in GUILD_CREATE: with everything the bot can see."""
    return {
        **guild(of),
        "joined_at": timestamp(of.members[bot_id].joined_at),
        "large": False,
        "unavailable": False,
        "member_count": len(of.members),
        "members": [member(of.members[bot_id])],
        "channels": [channel(c) for c in visible if c.parent is None],
        "threads": [channel(c) for c in visible if c.parent is not None and not c.archived],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def public_application(of: Application) -> JSON:
    """Return an application object as others see it."""
    return {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "description": of.description,
        "type": None,
        "verify_key": "0" * 64,
        "flags": of.flags,
        "flags_new": str(of.flags),
        "bot_public": True,
        "bot_require_code_grant": False,
    }


def application(of: Application, guild_count: int) -> JSON:
    """Return an application object."""
    return {
        **public_application(of),
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": user(of.owner),
        "approximate_guild_count": guild_count,
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
        "bot": user(of.user),
        "integration_types_config": {"0": {}, "1": {}},
    }
