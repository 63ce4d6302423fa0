"""Permissions, messages and channels that go away in the middle of a match."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from data import outbox
from playground.permissions import Permission

if TYPE_CHECKING:
    from playground.model import Message
    from tests.end_to_end.harness import House


async def blocked_turn(house: House, dice: random.Random) -> Message:
    """Play on until a board should be posted but is not; return what the player is told."""
    boards = len(house.boards())
    for _ in range(200):
        board = house.board()
        mover = house.mover(board)
        picked = await house.turn(board, dice)
        if picked.followups:
            assert len(house.boards()) == boards
            assert mover.user is picked.followups[0].ephemeral_for
            return picked.followups[0]
        assert len(house.boards()) == boards
    raise AssertionError("nobody was ever told")


async def test_a_lost_permission_keeps_the_move_and_tells_the_player_why_no_board_comes(
    house: House,
) -> None:
    house.expected |= {403}
    dice = random.Random(6)
    await house.begin()
    house.forbid(Permission.ATTACH_FILES)

    told = await blocked_turn(house, dice)

    assert "**Attach Files**" in told.text
    assert "saved" in told.text
    assert "/tablan board" in told.text
    ply = await house.ply()
    async with house.store.read() as tx:
        waiting = await outbox.pending(tx)
    assert waiting[-1].payload["ply"] == ply
    assert "50013" in (waiting[-1].blocked or "")

    while_away = await house.ann.slash("/tablan board")
    assert while_away.ephemeral
    assert while_away.message is not None
    assert while_away.message.picture
    why = await while_away.followup()
    assert "**Attach Files**" in why.text

    house.allow(Permission.ATTACH_FILES)
    await house.ann.slash("/tablan board")
    await house.settled()
    assert f"Turn {ply}" in house.board().text
    assert house.board().pinged == (house.mover(house.board()).user,)
    await house.turn(house.board(), dice)


async def test_a_channel_that_the_bot_cannot_see_any_more_is_told_too(house: House) -> None:
    house.expected |= {403}
    await house.begin()
    house.forbid(Permission.SEND_MESSAGES)
    told = await blocked_turn(house, random.Random(7))
    assert "**Send Messages**" in told.text
    house.allow(Permission.SEND_MESSAGES)
    await house.restart()
    assert f"Turn {await house.ply()}" in house.board().text


async def test_a_deleted_board_comes_back_with_the_next_turn(house: House) -> None:
    house.expected |= {404}
    board = await house.begin()
    mover = house.mover(board)
    house.town.messages.delete(board)

    again = await mover.slash("/tablan board")
    assert again.ephemeral
    assert again.message is not None
    assert again.message.buttons
    await house.turn_from(again.message, mover, random.Random(8))

    assert f"Turn {await house.ply()}" in house.board().text
    assert house.board() is not board
    await house.turn(house.board(), random.Random(9))


async def test_a_deleted_channel_ends_nothing(house: House) -> None:
    house.expected |= {404}
    house.may_wait = True
    board = await house.begin(channel="elsewhere")
    mover, other = house.mover(board), house.other(board)
    house.town.world.remove_channel(house.town.channel("elsewhere"))

    shown = await mover.slash("/tablan board", channel="games")
    assert shown.message is not None
    ply = await house.ply()
    picked = await house.turn_from(shown.message, mover, random.Random(10))
    told = await picked.followup()
    assert "does not exist any more" in told.text
    assert await house.ply() > ply

    await house.play_a_while()
    question = await other.slash("/tablan resign", channel="games")
    assert question.message is not None
    ended = await other.press(question.message, "Resign")
    assert "You resigned" in ended.text
    await house.settled()
    profile = await house.carol.slash("/profile", user=mover, channel="games")
    assert "1 won · 0 drawn · 0 lost" in profile.text
