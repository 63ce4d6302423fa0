"""Helpers for ladders: opening, joining, challenging, and reading the posts."""

from __future__ import annotations

import re
from typing import Any

from bot.features.ladder.rules import LadderView
from bot.features.ladder.service import Ladders
from bot.play.matches.service import Matches
from data.ladders import ladders
from engine import registry
from playground.model import Message
from playground.people import Person
from playground.reply import Reply
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import may_manage
from tests.end_to_end.tournaments import people


async def opened(env: Environment, **options: Any) -> Message:
    """Open a ladder as Ann, who may manage the server; return its post."""
    may_manage(env, env.ann)
    reply = await env.ann.slash("/ladder open", options={"game": "tablut", **options})
    assert "ladder" in reply.text, reply.text
    await env.settled()
    return post(env, title=registry.game(options.get("game", "tablut")).title)


async def ladder(env: Environment, number: int, **options: Any) -> Message:
    """Join a number of people to a ladder in turn, Ann first; return its post."""
    message, guild_id = await opened(env, **options), env.guild.id
    found = await env.read(ladders.of_game, guild_id, options.get("game", "tablut"))
    assert found is not None
    for person in people(env, number):
        await env.app.get(Ladders).join(found.id, guild_id, person.id)
    await env.settled()
    return message


def posts(env: Environment, begin: str = "", channel: str = "games") -> list[Message]:
    """Return the public messages in the channel that begin with a text, oldest first."""
    return [
        message
        for message in env.channel(channel).messages.values()
        if message.text.startswith(begin) and not message.ephemeral and not message.deleted
    ]


def post(env: Environment, channel: str = "games", *, title: str = "Tablut") -> Message:
    """Return the ladder's post."""
    return posts(env, f"### {title} ladder\n", channel)[-1]


def call(env: Environment, *, title: str = "Tablut") -> Message:
    """Return the post of the last challenge."""
    return posts(env, f"### {title} ladder: place")[-1]


async def challenge(env: Environment, person: Person, other: Person) -> Reply:
    """Challenge another player."""
    return await env.done(person.slash("/ladder challenge", options={"player": other}))


async def play(env: Environment, person: Person, other: Person) -> int:
    """Challenge a player, who accepts; return the number of the match."""
    reply = await challenge(env, person, other)
    assert "Challenge sent." in reply.text, reply.text
    accepted = await other.press(call(env), "Accept")
    found = re.search(r"match \[?#(\d+)", accepted.text)
    assert found is not None, accepted.text
    await env.settled()
    return int(found[1])


async def ladder_view(env: Environment, number: int = 1) -> LadderView:
    """Return a ladder as stored."""
    return await env.app.get(Ladders).get(number, env.guild.id)


async def order(env: Environment, number: int = 1) -> str:
    """Return the initials of a ladder's players, from the top."""
    found = await ladder_view(env, number)
    assert [one.place for one in found.rungs] == list(range(1, len(found.rungs) + 1))
    return "".join(env.person(user).name[0] for user in found.order)


async def resign_ladder_match(env: Environment, number: int, person: Person) -> None:
    """Resign a match as a player, after two moves by everyone."""
    await env.play_a_while(number)
    await env.app.get(Matches).resign(number, person.id)
    await env.settled()
