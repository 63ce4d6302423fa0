"""Time: reminders, deadlines, claims and forfeits, through restarts."""

from __future__ import annotations

import asyncio
from datetime import time, timedelta
from typing import TYPE_CHECKING

import pytest

from bot.settings.chosen import PlayerSettings, ServerSettings
from data import clocks, matches

if TYPE_CHECKING:
    from data.clocks import Clock
    from playground.model import Message
    from playground.reply import Reply
    from tests.end_to_end.harness import House

POST = "POST /channels/{channel_id}/messages"


async def under_way(house: House) -> Message:
    """Begin a match of three days a move in which both have made two moves."""
    await house.begin()
    await house.play_a_while()
    return house.board()


async def clock(house: House, number: int = 1) -> Clock:
    """Return the clock of a match."""
    async with house.store.read() as tx:
        found = await clocks.of(tx, number)
    assert found is not None
    return found


def said(house: House, words: str, channel: str = "games") -> list[Message]:
    """Return the messages in a channel that say something, oldest first."""
    return [
        message
        for message in house.town.channel(channel).messages.values()
        if words in message.text and not message.ephemeral and not message.deleted
    ]


LATE = "the time of"
REMIND = "waits for your move"


async def set_player(house: House, user_id: int, **chosen: object) -> None:
    """Let a player choose settings."""
    await house.bot.choices.set_player(user_id, PlayerSettings.model_validate(chosen))


async def forfeit_at_once(house: House) -> None:
    """Let the server choose that who is late has lost at once."""
    guild = (await house.bot.matches.view(1)).match.guild_id
    assert guild is not None
    settings = ServerSettings(forfeit="automatic")
    await house.bot.choices.set_server(guild, settings, by=house.ann.id)


async def test_a_board_tells_until_when_there_is_time(house: House) -> None:
    board = await house.begin()
    due = int((house.now() + timedelta(days=3)).timestamp())
    assert f"<t:{due}:R>" in board.text
    assert f"<t:{due}:f>" in board.text


async def test_the_days_for_a_move_are_those_of_the_challenge(house: House) -> None:
    offered = await house.ann.slash("/tablan challenge", opponent=house.ben, days=1)
    assert offered.message is not None
    await house.ben.press(offered.message, "Accept")
    await house.settled()
    await house.let(hours=23, minutes=59, seconds=59)
    assert not said(house, LATE)
    await house.let(seconds=1)
    assert len(said(house, LATE)) == 1


async def test_a_move_sets_the_clock_anew(house: House) -> None:
    await under_way(house)
    await house.let(days=2)
    await house.play_a_while(moves=1)
    assert (await clock(house)).due_at == house.now() + timedelta(days=3)
    assert not said(house, LATE)
    await house.let(days=2)
    assert not said(house, LATE)


async def test_one_reminder_comes_before_the_end_and_calls_the_player(house: House) -> None:
    board = await under_way(house)
    mover = house.mover(board)
    await house.let(days=2, hours=5, minutes=59, seconds=59)
    assert not said(house, REMIND)
    await house.let(seconds=1)
    (reminder,) = said(house, REMIND)
    assert reminder.pinged == (mover.user,)
    await house.let(hours=17)
    assert len(said(house, REMIND)) == 1


async def test_a_reminder_is_not_given_once_the_move_was_made(house: House) -> None:
    await under_way(house)
    await house.let(days=2)
    await house.play_a_while(moves=1)
    await house.let(hours=12)
    assert not said(house, REMIND)


async def test_who_wants_no_reminders_gets_none(house: House) -> None:
    await house.begin()
    for person in (house.ann, house.ben):
        await set_player(house, person.id, reminders=False)
    await house.play_a_while()
    await house.let(days=2, hours=20)
    assert not said(house, REMIND)


async def test_who_wants_no_pings_is_reminded_without_one(house: House) -> None:
    await house.begin()
    for person in (house.ann, house.ben):
        await set_player(house, person.id, pings=False)
    await house.play_a_while()
    await house.let(days=2, hours=20)
    (reminder,) = said(house, REMIND)
    assert reminder.pinged == ()


async def test_a_reminder_can_be_silenced_beforehand_by_command(house: House) -> None:
    board = await under_way(house)
    mover, other = house.mover(board), house.other(board)
    told = await other.slash("/tablan mute", match=1)
    assert told.ephemeral
    assert "does not wait for you" in told.text
    assert "belongs to" in (await house.carol.slash("/tablan mute", match=1)).text
    told = await mover.slash("/tablan mute")
    assert told.ephemeral
    assert "No more reminders" in told.text
    await house.let(days=2, hours=20)
    assert not said(house, REMIND)


async def test_the_button_of_a_reminder_silences_the_rest_of_that_turn_only(house: House) -> None:
    board = await under_way(house)
    mover = house.mover(board)
    await house.let(days=2, hours=7)
    (reminder,) = said(house, REMIND)
    stranger = await house.carol.press(reminder, "No more reminders for this turn")
    assert stranger.ephemeral
    assert "belongs to" in stranger.text
    told = await mover.press(reminder, "No more reminders for this turn")
    assert told.ephemeral
    assert (await clock(house)).muted
    await house.play_a_while(moves=1)
    assert not (await clock(house)).muted
    stale = await mover.press(reminder, "No more reminders for this turn")
    assert "over already" in stale.text
    await house.let(days=2, hours=7)
    assert len(said(house, REMIND)) == 2


async def test_nobody_is_late_one_second_before_the_end(house: House) -> None:
    board = await under_way(house)
    await house.let(days=2, hours=23, minutes=59, seconds=59)
    assert not said(house, LATE)
    early = await house.other(board).slash("/tablan claim")
    assert early.ephemeral
    assert "has time until" in early.text


async def test_after_the_end_the_opponent_may_claim_the_win(house: House) -> None:
    board = await under_way(house)
    late, other = house.mover(board), house.other(board)
    await house.let(days=3)
    (offer,) = said(house, LATE)
    assert offer.pinged == (other.user,)
    assert {button.label for button in offer.buttons} == {"Claim the win", "Abort the match"}

    for person, words in ((late, "you can still move"), (house.carol, "belongs to")):
        told = await person.press(offer, "Claim the win")
        assert told.ephemeral
        assert words in told.text
    await other.press(offer, "Claim the win")
    await house.settled()

    assert not offer.buttons
    result = house.board()
    assert f"{other.mention}) won**" in result.text
    assert "was over" in result.text
    view = await house.bot.matches.view(1)
    assert (view.match.ending, view.match.ended_by) == ("forfeited", other.id)
    told = await house.carol.slash("/profile", user=other)
    assert "1 won · 0 drawn · 0 lost" in told.text
    async with house.store.read() as tx:
        assert await clocks.of(tx, 1) is None


async def test_after_the_end_the_opponent_may_abort_and_nothing_counts(house: House) -> None:
    board = await under_way(house)
    await house.let(days=3)
    await house.other(board).press(said(house, LATE)[0], "Abort the match")
    await house.settled()
    assert "**No result**" in house.board().text
    assert (await house.bot.matches.view(1)).match.ending == "aborted"
    assert "has no finished matches" in (await house.carol.slash("/profile", user=house.ann)).text


async def test_the_command_offers_the_same_to_the_opponent_alone(house: House) -> None:
    board = await under_way(house)
    late, other = house.mover(board), house.other(board)
    await house.let(days=3)
    assert "you can still move" in (await late.slash("/tablan claim")).text
    assert "belongs to" in (await house.carol.slash("/tablan claim", match=1)).text
    offered = await other.slash("/tablan claim")
    assert offered.ephemeral
    assert offered.message is not None
    await other.press(offered.message, "Claim the win")
    await house.settled()
    assert f"{other.mention}) won**" in house.board().text
    late_offer = said(house, LATE)[0]
    told = await other.press(late_offer, "Claim the win")
    assert told.ephemeral
    assert "over already" in told.text


async def test_until_somebody_claims_the_move_may_still_come(house: House) -> None:
    board = await under_way(house)
    late, other = house.mover(board), house.other(board)
    await house.let(days=4)
    (offer,) = said(house, LATE)
    played = await late.slash("/tablan move", move=(await house.legal())[0])
    assert "Played" in played.text
    await house.settled()
    told = await other.press(offer, "Claim the win")
    assert told.ephemeral
    assert "The move has come meanwhile" in told.text
    assert (await house.bot.matches.view(1)).to_move is not None


async def test_of_two_claims_at_once_one_counts_and_the_other_is_told(house: House) -> None:
    board = await under_way(house)
    other = house.other(board)
    await house.let(days=3)
    (offer,) = said(house, LATE)
    claims = [other.start_press(offer, "Claim the win"), other.start_press(offer, "Claim the win")]
    await asyncio.gather(*(claim.acknowledged() for claim in claims))
    await house.settled()
    assert len([c for c in claims if c.ephemeral and "over already" in c.text]) == 1
    told = await house.carol.slash("/profile", user=other)
    assert "1 won · 0 drawn · 0 lost" in told.text


@pytest.mark.parametrize("first", ["claim", "move"])
async def test_of_a_claim_and_a_move_at_once_one_counts(house: House, first: str) -> None:
    board = await under_way(house)
    late, other = house.mover(board), house.other(board)
    await house.let(days=3)
    (offer,) = said(house, LATE)
    ply, move = await house.ply(), (await house.legal())[0]

    def start(what: str) -> Reply:
        if what == "claim":
            return other.start_press(offer, "Claim the win")
        return late.start_slash("/tablan move", options={"move": move})

    both = {what: start(what) for what in sorted(("claim", "move"), key=lambda w: w != first)}
    await asyncio.gather(*(reply.acknowledged() for reply in both.values()))
    await house.settled()

    view = await house.bot.matches.view(1)
    async with house.store.read() as tx:
        running = await clocks.of(tx, 1)
    if view.match.finished:
        assert {p.user_id: p.rank for p in view.match.players} == {late.id: 2, other.id: 1}
        assert view.ply == ply
        assert running is None
        assert "over" in both["move"].text
    else:
        assert view.ply > ply
        assert running is not None
        assert running.lapsed_at is None
        assert "The move has come meanwhile" in both["claim"].text


async def test_the_server_may_let_the_late_one_lose_at_once(house: House) -> None:
    board = await under_way(house)
    late, other = house.mover(board), house.other(board)
    await forfeit_at_once(house)
    await house.let(days=2, hours=23, minutes=59, seconds=59)
    assert house.board().buttons or house.board().menus
    await house.let(seconds=1)
    result = house.board()
    assert f"{other.mention}) won**" in result.text
    (notice,) = said(house, "The time of")
    assert set(notice.pinged) == {late.user, other.user}
    view = await house.bot.matches.view(1)
    assert (view.match.ending, view.match.ended_by) == ("forfeited", None)


async def test_a_match_that_had_hardly_begun_is_void_and_not_lost(house: House) -> None:
    await house.begin()
    await forfeit_at_once(house)
    await house.let(days=3)
    assert "**No result**" in house.board().text
    assert (await house.bot.matches.view(1)).match.ending == "aborted"
    assert "has no finished matches" in (await house.carol.slash("/profile", user=house.ann)).text


async def test_a_win_cannot_be_claimed_where_the_match_had_hardly_begun(house: House) -> None:
    board = await house.begin()
    await house.let(days=3)
    (offer,) = said(house, LATE)
    assert [button.label for button in offer.buttons] == ["Abort the match"]
    assert "nothing is counted" in offer.text
    await house.other(board).press(offer, "Abort the match")
    await house.settled()
    assert "**No result**" in house.board().text


async def test_resigning_a_match_that_had_hardly_begun_asks_and_counts_accordingly(
    house: House,
) -> None:
    await house.begin()
    question = await house.ann.slash("/tablan resign")
    assert "nothing is counted" in question.text
    assert question.message is not None
    await house.ann.press(question.message, "Resign")
    await house.settled()
    assert "**No result**" in house.board().text
    assert "has no finished matches" in (await house.carol.slash("/profile", user=house.ann)).text


async def test_everything_is_told_once_across_restarts(house: House) -> None:
    await under_way(house)
    await house.let(days=2, hours=6)
    await house.restart()
    await house.let(hours=1)
    assert len(said(house, REMIND)) == 1
    await house.let(hours=17)
    await house.restart()
    await house.let(days=1)
    await house.restart()
    assert len(said(house, LATE)) == 1
    assert len(said(house, REMIND)) == 1


async def test_a_short_outage_at_the_end_changes_nothing(house: House) -> None:
    await under_way(house)
    await house.let(days=2, hours=23, minutes=45)
    await house.stop()
    house.clock.advance(30 * 60)
    await house.start()
    await house.settled()
    assert len(said(house, LATE)) == 1


async def test_a_long_outage_gives_time_to_those_who_could_not_move(house: House) -> None:
    board = await under_way(house)
    mover = house.mover(board)
    await house.let(days=2)
    await house.stop()
    house.clock.advance(5 * 86400)
    await house.start()
    await house.settled()
    assert not said(house, LATE)
    (told,) = said(house, "I was away")
    assert told.pinged == (mover.user,)
    due = int((house.now() + timedelta(hours=12)).timestamp())
    assert f"<t:{due}:R>" in told.text
    assert f"<t:{due}:R>" in house.board().text
    await house.restart()
    assert len(said(house, "I was away")) == 1
    await house.let(hours=11, minutes=59, seconds=59)
    assert not said(house, LATE)
    await house.let(seconds=1)
    assert len(said(house, LATE)) == 1


async def test_who_had_lost_before_an_outage_gets_no_grace(house: House) -> None:
    await under_way(house)
    await house.let(days=3)
    await house.stop()
    house.clock.advance(5 * 86400)
    await house.start()
    await house.settled()
    assert not said(house, "I was away")
    assert (await clock(house)).lapsed_at is not None


@pytest.mark.parametrize("arrived", [True, False])
async def test_what_was_committed_but_perhaps_not_posted_is_posted_once_after_a_restart(
    house: House,
    arrived: bool,  # noqa: FBT001 -- a parameter
) -> None:
    await under_way(house)
    await house.let(days=2, hours=23)
    house.town.faults.drop(POST, times=None, after=arrived)
    house.clock.advance(3600.001)
    await house.bot.timekeeper.rest()
    await house.stop()
    house.town.faults.clear()
    await house.start()
    await house.settled()
    assert len(said(house, LATE)) == 1


async def test_of_three_the_late_one_is_last_and_the_others_share(house: House) -> None:
    await house.begin("thaayam", players=3)
    await house.play_a_while()
    board = house.board()
    late = house.mover(board)
    await house.let(days=3)
    (offer,) = said(house, LATE)
    others = [p for p in (house.ann, house.ben, house.carol) if p is not late]
    assert set(offer.pinged) == {p.user for p in others}
    assert "for everybody" in offer.text
    await others[0].press(offer, "Claim the win")
    await house.settled()
    assert f"{late.mention} is last" in house.board().text


async def test_quiet_hours_post_the_board_silently_and_call_afterwards(house: House) -> None:
    await under_way(house)
    mover = house.mover(house.board())
    other = house.other(house.board())
    here = house.now()
    begin, end = (here - timedelta(hours=1)).time(), (here + timedelta(hours=5)).time()
    await set_player(house, other.id, quiet_from=time(begin.hour), quiet_to=time(end.hour))
    while house.mover(house.board()) is mover:
        await house.bot.matches.play(1, mover.id, (await house.legal())[0])
        house.bot.courier.nudge(1)
        await house.settled()
    assert house.board().pinged == ()
    await house.let(hours=4)
    assert not said(house, "it is your turn in match")
    await house.let(hours=1)
    (call,) = said(house, "it is your turn in match")
    assert call.pinged == (other.user,)


async def test_no_call_follows_the_quiet_hours_if_the_turn_was_played(house: House) -> None:
    await under_way(house)
    mover = house.mover(house.board())
    other = house.other(house.board())
    here = house.now()
    begin, end = (here - timedelta(hours=1)).time(), (here + timedelta(hours=5)).time()
    await set_player(house, other.id, quiet_from=time(begin.hour), quiet_to=time(end.hour))
    while house.mover(house.board()) is mover:
        await house.bot.matches.play(1, mover.id, (await house.legal())[0])
        house.bot.courier.nudge(1)
        await house.settled()
    while house.mover(house.board()) is other:
        await house.bot.matches.play(1, other.id, (await house.legal())[0])
        house.bot.courier.nudge(1)
        await house.settled()
    await house.let(hours=6)
    assert not said(house, "it is your turn in match")


async def test_a_reminder_waits_for_the_end_of_the_quiet_hours(house: House) -> None:
    board = await under_way(house)
    mover = house.mover(board)
    at = house.now() + timedelta(hours=54)
    await set_player(
        house,
        mover.id,
        quiet_from=time((at - timedelta(hours=1)).hour),
        quiet_to=time((at + timedelta(hours=3)).hour),
    )
    await house.let(hours=54)
    assert not said(house, REMIND)
    await house.let(hours=3)
    (reminder,) = said(house, REMIND)
    assert reminder.pinged == (mover.user,)


async def test_a_match_without_days_has_no_clock(house: House) -> None:
    await under_way(house)
    async with house.store.write() as tx:
        await clocks.remove(tx, 1)
    assert (await house.bot.matches.view(1)).match.clock is None
    told = await house.other(house.board()).slash("/tablan claim")
    assert "no limit of time" in told.text
    async with house.store.read() as tx:
        match = await matches.get(tx, 1)
    assert match is not None
    assert match.clock is None
