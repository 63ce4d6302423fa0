"""Orders of the bot's owner wait in the store until the process that they concern carries them out."""

from __future__ import annotations

from datetime import timedelta

from data.people import owner_orders
from data.people.owner_orders import BotBlock, Order
from data.sql.statements import Scope
from data.store.store import Store, Transaction
from tests.data.people import ANN, BEN, NOW, SERVER, after

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
        kept = await owner_orders.page(tx, limit=9, offset=0)
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
