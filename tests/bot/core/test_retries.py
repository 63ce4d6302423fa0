"""No loop that retries takes the event loop for itself, whatever fails at once and wakes it again.

Each is driven by an operation that fails at once, on a clock that only moves while everything waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import AsyncMock, MagicMock

import pytest
from sqlalchemy.engine import make_url

from bot.app import gateway as gateway_module
from bot.app import thinking
from bot.app.gateway import Gateway
from bot.app.membership import Membership
from bot.core.background import (
    MIN_PAUSE,
    Background,
    KeyedBackground,
    retry,
    store_failed,
    until,
)
from bot.core.interactions.registration import CommandRegistration
from bot.core.posts.failing_routes import FailingRoutes
from bot.core.scheduling.scheduler import Scheduler
from bot.core.shards.cluster import ClusterShards
from bot.core.shards.ownership import AllShards, Limits
from bot.core.shards.without import NoShards
from bot.core.workers.task_queue import Lane, TaskQueue, TaskRunner
from bot.features.owner.service import OwnerOrders
from bot.features.tournaments.steps import Steps
from bot.features.tournaments.view import ConcurrentChange
from bot.play.delivery.deliverer import Deliverer, Delivery
from bot.play.delivery.match_requests import Requests
from bot.play.delivery.writer import Writer
from bot.play.matches import stored_messages
from bot.play.ratings import recomputing
from data.cluster.cluster import GATEWAY
from data.cluster.lease import Lease
from data.computer_tasks import Kind
from data.sql.errors import Unusable
from data.sql.statements import Scope
from data.store import process_lock
from data.store.notifications import Notifications
from data.tournaments.tournaments import State
from tests.chaos.loop import LoopClock, VirtualLoop
from tests.clocks import HandClock
from tests.extras import no_extras

Drive = Callable[["Operation", pytest.MonkeyPatch], Awaitable[object]]

SECONDS: Final = 20.0
"""How long each loop runs, by the loop's own clock."""
MOST: Final = int(SECONDS / MIN_PAUSE) + 5


class Spins(BaseException):
    """The operation is tried again and again while no time passes."""


class Operation:
    """Fails at once, and wakes the loop that tries it.

    Attributes:
        error: what it raises; ``None`` lets it return at once.
        wakes: wakes the loop.
        tries: how often it was tried.
    """

    def __init__(self) -> None:
        self.error: Exception | None = Unusable("away")
        self.wakes: Callable[[], object] = lambda: None
        self.answer: object = None
        self.tries = 0

    def __call__(self, *_: object, **__: object) -> Any:
        """Fail, wherever it is called or awaited."""
        self.tries += 1
        if self.tries > MOST:
            raise Spins
        self.wakes()
        if self.error is not None:
            raise self.error
        return self.answer

    async def wait(self, *_: object, **__: object) -> Any:
        """Fail when awaited."""
        return self()


def clock() -> HandClock:
    """Return the time of day by the loop's clock."""
    return HandClock(LoopClock(1e9))


async def delivers(op: Operation, _: pytest.MonkeyPatch) -> None:
    """The store refuses a process that was silent for too long, before anything is written."""
    shards = SimpleNamespace(scope=Scope(1, frozenset({0})), count=1)
    matches = SimpleNamespace(positions=SimpleNamespace(cached=lambda _: None), position=op.wait)
    interactions: Any = SimpleNamespace(expecting=lambda _: [])
    deliverer = Deliverer(
        MagicMock(),
        matches,  # type: ignore[arg-type]
        MagicMock(),
        MagicMock(),
        interactions=interactions,
        failing=FailingRoutes(clock()),
        shards=shards,  # type: ignore[arg-type]
    )
    delivery = Delivery(1, Requests(lambda: None, no_extras()))
    op.wakes = delivery.woken.set
    op.wakes()
    await deliverer.deliver(delivery)


async def writes(op: Operation, patch: pytest.MonkeyPatch) -> None:
    """Others change the match all the time."""
    op.error, op.answer = None, None
    patch.setattr(stored_messages, "read", AsyncMock())
    writer = MagicMock(spec=Writer, _round=op.wait, _store=None, _clock=clock())
    await Writer.update(writer, 1, Requests(lambda: None, no_extras()))


async def works_in_background(op: Operation, _: pytest.MonkeyPatch) -> None:
    work = Background("work", op.wait, (Unusable,))
    op.wakes = work.wake
    work.wake()
    await work.idle()


async def works_by_key(op: Operation, _: pytest.MonkeyPatch) -> None:
    work = KeyedBackground("work", op.wait, (Unusable,))
    op.wakes = lambda: work.wake(7)
    work.wake(7)
    await work.idle()


async def schedules(op: Operation, _: pytest.MonkeyPatch) -> None:
    store: Any = SimpleNamespace(
        listen=lambda *_: None, listen_missed=lambda _: None, run_read=op.wait
    )
    scheduler = Scheduler(store, clock=clock())
    op.wakes = scheduler.wake
    await scheduler._work()


async def beats(op: Operation, _: pytest.MonkeyPatch) -> None:
    shards = ClusterShards(SimpleNamespace(send_heartbeat=op.wait))  # type: ignore[arg-type]
    op.wakes = shards._woken.set
    await shards._run()


async def identifies(op: Operation, _: pytest.MonkeyPatch) -> None:
    shards = AllShards(1)
    shards.limits = Limits(1, {"max_concurrency": 1, "remaining": 1000, "reset_after": 0})
    shards._identify = op.wait  # type: ignore[method-assign]
    await shards.before_identify(0)


async def asks_for_limits(op: Operation, _: pytest.MonkeyPatch) -> None:
    shards = AllShards(1)
    op.error = None
    op.answer = Limits(1, {"max_concurrency": 1, "remaining": 0, "reset_after": 0})
    shards._connections = SimpleNamespace(ask_limits=op.wait)
    await shards.wait_allowed()


async def stays(op: Operation, _: pytest.MonkeyPatch) -> None:
    lease = MagicMock(spec=Lease, send_heartbeat=op.wait)
    await Membership(MagicMock(), lease).stay()


async def serves(op: Operation, _: pytest.MonkeyPatch) -> None:
    """Keep a process without shards in the cluster."""
    shards = NoShards(MagicMock(send_heartbeat=op.wait))
    await shards.begin(MagicMock(), MagicMock())
    assert shards._loop is not None
    await shards._loop


def gateway(patch: pytest.MonkeyPatch, run: Callable[..., Awaitable[object]]) -> Gateway:
    """Return a gateway whose bot runs as given."""

    async def nothing() -> None:
        """Do nothing."""

    app = MagicMock(run=run, drain=nothing, close=nothing)
    app.client.is_ready = lambda: True
    patch.setattr(gateway_module, "App", lambda *_, **__: app)
    patch.setattr(gateway_module, "WorkerPool", MagicMock())
    patch.setattr(gateway_module, "_spare_collector", lambda: None)
    return Gateway(MagicMock(), MagicMock(), "token", asyncio.Event(), GATEWAY)


async def reconnects(op: Operation, patch: pytest.MonkeyPatch) -> None:
    op.error = OSError("no network")
    await gateway(patch, op.wait).stay(
        MagicMock(**{"claim.lost": asyncio.Event().wait, "lease": None}),
        MagicMock(remove=AsyncMock()),
    )


async def reconnects_after_an_end(op: Operation, patch: pytest.MonkeyPatch) -> None:
    op.error = None
    await gateway(patch, op.wait).stay(
        MagicMock(**{"claim.lost": asyncio.Event().wait, "lease": None}),
        MagicMock(remove=AsyncMock()),
    )


async def reports(op: Operation, patch: pytest.MonkeyPatch) -> None:
    one = gateway(patch, op.wait)
    one.late.append(SimpleNamespace(report=op.wait))  # type: ignore[arg-type]
    await one.report(MagicMock())


def lets_join(patch: pytest.MonkeyPatch, module: object) -> None:
    """Let a process of a role join the cluster, without a database and without signals."""

    @asynccontextmanager
    async def member(*_: object, **__: object) -> AsyncIterator[MagicMock]:
        yield MagicMock()

    patch.setattr(module, "member", member)
    patch.setattr(asyncio.get_running_loop(), "add_signal_handler", lambda *_: None)


@asynccontextmanager
async def monitored(*_: object, **__: object) -> AsyncIterator[MagicMock]:
    yield MagicMock()


async def rejoins(op: Operation, patch: pytest.MonkeyPatch) -> None:
    """The gateway is dismissed as soon as it has joined."""
    op.error = None
    lets_join(patch, gateway_module)

    async def discord(*_: object, **__: object) -> tuple[str, None, None]:
        return "token", None, None

    async def nothing(*_: object) -> None:
        """Do nothing."""

    patch.setattr(gateway_module, "_enter_discord", discord)
    patch.setattr(gateway_module, "monitored", monitored)
    patch.setattr(gateway_module, "database_of", lambda *_: "")
    patch.setattr(gateway_module, "Renderer", MagicMock())
    patch.setattr(recomputing, "check_formula", nothing)
    patch.setattr(Gateway, "stay", op.wait)
    await gateway_module.run(MagicMock(), role=GATEWAY, open_page=False, replace=False)


def settings() -> Any:
    """Return the settings of a worker."""
    url = SimpleNamespace(get_secret_value=lambda: "postgresql://localhost/games")
    return SimpleNamespace(database_url=url, monitoring_address=None, hosts=(), backup_folder=None)


async def rejoins_as_worker(op: Operation, patch: pytest.MonkeyPatch) -> None:
    lets_join(patch, thinking)
    patch.setattr(thinking, "_think", op.wait)
    await thinking.run(settings())


async def is_dismissed_as_worker(op: Operation, patch: pytest.MonkeyPatch) -> None:
    op.error = None
    await rejoins_as_worker(op, patch)


async def takes_tasks(op: Operation, _: pytest.MonkeyPatch) -> None:
    lane = Lane(1, {Kind.MOVE: op.wait})
    runner = TaskRunner(MagicMock(run_read=op.wait), [lane], clock=clock())
    op.wakes = lane.woken.set
    await runner._next(0, lane)


async def holds_a_task(op: Operation, _: pytest.MonkeyPatch) -> None:
    runner = TaskRunner(MagicMock(write=op), [], clock=clock())
    await runner._hold(MagicMock(), [])


async def waits_for_a_task(op: Operation, _: pytest.MonkeyPatch) -> None:
    changed = asyncio.Event()
    op.wakes = changed.set
    queue = TaskQueue(MagicMock(read=op), clock=clock())
    await queue._answer(1, Kind.HINT, changed, None)


async def listens(op: Operation, patch: pytest.MonkeyPatch) -> None:
    op.error = ConnectionRefusedError()
    patch.setattr("asyncpg.connect", op.wait)
    await Notifications(MagicMock(), make_url("postgresql+asyncpg://x/y"), "me")._listen()


async def keeps_a_lock(op: Operation, _: pytest.MonkeyPatch) -> None:
    """The server accepts each connection and drops it at once."""
    op.error, op.answer = None, True

    async def broken() -> None:
        """Be lost at once."""

    server: Any = SimpleNamespace(broken=broken, reconnect=op.wait)
    await process_lock._watch(server, process_lock.Hold(1.0))


async def takes_tournament_steps(op: Operation, _: pytest.MonkeyPatch) -> None:
    op.error = ConcurrentChange()
    view = SimpleNamespace(tournament=SimpleNamespace(state=State.RUNNING))

    async def read(_: object) -> object:
        return view

    store: Any = SimpleNamespace(run_read=read)
    none: Any = None
    steps = Steps(store, none, none, none, clock=clock())
    steps._next = lambda *_: op.wait  # type: ignore[method-assign]
    while await steps.take(1):
        pass


async def recomputes(op: Operation, patch: pytest.MonkeyPatch) -> None:
    op.error = recomputing._StartOver()

    async def outdated(_: object) -> list[object]:
        return [SimpleNamespace(game="tablut")]

    patch.setattr(recomputing, "_outdated", outdated)
    patch.setattr(recomputing, "_Recomputation", lambda *_: SimpleNamespace(run=op.wait))
    await recomputing.recompute_outdated(MagicMock())


async def registers_commands(op: Operation, _: pytest.MonkeyPatch) -> None:
    tree = MagicMock()
    tree.client.is_closed.return_value = False
    registration = CommandRegistration(
        tree, MagicMock(read=op, write=op), MagicMock(), MagicMock(), clock=clock()
    )
    await registration._register("key", "hash", [], asyncio.Event())


async def looks_for_orders(op: Operation, _: pytest.MonkeyPatch) -> None:
    store: Any = SimpleNamespace(run_read=op.wait)
    none: Any = None
    orders = OwnerOrders(store, clock(), none, none, none, none)
    orders.look_for(none)
    await asyncio.sleep(SECONDS)
    await orders.close()


async def retries(op: Operation, _: pytest.MonkeyPatch) -> None:
    """The pause ends at once."""
    woken = asyncio.Event()
    woken.set()
    await retry(op.wait, store_failed, sleep=until(woken))


DRIVES: Final[tuple[Drive, ...]] = (
    delivers,
    writes,
    works_in_background,
    works_by_key,
    schedules,
    beats,
    identifies,
    asks_for_limits,
    stays,
    serves,
    reconnects,
    reconnects_after_an_end,
    reports,
    rejoins,
    rejoins_as_worker,
    is_dismissed_as_worker,
    takes_tasks,
    holds_a_task,
    waits_for_a_task,
    listens,
    keeps_a_lock,
    takes_tournament_steps,
    recomputes,
    registers_commands,
    looks_for_orders,
    retries,
)


@pytest.mark.parametrize("drive", DRIVES, ids=lambda drive: drive.__name__)
def test_what_fails_at_once_is_tried_again_only_after_a_pause(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    op = Operation()

    async def run() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS):
                await drive(op, monkeypatch)

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(run())
    assert 2 <= op.tries <= MOST
