"""Former members of a server: looked up at the gateway, cached for a while, never guessed."""

from __future__ import annotations

import asyncio

import discord
import pytest
from cachetools import TTLCache

from bot.core.permissions.members import KEPT, PAUSE, Members
from tests.end_to_end.harness import Environment

NOBODY = frozenset[int]()
STRANGER = 123_456_789
"""An ID without an account, which looks like a deleted one."""


def server(env: Environment) -> discord.Guild:
    found = env.bot.get_guild(env.guild.id)
    assert found is not None
    return found


def questions(env: Environment) -> int:
    return env.gateway.member_requests.count


async def gone(env: Environment, *user_ids: int) -> frozenset[int]:
    return await env.app.get(Members).departed(env.guild.id, user_ids)


# ------------------------------------------------------------------ when nothing is known


async def test_an_unanswered_request_marks_no_one_and_pauses(env: Environment) -> None:
    env.dan.leaves_server()
    env.gateway.member_requests.unresponsive = True
    env.app.get(Members)._wait = 0.0
    assert await gone(env, env.ann.id, env.dan.id) == NOBODY
    asked = questions(env)
    assert await gone(env, env.ann.id, env.dan.id) == NOBODY
    assert questions(env) == asked
    env.gateway.member_requests.unresponsive = False
    env.app.get(Members)._wait = 3600.0
    env.clock.advance(PAUSE.total_seconds())
    assert await gone(env, env.ann.id, env.dan.id) == {env.dan.id}


async def test_a_broken_connection_marks_no_one_as_gone(env: Environment) -> None:
    env.dan.leaves_server()
    env.gateway.unreachable = True
    env.gateway.drop()
    env.app.get(Members)._wait = 0.0
    assert await gone(env, env.dan.id) == NOBODY
    env.gateway.unreachable = False
    await env.gateway.wait_connected()
    env.app.get(Members)._wait = 3600.0
    env.clock.advance(PAUSE.total_seconds())
    assert await gone(env, env.dan.id) == {env.dan.id}


async def test_a_member_request_cut_off_by_a_new_session_marks_no_one(env: Environment) -> None:
    env.gateway.member_requests.unresponsive = True
    asking = asyncio.create_task(gone(env, env.ann.id, env.ben.id))
    await env.gateway.member_requests.received.wait()
    # discord.py does this at READY: it answers every open request with no members.
    env.bot._connection.clear_chunk_requests(None)
    assert await asking == NOBODY


async def test_no_request_is_made_where_none_would_help(env: Environment) -> None:
    assert await env.app.get(Members).departed(None, [env.ann.id, STRANGER]) == NOBODY
    assert questions(env) == 0
    assert await gone(env, -5, env.world.bot.id) == NOBODY
    assert await gone(env) == NOBODY
    before = server(env)
    env.world.remove_member(env.guild, env.world.bot)
    while env.bot.get_guild(before.id) is not None:
        await env.bot.wait_for("guild_remove")
    assert await env.app.get(Members).departed(before.id, [STRANGER]) == NOBODY
    assert questions(env) == 0


async def test_no_member_requests_are_made_near_the_gateways_rate_limit(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    env.dan.leaves_server()
    limiter = env.bot._get_websocket(shard_id=0)._rate_limiter
    monkeypatch.setattr(limiter, "max", 0)
    monkeypatch.setattr(limiter, "remaining", 0)
    monkeypatch.setattr(limiter, "window", 1e18)
    assert await gone(env, env.dan.id) == NOBODY
    assert questions(env) == 0


# ------------------------------------------------------------------ former members


async def test_who_left_or_was_kicked_is_gone_and_others_are_not(env: Environment) -> None:
    everybody = [person.id for person in env.people]
    assert await gone(env, *everybody) == NOBODY
    env.clock.advance(KEPT.total_seconds())
    env.dan.leaves_server()
    env.world.remove_member(env.guild, env.carol.user)
    assert await gone(env, *everybody) == {env.carol.id, env.dan.id}
    assert await gone(env, STRANGER, env.ann.id) == {STRANGER}


async def test_a_page_takes_one_request_in_ten_minutes(env: Environment) -> None:
    everybody = [person.id for person in env.people]
    env.dan.leaves_server()
    assert await gone(env, *everybody) == {env.dan.id}
    assert questions(env) == 1
    assert await gone(env, *reversed(everybody)) == {env.dan.id}
    assert questions(env) == 1
    assert await gone(env, env.dan.id, STRANGER) == {env.dan.id, STRANGER}
    assert questions(env) == 2
    env.clock.advance(KEPT.total_seconds())
    assert await gone(env, *everybody) == {env.dan.id}
    assert questions(env) == 3


async def test_names_are_asked_for_once_an_hour_and_only_of_who_is_there(env: Environment) -> None:
    members, everybody = env.app.get(Members), [person.id for person in env.people]
    env.dan.leaves_server()
    names = await members.names(env.guild.id, everybody)
    assert names == {person.id: person.name for person in env.people if person is not env.dan}
    assert await members.names(env.guild.id, everybody) == names
    assert await gone(env, *everybody) == {env.dan.id}
    assert questions(env) == 1
    env.clock.advance(3600)
    assert await members.names(env.guild.id, everybody) == names
    assert questions(env) == 2
    assert await members.names(None, everybody) == {}


async def test_without_an_answer_no_one_has_a_name(env: Environment) -> None:
    env.gateway.member_requests.unresponsive = True
    members = env.app.get(Members)
    members._wait = 0.0
    assert await members.names(env.guild.id, [env.ann.id, env.ben.id]) == {}
    asked = questions(env)
    assert await members.names(env.guild.id, [env.ann.id, env.ben.id]) == {}
    assert questions(env) == asked


async def test_names_outside_servers_are_asked_for_once_and_one_failure_hides_no_other(
    env: Environment,
) -> None:
    env.expected |= {503}
    route, members = "GET /users/{user_id}", env.app.get(Members)
    env.faults.respond(
        route, status=503, times=None, when=lambda asked: asked.params["user_id"] == str(env.ann.id)
    )
    for _ in range(2):
        assert await members.account_names([env.ann.id, env.ben.id]) == {env.ben.id: env.ben.name}
    asked = [one.params["user_id"] for one in env.playground.requests if one.route == route]
    assert sorted(asked) == sorted(map(str, [env.ann.id, env.ann.id, env.ben.id]))


async def test_an_answer_can_be_asked_for_afresh(env: Environment) -> None:
    assert await gone(env, env.ann.id, env.dan.id) == NOBODY
    env.dan.leaves_server()
    assert await gone(env, env.dan.id) == NOBODY
    members, guild_id = env.app.get(Members), env.guild.id
    assert await members.departed(guild_id, [env.dan.id], afresh=True) == {env.dan.id}
    assert await gone(env, env.dan.id) == {env.dan.id}
    assert questions(env) == 2
    env.gateway.member_requests.unresponsive = True
    members._wait = 0.0
    everyone = [person.id for person in env.people]
    assert await members.departed(guild_id, everyone, afresh=True) == {env.dan.id}, "as last known"


async def test_a_returning_member_is_back_with_their_first_interaction(env: Environment) -> None:
    env.dan.leaves_server()
    assert await gone(env, env.dan.id) == {env.dan.id}
    env.dan.joins()
    assert await gone(env, env.dan.id) == {env.dan.id}
    await env.done(env.dan.slash("/games"))
    assert await gone(env, env.dan.id) == NOBODY


@pytest.mark.parametrize("number", [99, 100, 250])
async def test_more_than_a_hundred_users_are_all_looked_up(env: Environment, number: int) -> None:
    left = [STRANGER + place for place in range(number - 4)]
    here = [person.id for person in env.people]
    assert await gone(env, *here[:2], *left, *here[2:]) == set(left)
    assert questions(env) == -(-number // 99)
    assert await gone(env, *left) == set(left)
    assert questions(env) == -(-number // 99)


async def test_the_member_cache_is_bounded(env: Environment) -> None:
    env.app.get(Members)._is_here = TTLCache(2, KEPT, env.now)
    env.dan.leaves_server()
    assert await gone(env, env.dan.id) == {env.dan.id}
    assert await gone(env, STRANGER, STRANGER + 1) == {STRANGER, STRANGER + 1}
    assert len(env.app.get(Members)._is_here) == 2
