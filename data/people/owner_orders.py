"""What the owner of the bot orders for all of it: blocks, and the orders themselves with their answers.

An order is inbox and log in one. It is written by any process, even one that only lives for a command
in the terminal, and carried out by the bot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import delete, select, update

from data.sql.columns import partial_index, table
from data.sql.transaction import Transaction

CHANGED: Final = "owner"
"""Announced with an order that was given or carried out: blocks, too, may have changed."""
KEPT_FOR: Final = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Order:
    """An order, and what came of it."""

    id: int
    at: datetime
    user_id: int | None
    """Who gave it: ``None`` in the terminal, negative if their data was deleted."""
    what: str
    """leave, block, unblock, delete, announce or presence."""
    person_id: int | None
    """The user it is about; negative if their data was deleted."""
    guild_id: int | None
    """The server it is about."""
    detail: dict[str, Any]
    due_at: datetime | None
    """When the bot is to carry it out, or to look once more; ``None`` once it is done with."""
    answer: str | None = None
    """What came of it, in English; ``None`` before it is carried out."""


orders = table("owner_orders", rows=Order)
partial_index("ix_owner_orders_due_at", orders.c.due_at, where=orders.c.due_at.is_not(None))
_o = orders.c


async def add(tx: Transaction, order: Order) -> Order:
    """Give an order, with a generated number; forget those older than `KEPT_FOR`."""
    old = (_o.at < order.at - KEPT_FOR) & _o.due_at.is_(None)
    await tx.run(delete(orders).where(old))
    added = replace(order, id=await tx.insert(orders, order))
    tx.announce(CHANGED, added.id)
    return added


async def get(tx: Transaction, order_id: int) -> Order | None:
    """Return an order; ``None`` if it does not exist."""
    return await tx.record(Order, select(orders).where(_o.id == order_id))


async def next_due(tx: Transaction) -> datetime | None:
    """Return when the next order in scope is due."""
    ripe = select(_o.due_at).where(_o.due_at.is_not(None), tx.covers(_o.guild_id))
    return await tx.scalar(ripe.order_by(_o.due_at).limit(1))


async def due(tx: Transaction, now: datetime) -> tuple[Order, ...]:
    """Return the orders in scope that are due, in the order in which they were given."""
    ripe = select(orders).where(_o.due_at <= now, tx.covers(_o.guild_id))
    return await tx.records(Order, ripe.order_by(_o.id))


async def set_detail(tx: Transaction, order_id: int, detail: Mapping[str, Any]) -> None:
    """Change the detail of an order."""
    await tx.run(update(orders).where(_o.id == order_id).values(detail=dict(detail)))


async def answered(
    tx: Transaction, order_id: int, answer: str | None, *, due_at: datetime | None
) -> None:
    """Note what came of an order, and when to look once more, if so."""
    await tx.run(update(orders).where(_o.id == order_id).values(answer=answer, due_at=due_at))
    tx.announce(CHANGED, order_id)


async def newest(tx: Transaction, *, limit: int) -> tuple[Order, ...]:
    """Return the newest orders, the last one first."""
    return await tx.records(Order, select(orders).order_by(_o.id.desc()).limit(limit))


@dataclass(frozen=True, slots=True)
class BotBlock:
    """A user or server that is kept off the bot everywhere."""

    blocked_id: int
    server: bool
    reason: str
    """As the blocked read it; may be empty."""
    since: datetime


blocks = table("bot_blocks", rows=BotBlock, key=("blocked_id",))
_b = blocks.c


async def block(tx: Transaction, new: BotBlock) -> None:
    """Block a user or server, or change the reason."""
    await tx.put(blocks, new, replaced=("reason",))


async def unblock(tx: Transaction, blocked_id: int) -> bool:
    """Unblock a user or server; return whether they were blocked."""
    return bool(await tx.run(delete(blocks).where(_b.blocked_id == blocked_id)))


async def all_blocks(tx: Transaction) -> tuple[BotBlock, ...]:
    """Return all blocks, oldest first."""
    return await tx.records(BotBlock, select(blocks).order_by(_b.since, _b.blocked_id))


async def filter_blocked(tx: Transaction, ids: Iterable[int]) -> frozenset[int]:
    """Return which of some users and servers are blocked."""
    wanted = list(ids)
    return frozenset(await tx.scalars(select(_b.blocked_id).where(_b.blocked_id.in_(wanted))))
