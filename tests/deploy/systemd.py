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
        print((machine / "units").read_text())
        return 0
    assert arguments[0] == "cat"
    name = re.sub("@[^.]*", "@", arguments[1].removesuffix(".service")) + ".service"
    file = machine / "etc/systemd/system" / name
    if not file.exists():
        print(f"No files found for {arguments[1]}.", file=sys.stderr)
        return 1
    print(f"# {file}", file.read_text(), sep="\n")
    return 0


def systemd_run(machine: Path, arguments: list[str]) -> int:
    """Run a program with the environment and the credentials that the properties give it."""

    def here(text: str) -> str:
        return re.sub(r"(?<![\w.])/(var|run|etc)/", rf"{machine}/\1/", text)

    environment: dict[str, str] = {}
    files, unit, properties = [], "", []
    while arguments[0].startswith("--"):
        option, _, value = arguments.pop(0).partition("=")
        name, _, text = value.partition("=")
        match option, name:
            case "--unit", _:
                unit = value
            case "--setenv", _:
                environment[name] = text
            case "--property", _:
                properties.append(value)
                assert "%" not in value, f"systemd-run leaves specifiers as they are: {value}"
                if name == "Environment":
                    environment |= dict(one.split("=", 1) for one in shlex.split(here(text)))
                elif name == "EnvironmentFile":
                    files.append(Path(here(text.removeprefix("-"))))
                elif name == "LoadCredential":
                    target, _, source = text.partition(":")
                    folder = machine / "run/credentials" / f"{unit}.service"
                    folder.mkdir(parents=True, exist_ok=True)
                    (folder / target).write_text(Path(here(source)).read_text())
                elif name == "StateDirectory":
                    for one in text.split():
                        (machine / "var/lib" / one).mkdir(parents=True, exist_ok=True)
    for file in files:
        lines = file.read_text().splitlines() if file.exists() else []
        environment |= dict(line.split("=", 1) for line in lines)
    (machine / "properties").write_text("\n".join(properties))
    (machine / "environment").write_text("\n".join(f"{k}={v}" for k, v in environment.items()))
    program, *rest = arguments
    assert program == PROGRAM
    return subprocess.run(
        [sys.executable, *map(here, rest)],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)} | environment,
        cwd=machine,
        check=False,
    ).returncode


if __name__ == "__main__":
    play = {"systemctl": systemctl, "systemd-run": systemd_run}[sys.argv[1]]
    sys.exit(play(Path(sys.argv[2]), sys.argv[3:]))
