"""All open matches of a player in one list, those waiting for them first."""

from __future__ import annotations

import random
import re

from sqlalchemy import update

from data.matches.match import matches
from playground.people import Person
from tests.end_to_end.harness import Environment


async def listed(person: Person, **options: str) -> str:
    return (await person.slash("/games", channel="games", options=options)).private


def order(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"^#(\d+) ", text, re.MULTILINE)]


async def test_a_player_without_matches_is_told_how_to_begin(env: Environment) -> None:
    assert "going" in await listed(env.ann)
    text = await listed(env.ann, game="tablut")
    assert "Tablut" in text
    assert "/tablut challenge" in text


async def test_a_players_turns_are_listed_first_with_links_to_the_boards(env: Environment) -> None:
    for _ in range(3):
        await env.begin("tablut")
    movers = {number: env.mover(env.board(number)) for number in (1, 2, 3)}
    text = await listed(env.ann)
    waiting = [number for number, mover in movers.items() if mover is env.ann]
    assert order(text)[: len(waiting)] == sorted(waiting, reverse=True)
    assert text.count("**your turn**") == len(waiting)
    for number in (1, 2, 3):
        assert f"/{env.board(number).id})" in text
    assert "going" in await listed(env.carol)
    of_game = (await env.ann.slash("/tablut games")).shown
    assert of_game.ephemeral
    assert of_game.text == text
    assert env.ben.mention in text
    assert of_game.pinged == ()


async def test_matches_of_all_servers_or_of_one_game_are_listed(env: Environment) -> None:
    await env.begin("tablut")
    await env.begin("tablan")
    async with env.store.write() as tx:
        await tx.run(update(matches).where(matches.c.id == 1).values(guild_id=77))
    assert sorted(order(await listed(env.ann))) == [1, 2]
    assert order(await listed(env.ann, game="tablan")) == [2]


async def test_finished_matches_are_not_listed(env: Environment) -> None:
    await env.begin("tablut")
    await env.resign(env.ann)
    assert "going" in await listed(env.ben)


async def test_pages_of_many_matches_work_after_a_restart(env: Environment) -> None:
    for _ in range(12):
        await env.begin("tablut")
    reply = (await env.ben.slash("/games", channel="games")).shown
    first = order(reply.text)
    assert len(first) == 10
    await env.restart()
    await env.ben.press(reply, "Page 2")
    second = order(reply.text)
    assert len(second) == 2
    assert sorted([*first, *second]) == list(range(1, 13))
    await env.turn(env.board(1), random.Random(1))
