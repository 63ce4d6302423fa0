"""After people delete their data, nothing the bot posts or edits names them, wherever they played."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bot.features.watching.service import Watching
from bot.play.matches.notes import Notes
from playground import events, message_payloads
from playground.events import Event
from playground.model import Channel, Message
from tests.data.schema import columns_naming
from tests.end_to_end import ladders, tournaments
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import delete_data

MAY_STAY = {
    "blocks.blocked_id",
    "hourly_uses.user_id",
    "spent_limits.user_id",
}
"""Others' decisions, and counts for limits until they expire."""


HISTORY = ("** between <@", "**Accepted.** Match [#4](")
"""In messages that tell what happened before: they belong to their channels."""


def texts(message: Message) -> str:
    """Return all that a message says: contents, components, embeds, alt texts and files.

    Who used the command that it answers is Discord's own note.
    """
    files = [file.data.decode("utf-8", "ignore") for file in message.attachments]
    said = {**message_payloads.message(message), "interaction_metadata": None}
    return json.dumps(said, ensure_ascii=False) + " ".join(files)


def places(env: Environment) -> Iterator[Channel]:
    yield from env.world.channels.values()


async def use_everything(env: Environment) -> None:
    """Have Ann play, challenge, organise and climb; others write about her."""
    ann = env.ann
    await ladders.ladder(env, 4)  # which Ann opened
    match = await ladders.play(env, env.ben, ann)
    await tournaments.start(env, 4, name="Winter Cup")
    await env.begin("thaayam", players=3)
    await env.challenge()
    await env.app.get(Notes).write(match, env.ben.id, f"Never trust <@{ann.id}>", seen="")
    await env.app.get(Notes).write(match, ann.id, "Watch the corner", seen="")
    guild_id = env.guild.id
    await env.app.get(Watching).follow_player(ann.id, env.carol.id, guild_id)
    await env.app.get(Watching).follow_player(env.ben.id, ann.id, guild_id)
    await env.done(env.carol.slash("/block", options={"user": ann}))


async def test_nothing_names_a_person_who_deleted_their_data(env: Environment) -> None:
    await env.change_settings(threads=True)
    await use_everything(env)
    ann, found = env.ann, list[str]()
    number = str(ann.id)

    def look(event: Event) -> None:
        if isinstance(event, events.MessageSent | events.MessageEdited):
            message = event.message
            if message.ephemeral_for is not ann.user:
                found.append(texts(message))
        elif isinstance(event, events.ThreadCreated | events.ChannelUpdated):
            found.append(event.channel.name)

    unsubscribe = env.world.subscribe(look)
    await delete_data(env, ann)
    await env.advance(minutes=5)
    unsubscribe()
    assert len(found) > 5, "boards, posts and messages have changed"
    assert [text for text in found if number in text or "Ann" in text] == [], "not for a moment"
    assert await env.read(columns_naming, ann.id) <= MAY_STAY
    assert [place.name for place in places(env) if place.is_thread and "Ann" in place.name] == []
    stays = [
        message.text
        for place in places(env)
        for message in place.messages.values()
        if not message.deleted and message.ephemeral_for is None and number in texts(message)
    ]
    assert all(any(part in text for part in HISTORY) for text in stays), stays
