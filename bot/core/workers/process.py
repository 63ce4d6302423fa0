"""A worker process: ``python -m bot.core.workers.process <tasks> <niceness> <memory> <folders>``.

Each line of its input is a request, such as ``{"task": "think", "arguments": {...}}``, and each
line of its output an answer: ``{"result": ...}`` or ``{"error": "..."}``, which lines such as
``{"progress": 0.4}`` may precede. It ends silently with its input, as when the bot is killed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from pkgutil import resolve_name
from queue import SimpleQueue
from typing import Any, Final, TextIO

import engine.games
from bot.core.workers import LISTENER

READY: Final = {"result": "ready"}
"""The first answer, before any request."""
PROGRESS: Final = "progress"
_EVERY: Final = 0.5
"""Seconds between progress lines."""


def main(arguments: Sequence[str]) -> None:
    """Answer requests until the input ends."""
    tasks_name, niceness, memory, *folders = arguments
    # Only answers may appear on stdout: what a task prints goes to stderr.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    if hasattr(os, "nice"):
        os.nice(int(niceness))
    engine.games.__path__.extend(f for f in folders if f not in engine.games.__path__)
    requests: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_receive, args=(requests,), daemon=True).start()
    tasks: Mapping[str, Callable[..., Any]] = resolve_name(tasks_name)
    _limit_memory(int(memory))
    LISTENER.set(_listener(answers))
    _send(answers, json.dumps(READY))
    while True:
        _send(answers, _answer(tasks, json.loads(requests.get())))


def _listener(answers: TextIO) -> Callable[[float], None]:
    """Return a listener that tells the bot the task's progress now and then."""
    last = 0.0

    def report(share: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _EVERY:
            last = now
            _send(answers, json.dumps({PROGRESS: round(share, 3)}))

    return report


def _answer(tasks: Mapping[str, Callable[..., Any]], request: dict[str, Any]) -> str:
    try:
        return json.dumps({"result": tasks[request["task"]](**request["arguments"])})
    except MemoryError:
        os._exit(1)  # without memory, nothing can be relied on
    except Exception as error:  # noqa: BLE001 -- reported to the caller, whatever it is
        traceback.print_exc()
        return json.dumps({"error": f"{type(error).__name__}: {error}"})


def _limit_memory(more: int) -> None:
    """Limit this process to ``more`` bytes beyond its present use, where the system allows it."""
    if not more or not sys.platform.startswith("linux"):
        return
    import resource  # noqa: PLC0415 -- not on Windows

    used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + more, used + more))


def _receive(requests: SimpleQueue[str]) -> None:
    """Queue requests; in its own thread, it notices the end of the input even during a task."""
    for line in sys.stdin:
        if line.endswith("\n"):
            requests.put(line)
    os._exit(0)


def _send(answers: TextIO, answer: str) -> None:
    try:
        answers.write(answer + "\n")
        answers.flush()
    except BrokenPipeError:  # the bot was killed
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])


class TooHeavy(BaseException):
    """The processor time is used up; a BaseException, so that no other handler catches it."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooHeavy once the block's processor time is used up, where this can be measured."""
    if not hasattr(signal, "setitimer") or (
        threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def stop(*_: object) -> None:
        raise TooHeavy

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
