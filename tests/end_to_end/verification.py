"""Verifies a finished match as any player can: by the bot's answer and by the exported record."""

from __future__ import annotations

import re
import sys
from asyncio import create_subprocess_exec, subprocess
from pathlib import Path

from engine.__main__ import main
from tests.end_to_end.harness import Environment

ROOT = Path(__file__).parents[2]


async def verify_match(env: Environment, number: int = 1, *, outside: bool = False) -> str:
    """Verify a match, check that a tampered record is detected, and return the record.

    Args:
        env: where it was played.
        number: the match.
        outside: whether to verify in a process of its own, as players do; it takes a moment to start.
    """
    verified = _verified if outside else _verified_here
    proof = await env.carol.slash("/match verify", number=number)
    assert proof.ephemeral
    assert "✓" in proof.text
    path = env.folder / "match.txt"
    path.write_bytes(proof.shown.attachments[0].data)
    record = path.read_text("utf-8")
    assert await verified(path) == 0
    for tampered in _tampered(record):
        path.write_text(tampered, "utf-8")
        assert await _verified_here(path) == 1
    return record


def _tampered(record: str) -> list[str]:
    """Return tampered records: a changed move and, with luck in it, seed, number or throws."""
    move = re.sub(r"\n\n(1\. \S+)?", "\n\n1. none", record, count=1)
    if "[Seed " not in record:
        return [move]
    seed = re.sub(r'(Seed ")(.)', lambda m: m[1] + ("1" if m[2] == "0" else "0"), record, count=1)
    throws = re.sub(r"\*[0-4]", "*0", record, count=3)
    number = re.sub(r'\[Challenge "', '[Challenge "9', record, count=1)
    return [move, seed, number] if throws == record else [move, seed, number, throws]


async def _verified(path: Path) -> int:
    checking = await create_subprocess_exec(
        sys.executable,
        "-m",
        "engine",
        "verify",
        str(path),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    return await checking.wait()


async def _verified_here(path: Path) -> int:
    return main(["verify", str(path)])
