"""The version names the commit that runs, unless it is the release itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from bot import VERSION, full_version
from bot.core.metrics import Metrics

ROOT = Path(__file__).parents[2]
AS = ("-c", "user.name=Ann", "-c", "user.email=ann@localhost", "-c", "tag.gpgSign=false")


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder and return what it says."""
    done = subprocess.run(
        ["git", *AS, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(folder: Path) -> str:
    """Make a commit and return its short name."""
    git(folder, "commit", "-q", "--allow-empty", "-m", "It is so")
    return git(folder, "rev-parse", "--short", "HEAD")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository without a commit."""
    folder = tmp_path / "clone"
    folder.mkdir()
    git(folder, "init", "-q")
    return folder


def test_between_releases_it_names_the_commit(clone: Path) -> None:
    made = commit(clone)
    assert full_version(clone) == f"{VERSION} ({made})"


@pytest.mark.parametrize("kind", [[], ["-a", "-m", "A release"]])
def test_a_release_has_its_number_alone(clone: Path, kind: list[str]) -> None:
    commit(clone)
    git(clone, "tag", *kind, f"v{VERSION}")
    assert full_version(clone) == VERSION


def test_commits_after_a_release_are_no_release(clone: Path) -> None:
    commit(clone)
    git(clone, "tag", f"v{VERSION}")
    made = commit(clone)
    assert full_version(clone) == f"{VERSION} ({made})"


@pytest.mark.parametrize("tag", ["v0.0.1", "deployed"])
def test_a_tag_of_something_else_makes_no_release(clone: Path, tag: str) -> None:
    made = commit(clone)
    git(clone, "tag", tag)
    assert full_version(clone) == f"{VERSION} ({made})"


def test_a_second_working_tree_has_a_commit_too(clone: Path, tmp_path: Path) -> None:
    made = commit(clone)
    git(clone, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert full_version(tmp_path / "tree") == f"{VERSION} ({made})"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_clone_of_another_user_has_a_commit_too(clone: Path) -> None:
    """A service runs as another user than the one who has cloned."""
    made = commit(clone)
    for path in (clone, *clone.rglob("*")):
        os.chown(path, 12345, 12345)
    assert full_version(clone) == f"{VERSION} ({made})"


def test_sources_without_a_repository_have_no_commit(clone: Path) -> None:
    commit(clone)
    unpacked = clone / "unpacked"
    unpacked.mkdir()
    assert full_version(unpacked) == VERSION, "that of the folder above is not theirs"


def test_a_damaged_repository_has_no_commit(clone: Path) -> None:
    commit(clone)
    (clone / ".git" / "HEAD").unlink()
    assert full_version(clone) == VERSION


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("abc1234", f"{VERSION} (abc1234)"),
        ("v0.2.0-12-gabc1234", f"{VERSION} (abc1234)"),
        ("v0.2.0", VERSION),
        ("", VERSION),
    ],
)
def test_an_image_has_the_commit_from_its_build(tmp_path: Path, written: str, told: str) -> None:
    (tmp_path / "commit").write_text(f"{written}\n")
    assert full_version(tmp_path) == told


def test_the_program_says_the_same_everywhere(tmp_path: Path) -> None:
    full_version.cache_clear()
    told = full_version()
    assert (
        f'boardgames_build_info{{version="{told}"}}' in generate_latest(Metrics().registry).decode()
    )
    database = {"DATABASE_URL": f"sqlite:///{tmp_path}/games.db", "DISCORD_TOKEN": ""}
    for command in ("--version", "doctor"):
        done = subprocess.run(
            [sys.executable, "-m", "bot", command],
            cwd=ROOT,
            env=os.environ | database,
            check=True,
            capture_output=True,
            text=True,
        )
        assert told in done.stdout.splitlines()[0]


def test_without_git_the_program_has_its_number(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot", "--version"],
        cwd=ROOT,
        env=os.environ | {"PATH": str(tmp_path)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == VERSION
