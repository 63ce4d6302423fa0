"""Plays ``systemctl`` and ``systemd-run`` for a machine whose folders all lie in one: NAME FOLDER ARGUMENTS."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = "/opt/old-board-games/.venv/bin/python"


def systemctl(machine: Path, arguments: list[str]) -> int:
    """List the units that ``units`` says are loaded, or show one's file."""
    if arguments[0] == "list-units":
        sys.stdout.write((machine / "units").read_text() + "\n")
        return 0
    assert arguments[0] == "cat"
    name = re.sub("@[^.]*", "@", arguments[1].removesuffix(".service")) + ".service"
    file = machine / "etc/systemd/system" / name
    if file.exists():
        sys.stdout.write(f"# {file}\n{file.read_text()}\n")
        return 0
    sys.stderr.write(f"No files found for {arguments[1]}.\n")
    return 1


def systemd_run(machine: Path, arguments: list[str]) -> int:
    """Run a program with the environment, the credentials and the folders that options give it."""
    options: dict[str, list[str]] = {}
    while arguments[0].startswith("--"):
        option, _, value = arguments.pop(0).partition("=")
        options.setdefault(option, []).append(value)
    (unit,) = options["--unit"]
    properties = [tuple(one.split("=", 1)) for one in options["--property"]]
    (machine / "properties").write_text("\n".join(options["--property"]))

    def of(name: str) -> list[str]:
        values = [value for kind, value in properties if kind == name]
        assert not any("%" in value for value in values), "specifiers stay as they are"
        return [_here(machine, value) for value in values]

    for one in " ".join(of("StateDirectory")).split():
        (machine / "var/lib" / one).mkdir(parents=True, exist_ok=True)
    for credential in of("LoadCredential"):
        name, _, source = credential.partition(":")
        folder = machine / "run/credentials" / f"{unit}.service"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(Path(source).read_text())
    lines = [word for value in of("Environment") for word in shlex.split(value)]
    lines += options["--setenv"]
    for file in of("EnvironmentFile"):
        path = Path(file.removeprefix("-"))
        lines += path.read_text().splitlines() if path.exists() else []
    environment = dict(line.split("=", 1) for line in lines)
    (machine / "environment").write_text("\n".join(f"{k}={v}" for k, v in environment.items()))
    program, *rest = arguments
    assert program == PROGRAM
    return subprocess.run(
        [sys.executable, *(_here(machine, one) for one in rest)],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)} | environment,
        cwd=machine,
        check=False,
    ).returncode


def _here(machine: Path, text: str) -> str:
    """Return text with the machine's folders where they really lie."""
    return re.sub(r"(?<![\w.])/(var|run|etc)/", rf"{machine}/\1/", text)


if __name__ == "__main__":
    play = {"systemctl": systemctl, "systemd-run": systemd_run}[sys.argv[1]]
    sys.exit(play(Path(sys.argv[2]), sys.argv[3:]))
