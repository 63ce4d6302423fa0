"""Every option of every command, given what people type to do harm: one kind answer each.

`test_forged.py` sends what no client would; all of this, Discord's client lets anyone send.
"""

from __future__ import annotations

from typing import Any, Final

import pytest
from sqlalchemy import select, update

from data.challenges import challenges
from data.matches.match import matches
from playground.command_picker import SlashCommand
from playground.errors import JSON
from playground.interaction import InteractionType
from playground.reply import Reply
from playground.uploads import Upload
from tests.end_to_end.fake_clients import offered, sent, usual
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import hide, may_manage

TEXTS: Final = (
    "\u202e\u2066drow\u2069 \u200f\u200b",
    "z" + "\u0351\u0321\u0489" * 30,
    "@everyone @here <@&{guild}> <@{ben}>",
    "**[x](https://evil.example)** `` ` ``` ||# -# > <t:0:R> <#1> </play:1> {0} %s",
    "a\nb\r\n\u2028# c",
    "\U0001f3f4\U000e0067" * 40,
    "' OR 1=1; --",
    "x" * 6000,
)
PEOPLE: Final = ("oneself", "the bot", "another bot", "who blocked", "a stranger")
FOREIGN, HIDDEN, NOBODYS = 1, 2, 99
"""Numbers of matches: another server's, one in a channel that Ann cannot see, and none."""
NUMBERS: Final = (FOREIGN, HIDDEN, NOBODYS)


async def hostile_world(env: Environment) -> dict[str, Any]:
    """Begin matches that are none of Ann's business; return people to name, by what they are."""
    may_manage(env, env.ann)
    for _ in (FOREIGN, HIDDEN):
        await env.begin_between([env.ben, env.carol], "tablut", channel="elsewhere")
    club = env.world.add_guild("Another Club", env.carol.user)
    place = env.world.add_channel(club, "den")
    async with env.store.write() as tx:
        moved = {"guild_id": club.id, "channel_id": place.id}
        await tx.run(update(matches).where(matches.c.id == FOREIGN).values(**moved))
    hide(env, "elsewhere", env.ann)
    await env.begin_between([env.ann, env.dan], "tablut")
    await env.ben.slash("/block", user=env.ann)
    machine = env.world.add_user("Machine", bot=True)
    env.world.add_member(env.guild, machine)
    return {
        "oneself": env.ann.user,
        "the bot": env.world.bot,
        "another bot": machine,
        "who blocked": env.ben.user,
        "a stranger": env.world.add_user("Stranger"),
    }


def hostile(env: Environment, option: JSON) -> list[object]:
    """Return what is given to an option; people by what they are."""
    if option.get("choices"):
        return []
    match option["type"]:
        case 3:
            told = [
                text.format(guild=env.guild.id, ben=env.ben.id) if "<@&" in text else text
                for text in TEXTS
            ]
            most = option.get("max_length", 6000)
            texts = [text[:most] for text in told]
            if option["name"] in {"number", "match"}:
                texts += [str(number) for number in NUMBERS]
            return [
                text for text in dict.fromkeys(texts) if len(text) >= option.get("min_length", 0)
            ]
        case 4:
            ends = (option.get("min_value", -(2**53)), option.get("max_value", 2**53))
            inside = [one for one in NUMBERS if ends[0] <= one <= ends[1]]
            return [*ends, *inside] if option["name"] in {"number", "match"} else [*ends]
        case 6:
            return [*PEOPLE]
        case 11:
            return [
                Upload("\u202etxt.exe", "text/plain", "\u202e@everyone".encode()),
                Upload("x.png", "image/png", b"\xff\xfe\0"),
                Upload("empty", "text/plain", b""),
            ]
        case _:
            return []


async def everything_of(env: Environment) -> list[tuple[Any, ...]]:
    """Return what is stored of the matches that are none of Ann's business."""
    async with env.store.read() as tx:
        rows = await tx.rows(select(matches).where(matches.c.id.in_((FOREIGN, HIDDEN))))
    return sorted(tuple(map(repr, row)) for row in rows)


async def tried(env: Environment, command: SlashCommand, option: JSON, value: Any) -> Reply:
    """Use a command as Ann with one hostile value, and what else it needs; check the answer."""
    given = {one["name"]: usual(env, one) for one in command.options if one.get("required")}
    data = env.ann._slash_data(command, {**given, option["name"]: value}, env.channel())
    reply = await sent(env, env.ann, InteractionType.COMMAND, data)
    what = (command.line("en"), option["name"], value)
    shown = [reply.text, *(one.text for one in reply.followups)]
    assert any(one.strip() for one in shown) or reply.modal is not None, what
    # Whoever manages a server decides about all of its matches, wherever they are played.
    hidden = {FOREIGN} if command.line("en").startswith("/server ") else {FOREIGN, HIDDEN}
    if option["name"] in {"number", "match"} and str(value) in {str(one) for one in hidden}:
        assert not any(word in " ".join(shown) for word in ("Carol", env.carol.mention)), what
    return reply


@pytest.mark.parametrize("part", range(3))
async def test_what_people_type_to_do_harm_gets_a_kind_answer(env: Environment, part: int) -> None:
    env.expected |= {404}  # Discord is asked for a member it does not know
    people = await hostile_world(env)
    before, count = await everything_of(env), 0
    for command in offered(env)[part::3]:
        for option in command.options:
            for value in hostile(env, option):
                given = people[str(value)] if option["type"] == 6 else value
                await tried(env, command, option, given)
                count += 1
    await env.settled()
    assert count > 60
    assert await everything_of(env) == before
    asked = [
        one.user_id
        for made in await env.read(challenges.made_by, env.ann.id)
        for one in made.invited[1:]
    ]
    assert not {people[one].id for one in PEOPLE} & {*asked}
    for channel in env.world.channels.values():
        for message in channel.messages.values():
            assert not message.mention_everyone, message.text
            if not message.ephemeral:
                assert "\u202e" not in message.text, message.text
    said = env.channel().messages.values()
    assert not [one.text for one in said if env.ben.user in one.pinged]
