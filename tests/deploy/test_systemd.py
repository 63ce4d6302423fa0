"""The units are valid and restrict the bot tightly."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bot.core.config import Config

FOLDER = Path(__file__).parents[2] / "deploy" / "systemd"
SERVICES = sorted(FOLDER.glob("*.service"))
ANALYZE = shutil.which("systemd-analyze")
MOST_EXPOSED = 15
"""In tenths; systemd calls an exposure of 2.0 OK, and most services have 9."""
OF_OTHERS = {"PYTHONDONTWRITEBYTECODE", "NUMBA_CACHE_DIR"}

needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd is not installed here")


@needs_systemd
def test_units_are_valid(tmp_path: Path) -> None:
    place = tmp_path / "opt"
    program = place / ".venv" / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.symlink_to("/bin/true")
    (tmp_path / "units").mkdir()
    for unit in FOLDER.iterdir():
        text = unit.read_text().replace("/opt/old-board-games", str(place))
        (tmp_path / "units" / unit.name.replace("@.", "@1.")).write_text(text)
    process = subprocess.run(
        [str(ANALYZE), "verify", "--man=no", *sorted((tmp_path / "units").iterdir())],
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


def test_only_units_that_compile_may_make_memory_executable() -> None:
    free = {unit.stem for unit in SERVICES if "MemoryDenyWriteExecute=no" in unit.read_text()}
    assert free == {"old-board-games", "old-board-games-worker@"}
