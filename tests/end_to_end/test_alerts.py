"""Alerts and welcomes come once, whatever fails and for how long."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from playground.people import Person
from playground.permissions import Permission
from playground.request_log import Request
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import (
    about_letters_to,
    answered,
    hangs,
    letters,
    typed_move,
    unwelcomed,
    welcomes,
)
from tests.routes import OPEN, POST

pytestmark = pytest.mark.fast_timers

Fault = tuple[str, int | None, int | None, float]
"""A route, the status and code of its response, and the seconds to wait; no status: it hangs."""

MONTH = 30 * 86_400.0
FAULTS: list[Fault] = [
    (OPEN, 500, None, 0.0),
    (OPEN, 400, 40003, 0.0),
    (OPEN, 429, None, 600.0),
    (POST, 500, None, 0.0),
    (POST, 403, 50013, 0.0),
    (POST, None, None, MONTH),
]


def fail(env: Environment, fault: Fault, when: Callable[[Request], bool]) -> None:
    route, status, code, seconds = fault
    if status is None:
        env.faults.delay(route, seconds, times=None, when=when)
        return
    env.expected.add(status)
    env.faults.respond(route, status=status, code=code, retry_after=seconds, times=None, when=when)


def fail_letters(env: Environment, person: Person, fault: Fault) -> None:
    def opens(request: Request) -> bool:
        return str(person.id) in str(request.json)

    fail(env, fault, opens if fault[0] == OPEN else about_letters_to(env, person))


def owner(env: Environment) -> Person:
    return next(one for one in env.playground.people if one.id == env.guild.owner_id)


@pytest.mark.parametrize("fault", FAULTS)
async def test_an_owner_is_asked_for_a_permission_once_a_day(
    env: Environment, fault: Fault
) -> None:
    env.expected |= {403}
    env.allow_pending = True
    await env.begin("tablut")
    env.forbid(Permission.SEND_MESSAGES)
    await env.restart()  # a playground sends such changes only at the start
    fail_letters(env, owner(env), fault)
    await typed_move(env)
    await env.advance(minutes=30)
    assert letters(env, owner(env), "Send Messages") == []
    await env.restart()
    env.faults.clear()
    await env.advance(hours=1, minutes=1)
    await typed_move(env)
    [letter] = letters(env, owner(env), "Send Messages")
    assert "Nothing is lost" in letter.text
    await env.advance(days=1)
    await typed_move(env)
    assert len(letters(env, owner(env), "Send Messages")) == 2


async def test_an_owner_is_not_asked_for_what_was_granted_meanwhile(env: Environment) -> None:
    env.expected |= {403}
    await env.begin("tablut")
    env.forbid(Permission.SEND_MESSAGES)
    await env.restart()
    fail_letters(env, owner(env), FAULTS[0])
    await typed_move(env)
    env.allow(Permission.SEND_MESSAGES)
    await env.restart()
    env.faults.clear()
    await env.advance(hours=1, minutes=1)
    assert letters(env, owner(env), "Send Messages") == []


@pytest.mark.parametrize("fault", FAULTS)
async def test_players_are_told_once_that_their_channel_is_gone(
    env: Environment, fault: Fault
) -> None:
    env.expected |= {404}
    env.allow_pending = True
    board = await env.begin("tablut", channel="elsewhere")
    mover, other = env.mover(board), env.other(board)
    env.world.remove_channel(env.channel("elsewhere"))
    fail_letters(env, other, fault)
    reply = await mover.slash("/tablut board", channel="games")
    await env.turn_from(reply.shown, mover, random.Random(10))
    await env.settled()
    [letter] = letters(env, mover, "was deleted")
    assert "/match relocate" in letter.text
    await env.advance(minutes=30)
    assert letters(env, other, "was deleted") == []
    await env.restart()
    env.faults.clear()
    await env.advance(hours=1, minutes=1)
    assert len(letters(env, other, "was deleted")) == 1
    assert letters(env, mover, "was deleted") == [letter]


@pytest.mark.parametrize(
    "fault",
    [
        (POST, 500, None, 0.0),
        (POST, 403, 50013, 0.0),
        (POST, 429, None, 600.0),
        (POST, None, None, MONTH),
    ],
)
async def test_the_welcome_comes_once_the_fault_is_over(env: Environment, fault: Fault) -> None:
    await unwelcomed(env)
    fail(env, fault, lambda _: True)
    await env.start()
    await env.advance(minutes=30)
    assert welcomes(env) == []
    await env.restart()
    env.faults.clear()
    await env.advance(hours=1, minutes=1)
    assert len(welcomes(env)) == 1
    await env.restart()
    await env.advance(hours=1)
    assert len(welcomes(env)) == 1


async def test_a_welcome_does_not_come_after_a_day(env: Environment) -> None:
    await unwelcomed(env)
    fail(env, (POST, 403, 50013, 0.0), lambda _: True)
    await env.start()
    await env.advance(days=1, hours=1)
    env.faults.clear()
    await env.advance(hours=2)
    assert welcomes(env) == []


async def test_an_answer_that_failed_is_given_to_the_next_mention(env: Environment) -> None:
    env.expected.add(500)
    fault = env.faults.respond(POST, status=500, times=None)
    env.ann.says(env.world.bot.mention)
    await hangs(fault)
    await env.settled()
    env.faults.clear()
    env.ann.says(env.world.bot.mention)
    await answered(env, env.channel())
    assert len(welcomes(env)) == 1
