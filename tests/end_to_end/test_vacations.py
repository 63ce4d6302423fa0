"""Vacations: clocks stand still while a player is away."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from bot.settings.chosen import ServerSettings
from data import clocks
from tests.end_to_end.test_time import LATE, clock, said, under_way

if TYPE_CHECKING:
    from playground.people import Person
    from playground.reply import Reply
    from tests.end_to_end.harness import House


async def leave(house: House, person: Person, days: int) -> Reply:
    """Let somebody go on vacation."""
    told = await person.slash("/me vacation", days=days)
    await house.settled()
    return told


async def test_the_clock_stands_still_and_the_board_says_until_when(house: House) -> None:
    house.may_wait = True
    board = await under_way(house)
    mover = house.mover(board)
    await house.let(days=1)
    boards = len(house.boards())
    told = await leave(house, mover, 5)
    assert told.ephemeral
    assert "25 days left" in told.text
    until = int((house.now() + timedelta(days=5)).timestamp())
    assert f"{mover.mention} is away until <t:{until}:D>" in house.board().text
    assert len(house.boards()) == boards
    still = await clock(house)
    assert (still.due_at, still.left) == (None, 2 * 86400)
    early = await house.other(board).slash("/tablan claim")
    assert "is away until" in early.text
    await house.let(days=4, hours=23)
    assert not said(house, LATE)
    assert not said(house, "waits for your move")


async def test_the_clock_goes_on_with_what_was_left(house: House) -> None:
    board = await under_way(house)
    await house.let(days=1)
    await leave(house, house.mover(board), 5)
    await house.let(days=5)
    due = house.now() + timedelta(days=2)
    assert abs((await clock(house)).due_at - due) < timedelta(seconds=1)  # type: ignore[operator]
    assert f"<t:{int(due.timestamp())}:R>" in house.board().text
    await house.let(days=1, hours=23)
    assert not said(house, LATE)
    await house.let(hours=1)
    assert len(said(house, LATE)) == 1


async def test_at_least_a_day_is_left_when_somebody_comes_back(house: House) -> None:
    board = await under_way(house)
    mover = house.mover(board)
    await house.let(days=2, hours=23)
    await leave(house, mover, 2)
    told = await mover.slash("/me back")
    await house.settled()
    assert told.ephemeral
    assert "Welcome back" in told.text
    assert (await clock(house)).due_at == house.now() + timedelta(days=1)
    assert "You are not away" in (await mover.slash("/me back")).text
    left = await leave(house, mover, 1)
    assert "29 days left" in left.text
    house.may_wait = True


async def test_turns_that_come_during_a_vacation_have_no_clock_either(house: House) -> None:
    house.may_wait = True
    board = await under_way(house)
    away = house.other(board)
    await leave(house, away, 7)
    mover = house.mover(board)
    while house.mover(house.board()) is mover:
        await house.bot.matches.play(1, mover.id, (await house.legal())[0])
        house.bot.courier.nudge(1)
        await house.settled()
    assert (await clock(house)).stands
    assert "is away until" in house.board().text
    await house.let(days=7)
    assert (await clock(house)).due_at is not None
    assert "is away until" not in house.board().text


async def test_moving_during_a_vacation_is_fine_and_does_not_end_it(house: House) -> None:
    house.may_wait = True
    board = await under_way(house)
    mover = house.mover(board)
    await leave(house, mover, 3)
    await mover.slash("/tablan move", move=(await house.legal())[0])
    await house.settled()
    assert await house.bot.vacations.present(mover.id) is not None


async def test_what_is_over_already_is_not_saved_by_leaving(house: House) -> None:
    house.may_wait = True
    board = await under_way(house)
    await house.let(days=3)
    await leave(house, house.mover(board), 3)
    await house.other(board).press(said(house, LATE)[0], "Claim the win")
    await house.settled()
    assert "won**" in house.board().text


async def test_a_vacation_is_at_most_two_weeks_and_the_year_has_thirty_days(house: House) -> None:
    house.may_wait = True
    ann = house.ann
    for days in (14, 14):
        assert "You are away until" in (await leave(house, ann, days)).text
        again = await leave(house, ann, 1)
        assert again.ephemeral
        assert "away already" in again.text
        await house.let(days=days)
    refused = await leave(house, ann, 3)
    assert refused.ephemeral
    assert "You have 2 days of vacation left" in refused.text
    assert "0 days left" in (await leave(house, ann, 2)).text


async def test_a_new_year_brings_new_days(house: House) -> None:
    house.may_wait = True
    ann = house.ann
    for days in (14, 14, 2):
        await leave(house, ann, days)
        await house.let(days=days)
    year = house.now().year
    await house.let(days=366)
    assert house.now().year > year
    assert "16 days left" in (await leave(house, ann, 14)).text


async def test_a_letter_tells_of_the_end_a_day_before(house: House) -> None:
    ann = house.ann
    await leave(house, ann, 5)
    await house.let(days=3, hours=23, minutes=59)
    letters = "Your vacation ends"
    assert letters not in everything_to(house, ann)
    await house.let(minutes=1)
    assert letters in everything_to(house, ann)
    await house.restart()
    await house.let(days=2)
    assert everything_to(house, ann).count(letters) == 1


async def test_who_came_back_gets_no_letter(house: House) -> None:
    await leave(house, house.ann, 5)
    await house.ann.slash("/me back")
    await house.let(days=6)
    assert "vacation ends" not in everything_to(house, house.ann)


async def test_whose_direct_messages_are_closed_is_told_beside_a_board(house: House) -> None:
    house.expected |= {403}
    board = await under_way(house)
    mover = house.mover(board)
    house.town.faults.answer("POST /users/@me/channels", code=50007, times=None)
    await leave(house, mover, 3)
    await house.let(days=2)
    (told,) = said(house, "your vacation ends")
    assert told.pinged == (mover.user,)
    await house.restart()
    assert len(said(house, "your vacation ends")) == 1


async def test_a_vacation_that_ended_while_the_bot_was_away_ends_at_its_start(
    house: House,
) -> None:
    board = await under_way(house)
    await house.let(days=1)
    await leave(house, house.mover(board), 5)
    await house.stop()
    house.clock.advance(9 * 86400)
    await house.start()
    await house.settled()
    due = (await clock(house)).due_at
    assert due is not None
    assert abs(due - house.now() - timedelta(days=2)) < timedelta(seconds=1)
    assert "is away until" not in house.board().text
    await house.restart()
    assert (await clock(house)).due_at == due


async def test_a_standing_clock_outlives_a_restart(house: House) -> None:
    house.may_wait = True
    board = await under_way(house)
    await leave(house, house.mover(board), 10)
    await house.restart()
    await house.let(days=8)
    assert (await clock(house)).stands
    guild = (await house.bot.matches.view(1)).match.guild_id
    assert guild is not None
    await house.bot.choices.set_server(guild, ServerSettings(forfeit="automatic"), by=1)
    await house.let(days=1)
    async with house.store.read() as tx:
        assert await clocks.of(tx, 1) is not None


def everything_to(house: House, person: Person) -> str:
    """Return what was written to somebody in direct messages."""
    return "\n".join(
        message.text
        for channel in house.town.world.channels.values()
        if person.user in channel.recipients
        for message in channel.messages.values()
    )
