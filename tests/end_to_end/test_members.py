"""Former members of a server: looked up at the gateway, cached for a while, never guessed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from cachetools import TTLCache

from bot.permissions.members import KEPT, PAUSE, Members

if TYPE_CHECKING:
    import discord

    from tests.end_to_end.harness import Environment

NOBODY = frozenset[int]()
STRANGER = 123_456_789
"""An ID without an account, which looks like a deleted one."""


def server(env: Environment) -> discord.Guild:
    """Return the server as the bot knows it."""
    found = env.bot.get_guild(env.playground.guild.id)
    assert found is not None
    return found


def questions(env: Environment) -> int:
    """Return the number of member requests to the gateway so far."""
    return env.playground.gateway.member_requests.count


async def gone(env: Environment, *user_ids: int) -> frozenset[int]:
    return await env.app.get(Members).gone(env.playground.guild.id, user_ids)


# ------------------------------------------------------------------ when nothing is known


async def test_a_gateway_that_gives_no_answer_marks_nobody_and_is_left_in_peace_for_a_while(
    env: Environment,
) -> None:
    env.dan.leaves_server()
    env.playground.gateway.member_requests.unresponsive = True
    env.app.get(Members)._wait = 0.0
    assert await gone(env, env.ann.id, env.dan.id) == NOBODY
    asked = questions(env)
    assert await gone(env, env.ann.id, env.dan.id) == NOBODY
    assert questions(env) == asked

    env.playground.gateway.member_requests.unresponsive = False
    env.app.get(Members)._wait = 3600.0
    env.clock.advance(PAUSE.total_seconds())
    assert await gone(env, env.ann.id, env.dan.id) == {env.dan.id}


async def test_a_broken_line_marks_nobody_until_it_is_mended(env: Environment) -> None:
    env.dan.leaves_server()
    env.playground.gateway.unreachable = True
    env.playground.gateway.drop()
    env.app.get(Members)._wait = 0.0
    assert await gone(env, env.dan.id) == NOBODY
    env.playground.gateway.unreachable = False
    await env.playground.gateway.wait_connected()
    env.app.get(Members)._wait = 3600.0
    env.clock.advance(PAUSE.total_seconds())
    assert await gone(env, env.dan.id) == {env.dan.id}


async def test_a_question_that_ends_because_the_session_begins_anew_marks_nobody(
    env: Environment,
) -> None:
    env.playground.gateway.member_requests.unresponsive = True
    asking = asyncio.create_task(gone(env, env.ann.id, env.ben.id))
    await env.playground.gateway.member_requests.received.wait()
    # discord.py does this at READY: it answers every open request with no members.
    env.bot._connection.clear_chunk_requests(None)
    assert await asking == NOBODY


async def test_in_direct_messages_and_over_all_servers_nobody_has_left(env: Environment) -> None:
    assert await env.app.get(Members).gone(None, [env.ann.id, STRANGER]) == NOBODY
    assert questions(env) == 0


async def test_in_a_server_that_the_bot_is_not_in_any_more_nobody_is_asked_about(
    env: Environment,
) -> None:
    before = server(env)
    env.playground.world.remove_member(env.playground.guild, env.playground.world.bot)
    while env.bot.get_guild(before.id) is not None:
        await env.bot.wait_for("guild_remove")
    assert await env.app.get(Members).gone(before.id, [STRANGER]) == NOBODY
    assert questions(env) == 0


async def test_former_players_and_the_bot_itself_are_not_asked_about(env: Environment) -> None:
    assert await gone(env, -5, env.playground.world.bot.id) == NOBODY
    assert await gone(env) == NOBODY
    assert questions(env) == 0


async def test_a_bot_that_has_said_too_much_already_asks_nothing(
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


async def test_an_id_that_nobody_has_is_in_no_server(env: Environment) -> None:
    assert await gone(env, STRANGER, env.ann.id) == {STRANGER}


async def test_who_left_and_who_was_thrown_out_are_both_gone_and_the_others_are_not(
    env: Environment,
) -> None:
    everybody = [person.id for person in env.people]
    assert await gone(env, *everybody) == NOBODY
    env.clock.advance(KEPT.total_seconds())
    env.dan.leaves_server()
    env.playground.world.remove_member(env.playground.guild, env.carol.user)
    assert await gone(env, *everybody) == {env.carol.id, env.dan.id}


async def test_a_page_takes_one_question_and_the_next_ten_minutes_none(env: Environment) -> None:
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


async def test_who_comes_back_is_back_as_soon_as_they_do_anything(env: Environment) -> None:
    env.dan.leaves_server()
    assert await gone(env, env.dan.id) == {env.dan.id}
    env.dan.joins()
    assert await gone(env, env.dan.id) == {env.dan.id}
    await env.dan.slash("/games")
    await env.settled()
    assert await gone(env, env.dan.id) == NOBODY


@pytest.mark.parametrize("number", [99, 100, 250])
async def test_of_a_hundred_and_more_each_is_answered_for(env: Environment, number: int) -> None:
    left = [STRANGER + place for place in range(number - 4)]
    here = [person.id for person in env.people]
    assert await gone(env, *here[:2], *left, *here[2:]) == set(left)
    assert questions(env) == -(-number // 99)
    assert await gone(env, *left) == set(left)
    assert questions(env) == -(-number // 99)


async def test_no_more_is_remembered_than_fits(env: Environment) -> None:
    env.app.get(Members)._is_here = TTLCache(2, KEPT, env.now)
    env.dan.leaves_server()
    assert await gone(env, env.dan.id) == {env.dan.id}
    assert await gone(env, STRANGER, STRANGER + 1) == {STRANGER, STRANGER + 1}
    assert len(env.app.get(Members)._is_here) == 2
