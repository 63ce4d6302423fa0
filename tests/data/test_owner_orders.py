"""Orders of the bot's owner wait in the store until the process that they concern carries them out."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from data import figures, posts
from data.figures import Activity
from data.matches import matches, outbox
from data.people import owner_orders
from data.people.owner_orders import BotBlock, Order
from data.sql.statements import Scope
from data.store.store import Store, Transaction
from tests.data import people
from tests.data.people import ANN, BEN, CAROL, DAN, NOW, SERVER, after

GIVEN = Order(0, NOW, None, "block", ANN, None, {}, NOW)


async def test_an_order_is_due_until_it_is_answered_for_good(tx: Transaction) -> None:
    given = await owner_orders.add(tx, GIVEN)
    assert await owner_orders.due(tx, NOW) == (given,)
    await owner_orders.answered(tx, given.id, "Blocked.", due_at=after(30))
    assert await owner_orders.due(tx, after(29)) == ()
    assert await owner_orders.next_due(tx) == after(30)
    await owner_orders.answered(tx, given.id, "Blocked.", due_at=None)
    assert await owner_orders.next_due(tx) is None
    found = await owner_orders.get(tx, given.id)
    assert found is not None
    assert found.answer == "Blocked."


async def test_only_the_owner_of_a_servers_shard_has_its_orders(tx: Transaction) -> None:
    other = (1 << 22) * 3  # on shard 1 of 2
    of_server = await owner_orders.add(tx, Order(0, NOW, ANN, "leave", None, other, {}, NOW))
    of_user = await owner_orders.add(tx, GIVEN)
    for shard, mine in ((0, of_user), (1, of_server)):
        with tx.limited_to(Scope(2, frozenset({shard}))):
            assert await owner_orders.due(tx, NOW) == (mine,)
            assert await owner_orders.next_due(tx) == NOW
    with tx.limited_to(Scope(2, frozenset())):
        assert await owner_orders.next_due(tx) is None


async def test_orders_are_announced_and_forgotten_after_a_year(db: Store) -> None:
    heard: list[int] = []
    db.listen(owner_orders.CHANGED, heard.append)
    async with db.write() as tx:
        done = await owner_orders.add(tx, GIVEN)
        await owner_orders.answered(tx, done.id, "Blocked.", due_at=None)
        waits = await owner_orders.add(tx, GIVEN)
    assert heard == [done.id, waits.id]
    later = NOW + owner_orders.KEPT_FOR + timedelta(seconds=1)
    async with db.write() as tx:
        new = await owner_orders.add(tx, Order(0, later, ANN, "presence", None, None, {}, later))
        kept = await owner_orders.newest(tx, limit=9)
    assert kept == (new, waits), "one that still waits is not forgotten"


async def test_a_second_block_changes_the_reason(tx: Transaction) -> None:
    for reason in ("spam", "spam, again"):
        await owner_orders.block(tx, BotBlock(ANN, server=False, reason=reason, since=NOW))
    await owner_orders.block(tx, BotBlock(SERVER, server=True, reason="", since=after(1)))
    first, second = await owner_orders.all_blocks(tx)
    assert (first.reason, second.server) == ("spam, again", True)
    assert await owner_orders.filter_blocked(tx, [ANN, BEN, SERVER]) == {ANN, SERVER}
    assert await owner_orders.unblock(tx, ANN)
    assert not await owner_orders.unblock(tx, ANN)
    assert await owner_orders.filter_blocked(tx, [ANN, BEN]) == frozenset()


async def test_what_is_played_is_counted_by_server_and_by_game(tx: Transaction) -> None:
    ended = await people.match(tx, (ANN, BEN))
    await matches.finish(tx, ended, ranks={0: 2, 1: 1}, reason="over", at=after(60))
    for users in ((ANN, BEN), (ANN, CAROL)):
        await people.match(tx, users, game="tablut")
    await people.match(tx, (DAN, -7), guild_id=None)
    assert await figures.activity(tx, NOW) == {SERVER: Activity(2, 1)}
    assert await figures.activity(tx, after(60)) == {SERVER: Activity(2, 0)}
    found = await figures.totals(tx, NOW, without=[DAN])
    assert (found.servers, found.players) == (1, 3)
    assert found.games == {"nim": (Activity(1, 1), 2, 0), "tablut": (Activity(2, 0), 2, 0)}


async def test_the_matches_that_a_decision_would_end_are_found(tx: Transaction) -> None:
    ended = await people.match(tx, (ANN, BEN))
    await matches.finish(tx, ended, ranks={0: 2, 1: 1}, reason="over", at=after(60))
    shared = await people.match(tx, (ANN, BEN))
    other = await people.match(tx, (CAROL, BEN))
    elsewhere = await people.match(tx, (ANN, CAROL), guild_id=7)
    assert await matches.open_in(tx, SERVER, limit=9) == (shared, other)
    assert await matches.open_in(tx, SERVER, limit=1) == (shared,)
    against = partial(matches.open_against, tx)
    assert await against([ANN], user_id=BEN, guild_id=None) == (shared,)
    assert await against([ANN], user_id=DAN, guild_id=None) == ()
    assert await against([ANN], user_id=None, guild_id=7) == (elsewhere,)
    assert await against([ANN, CAROL], user_id=None, guild_id=SERVER) == (shared, other)
    assert await against([], user_id=BEN, guild_id=None) == ()


async def test_a_server_is_still_to_be_told_while_something_is_due_that_has_not_failed(
    tx: Transaction,
) -> None:
    number = await people.match(tx, (ANN, BEN))
    assert not await outbox.waiting_in(tx, SERVER, NOW)
    await outbox.put(tx, match_id=number, kind="board", payload={}, nonce="x", at=NOW)
    assert await outbox.waiting_in(tx, SERVER, NOW)
    assert not await outbox.waiting_in(tx, 7, NOW)
    (job,) = await outbox.pending(tx)
    await outbox.mark_failed(tx, job.id, "no permission")
    assert not await outbox.waiting_in(tx, SERVER, NOW)
    assert not await posts.waiting_in(tx, SERVER, NOW)
    post = await posts.want(tx, "podium", 1, at=NOW, guild_id=SERVER)
    assert await posts.waiting_in(tx, SERVER, NOW)
    assert not await posts.waiting_in(tx, 7, NOW)
    found = await posts.get(tx, post)
    assert found is not None
    await posts.postpone(tx, found, NOW)
    assert not await posts.waiting_in(tx, SERVER, NOW), "it has failed"
