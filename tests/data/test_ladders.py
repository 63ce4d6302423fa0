"""Ladders on both databases."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from data.ladders import ladder_challenges, ladders
from data.matches import matches
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import ANN, BEN, CAROL, LADDER, NOW, SERVER, after, new_challenge, new_ladder


async def test_there_is_one_open_ladder_per_game_and_server(db: Store) -> None:
    async with db.write() as tx:
        found = await new_ladder(tx)
        assert await ladders.of_game(tx, SERVER, "nim") == found
        assert await ladders.of_server(tx, SERVER) == (found,)
    with pytest.raises(IntegrityError):
        async with db.write() as tx:
            await new_ladder(tx)
    async with db.write() as tx:
        await ladders.change(tx, found.id, closed_at=NOW, next_check_at=None)
        assert await ladders.of_server(tx, SERVER) == ()
        again = await new_ladder(tx)
        assert await ladders.of_game(tx, SERVER, "nim") == again


async def test_places_have_no_gaps_and_each_players_best_is_kept(db: Store) -> None:
    dice = random.Random(5)
    order, best = list(range(1, 9)), {user: user for user in range(1, 9)}
    async with db.write() as tx:
        found = await new_ladder(tx, *order)
        for _ in range(60):
            user = dice.choice(order)
            before, place = order.index(user) + 1, dice.randrange(1, len(order) + 1)
            await ladders.move(tx, found.id, user, before=before, after=place)
            order.remove(user)
            order.insert(place - 1, user)
            best = {one: min(best[one], order.index(one) + 1) for one in order}
        rungs = await ladders.rungs(tx, found.id)
        assert [one.user_id for one in rungs] == order
        assert [one.place for one in rungs] == list(range(1, 9))
        assert {one.user_id: one.best for one in rungs} == best
        await ladders.remove(tx, found.id, order[3], place=4)
        del order[3]
        rungs = await ladders.rungs(tx, found.id)
        assert [(one.user_id, one.place) for one in rungs] == [
            (user, place) for place, user in enumerate(order, 1)
        ]


async def test_a_players_places_are_found_by_server(tx: Transaction) -> None:
    here = await new_ladder(tx, ANN, BEN)
    there = await new_ladder(tx, BEN, terms=replace(LADDER, guild_id=SERVER - 1))
    mine = [(one.id, rung.place) for one, rung in await ladders.of_player(tx, BEN)]
    assert mine == [(here.id, 2), (there.id, 1)]
    ((one, _),) = await ladders.of_player(tx, BEN, SERVER - 1)
    assert one == there


async def test_an_ended_match_is_due_until_its_result_is_processed(tx: Transaction) -> None:
    found = await new_ladder(tx, ANN, BEN)
    number = await people.match(tx, (ANN, BEN))
    other = await people.match(tx, (ANN, BEN))
    one = await new_challenge(tx, found.id, BEN, ANN)
    await ladder_challenges.change(tx, one.id, match_id=number, due_at=None)
    assert await ladder_challenges.is_match(tx, number)
    assert not await ladder_challenges.is_match(tx, other)
    assert await ladder_challenges.due(tx, after(99), limit=9) == ()
    for ended in (number, other):
        match = await matches.get(tx, ended)
        assert match is not None
        await ladder_challenges.ended(tx, match, after(40))
    (due,) = await ladder_challenges.due(tx, after(40), limit=9)
    assert (due.id, await ladder_challenges.next_due(tx)) == (one.id, after(40))
    await ladder_challenges.change(tx, one.id, ended_at=after(41), outcome="won")
    assert await ladder_challenges.due(tx, after(99), limit=9) == ()
    assert not await ladder_challenges.is_match(tx, number)


async def test_the_challenges_between_two_players_are_found_either_way_round(
    tx: Transaction,
) -> None:
    found = await new_ladder(tx, ANN, BEN, CAROL)
    first = await new_challenge(tx, found.id, BEN, ANN)
    number = await people.match(tx, (ANN, BEN))
    await ladder_challenges.change(tx, first.id, match_id=number, ended_at=NOW)
    second = await new_challenge(tx, found.id, ANN, BEN)
    for both in ((ANN, BEN), (BEN, ANN)):
        met = await ladder_challenges.between(tx, found.id, *both)
        assert [one.id for one in met] == [second.id, first.id]
    assert await ladder_challenges.between(tx, found.id, ANN, CAROL) == ()
