"""An upgrade points a link at the next version; what runs stays with its own until it ends."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import asyncio
import bot
from bot.core.i18n import catalogues
from bot.core.workers.fair_queue import NOBODY
from bot.core.workers.pool import WorkerPool
print("started", flush=True)
input()
import later
import bot.app.doctor
async def work():
    pool = WorkerPool(tasks="tests_of_links:TASKS")
    print(later.VERSION, await pool.run("version", {}, requester=NOBODY, limit=60.0), len(catalogues.folders()))
    await pool.close()
asyncio.run(work())
"""


def checkout(folder: Path, version: str, *, whole: bool) -> None:
    """Make what a clone with its packages has; if not ``whole``, it can do nothing."""
    venv.create(folder / ".venv", symlinks=True)
    (packages,) = (folder / ".venv").glob("lib/python*/site-packages")
    (packages / "later.py").write_text(f"VERSION = {version!r}")
    (folder / "tests_of_links.py").write_text(
        f"import later\nTASKS = {{'version': lambda: {version!r} + later.VERSION}}"
    )
    (packages / "kept.pth").write_text(sysconfig.get_path("purelib"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    for name in ("ai", "bot", "data", "engine", "playground", "render"):
        if whole:
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*pycache*"))
        else:
            (folder / name).mkdir()
            (folder / name / "__init__.py").write_text("raise RuntimeError('another version')")


def test_a_running_bot_keeps_its_version_when_the_link_changes(tmp_path: Path) -> None:
    checkout(tmp_path / "games-1", "one", whole=True)
    checkout(tmp_path / "games-2", "two", whole=False)
    link = tmp_path / "games"
    link.symlink_to("games-1")
    process = subprocess.Popen(
        [link / ".venv/bin/python", "-c", PROGRAM],
        cwd=link,
        env={"PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    # As docs/operating.md says, see `test_guide.py`.
    subprocess.run(["ln", "-sfn", "games-2", link], check=True)
    told, _ = process.communicate("\n")
    assert told.splitlines()[-1].startswith("one oneone "), told
    assert process.returncode == 0
    failed = subprocess.run(
        [link / ".venv/bin/python", "-c", "import bot"], cwd=link, capture_output=True, check=False
    )
    assert b"another version" in failed.stderr
