"""A challenge's message shows what happened to it, whatever fails and for how long."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from bot.features.challenges.service import GRACE, Challenges
from bot.play.matches.service import Matches
from data.matches.match import matches
from playground.faults import Fault
from playground.model import Channel, Message
from tests.end_to_end.harness import Environment, unlinked
from tests.routes import EDIT, POST

pytestmark = pytest.mark.fast_timers

FAULTS = [(500, None, 0.0), (403, 50013, 0.0), (400, 30046, 0.0), (429, None, 600.0), None]
"""The status, code and pause of responses; ``None`` for none at all."""


def fail(
    env: Environment,
    about: Message | Channel,
    fault: tuple[int, int | None, float] | None,
    route: str = EDIT,
) -> Fault:
    """Have edits of a message, or posts in a channel, fail until the faults are cleared."""
    faults, path = env.faults, f"/{about.id}"
    if fault is None:
        return faults.delay(route, 86_400.0, times=None, when=lambda asked: path in asked.path)
    status, code, seconds = fault
    env.expected.add(status)
    return faults.respond(
        route,
        status=status,
        code=code,
        retry_after=seconds,
        times=None,
        when=lambda asked: path in asked.path,
    )


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_challenge_withdrawn_elsewhere_says_so_when_its_message_can_be_edited_again(
    env: Environment, fault: tuple[int, int | None, float] | None
) -> None:
    offered, other = (await env.challenge()).shown, (await env.challenge("tablut")).shown
    failing = fail(env, offered, fault)
    await env.ann.slash("/tablan withdraw")
    await env.done(env.ann.slash("/tablut withdraw"))
    assert "**Withdrawn.**" in other.text, "another message waits for nothing"
    await env.advance(minutes=30)
    assert offered.buttons
    assert failing.hits <= 12
    await env.restart()
    env.faults.clear()
    await env.advance(hours=1, minutes=1)
    assert "**Withdrawn.**" in offered.text
    assert offered.buttons == []


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_challenge_shows_its_result_when_its_message_can_be_edited_again(
    env: Environment, fault: tuple[int, int | None, float] | None
) -> None:
    offered = (await env.challenge()).shown
    await env.done(env.ben.press(offered, "Accept"))
    fail(env, offered, fault)
    await env.app.get(Matches).resign(1, env.ann.id)
    await env.advance(minutes=10)
    assert "resigned" in env.board().text, "the board waits for nothing"
    assert "resigned" not in offered.text
    env.faults.clear()
    await env.advance(hours=1, minutes=1)
    assert "resigned" in offered.text


async def test_what_a_press_did_not_show_before_a_crash_is_shown_after_it(env: Environment) -> None:
    offered = (await env.challenge()).shown
    await env.settled()
    await env.app.get(Challenges).decline(1, env.ben.id)
    await env.settled()
    await env.restart()
    assert offered.buttons
    await env.advance(seconds=GRACE.total_seconds() + 1)
    assert offered.buttons == []


async def test_a_press_that_shows_its_change_costs_no_edit(env: Environment) -> None:
    offered = (await env.challenge()).shown
    await env.settled()
    await env.ben.press(offered, "Decline")
    await env.advance(minutes=5)
    assert offered.buttons == []
    assert env.requests_to(EDIT) == []


async def test_a_message_that_can_never_be_edited_is_given_up_after_a_week(
    env: Environment,
) -> None:
    offered = (await env.challenge()).shown
    failing = fail(env, offered, (403, 50013, 0.0))
    await env.ann.slash("/tablan withdraw")
    await env.advance(days=8)
    hits = failing.hits
    assert 150 < hits < 300, "about once an hour"
    await env.advance(days=1)
    assert failing.hits == hits


@pytest.mark.parametrize("fault", [(500, None, 0.0), (403, 50013, 0.0), (429, None, 600.0), None])
async def test_a_rematch_from_a_thread_is_offered_once_when_its_channel_takes_posts_again(
    env: Environment, fault: tuple[int, int | None, float] | None
) -> None:
    games = env.channel("games")
    thread = env.world.add_thread(games, "Match #1", env.world.bot)
    await env.begin(channel=thread.name)
    async with env.store.write() as tx:
        await tx.run(update(matches).values(parent_id=games.id))
    await env.resign(env.ann)
    before = set(games.messages)
    fail(env, games, fault, POST)
    await env.ann.press(env.board(channel=thread.name), "Rematch")
    await env.advance(minutes=10)
    assert set(games.messages) == before
    await env.restart()
    env.faults.clear()
    await env.advance(hours=1, minutes=1)
    [offered] = [message for number, message in games.messages.items() if number not in before]
    assert offered.pinged == (env.ben.user,)
    accepted = await env.done(env.ben.press(offered, "Accept"))
    assert "Match #2" in unlinked(accepted.text)
    assert offered.buttons == []
