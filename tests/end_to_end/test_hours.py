"""Games of an hour per move: deadlines, reminders, time-outs, and where the hour is chosen."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.core.settings.service import SettingsStore
from data import time_per_move
from data.matches import clocks
from data.matches.match import matches
from tests.end_to_end.harness import Environment
from tests.end_to_end.ladders import opened, post
from tests.end_to_end.people import (
    AWAY,
    LATE,
    REMIND,
    clock,
    confirm,
    messages_with,
)
from tests.end_to_end.tournaments import posts, start

HOUR = timedelta(hours=1)


async def begin(env: Environment) -> None:
    """Begin a match of an hour per move between Ann and Ben, and make two moves each."""
    challenge = await env.ann.slash("/tablan challenge", opponent=env.ben, time="1h")
    assert "1 hour per move" in challenge.text
    await confirm(env, env.ben, challenge, "Accept")
    await env.play_a_while()


async def test_a_player_is_reminded_after_half_the_hour_and_late_after_it(env: Environment) -> None:
    await begin(env)
    board = env.board()
    late, other = env.mover(board), env.other(board)
    due = int((env.now() + HOUR).timestamp())
    assert f"<t:{due}:R>" in board.text
    await env.advance(minutes=29, seconds=59)
    assert not messages_with(env, REMIND)
    await env.advance(seconds=1)
    (reminder,) = messages_with(env, REMIND)
    assert reminder.pinged == (late.user,)
    assert f"<t:{due}:R>" in reminder.text
    await env.advance(minutes=29, seconds=59)
    assert "has time until" in (await other.slash("/tablan claim")).private
    await env.advance(seconds=1)
    (offer,) = messages_with(env, LATE)
    assert offer.pinged == (other.user,)
    assert len(messages_with(env, REMIND)) == 1
    await env.done(other.press(offer, "Claim the win"))
    assert "ran out of time" in env.board().text
    assert await env.read(clocks.of, 1) is None


async def test_after_a_long_outage_an_hour_is_twelve(env: Environment) -> None:
    """Nobody waits for the bot all night; and nobody loses as it comes back."""
    await begin(env)
    await env.change_settings(forfeit="automatic")
    await env.down(hours=3)
    assert (await clock(env)).due_at == env.now() + 12 * HOUR
    assert len(messages_with(env, AWAY)) == 1
    await env.advance(minutes=1)  # Discord allows three edits of old messages in six seconds
    await env.play_a_while(moves=1)
    assert (await clock(env)).due_at == env.now() + HOUR


@pytest.mark.parametrize("away", [25, 59])
async def test_after_a_shorter_outage_those_with_hours_have_an_hour(
    env: Environment, away: int
) -> None:
    await begin(env)
    await env.change_settings(forfeit="automatic")
    await env.advance(minutes=35)
    await env.down(minutes=away)
    assert (await clock(env)).due_at == env.now() + HOUR
    assert len(messages_with(env, AWAY)) == 1
    await env.advance(minutes=59)
    assert (await env.position()).to_move is not None
    await env.advance(minutes=1)
    assert (await env.position()).to_move is None


async def test_after_a_brief_outage_the_hour_runs_out_as_usual(env: Environment) -> None:
    await begin(env)
    await env.advance(minutes=45)
    await env.down(minutes=20)
    assert not messages_with(env, AWAY)
    assert len(messages_with(env, LATE)) == 1


async def test_open_challenges_name_the_hours_and_a_rematch_keeps_them(env: Environment) -> None:
    await env.done(env.ann.slash("/tablan challenge", time="6h"))
    listed = await env.ben.slash("/seek")
    assert "6 hours per move" in listed.text
    await env.done(env.ben.press(listed.shown, "Accept 1"))
    match = (await env.position()).match
    assert match.per_move == 6 * HOUR
    await env.play_a_while()
    await env.resign(env.ann)
    again = await env.ben.press(env.board(), "Rematch")
    assert "6 hours per move" in again.text
    await confirm(env, env.ann, again, "Accept")
    assert (await env.position(2)).match.per_move == 6 * HOUR


async def test_play_offers_hours(env: Environment) -> None:
    panel = (await env.ann.slash("/play")).shown
    await env.ann.choose(panel, "tablut", menu=0)
    await env.ann.press(panel, "Options…")
    (times,) = (
        menu for menu in panel.menus if "1 hour per move" in [o.label for o in menu.options]
    )
    assert [one.label for one in times.options][:4] == [
        *("1 hour per move", "6 hours per move", "12 hours per move", "1 day per move")
    ]
    await env.ann.choose(panel, "1h", menu=panel.menus.index(times))
    assert "1 hour per move" in panel.text
    await env.restart()
    await env.done(env.ann.press(panel, "Challenge anyone"))
    (challenge,) = messages_with(env, "1 hour per move")
    await env.done(env.ben.press(challenge, "Accept"))
    assert (await clock(env)).due_at == env.now() + HOUR


async def test_the_servers_default_holds_for_challenges_and_tournaments(env: Environment) -> None:
    await env.change_settings(days=1, hours=6)
    assert "6 hours per move" in (await env.challenge("tablut")).text
    announced = await start(env, 4)
    assert "6 hours per move" in announced.text
    match = (await env.position()).match
    assert match.per_move == 6 * HOUR
    assert match.clock is not None
    assert match.clock.due_at == env.now() + 6 * HOUR


async def test_a_ladder_on_a_server_of_hours_has_a_day_per_move(env: Environment) -> None:
    """Its games begin whenever the challenged player answers, when the other one may be asleep."""
    await env.change_settings(days=1, hours=6)
    await opened(env)
    assert "1 day per move · 30 days each" in post(env).text


async def test_a_round_warns_players_a_quarter_of_the_hour_before_its_end(env: Environment) -> None:
    announced = await start(env, 4, time="1h", rounds=1)

    def warnings() -> int:
        return sum(
            "waiting for your move. If you don't" in one.text for one in posts(env, announced)
        )

    await env.advance(minutes=44)
    assert warnings() == 0
    await env.advance(minutes=2)
    assert warnings() == 1
    await env.advance(minutes=15)
    assert await env.read(clocks.next_moment) is None, "all have run out of time"


async def test_a_match_that_an_older_version_reads_has_a_day_per_move(env: Environment) -> None:
    """It knows the column of days alone: whoever moves there gives the next player more time."""
    await begin(env)
    async with env.store.read() as tx:
        row = await tx.row(matches.select())
    assert row is not None
    assert (row.days, row.hours) == (1, 1)
    assert time_per_move.of(row.days, None) == timedelta(days=1)


@pytest.mark.parametrize("stored", [{"days": 5, "hours": 6}, {"days": 5}])
async def test_days_that_an_older_version_set_for_a_server_count(
    env: Environment, stored: dict[str, int]
) -> None:
    await env.change_settings(**stored)
    server = await env.app.get(SettingsStore).server(env.guild.id)
    assert server.per_move == timedelta(days=5)
