"""A worker in its own process, with given tasks and lease: tests use their own.

python -m tests.bot.core.workers.worker_process ADDRESS TASKS LEASE
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from unittest.mock import patch

from bot.app.thinking import Thinking
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.core.workers import task_queue
from bot.core.workers.pool import WorkerPool
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.service import Matches
from data.store.store import Store


def main(arguments: Sequence[str]) -> int:
    """Run tasks until asked to stop; return the exit status."""
    address, tasks, lease = arguments
    # Nobody here notifies other processes of new tasks.
    with patch.object(task_queue, "_POLL", 0.2):
        asyncio.run(_work(address, tasks, float(lease)))
    return 0


async def _work(address: str, tasks: str, lease: float) -> None:
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    store = await Store.open(address)
    clock = WallClock()
    matches = Matches(store, Deadlines(SettingsStore(store, clock=clock)), clock=clock)
    names = ("moves", "analyses", "records")
    pools = {name: WorkerPool(tasks=tasks, niceness=0) for name in names}
    thinking = Thinking(store, matches, clock=clock, pools=pools, lease=lease)
    await thinking.start(analyse_after=None)
    print("ready", flush=True)  # noqa: T201 -- the test waits for it
    await stopped.wait()
    await thinking.close()
    await store.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
