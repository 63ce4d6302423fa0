"""What is announced beside the boards: once, in its turn and when it is due."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from bot.delivery import announcements
from bot.delivery.announcements import Announcement, announces
from bot.views import frame
from data import outbox
from playground.permissions import Permission

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.play.positions import MatchView
    from data.matches import Match
    from playground.model import Message
    from tests.end_to_end.harness import House

POST = "POST /channels/{channel_id}/messages"


@announces("bell")
def bell(view: MatchView, payload: Mapping[str, Any]) -> Announcement:
    """Ring for both players, calling the one who is to move."""
    text = " ".join(f"<@{player.user_id}>" for player in view.match.players)
    words = f"Ding {payload['times']} {text}"
    return Announcement(frame.text(words), () if view.to_move is None else (view.to_move.user_id,))


@announces("broken bell")
def broken_bell(view: MatchView, payload: Mapping[str, Any]) -> Announcement:
    """Fail to ring."""
    raise LookupError(payload["times"])


@announces("empty bell")
def empty_bell(view: MatchView, payload: Mapping[str, Any]) -> Announcement:
    """Ring without a sound, which Discord does not take."""
    return Announcement(frame.text(""))


async def put(
    house: House,
    kind: str = "bell",
    *,
    turn_of: Match | None = None,
    after: timedelta | None = None,
    times: int = 1,
    ring: bool = True,
) -> None:
    """Announce something in match 1, now or later."""
    async with house.store.write() as tx:
        await announcements.put(
            tx,
            1,
            kind,
            nonce=f"bell{times}",
            at=house.now(),
            turn_of=turn_of,
            not_before=None if after is None else house.now() + after,
            times=times,
        )
    if ring:
        house.bot.courier.nudge(1)
        await house.settled()


async def strike(house: House) -> None:
    """Let the courier deliver what has become due."""
    await house.bot.courier.due(house.now())
    await house.settled()


def bells(house: House) -> list[Message]:
    """Return what was announced."""
    shown = house.town.channel("games").messages.values()
    return [message for message in shown if "Ding" in message.text]


async def test_it_stands_beside_the_boards_and_calls_whom_it_should(house: House) -> None:
    board = await house.begin()
    await put(house)
    (rung,) = bells(house)
    assert rung.id > board.id
    assert rung.pinged == (house.mover(board).user,)


async def test_a_player_who_wants_no_pings_is_named_but_not_called(house: House) -> None:
    mover = house.mover(await house.begin())
    settings = await house.bot.choices.player(mover.id)
    await house.bot.choices.set_player(mover.id, settings.model_copy(update={"pings": False}))
    await put(house)
    assert mover.mention in bells(house)[0].text
    assert bells(house)[0].pinged == ()


async def test_a_kind_that_cannot_be_said_holds_up_nothing(house: House) -> None:
    house.expected_errors += ["an announcement cannot be made"] * 2
    await house.begin()
    await put(house, "broken bell", times=1)
    await put(house, "unheard of", times=2)
    await put(house, times=3)
    assert [rung.text[:6] for rung in bells(house)] == ["Ding 3"]


async def test_what_discord_never_takes_holds_up_nothing(house: House) -> None:
    house.expected |= {400}
    house.expected_errors += ["Discord refuses an announcement"]
    await house.begin()
    await put(house, "empty bell", times=1)
    await put(house, times=2)
    assert len(bells(house)) == 1
    house.town.violations.clear()


@pytest.mark.hurried
@pytest.mark.parametrize("when", ["before", "after"])
async def test_it_is_said_once_though_the_line_breaks(house: House, when: str) -> None:
    await house.begin()
    house.town.faults.drop(POST, after=when == "after")
    await put(house)
    assert len(bells(house)) == 1


async def test_it_is_said_once_though_the_program_dies_after_saying_it(house: House) -> None:
    await house.begin()
    await put(house)
    async with house.store.write() as tx:
        await put_again(tx)
    house.clock.advance(3600)  # Discord has forgotten the nonce
    await house.restart()
    assert len(bells(house)) == 1


async def put_again(tx: Any) -> None:
    """Make the store forget that the last job is done."""
    from sqlalchemy import update  # noqa: PLC0415

    from data.tables import outbox as jobs  # noqa: PLC0415

    await tx.run(update(jobs).where(jobs.c.kind == announcements.NOTICE_JOB).values(done_at=None))


async def test_two_that_say_the_same_are_both_said(house: House) -> None:
    await house.begin()
    await put(house, times=1, ring=False)
    await put(house, times=2, ring=False)
    await house.restart()
    assert [rung.text[:6] for rung in bells(house)] == ["Ding 1", "Ding 2"]


async def test_what_waits_for_its_time_holds_up_neither_boards_nor_others(house: House) -> None:
    await house.begin()
    await put(house, times=1, after=timedelta(hours=2))
    await put(house, times=2)
    dice = random.Random(3)
    await house.turn(house.board(), dice)
    assert f"Turn {await house.ply()}" in house.board().text
    assert [rung.text[:6] for rung in bells(house)] == ["Ding 2"]

    async with house.store.read() as tx:
        due = await house.bot.courier.next(tx)
    assert due == house.now() + timedelta(hours=2)
    house.clock.advance(7199)
    await strike(house)
    assert len(bells(house)) == 1
    house.clock.advance(1)
    await strike(house)
    assert [rung.text[:6] for rung in bells(house)] == ["Ding 2", "Ding 1"]
    async with house.store.read() as tx:
        assert await house.bot.courier.next(tx) is None


async def test_what_became_due_while_the_program_was_off_is_said_at_its_start(
    house: House,
) -> None:
    await house.begin()
    await put(house, after=timedelta(hours=2))
    await house.stop()
    house.clock.advance(7200)
    await house.start()
    assert len(bells(house)) == 1


async def test_what_belongs_to_a_turn_that_has_passed_is_not_said(house: House) -> None:
    await house.begin()
    match = (await house.bot.matches.view(1)).match
    await put(house, turn_of=match, after=timedelta(hours=2))
    await house.turn(house.board(), random.Random(4))
    house.clock.advance(7200)
    await strike(house)
    assert bells(house) == []
    async with house.store.read() as tx:
        assert await outbox.pending(tx) == ()


async def test_what_belongs_to_a_turn_is_not_said_when_the_match_ended_there(house: House) -> None:
    await house.begin()
    match = (await house.bot.matches.view(1)).match
    await put(house, turn_of=match, after=timedelta(hours=2))
    question = await house.ann.slash("/tablan resign")
    assert question.message is not None
    await house.ann.press(question.message, "Resign")
    await house.settled()
    house.clock.advance(7200)
    await strike(house)
    assert bells(house) == []


async def test_it_waits_behind_a_board_that_may_not_be_posted(house: House) -> None:
    house.expected |= {403}
    await house.begin()
    house.forbid(Permission.SEND_MESSAGES)
    dice = random.Random(5)
    for _ in range(20):
        if not (await house.turn(house.board(), dice)).followups:
            continue
        break
    await put(house)
    assert bells(house) == []
    house.allow(Permission.SEND_MESSAGES)
    house.bot.courier.nudge(1)
    await house.settled()
    assert house.board().id < bells(house)[0].id
    assert f"Turn {await house.ply()}" in house.board().text
