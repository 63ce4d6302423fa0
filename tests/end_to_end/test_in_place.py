"""One board that changes in place, and the short messages beside it that call whoever is to move."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from bot.delivery.easel import FAR_UP
from data import pings
from playground.permissions import Permission

if TYPE_CHECKING:
    from playground.model import Message
    from tests.end_to_end.harness import House

POST = "POST /channels/{channel_id}/messages"
EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"
REMOVE = "DELETE /channels/{channel_id}/messages/{message_id}"


@pytest.fixture(autouse=True)
async def in_place(house: House) -> None:
    """Let the server choose boards that change in place."""
    await house.choose(board="edit")


def calls(house: House) -> list[Message]:
    """Return the short messages that call somebody."""
    return [
        message
        for message in house.town.channel("games").messages.values()
        if not message.deleted and "your turn: https" in message.text
    ]


async def pass_turn(house: House, dice: random.Random) -> Message:
    """Play until the turn passes; return the board."""
    mover = house.mover(house.board())
    for _ in range(60):
        board = house.board()
        if house.mover(board) is not mover:
            return board
        await house.turn(board, dice)
    raise AssertionError("the turn never passes")


def shows_one(house: House, turn: int) -> None:
    """Check that one board shows the turn, and one message at most calls the right player."""
    (board,) = house.boards()
    assert f"Turn {turn}" in board.text
    for call in calls(house):
        assert call.pinged == (house.mover(board).user,)
        assert str(board.id) in call.text


async def test_the_board_stays_and_a_short_message_calls(house: House) -> None:
    dice = random.Random(41)
    board = await house.begin()
    assert calls(house) == []
    assert board.pinged == (house.mover(board).user,)
    names = {board.attachments[0].filename}
    for _ in range(5):
        changed = await pass_turn(house, dice)
        assert changed is board
        assert len(calls(house)) == 1
        shows_one(house, await house.ply())
        assert changed.attachments[0].filename not in names
        names.add(changed.attachments[0].filename)
        assert len(changed.attachments) == 1


async def test_a_typed_move_changes_the_board_too(house: House) -> None:
    board = await house.begin()
    for _ in range(6):
        mover = house.mover(house.board())
        await mover.slash("/tablan move", move=(await house.legal())[0])
        await house.settled()
        shows_one(house, await house.ply())
        assert house.board() is board


async def test_a_call_that_somebody_deleted_is_not_missed(house: House) -> None:
    house.expected |= {404}
    dice = random.Random(42)
    await house.begin()
    await pass_turn(house, dice)
    (call,) = calls(house)
    house.town.messages.delete(call)
    await pass_turn(house, dice)
    shows_one(house, await house.ply())
    assert len(calls(house)) == 1


async def test_a_player_who_wants_no_pings_gets_no_short_message(house: House) -> None:
    dice = random.Random(43)
    await house.begin()
    for person in (house.ann, house.ben):
        likes = await house.bot.choices.player(person.id)
        await house.bot.choices.set_player(person.id, likes.model_copy(update={"pings": False}))
    await pass_turn(house, dice)
    assert calls(house) == []


async def test_the_end_is_a_board_of_its_own_and_nobody_is_called_any_more(house: House) -> None:
    dice = random.Random(44)
    board = await house.begin()
    await pass_turn(house, dice)
    question = await house.ann.slash("/tablan resign")
    assert question.message is not None
    await house.ann.press(question.message, "Resign")
    await house.settled()
    old, end = house.boards()
    assert old is board
    assert not old.buttons
    assert not old.menus
    assert "resigned" in end.text
    assert calls(house) == []
    async with house.store.read() as tx:
        assert not await pings.some(tx)


async def test_a_board_out_of_sight_is_posted_anew(house: House) -> None:
    dice = random.Random(45)
    board = await house.begin()
    for number in range(FAR_UP):
        house.carol.says(f"chatter {number}")
    assert await pass_turn(house, dice) is board  # whoever presses it sees it
    for number in range(FAR_UP):
        house.carol.says(f"more chatter {number}")
    await type_until_passed(house)
    assert house.board() is not board
    assert house.board().pinged == (house.mover(house.board()).user,)
    assert calls(house) == []
    assert len([b for b in house.boards() if b.buttons or b.menus]) == 1


async def type_until_passed(house: House) -> None:
    """Type moves until the turn has passed, some time between them."""
    mover = house.mover(house.board())
    while house.mover(house.board()) is mover:
        house.clock.advance(60)
        await mover.slash("/tablan move", move=(await house.legal())[0])
        await house.settled()


async def test_an_old_board_is_posted_anew(house: House) -> None:
    board = await house.begin()
    house.clock.advance(timedelta(days=8).total_seconds())
    await type_until_passed(house)
    assert house.board() is not board
    assert not board.buttons
    assert not board.menus
    assert calls(house) == []
    assert house.board().pinged == (house.mover(house.board()).user,)


async def test_a_deleted_board_is_posted_anew_and_calls_by_itself(house: House) -> None:
    house.expected |= {404}
    board = await house.begin()
    mover = house.mover(board)
    house.town.messages.delete(board)
    while not house.boards() or house.mover(house.board()) is mover:
        await mover.slash("/tablan move", move=(await house.legal())[0])
        await house.settled()
    shows_one(house, await house.ply())


async def test_what_was_changed_by_a_program_that_died_is_not_told_twice(house: House) -> None:
    from sqlalchemy import update  # noqa: PLC0415

    from data.tables import outbox  # noqa: PLC0415

    dice = random.Random(46)
    await house.begin()
    await pass_turn(house, dice)
    (call,) = calls(house)
    async with house.store.write() as tx:
        await pings.forget(tx, call.id)
        last = await house.bot.matches.view(1)
        await tx.run(
            update(outbox).where(outbox.c.nonce.like(f"m1p{last.ply}%")).values(done_at=None)
        )
    house.clock.advance(3600)
    await house.restart()
    assert calls(house) == [call]
    await pass_turn(house, dice)
    assert call.deleted
    shows_one(house, await house.ply())


@pytest.mark.hurried
@pytest.mark.parametrize("failure", ["429", "500", "500 after", "503", "broken", "broken after"])
@pytest.mark.parametrize("route", [POST, EDIT, REMOVE])
async def test_a_turn_survives_a_failure(house: House, route: str, failure: str) -> None:
    house.expected |= {404, 429, 500, 503}
    dice = random.Random(47)
    await house.begin()
    how, _, after = failure.partition(" ")
    if how == "broken":
        fault = house.town.faults.drop(route, after=bool(after))
    else:
        fault = house.town.faults.answer(route, status=int(how), after=bool(after))
    for _ in range(6):
        mover = house.mover(house.board())
        move = (await house.legal())[0]
        await house.does(
            lambda mover=mover, move=move: mover.start_slash(  # type: ignore[misc]
                "/tablan move", options={"move": move}
            )
        )
    for _ in range(3):
        await pass_turn(house, dice)
    assert fault.hits == 1
    shows_one(house, await house.ply())
    assert len(calls(house)) == 1


async def test_a_server_that_changes_its_mind_gets_new_boards_again(house: House) -> None:
    dice = random.Random(48)
    board = await house.begin()
    await pass_turn(house, dice)
    await house.choose(board="new")
    await pass_turn(house, dice)
    assert house.board() is not board
    assert calls(house) == []


async def test_without_the_permission_to_post_the_board_still_changes(house: House) -> None:
    house.expected |= {403}
    house.may_wait = True
    dice = random.Random(49)
    board = await house.begin()
    house.forbid(Permission.SEND_MESSAGES)
    for _ in range(8):
        await house.turn(board, dice)
        assert f"Turn {await house.ply()}" in board.text
    house.allow(Permission.SEND_MESSAGES)
    await house.settled()
    shows_one(house, await house.ply())
