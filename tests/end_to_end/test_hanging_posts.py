"""Posts that hang in Discord hold up nothing else, and are made once, even after a restart."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from bot.core.requests import sending
from bot.play.delivery import match_requests
from bot.play.matches.service import Matches
from playground.faults import Fault
from playground.model import Channel, Message
from tests.end_to_end.harness import Environment
from tests.end_to_end.ladders import ladder
from tests.end_to_end.people import begin_and_play, follow, go_on_vacation, hangs, inbox, may_manage
from tests.end_to_end.puzzles import add_puzzles, daily_puzzles
from tests.end_to_end.tournaments import announcement, create
from tests.routes import CALLBACK, EDIT, POST

HOUR = 3600.0
MONTH = 30 * 24 * HOUR


def hang(env: Environment, message: Message) -> Fault:
    return env.faults.delay(
        EDIT, HOUR, when=lambda request: request.params["message_id"] == str(message.id)
    )


def hang_posts(env: Environment, channel: Channel, *, arrives: bool) -> Fault:
    """Let the next post in a channel hang for a month, after it has arrived or before."""
    inject = env.faults.hold if arrives else env.faults.delay
    return inject(POST, MONTH, when=lambda request: request.params["channel_id"] == str(channel.id))


async def open_ladder(env: Environment) -> Message:
    """Open a ladder; return its post, which the scheduler has made."""
    may_manage(env, env.ann)
    await env.ann.slash("/ladder open", options={"game": "tablan"})
    games = env.channel()
    return await env.playground.wait_for(
        games, lambda found: found.text.startswith("### Tablan ladder"), timeout=10
    )


async def test_an_answer_that_hangs_holds_up_no_board(env: Environment) -> None:
    board, games = await env.begin(), env.channel()
    move, other, before = (await env.legal())[0], env.other(board), board.revision
    hanging = env.faults.delay(CALLBACK, HOUR)
    env.mover(board).slash("/tablan move", move=move)
    await hangs(hanging)

    def moved(found: Message) -> bool:
        return found.id > board.id or board.revision > before

    await env.playground.wait_for(games, moved, timeout=10)
    await env.app.get(Matches).resign(1, other.id)
    await env.playground.wait_for(games, lambda found: "resigned" in found.text, timeout=10)
    env.expected.add(404)  # the answer comes too late
    env.clock.advance(HOUR)
    await env.settled()


async def test_a_post_that_hangs_holds_up_no_other_tournament(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "TIMEOUT", HOUR)
    message = await create(env)
    hanging = hang(env, message)
    await env.ben.press(message, "Sign up")
    await hangs(hanging)
    options = {"game": "tablut", "name": "Spring Cup"}
    await env.ann.slash("/tournament create", channel="elsewhere", options=options)
    there = env.channel("elsewhere")
    other = await env.playground.wait_for(there, lambda found: found.text.startswith("### Spring"))
    await env.ben.press(other, "Sign up")
    await env.playground.wait_for(there, lambda found: found is other and "1 play" in found.text)
    assert "1 player" not in message.text
    env.clock.advance(HOUR)
    await env.settled()
    assert "1 player" in announcement(env).text


async def test_a_post_that_hangs_holds_up_neither_other_ladders_nor_the_scheduler(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "TIMEOUT", HOUR)
    message = await ladder(env, 2)
    hanging = hang(env, message)
    await env.carol.press(message, "Join")
    await hangs(hanging)
    assert (await open_ladder(env)).buttons
    assert "3 players" not in message.text
    env.clock.advance(HOUR)
    await env.settled()
    assert "3 players" in message.text


async def test_a_challenge_that_hangs_does_not_hold_up_the_scheduler(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_requests, "TIMEOUT", HOUR)
    offered = (await env.challenge()).shown
    hanging = hang(env, offered)
    env.clock.advance(7 * 24 * HOUR)
    await hangs(hanging)
    assert (await open_ladder(env)).buttons
    assert "Expired" not in offered.text
    env.clock.advance(HOUR)
    await env.settled()
    assert "Expired" in offered.text


async def test_a_direct_message_that_hangs_does_not_hold_up_the_scheduler(env: Environment) -> None:
    await go_on_vacation(env, env.ann, 5)
    await env.advance(days=3, hours=23, minutes=59)
    hanging = env.faults.delay("POST /users/@me/channels", MONTH)
    env.clock.advance(HOUR)
    await hangs(hanging)
    assert (await open_ladder(env)).buttons
    await env.restart()
    await env.settled()
    assert [message.text[:18] for message in inbox(env, env.ann)] == ["Your vacation ends"]


async def pose_a_puzzle(env: Environment, *, arrives: bool) -> Callable[[], int]:
    await add_puzzles(env)
    channel = env.channel("elsewhere")
    hanging = hang_posts(env, channel, arrives=arrives)
    await env.change_settings(puzzle_channel=channel.id)
    await hangs(hanging)
    return lambda: len(daily_puzzles(env, "elsewhere"))


async def tell_a_follower(env: Environment, *, arrives: bool) -> Callable[[], int]:
    await begin_and_play(env, "tablut")
    await follow(env.carol, match=1)
    direct = env.world.dm_channel(env.carol.user, env.world.bot)
    hanging = hang_posts(env, direct, arrives=arrives)
    reply = await env.ann.slash("/tablut resign", options={"match": 1})
    await env.ann.press(reply.shown, "Resign")
    await hangs(hanging)
    return lambda: len(inbox(env, env.carol))


@pytest.mark.usefixtures("no_shipped_puzzles")
@pytest.mark.parametrize("arrives", [False, True])
@pytest.mark.parametrize("post", [pose_a_puzzle, tell_a_follower])
async def test_a_post_that_hangs_does_not_hold_up_the_scheduler_and_comes_once_after_a_restart(
    env: Environment, post: Callable[..., Awaitable[Callable[[], int]]], *, arrives: bool
) -> None:
    there = await post(env, arrives=arrives)
    assert (await open_ladder(env)).buttons
    assert there() == arrives
    await env.restart()
    await env.settled()
    assert there() == 1
