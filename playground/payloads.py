"""Things of the playground as the JSON that Discord sends, with every key that Discord promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground.model import ChannelType

if TYPE_CHECKING:
    from datetime import datetime

    from playground.errors import JSON
    from playground.interaction import Interaction
    from playground.model import Attachment, Channel, Guild, Member, Message, Role, User
    from playground.world import Application


def stamp(when: datetime) -> str:
    """Write a moment as Discord does."""
    return when.isoformat(timespec="microseconds")


def user(of: User) -> JSON:
    """Describe a user."""
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
    """Describe the bot to itself."""
    return {
        **user(of),
        "mfa_enabled": False,
        "locale": of.locale,
        "verified": True,
        "email": None,
    }


def role(of: Role) -> JSON:
    """Describe a role."""
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


def member_alone(of: Member) -> JSON:
    """Describe a membership without the user, as beside a message's author."""
    return {
        "avatar": None,
        "banner": None,
        "communication_disabled_until": None,
        "flags": 0,
        "joined_at": stamp(of.joined_at),
        "nick": of.nick,
        "pending": False,
        "premium_since": None,
        "roles": [str(r) for r in of.role_ids],
        "mute": False,
        "deaf": False,
    }


def member(of: Member) -> JSON:
    """Describe a member of a server."""
    return {**member_alone(of), "user": user(of.user)}


def channel(of: Channel) -> JSON:
    """Describe a text channel, a thread or a direct message."""
    last = of.last_message_id
    data: JSON = {
        "id": str(of.id),
        "type": int(of.kind),
        "flags": 0,
        "last_message_id": None if last is None else str(last),
    }
    if of.direct:
        data["recipients"] = [user(u) for u in of.recipients if not u.bot]
        if of.kind is ChannelType.GROUP:
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
                    "type": o.kind,
                    "allow": str(int(o.allow)),
                    "deny": str(int(o.deny)),
                }
                for target, o in of.overwrites.items()
            ],
        }
        return data
    assert of.archived_at is not None
    assert of.made_at is not None
    return data | {
        "parent_id": str(of.parent.id),
        "owner_id": str(of.owner_id),
        "message_count": of.sent,
        "total_message_sent": of.sent,
        "member_count": min(len(of.thread_members), 50),
        "thread_metadata": {
            "archived": of.archived,
            "archive_timestamp": stamp(of.archived_at),
            "auto_archive_duration": of.auto_archive,
            "locked": of.locked,
            "create_timestamp": stamp(of.made_at),
        },
    }


def thread_member(thread: Channel, user_id: int) -> JSON:
    """Describe a membership of a thread."""
    return {
        "id": str(thread.id),
        "user_id": str(user_id),
        "join_timestamp": stamp(thread.thread_members[user_id]),
        "flags": 0,
    }


def guild(of: Guild) -> JSON:
    """Describe a server without its members and channels."""
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


def whole_guild(of: Guild, bot_id: int, visible: list[Channel]) -> JSON:
    """Describe a server as the gateway does when a bot arrives: only what that bot can see."""
    return {
        **guild(of),
        "joined_at": stamp(of.members[bot_id].joined_at),
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


def application(of: Application, guild_count: int) -> JSON:
    """Describe the application to its owner."""
    return {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "description": of.description,
        "type": None,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
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
        "bot_public": True,
        "bot_require_code_grant": False,
        "bot": user(of.user),
        "integration_types_config": {"0": {}, "1": {}},
    }


def attachment(of: Attachment) -> JSON:
    """Describe a file of a message."""
    data: JSON = {
        "id": str(of.id),
        "filename": of.filename,
        "size": len(of.data),
        "url": of.url,
        "proxy_url": of.url,
        "content_type": of.content_type,
    }
    if of.width is not None:
        data |= {"width": of.width, "height": of.height}
    if of.description is not None:
        data["description"] = of.description
    if of.ephemeral:
        data["ephemeral"] = True
    return data


def interaction_metadata(of: Interaction) -> JSON:
    """Describe the interaction that a message answers."""
    data: JSON = {
        "id": str(of.id),
        "type": int(of.kind),
        "user": user(of.user),
        "authorizing_integration_owners": of.integration_owners,
    }
    if of.trigger is not None:
        data["triggering_interaction_metadata"] = interaction_metadata(of.trigger)
    elif of.message is not None:
        data["interacted_message_id"] = str(of.message.id)
    return data


def message(of: Message) -> JSON:
    """Describe a message. The description is kept until the message changes: do not write on it."""
    if of.payload is not None:
        return of.payload
    data: JSON = {
        "type": of.type,
        "content": of.content,
        "mentions": [user(u) for u in of.mentions],
        "mention_roles": [str(r) for r in of.mention_roles],
        "attachments": [attachment(a) for a in of.attachments],
        "embeds": of.embeds,
        "timestamp": stamp(of.created_at),
        "edited_timestamp": None if of.edited_at is None else stamp(of.edited_at),
        "flags": of.flags,
        "components": of.component_data,
        "id": str(of.id),
        "channel_id": str(of.channel.id),
        "author": user(of.author),
        "pinned": of.pinned,
        "mention_everyone": of.mention_everyone,
        "tts": of.tts,
    }
    if of.nonce is not None:
        data["nonce"] = of.nonce
    if of.interaction is not None:
        application_id = str(of.author.id)
        data |= {
            "webhook_id": application_id,
            "application_id": application_id,
            "interaction_metadata": interaction_metadata(of.interaction),
        }
    elif of.author.bot:
        data["application_id"] = str(of.author.id)
    if of.reference is not None:
        data["message_reference"] = of.reference
    if of.thread is not None and not of.thread.removed:
        data["thread"] = channel(of.thread)
    of.payload = data
    return data


def message_event(of: Message) -> JSON:
    """Describe a message as the gateway does: with the server and the author's membership."""
    guild_here = of.channel.guild
    if guild_here is None:
        return message(of)
    data = {**message(of), "guild_id": str(guild_here.id)}
    own = guild_here.members.get(of.author.id)
    if own is not None:
        data["member"] = member_alone(own)
    return data
