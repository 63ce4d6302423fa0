"""Every kind of message notifies only those who want to be notified."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, time
from typing import Any

import pytest

from bot.play.delivery import notices
from playground.model import Message
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import begin_and_play, decided, finish

Cause = Callable[[Environment], Awaitable[None]]

CHOSEN: dict[str, dict[str, Any]] = {
    "as usual": {},
    "no pings": {"pings": False},
    "quiet hours": {"quiet_from": time(20), "quiet_to": time(19, 59)},
}
"""Ben's possible settings. His quiet hours last all day except for one minute before eight."""


async def waits_for(env: Environment, *, ben: bool) -> None:
    while (env.mover(env.board()) is env.ben) is not ben:
        await env.turn(env.board(), random.Random(1))


async def challenge(env: Environment) -> None:
    await env.challenge()


async def challenge_elsewhere(env: Environment) -> None:
    """Ask for a rematch in a thread as Ann; the challenge goes to the channel."""
    env.threads = True
    await env.change_settings(threads=True)
    await env.begin("tablut")
    last = await finish(env, env.ann, "tablut")
    await env.ann.press(last, "Rematch")


async def rematch(env: Environment) -> None:
    await env.begin("tablut")
    await env.ann.press(await finish(env, env.ann, "tablut"), "Rematch")


async def draw(env: Environment) -> None:
    await env.begin("tablut")
    await env.ann.slash("/tablut draw")


async def takeback(env: Environment) -> None:
    await env.begin("tablut")
    await waits_for(env, ben=False)
    await env.turn(env.board(), random.Random(2))
    await waits_for(env, ben=True)
    await env.ann.slash("/tablut takeback")


async def turn(env: Environment) -> None:
    await env.begin("tablut")
    await waits_for(env, ben=False)
    await waits_for(env, ben=True)


async def turn_beside_one_board(env: Environment) -> None:
    await env.change_settings(board="edit")
    await turn(env)


async def reminder(env: Environment) -> None:
    await env.begin("tablut")
    await waits_for(env, ben=True)
    await env.advance(days=2, hours=23, minutes=50)


async def lapsed(env: Environment) -> None:
    await begin_and_play(env, "tablut")
    await waits_for(env, ben=False)
    await env.advance(days=3, minutes=1)


async def forfeited(env: Environment) -> None:
    await env.change_settings(forfeit="automatic")
    await lapsed(env)


async def moved(env: Environment) -> None:
    await env.begin("tablut")
    env.world.add_channel(env.guild, "elsewhere")
    await env.ann.slash("/match relocate", channel="elsewhere", number=1)


async def moved_on_her_turn(env: Environment) -> None:
    await env.begin("tablut")
    await waits_for(env, ben=False)
    await env.ann.slash("/match relocate", channel="elsewhere", number=1)


async def moved_on_his_turn(env: Environment) -> None:
    await env.begin("tablut")
    await waits_for(env, ben=True)
    await env.ann.slash("/match relocate", channel="elsewhere", number=1)


async def decision(env: Environment) -> None:
    await env.begin("tablut")
    await decided(env, "void", match=1)


KINDS: list[Cause] = [
    *(challenge, challenge_elsewhere, rematch, draw, takeback, turn, turn_beside_one_board),
    *(reminder, lapsed, forfeited, moved, decision),
]
BY_ANN: list[Cause] = [draw, takeback, moved_on_her_turn, moved_on_his_turn]
"""Ann's actions aimed at Ben, in a match that goes on after he has blocked her."""


def naming_ben(env: Environment) -> list[Message]:
    guild = env.guild
    places = [*guild.channels.values(), *guild.threads.values()]
    found = [message for place in places for message in place.messages.values()]
    return sorted(
        (m for m in found if not m.ephemeral and env.ben.mention in m.text), key=lambda m: m.id
    )


def wants_ping(message: Message, chosen: str) -> bool:
    """Return whether Ben wants to be notified of a message, given his settings and the time."""
    posted = datetime.fromtimestamp(((message.id >> 22) + 1_420_070_400_000) / 1000, UTC).time()
    return chosen == "as usual" or (chosen == "quiet hours" and posted.hour == 19)


@pytest.mark.parametrize("chosen", CHOSEN)
@pytest.mark.parametrize("cause", KINDS, ids=lambda cause: cause.__name__)
async def test_every_kind_of_message_only_pings_players_who_want_it(
    env: Environment, cause: Cause, chosen: str
) -> None:
    env.allow_pending = True  # pings that wait for the end of the quiet hours
    await env.change_player(env.ben, **CHOSEN[chosen])
    await cause(env)
    await env.settled()
    messages = naming_ben(env)
    assert messages
    assert not [m.text for m in messages if env.ben.user in m.pinged and not wants_ping(m, chosen)]
    if chosen == "as usual":
        assert env.ben.user in messages[-1].pinged or cause in (turn_beside_one_board, moved), (
            messages[-1].text
        )
        assert [m for m in messages if env.ben.user in m.pinged]


@pytest.mark.parametrize("cause", BY_ANN, ids=lambda cause: cause.__name__)
@pytest.mark.parametrize("who", ["ben", "ann"])
async def test_the_blocked_do_not_ping_each_other(env: Environment, cause: Cause, who: str) -> None:
    blocker, blocked = (env.ben, env.ann) if who == "ben" else (env.ann, env.ben)

    async def block() -> None:
        await blocker.slash("/block", user=blocked)

    begin = env.begin

    async def begin_and_block(*args: Any, **options: Any) -> Message:
        board = await begin(*args, **options)
        await block()
        return board

    env.begin = begin_and_block  # type: ignore[method-assign]
    await cause(env)
    await env.settled()
    assert env.ben.mention in naming_ben(env)[-1].text
    assert naming_ben(env)[-1].pinged == ()


@pytest.mark.parametrize("cause", [moved_on_her_turn, moved_on_his_turn])
async def test_moving_a_match_pings_the_other_player(env: Environment, cause: Cause) -> None:
    await cause(env)
    await env.settled()
    place = env.channel("elsewhere")
    message, board = (m for m in place.messages.values() if not m.ephemeral)
    assert "moved match #1 here" in message.text
    assert message.pinged == (env.ben.user,)
    assert board == env.board(channel="elsewhere")
    assert board.pinged == (() if cause is moved_on_her_turn else (env.ben.user,))


@pytest.mark.parametrize("cause", [moved_on_her_turn, moved_on_his_turn])
async def test_a_blocked_player_cannot_ping_by_moving_a_match(
    env: Environment, cause: Cause
) -> None:
    await cause(env)
    await env.ben.slash("/block", user=env.ann)
    for channel in ("games", "elsewhere"):
        await env.settled()
        known = {message.id for message in naming_ben(env)}
        await env.done(env.ann.slash("/match relocate", channel=channel, number=1))
        new = [message for message in naming_ben(env) if message.id not in known]
        assert any("moved match #1 here" in message.text for message in new)
        assert [message.pinged for message in new if message.pinged] == []


@pytest.mark.parametrize("hers", [True, False])
async def test_reposting_a_board_does_not_ping_who_asks(env: Environment, *, hers: bool) -> None:
    env.expected |= {404}
    await env.begin("tablut")
    await waits_for(env, ben=not hers)
    env.playground.messages.delete(env.board())
    await env.done(env.ann.slash("/tablut board"))
    assert env.board().pinged == (() if hers else (env.ben.user,))


async def test_a_blocked_player_cannot_ping_by_reposting_a_board(env: Environment) -> None:
    env.expected |= {404}
    await env.begin("tablut")
    await waits_for(env, ben=True)
    await env.ben.slash("/block", user=env.ann)
    env.playground.messages.delete(env.board())
    await env.done(env.ann.slash("/tablut board"))
    assert env.ben.mention in env.board().text
    assert env.board().pinged == ()


def test_every_kind_of_notice_is_covered_here() -> None:
    """Add a new kind of notice to `KINDS`, or list it here with the reason it pings nobody."""
    looked_at = {
        "gave-up",
        "turn",
        "reminder",
        "lapsed",
        "forfeited",
        "moved",
        "moderated",
        "returning",
        "restored",  # pings nobody: the board below it does
    }
    ours = {kind for kind, make in notices._BUILDERS.items() if make.__module__.startswith("bot.")}
    assert ours == looked_at
