"""Runs the commands of docs/operating.md that need neither root nor a container engine."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from bot.app import CannotWork, backups, maintenance
from bot.app.membership import check_application
from data.store.store import Store
from tests.bot.conftest import Club

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/operating.md").read_text(encoding="utf-8")


def block(part: str) -> str:
    """Return the only block of commands that contains a text."""
    blocks = re.findall(r"^ *```\n(.*?)^ *```$", GUIDE, re.MULTILINE | re.DOTALL)
    (found,) = (one for one in blocks if part in one)
    return str(found)


def run(commands: str, folder: Path, **environment: str) -> None:
    """Run commands as a person with this home would."""
    subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", commands],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)} | environment,
        check=True,
    )


def test_terms_and_privacy_are_filled_in(tmp_path: Path) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    run(block("for page in terms privacy"), tmp_path)
    for name in ("terms.md", "privacy.md"):
        text = (tmp_path / name).read_text()
        assert "Ann Example" in text
        assert "ann@example.org" in text
        assert re.search(r"Last changed: \d{4}-\d\d-\d\d\n", text)
        assert not re.search(r"\b(OPERATOR|CONTACT|DATE)\b", text)
        # Both lie in one folder, wherever that is, and nothing else of the project does.
        links = re.findall(r"\]\(([^)#]+)", text)
        assert all(link.startswith("https://") or link == "privacy.md" for link in links)


def test_secrets_are_made_for_all_of_compose(tmp_path: Path) -> None:
    commands = block("install -d -m 700 deploy/secrets").partition("export COMMIT")[0]
    (tmp_path / "deploy").mkdir()
    run(commands, tmp_path, TOKEN="a.b.c")
    compose = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
    made = {name: tmp_path / "deploy" / one["file"] for name, one in compose["secrets"].items()}
    assert set(made.values()) == set((tmp_path / "deploy/secrets").iterdir())
    assert stat.S_IMODE((tmp_path / "deploy/secrets").stat().st_mode) == 0o700
    password = made["database_password"].read_text()
    assert re.fullmatch(r"[0-9a-f]{48}", password)
    assert made["database_url"].read_text() == f"postgresql://games:{password}@database/games"
    assert made["discord_token"].read_text() == "a.b.c"


def test_units_that_are_copied_enabled_and_started_exist() -> None:
    units = {file.name for file in (ROOT / "deploy/systemd").iterdir()}
    for line in re.findall(r"systemctl (?:enable --now|start|stop|restart|edit) (.+)", GUIDE):
        for name in re.findall(r"old-board-games[\w@.-]*", line):
            full = re.sub(r"@[^.]*", "@", name) if "@" in name else name
            assert any(unit in units for unit in (full, f"{full}.service")), name
    assert "sudo cp deploy/systemd/*.service deploy/systemd/*.timer /etc/systemd/system/" in GUIDE


def test_an_upgrade_makes_a_folder_beside_the_old_one_and_changes_the_link(tmp_path: Path) -> None:
    """What runs keeps to its folder, see `test_links.py`; git and make are not run here."""
    install = block("sudo ln -s old-board-games")
    upgrade = block("git clone --branch v0.2.1") + block("ln -sfn")
    done = []
    for line in (
        (install + upgrade).replace("sudo ", "").replace("/opt/", f"{tmp_path}/").splitlines()
    ):
        command = line.split()
        if command[0] == "git":
            Path(command[-1]).mkdir()
        elif command[0] == "ln":
            subprocess.run(command, cwd=tmp_path, check=True)
        done.append((command[0], (tmp_path / "old-board-games").resolve().name))
    assert done == [
        *(("git", "old-board-games"), ("make", "old-board-games")),
        *(("ln", "old-board-games-0.2.0"), ("cd", "old-board-games-0.2.0")),
        *(("git", "old-board-games-0.2.0"), ("make", "old-board-games-0.2.0")),
        *(("ln", "old-board-games-0.2.1"), ("cd", "old-board-games-0.2.1")),
        ("systemctl", "old-board-games-0.2.1"),
    ]
    assert "git pull" not in "".join(re.findall(r"```.*?```", GUIDE, re.DOTALL))


def test_a_gateway_can_be_started_to_replace_others() -> None:
    """Systemd splits a variable without braces into words: none, if it is not set."""
    unit = (ROOT / "deploy/systemd/old-board-games-gateway@.service").read_text()
    assert "-m bot gateway $GATEWAY_OPTIONS\n" in unit
    assert "Environment=GATEWAY_OPTIONS" not in unit, "it would outrank systemctl set-environment"
    assert block("set-environment GATEWAY_OPTIONS=--replace")


def test_commands_of_the_wrapper_exist() -> None:
    known = subprocess.run(
        [sys.executable, "-m", "bot", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for command in set(re.findall(r"deploy/bot ([a-z-]+)", GUIDE)):
        assert re.search(rf"^ +{command}\b", known, re.MULTILINE), command


async def test_a_database_moves_to_another_application(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    store = await Store.open(f"sqlite:///{file}")
    await check_application(store, 1)
    with pytest.raises(CannotWork):
        await check_application(store, 2)
    await store.close()
    with closing(sqlite3.connect(file)) as database:
        database.executescript(block("DELETE FROM key_values"))
    store = await Store.open(f"sqlite:///{file}")
    await check_application(store, 2)
    await store.close()


async def test_a_restore_can_be_practised_in_a_playground(sqlite_url: str, tmp_path: Path) -> None:
    store = await Store.open(sqlite_url)
    await Club(store).start()
    await check_application(store, 1)
    await store.close()
    await backups.write(sqlite_url, tmp_path / "FILE")
    (command,) = re.findall(r"`(DATABASE_URL=\S+ \S+ -m bot restore FILE)`", GUIDE)
    url = command.split()[0].partition("=")[2]
    await maintenance.restore_database(
        url.replace("copy.db", f"{tmp_path}/copy.db"), tmp_path / "FILE"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot"),
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "DATABASE_URL": f"sqlite:///{tmp_path}/copy.db",
            "PLAYGROUND_PORT": "0",
        },
        cwd=tmp_path,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    said = []
    async for line in process.stderr:
        said.append(line.decode())
        if "bot.app.client" in said[-1] and "ready" in said[-1]:
            process.terminate()
    assert await process.wait() == 0, "".join(said)
