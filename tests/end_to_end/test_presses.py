"""Who may press what, and what becomes of presses that come too late."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from data import matches
from tests.end_to_end.harness import playable

if TYPE_CHECKING:
    from playground.model import Message
    from tests.end_to_end.harness import House


async def notations(house: House, number: int = 1) -> list[str]:
    """Return the log of a match."""
    async with house.store.read() as tx:
        return [entry.notation for entry in await matches.log(tx, number)]


async def test_of_two_presses_at_once_one_plays_and_the_other_gets_the_board(
    house: House,
) -> None:
    board = await house.begin()
    mover = house.mover(board)
    first, second = house.choices(board)[:2]
    one = house.start_pick(board, mover, first)
    two = house.start_pick(board, mover, second)
    await one.acknowledged()
    await two.acknowledged()
    await house.settled()

    won, late = (one, two) if two.ephemeral else (two, one)
    assert not won.ephemeral
    assert late.ephemeral
    assert late.message is not None
    assert late.message.picture
    assert "Here is the board as it stands now." in late.text
    played = [move for move in await notations(house) if not move.startswith("*")]
    assert len(played) == 1
    assert played[0] in {
        first.split(":")[-1].replace("|", ""),
        second.split(":")[-1].replace("|", ""),
    }


async def test_a_press_on_an_old_board_shows_the_present_one(house: House) -> None:
    dice = random.Random(1)
    board = await house.begin()
    old, mover = board.snapshot(), house.mover(board)
    await house.turn(board, dice)
    before = await notations(house)

    late = await mover.press(old, custom_id=old.buttons[0].custom_id, stale=True)

    assert late.ephemeral
    assert "earlier turn" in late.text
    assert late.message is not None
    assert late.message.picture
    assert f"Turn {await house.ply()}" in late.text
    assert await notations(house) == before


async def test_the_board_that_a_refusal_shows_can_be_played_from(house: House) -> None:
    dice = random.Random(2)
    board = await house.begin()
    old, mover = board.snapshot(), house.mover(board)
    while True:
        await house.turn(house.board(), dice)
        if house.mover(house.board()) is mover:
            break
    late = await mover.press(old, custom_id=old.buttons[0].custom_id, stale=True)
    assert late.message is not None
    ply = await house.ply()

    await house.turn_from(late.message, mover, dice)

    assert await house.ply() > ply
    assert len([b for b in house.boards() if playable(b)]) <= 1
    assert f"Turn {await house.ply()}" in house.board().text


async def test_a_stranger_is_told_whose_match_it_is(house: House) -> None:
    board = await house.begin()
    ply = await house.ply()

    told = await house.carol.press(board, custom_id=board.buttons[0].custom_id)

    assert told.ephemeral
    assert house.ann.mention in told.text
    assert house.ben.mention in told.text
    assert told.message is not None
    assert told.message.pinged == ()
    assert not told.message.buttons
    assert await house.ply() == ply


async def test_the_opponent_is_told_whose_turn_it_is(house: House) -> None:
    board = await house.begin()
    ply = await house.ply()

    told = await house.other(board).press(board, custom_id=board.buttons[0].custom_id)

    assert told.ephemeral
    assert "not your turn" in told.text
    assert house.mover(board).mention in told.text
    assert await house.ply() == ply


async def test_a_press_after_the_end_shows_the_result(house: House) -> None:
    board = await house.begin()
    old, mover = board.snapshot(), house.mover(board)
    await house.play_a_while()
    await resign(house, house.board())

    late = await mover.press(old, custom_id=old.buttons[0].custom_id, stale=True)

    assert late.ephemeral
    assert "is over" in late.text
    assert "resigned" in late.text


async def resign(house: House, board: Message) -> None:
    """Let the player who is called give up."""
    mover = house.mover(board)
    question = await mover.slash("/tablan resign")
    assert question.message is not None
    await mover.press(question.message, "Resign")
    await house.settled()


async def test_only_the_new_board_has_controls_and_calls_the_next_player(house: House) -> None:
    dice = random.Random(3)
    await house.begin()
    for _ in range(25):
        board = house.board()
        known = set(house.boards())
        revision, called = board.revision, board.pinged
        await house.turn(board, dice)
        fresh = [b for b in house.boards() if b not in known]
        assert len(fresh) <= 1
        if fresh:
            assert fresh[0].pinged == (house.mover(fresh[0]).user,)
            assert not board.buttons
            assert not board.menus
            assert "↳" in board.text
        else:
            assert board.revision > revision
            assert house.mover(board).user in called
        assert house.board().alt
    assert all(
        not message.pinged
        for message in house.town.channel("games").messages.values()
        if message.ephemeral
    )


async def test_a_resignation_is_asked_for_told_and_counted(house: House) -> None:
    await house.begin()
    await house.play_a_while()
    board = house.board()
    question = await house.ann.slash("/tablan resign")
    assert question.ephemeral
    assert house.ben.mention in question.text
    assert question.message is not None

    kept = await house.ann.press(question.message, "Keep playing")
    assert "goes on" in kept.text
    assert not kept.message or not kept.message.buttons

    question = await house.ann.slash("/tablan resign")
    assert question.message is not None
    await house.ann.press(question.message, "Resign")
    await house.settled()

    result = house.board()
    assert result is not board
    assert "resigned" in result.text
    assert "won" in result.text
    assert result.pinged == ()
    assert not board.buttons
    assert not board.menus
    told = await house.carol.slash("/profile", user=house.ben)
    assert "1 won · 0 drawn · 0 lost" in told.text
    assert (await house.carol.slash("/match verify", number=1)).message.attachments  # type: ignore[union-attr]


async def test_a_resignation_can_be_made_by_the_one_who_waits(house: House) -> None:
    await house.begin()
    await house.play_a_while()
    board = house.board()
    winner, waiting = house.mover(board), house.other(board)
    question = await waiting.slash("/tablan resign")
    assert question.message is not None
    await waiting.press(question.message, "Resign")
    await house.settled()
    assert f"{winner.mention}) won**" in house.board().text
