"""Discord fails: every route in use, with every kind of failure, one by one.

The rule for all of them: no turn is lost, no board is posted twice, and in the end the channel
shows the match as it stands, with controls on the newest board alone.
"""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import pytest

from bot import __main__ as program
from bot.config import Settings
from tests.end_to_end.harness import playable

if TYPE_CHECKING:
    from playground.faults import Fault, Faults
    from playground.record import Request
    from playground.reply import Reply
    from tests.end_to_end.harness import House

pytestmark = pytest.mark.hurried

CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"
POST = "POST /channels/{channel_id}/messages"
EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"
HISTORY = "GET /channels/{channel_id}/messages"
FILL = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"
FOLLOW = "POST /webhooks/{webhook_id}/{webhook_token}"
REMOVE = "DELETE /webhooks/{webhook_id}/{webhook_token}/messages/@original"

FAILURES = ("429", "500", "502", "503", "500 after", "503 after", "broken before", "broken after")


def fail(faults: Faults, route: str, failure: str) -> Fault:
    """Let one request to a route fail."""
    how, _, when = failure.partition(" ")
    if how == "broken":
        return faults.drop(route, after=when == "after")
    return faults.answer(route, status=int(how), after=bool(when))


def shows_all(house: House) -> None:
    """Check that each turn has one board at most, and the newest alone has controls."""
    boards = house.boards()
    names = [board.attachments[0].filename for board in boards]
    assert len(names) == len(set(names))
    live = [board for board in boards if playable(board)]
    assert live == boards[-1:]


async def evening(house: House, dice: random.Random, choices: int) -> None:
    """Let Ann and Ben play on, each choice counted, whatever they are told."""
    for number in range(choices):
        board = house.board()
        mover, ply = house.mover(board), await house.ply()
        if number % 3 == 2:
            move = dice.choice(await house.legal())
            await house.does(
                lambda mover=mover, move=move: mover.start_slash(  # type: ignore[misc]
                    "/tablan move", options={"move": move}
                )
            )
            assert await house.ply() > ply
        else:
            value = dice.choice(house.choices(board))
            await house.does(
                lambda board=board, mover=mover, value=value: house.start_pick(  # type: ignore[misc]
                    board, mover, value
                )
            )
        assert f"Turn {await house.ply()}" in house.board().text
    shows_all(house)


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("route", [CALLBACK, POST, EDIT])
async def test_a_turn_survives_a_failure(house: House, route: str, failure: str) -> None:
    house.expected |= {400, 404, 429, 500, 502, 503}
    await house.begin()
    fault = fail(house.town.faults, route, failure)

    await evening(house, random.Random(21), 12)

    assert fault.hits == 1


@pytest.mark.parametrize("failure", FAILURES)
async def test_a_board_survives_a_failure_while_it_is_searched_for(
    house: House, failure: str
) -> None:
    house.expected |= {429, 500, 502, 503}
    await house.begin()
    lost = fail(house.town.faults, POST, "broken after")
    fault = fail(house.town.faults, HISTORY, failure)

    await evening(house, random.Random(22), 12)

    assert lost.hits == fault.hits == 1


@pytest.mark.parametrize("failure", FAILURES)
async def test_a_slow_answer_survives_a_failure(house: House, failure: str) -> None:
    house.expected |= {400, 404, 429, 500, 502, 503}
    await house.begin()
    house.bot.patience = 0.0
    fault = fail(house.town.faults, FILL, failure)

    await evening(house, random.Random(23), 9)

    assert fault.hits == 1


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("route", [FOLLOW, REMOVE])
async def test_a_slow_refusal_survives_a_failure(house: House, route: str, failure: str) -> None:
    house.expected |= {400, 404, 429, 500, 502, 503}
    await house.challenge()
    await house.settled()
    house.bot.patience = 0.0
    fault = fail(house.town.faults, route, failure)

    def again() -> Reply:
        return house.ann.start_slash("/tablan challenge", options={"opponent": house.ben})

    await house.does(again)
    assert fault.hits == 1
    told = await house.does(again)
    assert "still open" in (await told.followup()).text


@pytest.mark.parametrize("failure", FAILURES)
async def test_a_challenge_that_got_lost_does_not_bar_the_next(house: House, failure: str) -> None:
    house.expected |= {400, 429, 500, 502, 503}
    fault = fail(house.town.faults, CALLBACK, failure)
    first = await house.does(
        lambda: house.ann.start_slash("/tablan challenge", options={"opponent": house.ben})
    )
    assert fault.hits == 1
    if first.message is None:
        again = await house.challenge()
        assert again.ephemeral
        assert again.message is not None
        await house.ann.press(again.message, "Withdraw")
        first = await house.challenge()
    assert first.message is not None
    await house.ben.press(first.message, "Accept")
    await house.settled()
    await evening(house, random.Random(24), 3)


@pytest.mark.parametrize("failure", FAILURES)
async def test_an_acceptance_survives_a_failure(house: House, failure: str) -> None:
    house.expected |= {400, 429, 500, 502, 503}
    offered = await house.challenge()
    await house.settled()
    fault = fail(house.town.faults, CALLBACK, failure)
    assert offered.message is not None
    message = offered.message
    await house.does(lambda: house.ben.start_press(message, "Accept"))
    assert fault.hits == 1
    await evening(house, random.Random(25), 3)


async def play_until_a_board_is_due(house: House, dice: random.Random) -> None:
    """Play on until the turn passes, so that a new board must be posted."""
    while playable(house.board()):
        board = house.board()
        picked = house.start_pick(board, house.mover(board), dice.choice(house.choices(board)))
        await picked.acknowledged()
        await house.bot._rested.wait()


@pytest.mark.parametrize("status", [500, 503])
async def test_boards_arrive_when_discord_is_up_again(house: House, status: int) -> None:
    house.expected |= {status}
    dice = random.Random(26)
    await house.begin()
    enough = asyncio.Event()
    tries = 0

    def count(_: Request) -> bool:
        nonlocal tries
        tries += 1
        if tries == 4:
            enough.set()
        return True

    house.town.faults.answer(POST, status=status, times=None, when=count)
    known = len(house.boards())
    await play_until_a_board_is_due(house, dice)
    await enough.wait()
    assert len(house.boards()) == known

    house.town.faults.clear()
    await house.settled()

    shows_all(house)
    assert f"Turn {await house.ply()}" in house.board().text
    await evening(house, dice, 3)


async def test_when_all_of_discord_is_down_for_a_while_nothing_is_lost(house: House) -> None:
    house.expected |= {400, 404, 503}
    board = await house.begin()
    ply = await house.ply()
    down = house.town.faults.answer("*", status=503, times=None)
    heard = house.hears()
    house.start_pick(board, house.mover(board), house.choices(board)[0])
    await heard
    await house.bot._rested.wait()
    assert await house.ply() > ply
    assert down.hits > 3

    house.town.faults.clear()
    await house.settled()
    assert f"Turn {await house.ply()}" in house.board().text
    await evening(house, random.Random(27), 3)


async def test_an_outage_does_not_hold_up_the_end(house: House) -> None:
    house.expected |= {503}
    house.may_wait = True
    dice = random.Random(28)
    await house.begin()
    struck = asyncio.Event()

    def strike(_: Request) -> bool:
        struck.set()
        return True

    house.town.faults.answer(POST, status=503, times=None, when=strike)
    await play_until_a_board_is_due(house, dice)
    await struck.wait()
    await house.stop()
    house.town.faults.clear()
    await house.start()
    assert f"Turn {await house.ply()}" in house.board().text
    shows_all(house)


@pytest.mark.parametrize("failure", FAILURES)
async def test_the_start_survives_a_failure_of_each_route_it_takes(
    empty_house: House, failure: str
) -> None:
    house = empty_house
    house.expected |= {429, 500, 502, 503}
    await house.start()
    starting = {
        request.route for request in house.town.requests if not request.route.startswith("POST")
    }
    await house.begin()
    await house.stop()
    faults = [fail(house.town.faults, route, failure) for route in sorted(starting)]
    assert len(faults) >= 3

    stopped = asyncio.Event()
    settings = Settings(_env_file=None, playground_url=house.town.url)
    await house.run_beside(
        lambda store: program._stay_connected(
            settings, store, house.studio, house.town.token, stopped
        ),
        stopped,
    )
    assert all(fault.hits == 1 for fault in faults)
    await house.start()
    await evening(house, random.Random(29), 2)
