"""The line to Discord breaks in the middle of a turn."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end.harness import playable

if TYPE_CHECKING:
    from tests.end_to_end.harness import House

pytestmark = pytest.mark.hurried


async def test_a_press_during_an_outage_is_played_when_the_line_is_back(house: House) -> None:
    dice = random.Random(16)
    board = await house.begin()
    ply, resumes = await house.ply(), house.town.gateway.resumes
    house.town.gateway.drop()

    picked = await house.does(
        lambda: house.start_pick(board, house.mover(board), house.choices(board)[0])
    )

    assert house.town.gateway.resumes == resumes + 1
    assert picked.error is None
    assert await house.ply() > ply
    assert f"Turn {await house.ply()}" in house.board().text
    await house.turn(house.board(), dice)


async def test_a_press_that_is_heard_too_late_is_played_all_the_same(house: House) -> None:
    house.expected |= {404}
    board = await house.begin()
    ply = await house.ply()
    house.town.gateway.unreachable = True
    house.town.gateway.drop()
    heard = house.hears()
    picked = house.start_pick(board, house.mover(board), house.choices(board)[0])
    house.clock.advance(4)
    assert picked.error is not None

    house.town.gateway.unreachable = False
    await heard
    await house.settled()

    assert await house.ply() > ply
    assert f"Turn {await house.ply()}" in house.board().text
    assert [b for b in house.boards() if playable(b)] == [house.board()]
    await house.turn(house.board(), random.Random(17))


async def test_a_session_that_discord_forgets_is_begun_anew(house: House) -> None:
    dice = random.Random(18)
    board = await house.begin()
    identifies = house.town.gateway.identifies
    house.town.gateway.invalidate()
    await house.town.gateway.wait_connected()
    assert house.town.gateway.identifies == identifies + 1
    for _ in range(4):
        await house.turn(house.board(), dice)
    assert not playable(board) or board is house.board()


async def test_discord_may_ask_to_connect_again(house: House) -> None:
    dice = random.Random(19)
    await house.begin()
    for _ in range(3):
        resumes = house.town.gateway.resumes
        house.town.gateway.reconnect()
        board = house.board()
        await house.does(
            lambda board=board: house.start_pick(  # type: ignore[misc]
                board, house.mover(board), dice.choice(house.choices(board))
            )
        )
        await house.town.gateway.wait_connected()
        assert house.town.gateway.resumes >= resumes
    assert f"Turn {await house.ply()}" in house.board().text


@pytest.mark.parametrize("code", [4000, 4009, 1001])
async def test_a_connection_that_discord_closes_is_opened_again(house: House, code: int) -> None:
    board = await house.begin()
    ply = await house.ply()
    house.town.gateway.close(code)
    await house.town.gateway.wait_connected()
    await house.turn(board, random.Random(20))
    assert await house.ply() > ply
