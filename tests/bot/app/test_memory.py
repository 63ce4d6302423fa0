"""Freed memory goes back to the system."""

from __future__ import annotations

import asyncio
import platform
import subprocess
import sys
from typing import Final

import pytest

from bot.app import memory

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc needs it")

_FREED: Final = """
from pathlib import Path
from bot.app import memory
def pages(): return int(Path("/proc/self/statm").read_text().split()[1])
empty = pages()
kept = [bytes(4000) for _ in range(40_000)]
full = pages()
del kept[1:-1]
before = pages()
memory.give_back()
print((before - empty) / (full - empty), (pages() - empty) / (full - empty))
"""


def run(program: str) -> list[float]:
    """Run a program and return the numbers it prints."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    return [float(word) for word in done.stdout.split()]


def test_what_was_freed_between_things_that_stay_is_given_back() -> None:
    before, after = run(_FREED)
    assert before > 0.9
    assert after < 0.1


async def test_it_is_given_back_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, given, often = asyncio.get_running_loop(), list[None](), asyncio.Event()

    def count() -> None:
        given.append(None)
        if len(given) == 3:
            loop.call_soon_threadsafe(often.set)

    monkeypatch.setattr(memory, "give_back", count)
    task = asyncio.create_task(memory.keep_giving_back(every=0))
    await often.wait()
    task.cancel()


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    memory.give_back()
