"""A match goes on from a backup while Discord has boards unknown to the backup."""

from __future__ import annotations

import random

import pytest

from bot.app import backups, maintenance
from playground.model import Message
from tests.end_to_end.harness import Environment, playable
from tests.routes import POST

pytestmark = pytest.mark.fast_timers


def live(env: Environment, channel: str = "games") -> list[Message]:
    return [m for m in env.channel(channel).messages.values() if playable(m)]


def loss_notices(env: Environment) -> list[Message]:
    return [
        m
        for m in env.channel().messages.values()
        if "restored from a backup" in m.text and "is lost" in m.text
    ]


async def backed_up(env: Environment, name: str = "backup") -> None:
    await env.settled()
    await backups.write(env.database, env.folder / name)


async def restored(env: Environment, name: str | None = "backup") -> None:
    await env.settled()
    await env.stop()
    await maintenance.restore_database(env.database, None if name is None else env.folder / name)
    await env.start()
    await env.settled()


async def turns(env: Environment, number: int, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(number):
        (board,) = live(env)
        await env.turn(board, dice)
        await env.settled()


@pytest.mark.parametrize("in_place", [False, True])
async def test_lost_turns_are_announced_once(env: Environment, *, in_place: bool) -> None:
    if in_place:
        await env.change_settings(board="edit")
    await env.begin()
    await turns(env, 2, 1)
    known = await env.move()
    await backed_up(env)
    await turns(env, 4, 2)
    assert await env.move() > known
    newest = live(env)[0]
    await restored(env)
    (board,) = live(env)
    assert f"Move {known} " in board.text
    (notice,) = loss_notices(env)
    assert "#1" in notice.text
    assert notice.pinged == ()
    if not in_place:
        assert board.id > notice.id > newest.id
        assert not playable(newest)
    await turns(env, 4, 3)
    assert len(loss_notices(env)) == 1, "it is announced once"


async def test_if_nothing_was_lost_nothing_is_posted(env: Environment) -> None:
    await env.begin()
    await turns(env, 2, 1)
    await backed_up(env)
    (before,) = live(env)
    posted = len(env.channel().messages)
    await restored(env)
    assert live(env) == [before]
    assert loss_notices(env) == []
    assert len(env.channel().messages) == posted
    await turns(env, 3, 2)


async def test_a_match_whose_end_was_lost_continues(env: Environment) -> None:
    await env.begin()
    await turns(env, 2, 1)
    await backed_up(env)
    await env.ben.slash("/tablan resign")
    await restored(env)
    assert len(live(env)) == 1
    await turns(env, 2, 2)


async def test_controls_made_since_the_backup_are_refused(env: Environment) -> None:
    await backed_up(env)
    lost = await env.begin()
    await env.settled()
    person = env.mover(lost)
    await restored(env)
    offered = await env.challenge()
    await env.done(env.ben.press(await offered.filled(), "Accept"))
    (fresh,) = [board for board in live(env) if board is not lost]
    answer = await env.turn_from(lost, person, random.Random(1))
    assert "no match" in answer.text
    await env.turn(fresh, random.Random(2))
    assert "Move 2 " in next(board for board in live(env) if board is not lost).text


async def test_a_second_restoration_of_the_same_backup_works_as_the_first(env: Environment) -> None:
    await env.begin()
    await turns(env, 1, 1)
    known = await env.move()
    await backed_up(env)
    for seed in range(2):
        await turns(env, 3, seed)
        await restored(env)
        (board,) = live(env)
        assert f"Move {known} " in board.text
    assert len(loss_notices(env)) == 2


async def test_a_database_restored_by_hand_is_prepared_the_same_way(env: Environment) -> None:
    await env.begin()
    await turns(env, 1, 1)
    known = await env.move()
    await backed_up(env, "copy")
    await turns(env, 3, 2)
    await env.stop()
    (env.folder / "copy").replace(env.folder / "games.db")
    await maintenance.restore_database(env.database, None)
    await env.start()
    await env.settled()
    (board,) = live(env)
    assert f"Move {known} " in board.text
    assert len(loss_notices(env)) == 1


async def test_time_since_the_backup_counts_against_no_one(env: Environment) -> None:
    await env.change_settings(days=1)
    await env.begin()
    await turns(env, 1, 1)
    await backed_up(env)
    for seed in range(3):
        await env.advance(hours=20)
        await turns(env, 1, seed)
    await restored(env)
    assert len(live(env)) == 1
    assert "may claim" not in live(env)[0].text
    await turns(env, 2, 4)


async def test_lost_turns_are_announced_once_if_the_board_fails(env: Environment) -> None:
    env.expected |= {500}
    await env.begin()
    await turns(env, 2, 1)
    await backed_up(env)
    await turns(env, 4, 2)
    env.faults.respond(POST, status=500, times=2, when=lambda one: bool(one.files))
    await restored(env)
    (notice,) = loss_notices(env)
    (board,) = live(env)
    assert board.id > notice.id
    await env.advance(minutes=1)
    assert len(loss_notices(env)) == 1
