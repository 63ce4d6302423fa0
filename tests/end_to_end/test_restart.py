"""A bot that is started again goes on where the one before it stopped."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.end_to_end.harness import playable

if TYPE_CHECKING:
    from tests.end_to_end.harness import House

SYNC = "PUT /applications/{application_id}/commands"


async def test_an_open_challenge_can_be_accepted_after_a_restart(house: House) -> None:
    offered = await house.challenge()
    assert offered.message is not None
    await house.restart()
    accepted = await house.ben.press(offered.message, "Accept")
    await house.settled()
    assert "match #1" in accepted.text
    assert house.board().picture


async def test_a_game_goes_on_with_the_controls_of_the_board_that_is_there(house: House) -> None:
    dice = random.Random(11)
    await house.begin()
    for _ in range(6):
        await house.restart()
        for _ in range(3):
            ply = await house.ply()
            board = house.board()
            await house.turn(board, dice)
            assert await house.ply() >= ply
            assert f"Turn {await house.ply()}" in house.board().text
    assert len([b for b in house.boards() if playable(b)]) == 1


async def test_a_move_begun_before_a_restart_is_finished_after_it(house: House) -> None:
    dice = random.Random(12)
    await house.begin()

    def asks_for_a_step(board_text: str) -> bool:
        return "and then" in board_text

    for _ in range(400):
        board = house.board()
        ply = await house.ply()
        values = [c.value for menu in board.menus for c in menu.options if c.description == STEP]
        if values:
            picked = house.start_pick(board, house.mover(board), dice.choice(values))
            await picked.acknowledged()
            await house.settled()
            assert await house.ply() == ply
            break
        await house.turn(board, dice)
    half = house.board()
    assert any(b.label == "Choose again" for b in half.buttons)

    await house.restart()
    back = await house.mover(half).press(half, "Choose again")
    assert back.updated
    await house.turn_from(half, house.mover(half), random.Random(13))
    for _ in range(3):
        if await house.ply() > ply:
            break
        await house.turn(house.board(), random.Random(14))
    assert await house.ply() > ply
    assert not asks_for_a_step(house.board().text)


STEP = "then choose how to go on"


async def test_the_question_of_a_resignation_outlives_a_restart(house: House) -> None:
    await house.begin()
    await house.play_a_while()
    question = await house.ann.slash("/tablan resign")
    assert question.message is not None
    await house.restart()
    ended = await house.ann.press(question.message, "Resign")
    await house.settled()
    assert "You resigned" in ended.text
    assert "won" in house.board().text


async def test_the_old_board_is_known_as_old_after_a_restart(house: House) -> None:
    board = await house.begin()
    old, mover = board.snapshot(), house.mover(board)
    await house.turn(board, random.Random(15))
    await house.restart()
    late = await mover.press(old, custom_id=old.buttons[0].custom_id, stale=True)
    assert late.ephemeral
    assert "earlier turn" in late.text


async def test_commands_are_sent_to_discord_only_when_they_have_changed(house: House) -> None:
    assert len(house.sent(SYNC)) == 1
    await house.restart()
    await house.restart()
    assert len(house.sent(SYNC)) == 1
    assert any(leaf.line("en-US") == "/tablan challenge" for leaf in house.ann.leaves())


async def test_nothing_is_posted_again_by_a_restart(house: House) -> None:
    await house.begin()
    for _ in range(3):
        await house.restart()
    assert len(house.boards()) == 1
