"""Looking at a whole match in a process, once at a time however many ask for it."""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING, Any, Final

from bot.workers.requests import position

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from bot.analysis.findings import Findings
    from bot.matches.positions import MatchView
    from bot.workers.fair_queue import Whose
    from bot.workers.pool import WorkerPool

LEAST_ENTRIES: Final = 4
"""Of a match with fewer entries there is nothing to say."""

_EACH: Final = 0.25
"""So many seconds are spent on each entry of a log, as a rule."""
_MOST: Final = 60.0
"""So many seconds are spent on a match at most."""
_GRACE: Final = 60.0
"""After so many seconds more the process is killed."""
_PATIENCE: Final = 240.0
"""So many seconds does somebody wait who asks."""


class MatchAnalyzer:
    """The matches that are being looked at now."""

    def __init__(self, workers: WorkerPool) -> None:
        """Look in the processes that are left for it."""
        self._workers = workers
        self._running: dict[str, asyncio.Task[Findings]] = {}

    def begin(
        self, name: str, look: Callable[[], Coroutine[Any, Any, Findings]]
    ) -> asyncio.Task[Findings]:
        """Return the task that looks at a match, which is begun if it does not run."""
        task = self._running.get(name)
        if task is None:
            task = asyncio.create_task(look(), name=f"study-{name}")
            self._running[name] = task
            task.add_done_callback(lambda _: self._running.pop(name, None))
        return task

    async def wait(self, name: str, look: Callable[[], Coroutine[Any, Any, Findings]]) -> Findings:
        """Return what is found; who has given up waiting finds it when they ask again.

        Raises:
            TimeoutError: it takes longer than anybody waits.
            WorkerFailure: it failed.

        """
        async with asyncio.timeout(_PATIENCE):
            return await asyncio.shield(self.begin(name, look))

    async def look(
        self, view: MatchView, entries: Sequence[str], *, seed: str, whose: Whose, puzzles: bool
    ) -> dict[str, Any]:
        """Let a process look at a match; return what it says.

        Args:
            view: the match at its end.
            entries: its whole log.
            seed: from which the process takes what chance it needs.
            whose: for whom.
            puzzles: whether it also looks for puzzles.

        Raises:
            WorkerFailure: it failed.

        """
        seconds = min(_EACH * len(entries), _MOST)
        said: dict[str, Any] = await self._workers.do(
            "study",
            {
                **position(view, list(entries)),
                "result": result(view),
                "seed": int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6]),
                "seconds": seconds,
                "puzzles": puzzles,
            },
            whose=whose,
            limit=seconds + _GRACE,
        )
        return said

    async def close(self) -> None:
        """Give up what is being looked at."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def result(view: MatchView) -> list[float] | None:
    """Return what each player got, in turn order; ``None`` where nothing tells who came first.

    The rules of its game go before whatever is written of a match.
    """
    ended = view.outcome
    ranks = [player.rank for player in view.match.players] if ended is None else list(ended.ranks)
    if 1 not in ranks:
        return None
    part = 1 / ranks.count(1)
    return [part if rank == 1 else 0.0 for rank in ranks]
