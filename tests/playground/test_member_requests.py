"""Request Guild Members, and events about members."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest

from playground.app import Playground
from playground.clock import ManualClock
from playground.errors import Impossible
from playground.gateway.member_requests import MAX_MEMBERS, MAX_NONCE_BYTES, MemberRequests
from playground.gateway.sessions import GatewayClose, Intent, Session
from tests.playground.sample_bot import SampleBot

Meet = Callable[[SampleBot], Awaitable[SampleBot]]


@pytest.fixture
def place() -> Playground:
    """A playground that is not served, with its bot in it."""
    playground = Playground(clock=ManualClock())
    playground.world.invite_bot(playground.guild)
    return playground


def call(
    playground: Playground,
    *,
    intents: int = Intent.GUILDS,
    member_requests: MemberRequests | None = None,
    **data: Any,
) -> list[dict[str, Any]]:
    """Send the request, and return the chunks of the answer."""
    session = Session("session", intents)
    (member_requests or MemberRequests(playground.world)).handle(
        session, {"guild_id": str(playground.guild.id), **data}
    )
    results = [json.loads(text) for _, text in session.replay]
    assert all(event["t"] == "GUILD_MEMBERS_CHUNK" for event in results)
    return [event["d"] for event in results]


def names(parts: list[dict[str, Any]]) -> list[str]:
    return [member["user"]["username"] for part in parts for member in part["members"]]


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    "question",
    [
        {},
        {"user_ids": []},
        {"user_ids": ["ann"]},
        {"user_ids": {}},
        {"query": "a", "limit": -1},
        {"query": "a", "limit": "many"},
        {"guild_id": None, "query": "a"},
        {"guild_id": ["1"], "query": "a"},
    ],
)
def test_an_invalid_request_closes_the_connection(
    place: Playground, question: dict[str, Any]
) -> None:
    with pytest.raises(GatewayClose) as closed:
        call(place, **question)
    assert closed.value.code == 4001


async def test_a_bot_with_an_invalid_request_is_disconnected_and_returns(
    playground: Playground, bot: SampleBot
) -> None:
    await bot.ws.send_as_json({"op": 8, "d": {"guild_id": str(playground.guild.id)}})
    await playground.gateway.wait_connected(present=False)
    await playground.gateway.wait_connected()


def test_servers_without_the_bot_or_of_other_shards_are_not_answered(
    place: Playground,
) -> None:
    assert call(place, guild_id="1", query="a") == []
    session = Session("session", Intent.GUILDS, (0, 2))
    number = place.guild.id >> 22
    session.shard = (1 - number % 2, 2)
    MemberRequests(place.world).handle(session, {"guild_id": place.guild.id, "query": "a"})
    assert not session.replay
    place.world.remove_member(place.guild, place.world.bot)
    assert call(place, query="a") == []


def test_the_whole_list_requires_the_privileged_intent(place: Playground) -> None:
    assert call(place, query="", limit=0) == []
    assert call(place, query="", limit=5) == []
    payloads = call(place, query="", limit=0, intents=Intent.GUILDS | Intent.GUILD_MEMBERS)
    assert len(names(payloads)) == len(place.guild.members)


def test_an_unresponsive_gateway_answers_no_request(place: Playground) -> None:
    member_requests = MemberRequests(place.world)
    member_requests.unresponsive = True
    assert call(place, query="a", member_requests=member_requests) == []
    assert member_requests.count == 1
    member_requests.unresponsive = False
    assert names(call(place, query="a", member_requests=member_requests)) == ["ann"]


# ------------------------------------------------------------------ answers


def test_ids_without_members_are_listed_and_duplicates_count_once(place: Playground) -> None:
    ann, dan = place.person("Ann"), place.person("Dan")
    dan.leaves_server()
    (part,) = call(place, user_ids=[str(ann.id), dan.id, "77", str(ann.id)])
    assert names([part]) == ["ann"]
    assert part["not_found"] == [str(dan.id), "77"]
    assert (part["chunk_index"], part["chunk_count"]) == (0, 1)
    assert "presences" not in part
    assert "nonce" not in part


def test_a_single_id_may_be_given_and_not_found_is_omitted_if_empty(
    place: Playground,
) -> None:
    (part,) = call(place, user_ids=str(place.person("Ann").id))
    assert names([part]) == ["ann"]
    assert "not_found" not in part


def test_only_the_first_hundred_ids_are_looked_up(place: Playground) -> None:
    (part,) = call(place, user_ids=[*range(1, MAX_MEMBERS + 20), place.person("Ann").id])
    assert part["members"] == []
    assert part["not_found"] == [str(number) for number in range(1, MAX_MEMBERS + 1)]


def test_the_limit_also_applies_to_ids(place: Playground) -> None:
    ids = [person.id for person in place.people]
    assert names(call(place, user_ids=ids, limit=2)) == ["ann", "ben"]


def test_a_nonce_that_is_too_long_is_not_returned(place: Playground) -> None:
    (short,) = call(place, query="a", nonce="x" * MAX_NONCE_BYTES)
    (long,) = call(place, query="a", nonce="x" * (MAX_NONCE_BYTES + 1))
    assert short["nonce"] == "x" * MAX_NONCE_BYTES
    assert "nonce" not in long


def test_presences_require_the_intent_and_a_request(place: Playground) -> None:
    seeing = Intent.GUILDS | Intent.GUILD_PRESENCES
    (part,) = call(place, query="a", presences=True, intents=seeing)
    assert part["presences"] == []
    (part,) = call(place, query="a", presences=True)
    assert "presences" not in part
    (part,) = call(place, query="a", presences=False, intents=seeing)
    assert "presences" not in part


def test_a_long_list_comes_in_chunks_and_a_search_returns_at_most_a_hundred(
    place: Playground,
) -> None:
    for number in range(1100):
        place.world.add_member(place.guild, place.world.add_user(f"Zoe {number}"))
    parts = call(place, query="", intents=Intent.GUILDS | Intent.GUILD_MEMBERS)
    assert [len(part["members"]) for part in parts] == [1000, len(place.guild.members) - 1000]
    assert [(part["chunk_index"], part["chunk_count"]) for part in parts] == [(0, 2), (1, 2)]
    assert len(names(call(place, query="zoe"))) == MAX_MEMBERS
    assert len(names(call(place, query="ZOE", limit=7))) == 7


async def test_discord_py_can_query_ids_without_a_privileged_intent(
    playground: Playground, bot: SampleBot
) -> None:
    guild = bot.get_guild(playground.guild.id)
    assert guild is not None
    ids = [person.id for person in playground.people]
    playground.person("Ben").leaves_server()
    found = await guild.query_members(user_ids=[*ids, 77], limit=100, cache=False)
    assert [member.display_name for member in found] == ["Ann", "Carol", "Dan", "Olive"]


# ------------------------------------------------------------------ joining and leaving


def test_leaving_twice_joining_twice_or_leaving_an_owned_server_is_impossible(
    place: Playground,
) -> None:
    ann = place.person("Ann")
    with pytest.raises(Impossible, match="already"):
        ann.joins()
    ann.leaves_server()
    with pytest.raises(Impossible, match="not a member"):
        ann.leaves_server()
    place.guild.owner_id = place.person("Ben").id
    with pytest.raises(Impossible, match="owns"):
        place.person("Ben").leaves_server()


def test_only_those_with_permission_can_kick_and_never_the_owner(place: Playground) -> None:
    ann, ben, carol = (place.person(name) for name in ("Ann", "Ben", "Carol"))
    with pytest.raises(Impossible, match="may not"):
        ann.kicks(ben)
    place.guild.owner_id = ann.id
    ann.kicks(ben)
    assert ben.id not in place.guild.members
    with pytest.raises(Impossible, match="cannot be kicked"):
        ann.kicks(ben)
    place.guild.owner_id = carol.id
    with pytest.raises(Impossible, match="may not"):
        ann.kicks(carol)


def test_departed_members_see_no_channels_and_are_in_no_threads_until_they_return(
    place: Playground,
) -> None:
    ann = place.person("Ann")
    games = place.channel("games")
    thread = place.world.add_thread(games, "A game", ann.user)
    ann.leaves_server()
    assert [channel for channel in ann.channels() if channel.guild] == []
    assert thread.thread_members == {}
    with pytest.raises(Impossible):
        ann.says("Hello?", channel="games")
    ann.joins()
    ann.says("Hello again.", channel="games")


def test_only_bots_with_the_intent_hear_of_joining_and_leaving(place: Playground) -> None:
    curious, plain = Session("a", Intent.GUILDS | Intent.GUILD_MEMBERS), Session("b", Intent.GUILDS)
    place.gateway.sessions.update({one.id: one for one in (curious, plain)})
    ann = place.person("Ann")
    ann.leaves_server()
    ann.joins()
    results = [json.loads(text) for _, text in curious.replay]
    assert [event["t"] for event in results] == ["GUILD_MEMBER_REMOVE", "GUILD_MEMBER_ADD"]
    for event in results:
        assert event["d"]["guild_id"] == str(place.guild.id)
        assert event["d"]["user"]["id"] == str(ann.id)
    assert not plain.replay


async def test_discord_py_understands_that_a_member_has_left(
    playground: Playground, meet: Meet
) -> None:
    playground.gateway.granted = Intent.GUILD_MEMBERS
    bot = await meet(SampleBot(intents=discord.Intents(guilds=True, members=True)))
    left = asyncio.create_task(bot.wait_for("raw_member_remove"))
    await asyncio.sleep(0)
    playground.person("Ann").leaves_server()
    assert (await left).user.id == playground.person("Ann").id
