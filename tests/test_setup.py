"""The first ``make`` on a machine sets up all or nothing, and says what is missing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
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
    for file in ("run", "tools"):
        (folder / f"requirements/{file}.txt").write_text("# nothing\n")
    return folder


def make(
    checkout: Path, target: str = ".venv/run", *, special: str = ""
) -> subprocess.CompletedProcess[str]:
    """Set up with a python that runs the shell code ``special`` first."""
    python = checkout / "python"
    python.write_text(f'#!/bin/sh\n{special}\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return subprocess.run(
        ["make", "-s", target, f"PYTHON={python}"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("target", [".venv/run", "lock", "audit", "sbom"])
def test_without_the_package_for_environments_make_names_it(checkout: Path, target: str) -> None:
    absent = checkout / "absent"
    absent.mkdir()
    (absent / "ensurepip.py").write_text("raise ImportError")
    made = make(checkout, target, special=f'export PYTHONPATH="{absent}"')
    assert made.returncode != 0
    assert "sudo apt install python3-venv" in made.stderr.splitlines()[0]
    assert not (checkout / ".venv").exists()
    prepared = ".venv/run" if target == ".venv/run" else ".venv/tools/ready"
    assert make(checkout, prepared).returncode == 0


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


BLOCK = """
import sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}: `make play` does not install it")

sys.meta_path.insert(0, NotInstalled())
"""


def test_the_bot_plays_with_the_packages_that_make_play_installs(tmp_path: Path) -> None:
    text = (ROOT / "requirements/run.txt").read_text()
    installed = set(re.findall(r"^([\w.-]+)==", text, re.MULTILINE))
    absent = {
        module
        for module, packages in metadata.packages_distributions().items()
        if all(re.sub(r"[-_.]+", "-", package).lower() not in installed for package in packages)
    }
    assert {"pytest", "jsonschema_rs"} <= absent
    (tmp_path / "sitecustomize.py").write_text(BLOCK.format(absent=absent))
    with subprocess.Popen(
        [sys.executable, "-m", "bot"],
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}",
            "PLAYGROUND_PORT": "0",
            "PLAYGROUND_DEMO": "False",
        },
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as program:
        assert program.stdout is not None
        said = []
        for line in program.stdout:
            said.append(line)
            if "bot.app.client" in line and "ready" in line:
                break
        program.terminate()
        said += program.stdout
        assert program.wait() == 0, "".join(said)
        assert any("http://127.0.0.1:" in line for line in said)
