"""All open matches of a player in one list: what waits for them comes first."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from sqlalchemy import update

from data import tables

if TYPE_CHECKING:
    from playground.people import Person
    from tests.end_to_end.harness import House


async def listed(person: Person, **options: str) -> str:
    reply = await person.slash("/games", channel="games", options=options)
    assert reply.ephemeral
    return reply.text


def order(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"^#(\d+) ", text, re.MULTILINE)]


async def test_who_plays_nothing_is_told_how_to_begin(house: House) -> None:
    assert "no open match" in await listed(house.ann)
    text = await listed(house.ann, game="tablut")
    assert "Tablut" in text
    assert "/tablut challenge" in text


async def test_what_waits_for_a_player_comes_first_with_links_to_the_boards(house: House) -> None:
    for _ in range(3):
        await house.begin("tablut")
    movers = {number: house.mover(house.board(number)) for number in (1, 2, 3)}
    text = await listed(house.ann)
    waiting = [number for number, mover in movers.items() if mover is house.ann]
    assert order(text)[: len(waiting)] == sorted(waiting, reverse=True)
    assert text.count("**your turn**") == len(waiting)
    for number in (1, 2, 3):
        assert f"/{house.board(number).id})" in text
    assert "no open match" in await listed(house.carol)


async def test_matches_of_all_servers_are_there_and_only_one_game_where_asked(
    house: House,
) -> None:
    await house.begin("tablut")
    await house.begin("tablan")
    async with house.store.write() as tx:
        await tx.run(update(tables.matches).where(tables.matches.c.id == 1).values(guild_id=77))
    assert sorted(order(await listed(house.ann))) == [1, 2]
    assert order(await listed(house.ann, game="tablan")) == [2]


async def test_what_is_over_is_not_listed(house: House) -> None:
    await house.begin("tablut")
    await house.bot.matches.resign(1, house.ann.id)
    house.bot.courier.nudge(1)
    await house.settled()
    assert "no open match" in await listed(house.ben)


async def test_many_matches_come_in_pages_that_turn_after_a_restart(house: House) -> None:
    for _ in range(12):
        await house.begin("tablut")
    reply = await house.ben.slash("/games", channel="games")
    assert reply.message is not None
    first = order(reply.message.text)
    assert len(first) == 10
    await house.restart()
    await house.ben.press(reply.message, "Page 2")
    second = order(reply.message.text)
    assert len(second) == 2
    assert sorted([*first, *second]) == list(range(1, 13))
    await house.turn(house.board(1), random.Random(1))
