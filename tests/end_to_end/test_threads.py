"""Each match in a thread of its own, where the server wants it and the bot may."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from playground.permissions import Permission

if TYPE_CHECKING:
    from playground.model import Channel, Message
    from playground.reply import Reply
    from tests.end_to_end.harness import House

FROM_MESSAGE = "POST /channels/{channel_id}/messages/{message_id}/threads"
POST = "POST /channels/{channel_id}/messages"

TITLE = "Tablan · match #1"


@pytest.fixture(autouse=True)
async def with_threads(house: House) -> None:
    """Let the server have threads, which is what a server has that chooses nothing."""
    await house.choose(threads=True)


def threads(house: House) -> list[Channel]:
    """Return all threads."""
    return list(house.town.guild.threads.values())


def accept(house: House, message: Message, *, deleted: bool) -> Reply:
    """Let Ben accept a challenge, whose message may be deleted before the bot hears of it."""
    pressed = house.ben.start_press(message, "Accept")
    if deleted:
        house.town.messages.delete(message)
    return pressed


async def test_a_match_gets_a_thread_named_by_game_and_number_on_its_challenge(
    house: House,
) -> None:
    board = await house.begin()
    (thread,) = threads(house)
    assert board.channel is thread
    assert thread.name == TITLE
    assert thread.auto_archive == 10080
    assert thread.parent is house.town.channel("games")
    assert thread.id in house.town.channel("games").messages
    assert board.pinged == (house.mover(board).user,)
    challenge = house.town.channel("games").messages[thread.id]
    assert f"played in <#{thread.id}>" in challenge.text


async def test_a_whole_evening_stays_in_the_thread(house: House) -> None:
    dice = random.Random(31)
    await house.begin()
    for _ in range(8):
        await house.turn(house.board(), dice)
        assert f"Turn {await house.ply()}" in house.board().text
    assert {board.channel.name for board in house.boards()} == {TITLE}
    assert len([b for b in house.boards() if b.buttons or b.menus]) == 1


async def test_commands_in_a_thread_mean_its_match(house: House) -> None:
    first = await house.begin()
    second = await house.begin()
    one, two = threads(house)
    assert [first.channel, second.channel] == [one, two]
    for thread, number in ((one, 1), (two, 2)):
        shown = await house.ann.slash("/tablan board", channel=thread)
        assert f"match #{number}\n" in shown.text
    board = house.board(2)
    move = (await house.legal(2))[0]
    played = await house.mover(board).slash("/tablan move", channel=two, move=move)
    assert "Played" in played.text
    await house.settled()
    assert (await house.ply(1), await house.ply(2)) != (await house.ply(2), await house.ply(1))
    assert house.board(2).channel is two


async def test_a_server_that_wants_no_threads_has_none(house: House) -> None:
    await house.choose(threads=False)
    board = await house.begin()
    assert threads(house) == []
    assert board.channel is house.town.channel("games")


@pytest.mark.parametrize(
    "lacking", [Permission.CREATE_PUBLIC_THREADS, Permission.SEND_MESSAGES_IN_THREADS]
)
async def test_without_the_permissions_it_is_played_in_the_channel(
    house: House, lacking: Permission
) -> None:
    house.forbid(lacking)
    board = await house.begin()
    assert threads(house) == []
    assert board.channel is house.town.channel("games")
    await house.turn(board, random.Random(32))
    assert house.sent(FROM_MESSAGE) == []


async def test_a_match_that_is_agreed_in_a_thread_is_played_in_that_thread(house: House) -> None:
    world = house.town.world
    thread = world.add_thread(house.town.channel("games"), "our corner", house.ann.user)
    offered = await house.challenge(channel="our corner")
    assert offered.message is not None
    await house.ben.press(offered.message, "Accept")
    await house.settled()
    assert threads(house) == [thread]
    assert house.board().channel is thread


async def test_a_challenge_that_was_deleted_does_not_keep_the_match_from_a_thread(
    house: House,
) -> None:
    house.expected |= {404}
    offered = await house.challenge()
    message = offered.message
    assert message is not None
    await house.does(lambda: accept(house, message, deleted=True))
    (thread,) = threads(house)
    assert thread.name == TITLE
    assert thread.id != message.id
    assert house.board().channel is thread
    begun = house.town.channel("games").messages[thread.id]
    assert "match #1" in begun.text
    assert begun.pinged == ()


@pytest.mark.hurried
@pytest.mark.parametrize("failure", ["429", "500 after", "503", "broken", "broken after"])
@pytest.mark.parametrize("challenge", ["there", "deleted"])
@pytest.mark.parametrize("route", [FROM_MESSAGE, POST])
async def test_there_is_one_thread_whatever_fails(
    house: House, route: str, failure: str, challenge: str
) -> None:
    house.expected |= {400, 404, 429, 500, 503}
    offered = await house.challenge()
    message = offered.message
    assert message is not None
    how, _, after = failure.partition(" ")
    if how == "broken":
        fault = house.town.faults.drop(route, after=bool(after))
    else:
        fault = house.town.faults.answer(route, status=int(how), after=bool(after))
    await house.does(lambda: accept(house, message, deleted=challenge == "deleted"))
    assert fault.hits == 1
    (thread,) = threads(house)
    assert house.board().channel is thread
    assert len(house.boards()) == 1
    posted = [m for m in house.town.channel("games").messages.values() if not m.ephemeral]
    assert [message.id for message in posted] == [thread.id]


async def test_the_thread_is_found_again_by_a_program_that_died_before_noting_it(
    house: House,
) -> None:
    house.expected |= {400}
    offered = await house.challenge()
    message = offered.message
    assert message is not None
    house.town.world.add_thread(message.channel, TITLE, house.town.world.bot, thread_id=message.id)
    house.town.messages.hang(message, house.town.guild.threads[message.id])
    await house.ben.press(message, "Accept")
    await house.settled()
    (thread,) = threads(house)
    assert house.board().channel is thread


async def test_where_discord_allows_no_more_threads_it_is_played_in_the_channel(
    house: House,
) -> None:
    house.expected |= {400}
    house.town.faults.answer(FROM_MESSAGE, status=400, code=160006)
    board = await house.begin()
    assert board.channel is house.town.channel("games")


async def test_a_thread_at_rest_is_woken_by_the_next_board(house: House) -> None:
    house.expected |= {400}
    await house.begin()
    (thread,) = threads(house)
    shown = await house.mover(house.board()).slash("/tablan board", channel="games")
    house.town.world.archive(thread, archived=True)
    assert shown.message is not None
    await house.turn_from(shown.message, house.mover(house.board()), random.Random(33))
    assert not thread.archived
    assert f"Turn {await house.ply()}" in house.board().text
    assert house.board().channel is thread
    live: list[Message] = [b for b in house.boards() if b.buttons or b.menus]
    assert live == [house.board()]


async def test_a_match_from_before_threads_stays_where_it_is(house: House) -> None:
    await house.choose(threads=False)
    board = await house.begin()
    async with house.store.write() as tx:
        from sqlalchemy import update  # noqa: PLC0415

        from data.tables import matches  # noqa: PLC0415

        await tx.run(update(matches).values(place=None))
    await house.choose(threads=True)
    await house.restart()
    await house.turn(house.board(), random.Random(34))
    assert threads(house) == []
    assert house.board().channel is board.channel
