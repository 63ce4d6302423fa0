"""Messages and interactions as JSON, with every key that Discord requires."""

from __future__ import annotations

from playground import payloads
from playground.access import permissions_in
from playground.errors import JSON
from playground.interaction import Interaction, ResponseType, context_of, user_install_only
from playground.limits.message import FILE_BYTES
from playground.model import Application, Attachment, Message
from playground.permissions import DM


def attachment(of: Attachment) -> JSON:
    """Return an attachment object."""
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


def message(of: Message) -> JSON:
    """Return a message object, cached until the message changes: do not modify it."""
    if of.payload is not None:
        return of.payload
    data: JSON = {
        "type": of.type,
        "content": of.content,
        "mentions": [payloads.user(u) for u in of.mentions],
        "mention_roles": [str(r) for r in of.mention_roles],
        "attachments": [attachment(a) for a in of.attachments],
        "embeds": of.embeds,
        "timestamp": payloads.timestamp(of.created_at),
        "edited_timestamp": None if of.edited_at is None else payloads.timestamp(of.edited_at),
        "flags": of.flags,
        "components": of.component_data,
        "id": str(of.id),
        "channel_id": str(of.channel.id),
        "author": payloads.user(of.author),
        "pinned": of.pinned,
        "mention_everyone": of.mention_everyone,
        "tts": of.tts,
    }
    if of.nonce is not None:
        data["nonce"] = of.nonce
    if of.author.bot:
        data["application_id"] = str(of.author.id)
    if of.interaction_metadata is not None:
        data |= {
            "webhook_id": str(of.author.id),
            "interaction_metadata": of.interaction_metadata,
        }
    if of.reference is not None:
        data["message_reference"] = of.reference
    if of.thread is not None and not of.thread.deleted:
        data["thread"] = payloads.channel(of.thread)
    of.payload = data
    return data


def gateway_message(of: Message) -> JSON:
    """Return a message object as in MESSAGE_CREATE: with the server and the author's member."""
    guild = of.channel.guild
    if guild is None:
        return message(of)
    data = {**message(of), "guild_id": str(guild.id)}
    author = guild.members.get(of.author.id)
    if author is not None:
        data["member"] = payloads.partial_member(author)
    return data


def interaction_metadata(of: Interaction) -> JSON:
    """Return the ``interaction_metadata`` of a message that responds to an interaction."""
    data: JSON = {
        "id": str(of.id),
        "type": int(of.type),
        "user": payloads.user(of.user),
        "authorizing_integration_owners": of.integration_owners,
    }
    if of.trigger is not None:
        data["triggering_interaction_metadata"] = interaction_metadata(of.trigger)
    elif of.message is not None:
        data["interacted_message_id"] = str(of.message.id)
    return data


def interaction(of: Interaction, application: Application) -> JSON:
    """Return an interaction object, as INTERACTION_CREATE sends it."""
    channel, user, guild = of.channel, of.user, of.channel.guild
    user_install = guild is None or user_install_only(channel)
    app_permissions = DM if user_install else permissions_in(application.user, channel)
    data: JSON = {
        "id": str(of.id),
        "application_id": str(application.id),
        "type": int(of.type),
        "token": of.token,
        "version": 1,
        "data": of.data,
        "channel_id": str(channel.id),
        "channel": payloads.channel(channel),
        "locale": user.locale,
        "app_permissions": str(int(app_permissions)),
        "entitlements": [],
        "entitlement_sku_ids": [],
        "context": context_of(channel),
        "attachment_size_limit": FILE_BYTES,
        "authorizing_integration_owners": of.integration_owners,
    }
    if guild is not None:
        data |= {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "features": [], "locale": guild.locale},
            "guild_locale": guild.locale,
            "member": {
                **payloads.member(guild.members[user.id]),
                "permissions": str(int(permissions_in(user, channel))),
            },
        }
    else:
        data["user"] = payloads.user(user)
    if of.message is not None:
        data["message"] = message(of.message)
        if of.stale_components is not None:
            data["message"] = {**data["message"], "components": of.stale_components}
    return data


def interaction_callback(of: Interaction) -> JSON:
    """Return an interaction callback response, as requested by ``with_response``."""
    original = of.original
    about: JSON = {"id": str(of.id), "type": int(of.type)}
    response: JSON = {"interaction": about}
    if original is not None:
        about |= {
            "response_message_id": str(original.id),
            "response_message_loading": original.loading,
            "response_message_ephemeral": original.ephemeral,
            "channel_id": str(original.channel.id),
        }
        if original.channel.guild is not None:
            about["guild_id"] = str(original.channel.guild.id)
        if of.response in {ResponseType.MESSAGE, ResponseType.UPDATE}:
            response["resource"] = {"type": int(of.response), "message": message(original)}
    if of.frame is not None:
        about["activity_instance_id"] = of.frame.instance.id
        response["resource"] = {
            "type": int(ResponseType.LAUNCH_ACTIVITY),
            "activity_instance": {"id": of.frame.instance.id},
        }
    return response
