"""The first ``make`` on a machine sets up all or nothing, and says what is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder that has what setting up needs, and no package to install."""
    folder = tmp_path / "checkout"
    (folder / "requirements").mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", folder)
    for script in ("install", "environment"):
        if (ROOT / "requirements" / script).exists():
            shutil.copy(ROOT / "requirements" / script, folder / "requirements")
    (folder / "requirements/run.txt").write_text("# nothing\n")
    return folder


def make(checkout: Path, *, special: str = "") -> subprocess.CompletedProcess[str]:
    """Set up with a python that runs the shell code ``special`` first."""
    python = checkout / "python"
    python.write_text(f'#!/bin/sh\n{special}\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return subprocess.run(
        ["make", "-s", ".venv/run", f"PYTHON={python}"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_the_package_for_environments_make_names_it(checkout: Path) -> None:
    absent = checkout / "absent"
    absent.mkdir()
    (absent / "ensurepip.py").write_text("raise ImportError")
    made = make(checkout, special=f'export PYTHONPATH="{absent}"')
    assert made.returncode != 0
    assert "sudo apt install python3-venv" in made.stderr.splitlines()[0]
    assert not (checkout / ".venv").exists()
    assert make(checkout).returncode == 0


def test_an_old_python_is_refused_with_its_version(checkout: Path) -> None:
    old = 'case "$*" in *version_info*) exit 1;; --version) echo Python 3.9.2; exit;; esac'
    made = make(checkout, special=old)
    assert made.returncode != 0
    assert "Python 3.9.2, but 3.11 or newer is needed" in made.stderr.splitlines()[0]
    assert not (checkout / ".venv").exists()


def test_a_missing_python_is_named(checkout: Path) -> None:
    made = subprocess.run(
        ["make", "-s", ".venv/run", "PYTHON=no-such-python"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode != 0
    assert "There is no no-such-python." in made.stderr.splitlines()[0]


@pytest.mark.parametrize("end", ["exit 1", "kill -TERM $PPID; exit 1", "kill -INT $PPID; exit 1"])
def test_a_failure_or_an_interrupt_leaves_no_half_made_environment(
    checkout: Path, end: str
) -> None:
    half = f'case "$*" in "-m venv .venv") mkdir -p .venv/bin; cp "$0" .venv/bin; {end};; esac'
    assert make(checkout, special=half).returncode != 0
    assert not (checkout / ".venv").exists()


def test_an_environment_without_pip_is_completed(checkout: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", checkout / ".venv"], check=True)
    assert make(checkout).returncode == 0
    subprocess.run(
        [checkout / ".venv/bin/python", "-m", "pip", "--version"], check=True, capture_output=True
    )
