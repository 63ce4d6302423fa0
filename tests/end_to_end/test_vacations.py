"""Vacations: clocks stand still while a player is away."""

from __future__ import annotations

from datetime import timedelta

from bot.core.settings.service import SettingsStore
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches.service import Matches
from data.matches import absences, clocks
from data.store.store import Store
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import (
    LATE,
    begin_and_play,
    clock,
    everything_to,
    go_on_vacation,
    messages_with,
)
from tests.moves import play


async def test_the_clock_stops_and_resumes_with_the_time_left(env: Environment) -> None:
    board = await begin_and_play(env)
    mover = env.mover(board)
    await env.advance(days=1)
    boards = len(env.boards())
    reply = await go_on_vacation(env, mover, 5)
    assert reply.ephemeral
    assert "25 vacation days left" in reply.text
    until = int((env.now() + timedelta(days=5)).timestamp())
    assert f"{mover.mention} is away until <t:{until}:D>" in env.board().text
    assert len(env.boards()) == boards
    still = await clock(env)
    assert (still.due_at, still.left) == (None, 2 * 86400)
    assert "is away until" in (await env.other(board).slash("/tablan claim")).text
    await env.advance(days=4, hours=23)
    assert not messages_with(env, LATE)
    assert not messages_with(env, "your turn in match")
    await env.advance(hours=1)
    due = env.now() + timedelta(days=2)
    assert abs((await clock(env)).due_at - due) < timedelta(seconds=1)  # type: ignore[operator]
    assert f"<t:{int(due.timestamp())}:R>" in env.board().text
    await env.advance(days=1, hours=23)
    assert not messages_with(env, LATE)
    await env.advance(hours=1)
    assert len(messages_with(env, LATE)) == 1


async def test_at_least_a_day_is_left_after_a_vacation(env: Environment) -> None:
    board = await begin_and_play(env)
    mover = env.mover(board)
    await env.advance(days=2, hours=23)
    await go_on_vacation(env, mover, 2)
    assert "Welcome back" in (await env.done(mover.slash("/me back"))).private
    assert (await clock(env)).due_at == env.now() + timedelta(days=1)
    assert "not on vacation" in (await mover.slash("/me back")).text
    left = await go_on_vacation(env, mover, 1)
    assert "29 vacation days left" in left.text
    env.allow_pending = True


async def test_turns_that_come_during_a_vacation_have_no_clock_either(env: Environment) -> None:
    env.allow_pending = True
    board = await begin_and_play(env)
    away = env.other(board)
    await go_on_vacation(env, away, 7)
    mover = env.mover(board)
    while env.mover(env.board()) is mover:
        await play(env.app.get(Matches), 1, mover.id, (await env.legal())[0])
        env.app.get(OutboxWorker).wake(1)
        await env.settled()
    assert (await clock(env)).is_paused
    assert "is away until" in env.board().text
    await env.advance(days=7)
    assert (await clock(env)).due_at is not None
    assert "is away until" not in env.board().text


async def test_moving_during_a_vacation_does_not_end_it(env: Environment) -> None:
    env.allow_pending = True
    board = await begin_and_play(env)
    mover = env.mover(board)
    await go_on_vacation(env, mover, 3)
    await env.done(mover.slash("/tablan move", move=(await env.legal())[0]))
    async with env.app.get(Store).read() as tx:
        assert await absences.present(tx, mover.id, env.now()) is not None


async def test_a_vacation_lasts_at_most_two_weeks_with_thirty_days_a_year(env: Environment) -> None:
    env.allow_pending = True
    ann = env.ann
    for days in (14, 14):
        assert "on vacation until" in (await go_on_vacation(env, ann, days)).text
        again = await go_on_vacation(env, ann, 1)
        assert again.ephemeral
        assert "already on vacation" in again.text
        await env.advance(days=days)
    refused = await go_on_vacation(env, ann, 3)
    assert refused.ephemeral
    assert "You have 2 vacation days left" in refused.text
    assert "0 vacation days left" in (await go_on_vacation(env, ann, 2)).text
    year = env.now().year
    await env.advance(days=368)
    assert env.now().year > year
    assert "16 vacation days left" in (await go_on_vacation(env, ann, 14)).text


async def test_a_direct_message_announces_the_end_a_day_before(env: Environment) -> None:
    ann = env.ann
    await go_on_vacation(env, ann, 5)
    await env.advance(days=3, hours=23, minutes=59)
    letters = "Your vacation ends"
    assert letters not in everything_to(env, ann)
    await env.advance(minutes=1)
    assert letters in everything_to(env, ann)
    await env.restart()
    await env.advance(days=2)
    assert everything_to(env, ann).count(letters) == 1
    await go_on_vacation(env, ann, 5)
    await ann.slash("/me back")
    await env.advance(days=6)
    assert everything_to(env, ann).count(letters) == 1, "who is back gets no message"


async def test_without_direct_messages_the_notice_is_beside_a_board(env: Environment) -> None:
    env.expected |= {403}
    board = await begin_and_play(env)
    mover = env.mover(board)
    env.faults.respond("POST /users/@me/channels", code=50007, times=None)
    await go_on_vacation(env, mover, 3)
    await env.advance(days=2)
    (message,) = messages_with(env, "your vacation ends")
    assert message.pinged == (mover.user,)
    await env.restart()
    assert len(messages_with(env, "your vacation ends")) == 1


async def test_a_vacation_that_ended_during_downtime_ends_at_startup(env: Environment) -> None:
    board = await begin_and_play(env)
    await env.advance(days=1)
    await go_on_vacation(env, env.mover(board), 5)
    await env.down(days=9)
    due = (await clock(env)).due_at
    assert due is not None
    assert abs(due - env.now() - timedelta(days=2)) < timedelta(seconds=1)
    assert "is away until" not in env.board().text
    await env.restart()
    assert (await clock(env)).due_at == due


async def test_a_stopped_clock_survives_a_restart(env: Environment) -> None:
    env.allow_pending = True
    board = await begin_and_play(env)
    await go_on_vacation(env, env.mover(board), 10)
    await env.restart()
    await env.advance(days=8)
    assert (await clock(env)).is_paused
    guild = (await env.view()).match.guild_id
    assert guild is not None
    await env.app.get(SettingsStore).change_server(guild, {"forfeit": "automatic"}, by=1)
    await env.advance(days=1)
    assert await env.read(clocks.of, 1) is not None
