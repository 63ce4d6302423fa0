"""Limits the processor time of a task on untrusted input, in a process of its own."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


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
