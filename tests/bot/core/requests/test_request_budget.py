"""Discord's request limit goes to the most urgent requests, and nothing is dropped."""

from __future__ import annotations

import asyncio
import random

from bot.core.requests.sending import REQUESTS_PER_SECOND, RequestBudget, Urgency
from tests.chaos.loop import VirtualLoop


class Hand:
    """A manually set clock."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Return the time that was set."""
        return self.now


class Desk:
    """Sends requests within a budget and records when each was sent."""

    def __init__(self, limit: float = REQUESTS_PER_SECOND, processes: int = 1) -> None:
        self.clock = Hand()
        self.processes = processes
        self.budget = RequestBudget(lambda: 1 / self.processes, limit=limit, monotonic=self.clock)
        self.sent: list[tuple[float, Urgency, int]] = []
        self.tasks: list[asyncio.Task[None]] = []

    def send(self, urgency: Urgency, number: int = 0) -> asyncio.Task[None]:
        """Send a request once the budget allows it."""

        async def sending() -> None:
            await self.budget.take(urgency)
            self.sent.append((self.clock.now, urgency, number))

        task = asyncio.create_task(sending())
        self.tasks.append(task)
        return task

    async def run(self, seconds: float) -> None:
        """Advance the clock."""
        for _ in range(round(seconds * 100)):
            await asyncio.sleep(0)
            if self.budget._timer is not None:
                self.budget._timer.cancel()  # it would wait by the loop's clock
            self.budget._let_go()
            self.clock.now += 0.01
        await asyncio.sleep(0)


async def test_presses_come_first_then_boards_then_reminders_then_films() -> None:
    desk = Desk(limit=10)
    waiting = [kind for kind in reversed(Urgency) for _ in range(8)]
    for number, kind in enumerate(waiting):
        desk.send(kind, number)
    await asyncio.sleep(0)
    first = len(desk.sent)
    await desk.run(10)
    rest = [(urgency, number) for _, urgency, number in desk.sent[first:]]
    assert rest == sorted(rest)
    assert len(desk.sent) == len(waiting)
    assert desk.budget.delayed == len(waiting) - first


async def test_requests_never_exceed_discords_limit_per_second() -> None:
    dice = random.Random(15)
    for processes in (1, 3):
        desk = Desk(processes=processes)
        for _ in range(60):
            for number in range(dice.randrange(40)):
                desk.send(dice.choice(list(Urgency)), number)
            await desk.run(0.1)
        await desk.run(120)
        moments = [moment for moment, _, _ in desk.sent]
        assert len(moments) == len(desk.tasks)
        most = int(REQUESTS_PER_SECOND / processes + 1)
        assert all(b - a >= 1 for a, b in zip(moments, moments[most:], strict=False))


async def test_a_new_process_takes_a_share() -> None:
    desk = Desk(limit=50)
    for number in range(200):
        desk.send(Urgency.BOARD, number)
    await desk.run(1)
    alone = len(desk.sent)
    desk.processes = 5
    await desk.run(1)
    assert len(desk.sent) - alone <= 11 < alone


async def test_a_cancelled_request_uses_no_budget() -> None:
    desk = Desk(limit=10)
    for number in range(10):
        desk.send(Urgency.BOARD, number)
    await asyncio.sleep(0)
    for task in desk.tasks:
        task.cancel()
    await asyncio.sleep(0)
    last = desk.send(Urgency.EXTRA)
    await desk.run(1)
    assert last.done()
    assert not desk.budget._waiting


class Impatient(RequestBudget):
    """Stops after checking many times whether a request may be sent."""

    looked = 0
    sending: asyncio.Task[None] | None = None

    def _let_go(self) -> None:
        self.looked += 1
        if self.looked > 50 and self.sending is not None:
            self.sending.cancel()
        super()._let_go()


def test_a_wait_shorter_than_a_clock_tick_still_ends() -> None:
    """After hours of uptime, a clock cannot resolve intervals of a few picoseconds."""

    async def send() -> None:
        budget = Impatient()
        await budget.take(Urgency.BOARD)
        budget._left = 1 - 1e-15
        budget.sending = asyncio.create_task(budget.take(Urgency.BOARD))
        await budget.sending

    loop = VirtualLoop()
    loop.now = 15_000.0
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(send())
