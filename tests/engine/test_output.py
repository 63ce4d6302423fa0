"""Programs end quietly when nobody reads their output any more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.output import UNREAD

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("bot", "doctor"),
        ("bot", "--help"),
        ("bot", "owner --help"),
        ("ai", "--help"),
        ("engine", ""),
    ],
)
def test_a_program_whose_reader_goes_ends_without_a_word(
    program: str, arguments: str, tmp_path: Path
) -> None:
    """As in ``python -m bot doctor | head``."""
    reader, writer = os.pipe()
    os.close(reader)
    settings = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    settings["DATABASE_URL"] = f"sqlite:///{tmp_path}/games.db"
    try:
        ended = subprocess.run(
            [sys.executable, "-m", program, *arguments.split()],
            stdout=writer,
            stderr=subprocess.PIPE,
            input=b"list\n",
            cwd=tmp_path,
            env=settings,
            check=False,
        )
    finally:
        os.close(writer)
    assert ended.stderr == b""
    assert ended.returncode in {0, 1, UNREAD}
