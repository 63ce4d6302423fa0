"""Players who could not move because of an outage get more time, whatever its cause."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest

from bot.core.errors import Refusal
from bot.core.scheduling.reachability import Reachability, ServerOutages
from bot.core.scheduling.scheduler import Scheduler
from bot.play.clocks import match_clocks
from bot.play.clocks.match_clocks import MatchClocks
from bot.play.clocks.service import Claims
from bot.play.delivery.outbox_worker import OutboxWorker
from data.matches import clocks
from data.sql import key_values
from data.sql.errors import Busy
from data.sql.transaction import Transaction
from tests.end_to_end.gateways import until
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import (
    AWAY,
    DAYS,
    HOURS,
    LATE,
    REMIND,
    assert_more_time,
    begin_and_play,
    bells,
    clock,
    jump,
    messages_with,
    put_announcement,
)

pytestmark = pytest.mark.fast_timers

Change = Callable[[Environment], Awaitable[object]]


@pytest.mark.parametrize("forfeit", ["claim", "automatic"])
async def test_a_machine_asleep_costs_no_one_the_match(env: Environment, forfeit: str) -> None:
    board = await begin_and_play(env)
    if forfeit == "automatic":
        await env.change_settings(forfeit="automatic")
    await env.advance(days=2)
    await jump(env, 3 * DAYS)
    assert_more_time(env, board)
    assert (await env.position()).to_move is not None
    await env.advance(hours=11, minutes=55)
    assert not messages_with(env, LATE)
    await env.advance(minutes=5)
    assert (
        len(messages_with(env, "ran out of time in match" if forfeit == "automatic" else LATE)) == 1
    )


async def test_a_clock_running_out_as_the_machine_wakes_still_gets_grace(env: Environment) -> None:
    board = await begin_and_play(env)
    await env.change_settings(forfeit="automatic")
    env.clock.jump(4 * DAYS)
    env.app.get(Scheduler).wake()  # before anything else has checked the clock
    await env.settled()
    assert_more_time(env, board)


async def test_a_clock_set_forward_by_half_an_hour_changes_nothing(env: Environment) -> None:
    await begin_and_play(env)
    await env.advance(days=2, hours=23, minutes=45)
    await jump(env, HOURS / 2)
    assert not messages_with(env, AWAY)
    assert len(messages_with(env, LATE)) == 1


async def test_a_clock_set_back_hides_no_outage_and_no_deadline(env: Environment) -> None:
    board = await begin_and_play(env)
    await jump(env, 30 * DAYS)
    await jump(env, -30 * DAYS)
    await put_announcement(env, after=timedelta(hours=2))
    await env.advance(hours=2)
    assert len(bells(env)) == 1
    due = (await clock(env)).due_at
    assert due is not None
    await jump(env, (due - env.now()).total_seconds() - HOURS)
    assert len(messages_with(env, AWAY)) == 2
    extended = (await clock(env)).due_at
    assert extended is not None
    assert extended - env.now() > timedelta(hours=11)
    assert not messages_with(env, LATE)
    assert env.mover(board) is env.mover(env.board())


async def test_a_timestamp_in_the_future_means_an_unknown_outage(env: Environment) -> None:
    board = await begin_and_play(env)
    await env.advance(days=2, hours=23)
    assert await env.read(key_values.get, match_clocks._GRACE_UNTIL) is None
    await env.stop()
    env.clock.jump(-2 * HOURS)  # the clock had been fast
    env.clock.advance(2.5 * HOURS)
    env.clock.jump(-2 * HOURS)
    await env.start()
    await env.settled()
    assert_more_time(env, board)


async def gateway_down(env: Environment) -> None:
    env.expected_errors.append("Attempting a reconnect")
    gone = asyncio.ensure_future(env.bot.wait_for("disconnect"))
    env.gateway.unreachable = True
    env.gateway.drop()
    await gone
    await env.settled()


async def gateway_back(env: Environment) -> None:
    back = {asyncio.ensure_future(env.bot.wait_for(event)) for event in ("shard_ready", "resumed")}
    env.gateway.unreachable = False
    await asyncio.wait(back, return_when=asyncio.FIRST_COMPLETED)
    for waiting in back:
        waiting.cancel()
    await env.settled()


async def api_down(env: Environment, *, status: int = 503, page: bool = False) -> None:
    env.expected |= {status}
    env.faults.respond("*", status=status, page=page, times=None)
    await env.handled(lambda: env.carol.slash("/leaderboard"))
    assert env.app.get(Reachability).doubtful


async def api_back(env: Environment) -> None:
    env.faults.clear()
    await env.advance(minutes=1)


@pytest.mark.parametrize("status", [403, 500])
@pytest.mark.parametrize("route", ["GET /oauth2/applications/@me", "GET /gateway/bot"])
async def test_a_route_that_fails_alone_neither_stops_clocks_nor_counts_as_an_outage(
    env: Environment, route: str, status: int
) -> None:
    env.expected |= {status}
    await begin_and_play(env)
    await env.advance(days=2, hours=20)
    await api_down(env)
    env.faults.clear()
    env.faults.respond(route, status=status, times=None)
    await env.advance(hours=4, minutes=30)
    assert len(messages_with(env, LATE)) == 1, "somebody was late while Discord was there"
    env.faults.clear()
    await env.advance(minutes=5)
    assert not messages_with(env, AWAY)


@pytest.mark.parametrize("status", [403, 404, 429])
async def test_whatever_discord_refuses_it_is_there(env: Environment, status: int) -> None:
    env.expected |= {status}
    await api_down(env)
    env.faults.clear()
    env.faults.respond("*", status=status)
    await env.app.get(Reachability).in_doubt()
    assert not env.app.get(Reachability).doubtful


async def test_one_failed_request_is_no_outage(env: Environment) -> None:
    env.expected |= {503}
    await begin_and_play(env)
    await env.advance(days=2, hours=20)
    env.faults.respond("*", status=503)
    await env.handled(lambda: env.carol.slash("/leaderboard"))
    await env.advance(hours=4)
    assert len(messages_with(env, LATE)) == 1
    assert not messages_with(env, AWAY)


async def test_a_crash_while_extending_deadlines_skips_and_repeats_no_one(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin_and_play(env)
    await env.begin()
    await env.begin()
    monkeypatch.setattr(match_clocks, "BATCH", 1)
    whole, done = MatchClocks._extend, 0

    async def one(clocks: MatchClocks, *which: Any) -> None:
        nonlocal done
        done += 1
        if done > 1:
            raise Busy("the disk is gone")
        await whole(clocks, *which)

    await env.stop()
    env.clock.advance(5 * DAYS)
    monkeypatch.setattr(MatchClocks, "_extend", one)
    await env.start()
    await env.settled()
    assert len(messages_with(env, AWAY)) == 1
    monkeypatch.setattr(MatchClocks, "_extend", whole)
    await env.restart()
    await env.settled()
    assert len(messages_with(env, AWAY)) == 3
    due = {(await clock(env, number)).due_at for number in (1, 2, 3)}
    assert len(due) == 1, "everyone gets the same time"
    await env.restart()
    assert len(messages_with(env, AWAY)) == 3


async def test_all_clocks_are_searched_once_for_many_that_run_out(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a million open matches, a search takes longer than it takes to extend fifty clocks."""
    await begin_and_play(env)
    await env.begin()
    await env.begin()
    monkeypatch.setattr(match_clocks, "BATCH", 1)
    whole, found = clocks.running_out, list[int]()

    async def counted(*which: Any, **limits: Any) -> Any:
        some = await whole(*which, **limits)
        found.append(len(some))
        return some

    monkeypatch.setattr(clocks, "running_out", counted)
    await jump(env, 5 * DAYS)
    assert len(messages_with(env, AWAY)) == 3
    assert found == [3, 0]


async def test_a_killed_program_had_recently_noted_that_it_was_running(env: Environment) -> None:
    await begin_and_play(env)
    await env.advance(hours=9)
    await env.advance(minutes=10)
    noting = env.app.get(Reachability)._task
    assert noting is not None
    await noting
    noted = await env.read(key_values.get, "last-seen:0/1")
    assert noted is not None
    assert env.now() - datetime.fromisoformat(noted) <= timedelta(minutes=20)
    assert not env.app.get(OutboxWorker).busy


async def noted(env: Environment) -> tuple[clocks.ServerOutage, ...]:
    """Wait until the bot has heard of an outage and noted it; return all."""
    guild = env.guild
    await until(lambda: env.bot.is_available(guild.id) is not guild.unavailable)
    await env.settled()
    await env.app.get(ServerOutages).work.idle()
    await env.settled()
    return await env.read(clocks.outages)


async def server_down(env: Environment) -> None:
    env.world.set_unavailable(env.guild, unavailable=True)
    assert [one.grace_until for one in await noted(env)] == [None]


async def server_back(env: Environment) -> None:
    env.world.set_unavailable(env.guild, unavailable=False)
    assert await noted(env) == ()


@pytest.mark.parametrize(
    ("begin", "end", "forfeit"),
    [
        (gateway_down, gateway_back, "automatic"),
        (server_down, server_back, "claim"),
        (server_down, server_back, "automatic"),
        *(
            (partial(api_down, status=status, page=page), api_back, "automatic")
            for status, page in ((503, False), (502, True), (403, True), (429, True))
        ),
    ],
)
async def test_a_long_outage_costs_no_one_the_match(
    env: Environment, begin: Change, end: Change, forfeit: str
) -> None:
    board = await begin_and_play(env)
    if forfeit == "automatic":
        await env.change_settings(forfeit="automatic")
    await env.advance(days=2, hours=20)
    await begin(env)
    reminders = len(messages_with(env, REMIND))
    await env.advance(hours=5)
    assert (await env.position()).to_move is not None, "no press was possible"
    assert not messages_with(env, "ran out of time in match")
    assert len(messages_with(env, REMIND)) == reminders
    await end(env)
    assert_more_time(env, board)
    await env.advance(hours=11, minutes=55)
    assert not messages_with(env, LATE)
    await env.advance(minutes=5)
    late = "ran out of time in match" if forfeit == "automatic" else LATE
    assert len(messages_with(env, late)) == 1


@pytest.mark.parametrize(
    ("begin", "end"), [(gateway_down, gateway_back), (server_down, server_back)]
)
async def test_after_a_short_outage_clocks_run_out_as_usual(
    env: Environment, begin: Change, end: Change
) -> None:
    await begin_and_play(env)
    await env.advance(days=2, hours=23, minutes=45)
    await begin(env)
    await env.advance(minutes=30)
    assert not messages_with(env, LATE)
    await end(env)
    assert len(messages_with(env, LATE)) == 1
    assert not messages_with(env, AWAY)


@pytest.mark.parametrize("times", ["1h", "1"])
@pytest.mark.parametrize(
    ("begin", "end"),
    [(gateway_down, gateway_back), (server_down, server_back), (api_down, api_back)],
)
async def test_after_a_short_outage_those_with_hours_per_move_have_an_hour(
    env: Environment, begin: Change, end: Change, times: str
) -> None:
    await begin_and_play(env, time=times)
    await env.change_settings(forfeit="automatic")
    if times == "1":
        await env.advance(hours=23)
    await env.advance(minutes=45)
    await begin(env)
    await env.advance(minutes=40)
    await end(env)
    if times == "1":
        assert not messages_with(env, AWAY)
        assert len(messages_with(env, "ran out of time in match")) == 1
        return
    assert len(messages_with(env, AWAY)) == 1
    due = (await clock(env)).due_at
    assert due is not None
    assert timedelta(minutes=59) <= due - env.now() <= timedelta(hours=1)
    await env.advance(hours=1)
    assert len(messages_with(env, "ran out of time in match")) == 1


async def test_a_server_that_is_back_while_its_outage_is_noted_is_played_on(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_outage, noting = clocks.put_outage, list[clocks.ServerOutage]()

    async def back_meanwhile(tx: Transaction, outage: clocks.ServerOutage) -> None:
        noting.append(outage)
        await put_outage(tx, outage)
        back = asyncio.ensure_future(env.bot.wait_for("guild_available"))
        await asyncio.sleep(0)
        env.world.set_unavailable(env.guild, unavailable=False)
        await back
        await asyncio.sleep(0)  # the bot's own listener

    await begin_and_play(env)
    monkeypatch.setattr(clocks, "put_outage", back_meanwhile)
    env.world.set_unavailable(env.guild, unavailable=True)
    await until(lambda: bool(noting))
    assert await noted(env) == ()


@pytest.mark.parametrize("over_at_restart", [False, True], ids=["during", "after"])
async def test_a_servers_outage_outlives_restarts(
    env: Environment,
    over_at_restart: bool,  # noqa: FBT001 -- a parameter
) -> None:
    board = await begin_and_play(env)
    await env.change_settings(forfeit="automatic")
    await env.advance(days=2, hours=20)
    await server_down(env)
    await env.advance(hours=4, minutes=30)
    await env.stop()
    if over_at_restart:
        env.guild.unavailable = False
    await env.start()
    await env.settled()
    if not over_at_restart:
        assert len(await noted(env)) == 1
        await env.advance(minutes=30)
        assert not messages_with(env, "ran out of time in match")
        await server_back(env)
    assert_more_time(env, board)


async def test_an_outage_begun_in_the_bots_absence_holds_clocks(env: Environment) -> None:
    await begin_and_play(env)
    await env.change_settings(forfeit="automatic")
    await env.advance(days=2, hours=23, minutes=50)
    await env.stop()
    env.guild.unavailable = True
    env.clock.advance(1800)
    await env.start()
    await env.settled()
    assert len(await noted(env)) == 1
    assert (await env.position()).to_move is not None


async def bot_removed(env: Environment) -> None:
    """Have the server remove the bot, and wait until that is noted."""
    env.world.remove_member(env.guild, env.world.bot)
    await until(lambda: env.bot.is_available(env.guild.id) is None)
    await env.settled()
    await env.app.get(ServerOutages).work.idle()


async def bot_back(env: Environment) -> None:
    """Have the server invite the bot again, and wait until its matches go on."""
    env.guild.unavailable = False
    env.world.invite_bot(env.guild)
    await until(lambda: env.bot.is_available(env.guild.id) is True)
    await env.settled()
    await env.app.get(ServerOutages).work.idle()
    await env.settled()
    assert await env.read(clocks.outages) == ()


@pytest.mark.parametrize("away", [timedelta(minutes=30), timedelta(hours=5)], ids=str)
@pytest.mark.parametrize("before", [None, server_down], ids=["", "during_an_outage"])
async def test_nobody_runs_out_of_time_by_the_removal_of_the_bot(
    env: Environment, before: Change | None, away: timedelta
) -> None:
    """Otherwise whoever may remove the bot could win by it, however soon it is invited again."""
    env.expected |= {403, 404}
    board = await begin_and_play(env)
    await env.change_settings(forfeit="automatic")
    await env.advance(days=2, hours=23, minutes=45)
    if before is not None:
        await before(env)
    await bot_removed(env)
    await env.advance(seconds=away.total_seconds())
    assert (await env.position()).to_move is not None
    await bot_back(env)
    assert_more_time(env, board)
    await env.advance(hours=12)
    assert len(messages_with(env, "ran out of time in match")) == 1


@pytest.mark.parametrize("seen", [True, False], ids=["removed_before", "removed_meanwhile"])
async def test_clocks_stay_stopped_after_a_restart_without_the_server(
    env: Environment,
    seen: bool,  # noqa: FBT001 -- a parameter
) -> None:
    env.expected |= {403, 404}
    board = await begin_and_play(env)
    await env.change_settings(forfeit="automatic")
    await env.advance(days=2, hours=23, minutes=45)
    if seen:
        await bot_removed(env)
    await env.stop()
    env.guild.invites_bots = False
    if not seen:
        env.world.remove_member(env.guild, env.world.bot)
    await env.start()
    await env.settled()
    await env.advance(minutes=30)
    assert (await env.position()).to_move is not None
    await bot_back(env)
    assert_more_time(env, board)


async def test_nothing_is_noted_of_a_server_without_open_matches(env: Environment) -> None:
    await bot_removed(env)
    assert await env.read(clocks.outages) == ()


async def test_nobody_claims_a_win_in_an_unavailable_server(env: Environment) -> None:
    board = await begin_and_play(env)
    await env.advance(days=3)
    assert len(messages_with(env, LATE)) == 1
    env.expected |= {403, 404}
    for begin, end in ((server_down, server_back), (bot_removed, bot_back)):
        await begin(env)
        position = await env.position()
        with pytest.raises(Refusal, match="trouble"):
            await env.app.get(Claims).claim(1, env.other(board).id, position.version, "win")
        await end(env)
    await env.app.get(Claims).claim(1, env.other(board).id, position.version, "win")
    await env.settled()
