"""Ladders on both databases."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from data.ladders import ladder_challenges, ladders
from data.ladders.ladder_challenges import LadderChallenge
from data.ladders.ladders import Ladder, Terms
from data.matches import matches
from data.sql.statements import Scope, shard_of
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import ANN, BEN, CAROL, CHANNEL, NOW, SERVER, after

TERMS = Terms(
    guild_id=SERVER,
    channel_id=CHANNEL,
    game="nim",
    created_by=CAROL,
    reach=3,
    answer_days=3,
    idle_days=30,
    pause_days=7,
    days=3,
    game_days=30,
    casual=False,
)


async def new_ladder(tx: Transaction, *users: int, terms: Terms = TERMS) -> Ladder:
    """Return a ladder with these players, first place first."""
    found = await ladders.add(tx, terms, at=NOW, next_check_at=after(60))
    for place, user in enumerate(users, 1):
        await ladders.enter(tx, found.id, user, place=place, at=NOW, slide_at=after(90))
    return found


async def new_challenge(tx: Transaction, ladder: int, one: int, other: int) -> LadderChallenge:
    """Return a challenge for first place."""
    made = LadderChallenge(0, ladder, one, other, b"s", 1, NOW, NOW, after(30), after(20))
    return await ladder_challenges.add(tx, made)


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
    there = await new_ladder(tx, BEN, terms=replace(TERMS, guild_id=SERVER - 1))
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


@pytest.mark.parametrize("shard", [0, 1])
async def test_each_shard_has_the_ladders_of_its_servers(db: Store, shard: int) -> None:
    servers = [SERVER, SERVER - (1 << 22)]
    scope = Scope(2, frozenset({shard}))
    async with db.write() as tx:
        numbers = []
        for server in servers:
            found = await new_ladder(tx, ANN, BEN, terms=replace(TERMS, guild_id=server))
            one = await new_challenge(tx, found.id, BEN, ANN)
            if shard_of(server, 2) == shard:
                numbers.append((found.id, one.id))
        ((mine, called_by),) = numbers
        assert await ladders.due_for_check(tx, after(60), limit=9, scope=scope) == (mine,)
        assert await ladders.next_check(tx, scope=scope) == after(60)
        due = await ladder_challenges.due(tx, after(60), limit=9, scope=scope)
        assert [one.id for one in due] == [called_by]
        assert await ladder_challenges.next_due(tx, scope=scope) == after(20)
