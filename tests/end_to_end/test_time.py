"""Time: reminders, deadlines, claims and forfeits, through restarts."""

from __future__ import annotations

import asyncio
from datetime import time, timedelta

import pytest

from bot.core.errors import Refusal
from bot.core.scheduling.scheduler import Scheduler
from bot.play.clocks.service import Claims
from bot.play.delivery.outbox_worker import OutboxWorker
from bot.play.matches.service import Matches
from data.computer_tasks import Kind
from data.matches import clocks
from playground.reply import Reply
from tests.end_to_end.harness import Environment, receipt
from tests.end_to_end.people import (
    LATE,
    REMIND,
    begin_and_play,
    clock,
    confirm,
    messages_with,
)
from tests.moves import play
from tests.routes import POST


async def test_days_per_move_are_the_challenges_and_stand_on_the_board(env: Environment) -> None:
    await confirm(
        env, env.ben, await env.ann.slash("/tablan challenge", opponent=env.ben, time="1"), "Accept"
    )
    due = int((env.now() + timedelta(days=1)).timestamp())
    assert f"<t:{due}:R>" in env.board().text
    assert f"<t:{due}:f>" in env.board().text
    await env.advance(hours=23, minutes=59, seconds=59)
    assert not messages_with(env, LATE)
    await env.advance(seconds=1)
    assert len(messages_with(env, LATE)) == 1


async def test_a_move_resets_the_clock_and_the_reminder(env: Environment) -> None:
    await begin_and_play(env)
    await env.advance(days=2)
    await env.play_a_while(moves=1)
    assert (await clock(env)).due_at == env.now() + timedelta(days=3)
    await env.advance(days=2)
    assert not messages_with(env, REMIND)
    assert not messages_with(env, LATE)


async def test_after_the_deadline_the_opponent_can_claim_the_win(env: Environment) -> None:
    board = await begin_and_play(env)
    late, other = env.mover(board), env.other(board)
    await env.advance(days=2, hours=5, minutes=59, seconds=59)
    assert not messages_with(env, REMIND)
    await env.advance(seconds=1)
    (reminder,) = messages_with(env, REMIND)
    assert reminder.pinged == (late.user,)
    await env.advance(hours=17, minutes=59, seconds=59)
    assert len(messages_with(env, REMIND)) == 1
    assert not messages_with(env, LATE)
    assert "has time until" in (await other.slash("/tablan claim")).private
    await env.advance(seconds=1)
    (offer,) = messages_with(env, LATE)
    assert offer.pinged == (other.user,)
    assert {button.label for button in offer.buttons} == {"Claim the win", "Abort the match"}
    for person, words in ((late, "you can still move"), (env.carol, "belongs to")):
        assert words in (await person.press(offer, "Claim the win")).private
        assert words in (await person.slash("/tablan claim", match=1)).text
    offered = await other.slash("/tablan claim")
    assert offered.ephemeral
    await env.done(other.press(offered.shown, "Claim the win"))
    assert "over" in (await other.press(offer, "Claim the win")).private
    result = env.board()
    assert f"{other.mention}) won**" in result.text
    assert "ran out of time" in result.text
    position = await env.position()
    assert (position.match.ending, position.match.ended_by) == ("forfeited", other.id)
    assert "1 won · 0 drawn · 0 lost" in (await env.carol.slash("/profile", user=other)).text
    assert await env.read(clocks.of, 1) is None


@pytest.mark.parametrize(("setting", "pings"), [("reminders", []), ("pings", [()])])
async def test_reminders_can_be_turned_off(
    env: Environment, setting: str, pings: list[object]
) -> None:
    await env.begin()
    for person in (env.ann, env.ben):
        await env.change_player(person, **{setting: False})
    await env.play_a_while()
    await env.advance(days=2, hours=20)
    assert [reminder.pinged for reminder in messages_with(env, REMIND)] == pings


async def test_a_reminder_can_be_silenced_beforehand_by_command(env: Environment) -> None:
    board = await begin_and_play(env)
    mover, other = env.mover(board), env.other(board)
    assert "not your turn" in (await other.slash("/tablan mute", match=1)).private
    assert "belongs to" in (await env.carol.slash("/tablan mute", match=1)).text
    assert "No more reminders" in (await mover.slash("/tablan mute")).private
    await env.advance(days=2, hours=20)
    assert not messages_with(env, REMIND)


async def test_a_reminders_button_silences_the_rest_of_that_turn(env: Environment) -> None:
    board = await begin_and_play(env)
    mover = env.mover(board)
    await env.advance(days=2, hours=7)
    (reminder,) = messages_with(env, REMIND)
    assert "belongs to" in (await env.carol.press(reminder, "Mute reminders")).private
    reply = await mover.press(reminder, "Mute reminders")
    assert reply.ephemeral
    assert (await clock(env)).muted
    await env.play_a_while(moves=1)
    assert not (await clock(env)).muted
    assert "over" in (await mover.press(reminder, "Mute reminders")).text
    await env.advance(days=2, hours=7)
    assert len(messages_with(env, REMIND)) == 2


async def test_after_the_deadline_the_opponent_can_abort(env: Environment) -> None:
    board = await begin_and_play(env)
    await env.advance(days=3)
    await env.done(env.other(board).press(messages_with(env, LATE)[0], "Abort the match"))
    assert "**No result**" in env.board().text
    assert (await env.position()).match.ending == "aborted"
    assert "hasn't finished a game" in (await env.carol.slash("/profile", user=env.ann)).text


async def test_until_the_win_is_claimed_a_late_move_is_accepted(env: Environment) -> None:
    board = await begin_and_play(env)
    late, other = env.mover(board), env.other(board)
    await env.advance(days=4)
    (offer,) = messages_with(env, LATE)
    played = await late.slash("/tablan move", move=(await env.legal())[0])
    assert "Played" in receipt(played)
    await env.settled()
    assert "The move has arrived" in (await other.press(offer, "Claim the win")).private
    assert (await env.position()).to_move is not None


async def test_of_two_simultaneous_claims_one_counts(env: Environment) -> None:
    board = await begin_and_play(env)
    other = env.other(board)
    await env.advance(days=3)
    (offer,) = messages_with(env, LATE)
    claims = [other.press(offer, "Claim the win"), other.press(offer, "Claim the win")]
    await asyncio.gather(*(claim for claim in claims))
    await env.settled()
    assert len([c for c in claims if c.ephemeral and "over" in c.text]) == 1
    assert not offer.buttons
    assert "1 won · 0 drawn · 0 lost" in (await env.carol.slash("/profile", user=other)).text


@pytest.mark.parametrize("first", ["claim", "move"])
async def test_of_a_simultaneous_claim_and_move_one_counts(env: Environment, first: str) -> None:
    board = await begin_and_play(env)
    late, other = env.mover(board), env.other(board)
    await env.advance(days=3)
    (offer,) = messages_with(env, LATE)
    ply, move = await env.ply(), (await env.legal())[0]

    def start(what: str) -> Reply:
        if what == "claim":
            return other.press(offer, "Claim the win")
        return late.slash("/tablan move", options={"move": move})

    both = {what: start(what) for what in sorted(("claim", "move"), key=lambda w: w != first)}
    await asyncio.gather(*(reply for reply in both.values()))
    await env.settled()
    position = await env.position()
    running = await env.read(clocks.of, 1)
    if position.match.finished:
        assert {p.user_id: p.rank for p in position.match.players} == {late.id: 2, other.id: 1}
        assert position.ply == ply
        assert running is None
        assert "over" in both["move"].text
    else:
        assert position.ply > ply
        assert running is not None
        assert running.lapsed_at is None
        assert "The move has arrived" in both["claim"].text


async def test_a_server_can_make_late_players_lose_at_once(env: Environment) -> None:
    board = await begin_and_play(env)
    late, other = env.mover(board), env.other(board)
    await env.change_settings(forfeit="automatic")
    analyses: list[int] = []
    env.store.listen(Kind.ANALYSIS.topic, analyses.append)
    await env.advance(days=2, hours=23, minutes=59, seconds=59)
    assert env.board().buttons or env.board().menus
    await env.advance(seconds=1)
    result = env.board()
    assert f"{other.mention}) won**" in result.text
    (notice,) = messages_with(env, "ran out of time in match")
    assert set(notice.pinged) == {late.user, other.user}
    position = await env.position()
    assert (position.match.ending, position.match.ended_by) == ("forfeited", None)
    assert analyses == [1]


@pytest.mark.parametrize("how", ["late", "claimed", "resigned"])
async def test_a_match_that_hardly_began_is_void_not_lost(env: Environment, how: str) -> None:
    board = await env.begin()
    if how == "late":
        await env.change_settings(forfeit="automatic")
        await env.advance(days=3)
    elif how == "claimed":
        await env.advance(days=3)
        (offer,) = messages_with(env, LATE)
        assert [button.label for button in offer.buttons] == ["Abort the match"]
        assert "nothing is counted" in offer.text
        await env.other(board).press(offer, "Abort the match")
    else:
        question = await env.ann.slash("/tablan resign")
        assert "nothing is counted" in question.text
        await env.ann.press(question.shown, "Resign")
    await env.settled()
    assert "**No result**" in env.board().text
    assert (await env.position()).match.ending == "aborted"
    assert "hasn't finished a game" in (await env.carol.slash("/profile", user=env.ann)).text


async def test_everything_is_announced_once_across_restarts(env: Environment) -> None:
    await begin_and_play(env)
    await env.advance(days=2, hours=6)
    await env.restart()
    await env.advance(hours=1)
    assert len(messages_with(env, REMIND)) == 1
    await env.advance(hours=17)
    await env.restart()
    await env.advance(days=1)
    await env.restart()
    assert len(messages_with(env, LATE)) == 1
    assert len(messages_with(env, REMIND)) == 1


async def test_a_short_outage_at_the_deadline_changes_nothing(env: Environment) -> None:
    await begin_and_play(env)
    await env.advance(days=2, hours=23, minutes=45)
    await env.down(minutes=30)
    assert len(messages_with(env, LATE)) == 1


async def test_a_long_outage_gives_time_to_players_who_could_not_move(env: Environment) -> None:
    board = await begin_and_play(env)
    mover = env.mover(board)
    await env.advance(days=2)
    await env.down(days=5)
    assert not messages_with(env, LATE)
    (message,) = messages_with(env, "I was away")
    assert message.pinged == (mover.user,)
    due = int((env.now() + timedelta(hours=12)).timestamp())
    assert f"<t:{due}:R>" in message.text
    assert f"<t:{due}:R>" in env.board().text
    await env.restart()
    assert len(messages_with(env, "I was away")) == 1
    await env.advance(hours=11, minutes=59, seconds=59)
    assert not messages_with(env, LATE)
    await env.advance(seconds=1)
    assert len(messages_with(env, LATE)) == 1


async def test_a_player_late_before_an_outage_gets_no_extra_time(env: Environment) -> None:
    await begin_and_play(env)
    await env.advance(days=3)
    await env.down(days=5)
    assert not messages_with(env, "I was away")
    assert (await clock(env)).lapsed_at is not None


@pytest.mark.parametrize("arrived", [True, False])
async def test_announcements_lost_in_a_crash_are_posted_once(
    env: Environment,
    arrived: bool,  # noqa: FBT001 -- a parameter
) -> None:
    await begin_and_play(env)
    await env.advance(days=2, hours=23)
    env.faults.drop(POST, times=None, after=arrived)
    env.clock.advance(3600.001)
    await env.app.get(Scheduler).idle()
    await env.stop()
    env.faults.clear()
    await env.start()
    await env.settled()
    assert len(messages_with(env, LATE)) == 1


async def test_of_three_the_late_player_is_last_and_the_others_play_on(env: Environment) -> None:
    board = await begin_and_play(env, "thaayam", players=3)
    late = env.mover(board)
    await env.advance(days=3)
    (offer,) = messages_with(env, "out of time in match")
    others = [p for p in (env.ann, env.ben, env.carol) if p is not late]
    assert set(offer.pinged) == {p.user for p in others}
    assert [button.label for button in offer.buttons] == ["Let a computer play on"]
    assert "you can still move" in (await late.press(offer, "Let a computer play on")).text
    version = (await env.position()).version
    with pytest.raises(Refusal, match="Others are still playing"):  # as an old button would
        await env.app.get(Claims).claim(1, others[0].id, version, "abort")
    snapshot = offer.snapshot()
    await env.done(others[0].press(offer, "Let a computer play on"))
    board = env.board()
    assert f"plays for {late.mention}, who ran out of time" in board.text
    assert env.mover(board) in others
    twice = await others[1].press(snapshot, "Let a computer play on", stale=True)
    assert twice.ephemeral
    (notice,) = messages_with(env, f"{late.mention} ran out of time")
    assert "takes over" in notice.text
    position = await env.position()
    assert not position.match.finished
    await confirm(env, others[0], await others[0].slash("/thaayam resign", match=1), "Resign")
    assert f"{others[1].mention}) won**" in env.board().text
    places = {p.user_id: p.rank for p in (await env.position()).match.players}
    assert places == {others[1].id: 1, others[0].id: 2, late.id: 3}


@pytest.mark.parametrize("played", [False, True])
async def test_quiet_hours_post_the_board_silently_and_ping_afterwards_unless_it_was_played(
    env: Environment,
    played: bool,  # noqa: FBT001 -- a parameter
) -> None:
    mover = env.mover(await begin_and_play(env))
    other = env.other(env.board())
    begin, end = env.now() - timedelta(hours=1), env.now() + timedelta(hours=5)
    await env.change_player(other, quiet_from=time(begin.hour), quiet_to=time(end.hour))
    for person in (mover, other) if played else (mover,):
        while env.mover(env.board()) is person:
            await play(env.app.get(Matches), 1, person.id, (await env.legal())[0])
            env.app.get(OutboxWorker).wake(1)
            await env.settled()
    assert played or env.board().pinged == ()
    await env.advance(hours=4)
    assert not messages_with(env, "your turn in match")
    await env.advance(hours=2)
    calls = [call.pinged for call in messages_with(env, "your turn in match")]
    assert calls == ([] if played else [(other.user,)])


async def test_a_reminder_waits_for_the_end_of_the_quiet_hours(env: Environment) -> None:
    board = await begin_and_play(env)
    mover = env.mover(board)
    at = env.now() + timedelta(hours=54)
    await env.change_player(
        mover,
        quiet_from=time((at - timedelta(hours=1)).hour),
        quiet_to=time((at + timedelta(hours=3)).hour),
    )
    await env.advance(hours=54)
    assert not messages_with(env, REMIND)
    await env.advance(hours=3)
    (reminder,) = messages_with(env, REMIND)
    assert reminder.pinged == (mover.user,)


async def test_a_match_without_a_clock_cannot_be_claimed(env: Environment) -> None:
    await begin_and_play(env)
    async with env.store.write() as tx:
        await clocks.remove(tx, 1)
    assert (await env.position()).match.clock is None
    assert "no time limit" in (await env.other(env.board()).slash("/tablan claim")).text
