"""Checks, without a container engine, that the images copy and install enough."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from bot.config import Config
from tests.end_to_end.test_program import AFRESH, Program

if TYPE_CHECKING:
    from tests.end_to_end.harness import Environment

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
        assert image in made or re.fullmatch(r"[a-z]+:[\w.-]+", image), image


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
        if b"bot.client" in line and b"ready" in line:
            break
    else:
        raise AssertionError("".join(texts))
    offered = await empty_env.challenge()
    assert offered.message is not None
    await empty_env.ben.press(offered.message, "Accept")
    await empty_env.playground.wait_for("games", lambda message: message.picture is not None)
    status, more = await program.stop()
    assert status == 0, more


def test_a_probe_fails_if_nothing_answers() -> None:
    probe = [sys.executable, str(DEPLOY / "probe.py"), "live"]
    environment = {"MONITORING_ADDRESS": "127.0.0.1:1", "PATH": os.environ["PATH"]}
    assert subprocess.run(probe, env=environment, check=False).returncode == 1


def test_services_are_built_from_existing_stages_and_publish_no_ports() -> None:
    services = compose()["services"]
    for name, service in services.items():
        assert "ports" not in service, f"{name} is open to the network"
        assert "healthcheck" in service
        assert "/" not in service["image"], "the image names no registry"
        if "build" in service:
            assert service["build"]["target"] in stages()
            assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert {name: services[name]["deploy"]["replicas"] for name in ("gateway", "worker")} == {
        "gateway": 2,
        "worker": 2,
    }


def test_services_use_existing_settings_and_secrets_only_from_files() -> None:
    made = compose()
    for name in ("gateway", "worker"):
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
