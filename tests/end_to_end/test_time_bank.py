"""Time banks, vacations, and reminders at a player's own interval."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from pydantic import ValidationError

from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches.service import Matches
from data.matches import absences, clocks
from data.store.store import Store
from playground.model import Message
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import (
    DAYS,
    LATE,
    assert_more_time,
    begin_and_play,
    clock,
    confirm,
    everything_to,
    go_on_vacation,
    jump,
    messages_with,
)
from tests.end_to_end.tournaments import open_matches, start
from tests.moves import play


async def begin(env: Environment, bank: int = 7) -> Message:
    offered = await env.ann.slash("/tablut challenge", opponent=env.ben, bank=bank)
    assert f"ime bank: {bank} days, +1 per move, up to {2 * bank}" in offered.text
    await env.done(env.ben.press(offered.shown, "Accept"))
    return env.board()


async def test_boards_and_lists_show_everyones_remaining_time(env: Environment) -> None:
    board = await begin(env)
    mover, other = env.mover(board), env.other(board)
    due = int((env.now() + timedelta(days=7)).timestamp())
    assert f"Move by <t:{due}:f> (<t:{due}:R>)" in board.text
    assert f"Time bank, +1 day per move · {other.mention}: 7 days" in board.text
    assert f"**your turn**, time runs out <t:{due}:R>" in (await mover.slash("/games")).text
    assert "you have 7 days in your bank" in (await other.slash("/games")).text
    await env.advance(days=1, hours=21)
    await env.turn(board, random.Random(1))
    await env.settled()
    assert f"Time bank, +1 day per move · {mover.mention}: 6 days 3 hours" in env.board().text


async def test_a_win_can_be_claimed_against_an_empty_bank(env: Environment) -> None:
    await begin(env)
    await env.play_a_while()
    board = env.board()
    late, other = env.mover(board), env.other(board)
    assert "has time until" in (await other.slash("/tablut claim")).text
    left = (await clock(env)).due_at
    assert left is not None
    await env.advance(seconds=(left - env.now()).total_seconds())
    (offer,) = messages_with(env, LATE)
    await env.done(other.press(offer, "Claim the win"))
    assert f"{late.mention}" in env.board().text
    assert (await env.position()).match.finished


async def test_a_restart_keeps_the_time(env: Environment) -> None:
    board = await begin(env)
    mover = env.mover(board)
    await env.advance(days=2)
    await env.restart()
    for _ in range(2):
        await env.turn(env.board(), random.Random(1))
        await env.settled()
    await env.restart()
    match = (await env.position()).match
    assert match.clock is not None
    assert match.clock.user_id == mover.id
    assert match.clock.due_at == env.now() + timedelta(days=6)
    assert f"{env.other(env.board()).mention}: 8 days" in env.board().text


async def test_a_rematch_keeps_the_bank(env: Environment) -> None:
    await begin(env, bank=5)
    await confirm(env, env.ben, await env.ben.slash("/tablut resign"), "Resign")
    reply = await env.ann.press(env.board(), "Rematch")
    assert "ime bank: 5 days, +1 per move, up to 10" in reply.text


async def test_a_server_can_use_a_bank_by_default(env: Environment) -> None:
    await env.change_settings(bank=10)
    assert "ime bank: 10 days" in (await env.challenge("tablut")).text
    other = await env.carol.slash("/tablut challenge", opponent=env.dan, time="2")
    assert "2 days per move" in other.text


@pytest.mark.parametrize("bank", [3, 14])
async def test_a_bank_can_be_chosen_with_buttons(env: Environment, bank: int) -> None:
    opened = (await env.ann.slash("/play")).shown
    await env.ann.choose(opened, "tablut", menu=0)
    await env.ann.press(opened, "Options…")
    (place,) = [
        place
        for place, menu in enumerate(opened.menus)
        if any(choice.value == f"1+{bank}" for choice in menu.options)
    ]
    await env.ann.choose(opened, f"1+{bank}", menu=place)
    chosen = [choice.label for choice in opened.menus[place].options if choice.default]
    assert chosen == [f"Time bank: {bank} days, +1 per move, up to {2 * bank}"]
    await env.done(env.ann.press(opened, "Challenge anyone"))
    assert messages_with(env, f"ime bank: {bank} days")


@pytest.mark.fast_timers
async def test_a_player_unable_to_move_in_an_outage_has_twelve_hours(env: Environment) -> None:
    board = await begin(env)
    mover = env.mover(board)
    await env.advance(days=6)
    await jump(env, 3 * DAYS)
    assert_more_time(env, board)
    due = (await clock(env)).due_at
    assert due is not None
    left = due - env.now()
    await env.turn(env.board(), random.Random(1))
    await env.settled()
    match = (await env.position()).match
    (stock,) = [p.bank_left for p in match.players if p.user_id == mover.id]
    assert stock is not None
    assert abs(stock - left.total_seconds() - DAYS) <= 1


async def test_a_tournament_shows_its_time_control(env: Environment) -> None:
    message = await start(env, 2, bank=7, rounds=1)
    assert "ime bank: 7 days, +1 per move, up to 14" in message.text
    (match,) = await open_matches(env)
    assert "Time bank, +1 day per move" in env.board(match).text
    await env.advance(seconds=31)


REMINDER = "your turn in match"


async def test_extra_reminders_come_at_the_chosen_interval(env: Environment) -> None:
    for person in (env.ann, env.ben):
        await env.change_player(person, remind_every=12)
    await begin_and_play(env)
    await env.advance(hours=11)
    assert not messages_with(env, REMINDER)
    await env.advance(hours=2)
    assert len(messages_with(env, REMINDER)) == 1
    await env.advance(hours=12)
    assert len(messages_with(env, REMINDER)) == 2
    await env.advance(days=3)
    assert len(messages_with(env, REMINDER)) < 8, "no reminder after the deadline"
    env.allow_pending = True


async def test_reminders_come_at_most_every_six_hours(env: Environment) -> None:
    with pytest.raises(ValidationError):
        await env.change_player(env.ann, remind_every=1)


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
    await env.change_settings(forfeit="automatic")
    await env.advance(days=1)
    assert await env.read(clocks.of, 1) is not None
