"""Answers the owner's commands: reads what is asked for, or gives an order and waits for its answer."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

from bot.core.computers import COMPUTERS
from bot.core.scheduling.scheduler import WallClock
from bot.features.owner.arguments import order_in
from data import figures, privacy
from data.figures import Activity
from data.matches import matches
from data.people import owner_orders
from data.people.owner_orders import Order
from data.store.store import Store
from engine.plain_text import one_line

_LATELY: Final = timedelta(days=30)
_PER_PAGE: Final = 20
_MAX_LINE: Final = 150
_MAX_SHOWN: Final = 10_000
_PAUSES: Final = (0.05, 0.1, 0.2, 0.5, *([1.0] * 15))
"""Seconds between looks for the answer to an order."""


class Server(NamedTuple):
    """A server that the bot is in, as Discord describes it."""

    id: int
    name: str
    members: int


ListServers: TypeAlias = Callable[[], Awaitable[Sequence[Server] | None]]
"""Returns all servers; ``None`` if Discord does not say."""


@dataclass(eq=False, repr=False)
class OwnerDesk:
    """Answers in plain English, line by line."""

    store: Store
    clock: WallClock
    list_servers: ListServers
    pauses: Sequence[float] = field(default=_PAUSES, init=False)

    async def answer(
        self, options: argparse.Namespace, *, user_id: int | None, login: str = "", page: int = 0
    ) -> str:
        """Return the answer to a command, which `arguments.add_arguments` has read.

        Whoever gives it is a user, or somebody in a terminal with their login's name. Long lists are
        cut to a ``page``, unless that is 0 and the command names none. Raises BadCommand, StoreError.
        """
        detail = {"login": login} if login else {}
        order = order_in(options, self.clock(), user_id=user_id, detail=detail)
        if order is not None:
            if not getattr(options, "yes", True):
                return await self._preview(order)
            return await self._give(order)
        lists = {
            "servers": self._servers,
            "totals": self._totals,
            "blocks": self._blocks,
            "log": self._log,
        }
        found = [line[:_MAX_LINE] for line in await lists[options.what]()]
        return _cut(found, options.page or page)

    async def _give(self, order: Order) -> str:
        async with self.store.write() as tx:
            given = await owner_orders.add(tx, order)
        for pause in self.pauses:
            await asyncio.sleep(pause)
            async with self.store.read() as tx:
                known = await owner_orders.get(tx, given.id)
            if known is not None and known.answer is not None:
                return known.answer
        return (
            f"Order {given.id} is kept. The bot carries it out when it is running and reaches Discord: "
            "`log` shows what came of it."
        )

    async def _preview(self, order: Order) -> str:
        async with self.store.read() as tx:
            if order.person_id is not None:
                open_ = await privacy.open_matches(tx, order.person_id)
            else:
                open_ = await matches.open_in(tx, order.guild_id or 0, limit=_MAX_SHOWN)
        number = len(open_)
        if order.person_id is None:
            effect = "The bot leaves this server. Its open matches end without a result, and its "
            effect += "tournaments, ladders and challenges are closed."
        else:
            effect = "They resign their open matches, and leave their tournaments and ladders."
        if order.what == "delete":
            effect += " Then their data is deleted for good."
        elif order.what == "block":
            effect += " Until they are unblocked, they get no more than an explanation."
        return (
            f"{effect} Open matches now: {number}. Nothing has happened yet. To do it, add --yes."
        )

    async def _servers(self) -> list[str]:
        async with self.store.read() as tx:
            active = await figures.activity(tx, self.clock() - _LATELY)
        none = Activity(0, 0)
        found = await self.list_servers()
        if found is None:
            named = [(Server(number, "", 0), one) for number, one in active.items()]
            words = ["Discord does not say which servers the bot is in. Those where it is played:"]
        else:
            named = [(one, active.get(one.id, none)) for one in found]
            left = active.keys() - {one.id for one in found}
            still = sum(active[one].open_matches for one in left)
            words = [f"Servers: {len(found)}, with {sum(one.members for one in found)} members"]
            if still:
                words.append(f"Open matches in {len(left)} servers that the bot is not in: {still}")
        named.sort(key=lambda one: (-one[1].open_matches, -one[1].finished, -one[0].members))
        return words + [
            f"{server.id}  {one.open_matches} open, {one.finished} finished in 30 days, "
            f"{server.members} members  {one_line(server.name)}"
            for server, one in named
        ]

    async def _totals(self) -> list[str]:
        async with self.store.read() as tx:
            found = await figures.totals(tx, self.clock() - _LATELY, without=COMPUTERS)
        games = found.games.values()
        rows = [
            ("all games", *(sum(column) for column in zip(*map(_row, games), strict=True)))
            if games
            else ("all games", 0, 0, 0, 0),
            *((game, *_row(one)) for game, one in found.games.items()),
        ]
        head = f"{'':<12}{'open':>9}{'30 days':>9}{'matches':>10}{'moves':>12}"
        table = [
            f"{game:<12}{open_:>9}{lately:>9}{total:>10}{moves:>12}"
            for game, open_, lately, total, moves in rows
        ]
        return [f"Servers with a match: {found.servers}. Players: {found.players}.", head, *table]

    async def _blocks(self) -> list[str]:
        async with self.store.read() as tx:
            found = await owner_orders.all_blocks(tx)
        return [
            f"{_day(one.since)}  {'server' if one.server else 'user'} {one.blocked_id}  {one.reason}"
            for one in found
        ] or ["Nobody is blocked."]

    async def _log(self) -> list[str]:
        async with self.store.read() as tx:
            found = await owner_orders.newest(tx, limit=_MAX_SHOWN)
        return [_logged(order) for order in found] or ["No orders yet."]


def _row(one: tuple[Activity, int, int]) -> tuple[int, int, int, int]:
    what, total, moves = one
    return what.open_matches, what.finished, total, moves


def _logged(order: Order) -> str:
    by = order.detail.get("login", "terminal") if order.user_id is None else _user(order.user_id)
    what = order.what
    if what == "unblock":
        what += f" {order.person_id}"
    elif order.person_id is not None:
        what += f" {_user(order.person_id)}"
    elif order.guild_id is not None:
        what += f" server {order.guild_id}"
    more = order.detail.get("reason") or order.detail.get("text")
    quoted = f" “{more}”" if more else ""
    return f"{order.id}  {_day(order.at)}  {by}: {what}{quoted}: {order.answer or 'not yet'}"


def _user(user_id: int) -> str:
    return f"user {user_id}" if user_id > 0 else "a former player"


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"


def _cut(lines: list[str], page: int) -> str:
    if page <= 0:
        return "\n".join(lines)
    start = (page - 1) * _PER_PAGE
    left = len(lines) - start - _PER_PAGE
    more = [f"… and {left} more: add --page {page + 1}"] if left > 0 else []
    return "\n".join([*lines[start : start + _PER_PAGE], *more]) or "There is no such page."
