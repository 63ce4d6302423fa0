"""``make release`` notices each step that is missing, and changes nothing."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import release

MIGRATION = 'revision = "0001"\n'


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder and return what it says."""
    name = ("-c", "user.name=Ann", "-c", "user.email=ann@localhost", "-c", "tag.gpgSign=false")
    done = subprocess.run(
        ["git", *name, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout


def commit(folder: Path) -> None:
    """Commit everything in a folder."""
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "--allow-empty", "-m", "It is so")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that can be released as 1.2.3."""
    folder = tmp_path / "project"
    checksum = hashlib.sha256(MIGRATION.encode()).hexdigest()
    for name, content in {
        "pyproject.toml": '[project]\nname = "games"\nversion = "1.2.3"\n',
        "CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-02-28\n\n## [1.2.2]\n",
        "data/migrations/versions/v0001_first.py": MIGRATION,
        "tests/recorded/migrations.txt": f"{checksum}  v0001_first.py\n",
        "tests/recorded/1.2.3.txt": "",
        "tests/recorded/1.2.3.sqlite.sql": "INSERT INTO \"alembic_version\" VALUES('0001');\n",
        "tests/recorded/1.2.3.postgresql.sql": (
            "INSERT INTO public.alembic_version VALUES ('0001');\n"
        ),
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    git(folder, "init", "-q")
    commit(folder)
    return folder


def problems(folder: Path, *, audit: str = "true") -> dict[str, str]:
    """Return what is left to do."""
    found = release.checks(folder, release._version(folder), [audit])
    return {about: problem for about, problem in found if problem is not None}


def replace(name: str, old: str, new: str) -> Callable[[Path], object]:
    """Return what replaces a text in a file."""

    def change(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))

    return change


def remove(name: str) -> Callable[[Path], object]:
    """Return what removes a file."""
    return lambda folder: (folder / name).unlink()


def test_a_project_with_everything_can_be_released(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = git(project, "for-each-ref"), git(project, "status", "--porcelain", "--ignored")
    assert release.main(project, ["true"]) == 0
    told = capsys.readouterr().out
    assert "can be released as 1.2.3" in told
    assert "git tag --annotate v1.2.3" in told
    assert before == (
        git(project, "for-each-ref"),
        git(project, "status", "--porcelain", "--ignored"),
    )


@pytest.mark.parametrize(
    ("change", "about", "told"),
    [
        (replace("pyproject.toml", "1.2.3", "1.3"), "version", "form 1.2.3"),
        (replace("pyproject.toml", "1.2.3", "1.2.4"), "changelog", "## [1.2.4] - "),
        (replace("CHANGELOG.md", "## [1.2.3] - 2026-02-28\n", ""), "changelog", "## [1.2.3] - "),
        (
            replace("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n\n- More.\n"),
            "changelog",
            "## [1.2.3] - ",
        ),
        (replace("CHANGELOG.md", " - 2026-02-28", ""), "changelog", "needs a date"),
        (replace("CHANGELOG.md", "02-28", "02-30"), "changelog", "needs a date"),
        (
            lambda folder: (folder / "data/migrations/versions/v0002_more.py").write_text(""),
            "migrations",
            "  v0002_more.py",
        ),
        (
            replace("data/migrations/versions/v0001_first.py", "0001", "0002"),
            "migrations",
            "restore v0001_first.py",
        ),
        (remove("tests/recorded/1.2.3.sqlite.sql"), "databases", "tests.recorded.record"),
        (remove("tests/recorded/1.2.3.postgresql.sql"), "databases", "postgresql.sql is missing"),
        (remove("tests/recorded/1.2.3.txt"), "databases", "1.2.3.txt is missing"),
        (
            replace("tests/recorded/1.2.3.postgresql.sql", "0001", "0000"),
            "databases",
            "revision 0000, the newest is 0001",
        ),
    ],
)
def test_each_missing_step_is_named(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[Path], object],
    about: str,
    told: str,
) -> None:
    change(project)
    commit(project)
    assert told in problems(project)[about]
    assert release.main(project, ["true"]) == 1
    assert told in capsys.readouterr().out


@pytest.mark.parametrize("name", ["CHANGELOG.md", "left-over.txt"])
def test_what_is_not_committed_is_named(project: Path, name: str) -> None:
    with (project / name).open("a") as file:
        file.write("\n")
    assert problems(project).keys() == {"working tree"}
    assert name in problems(project)["working tree"]


@pytest.mark.parametrize("kind", [[], ["-a", "-m", "A release"]])
def test_a_tag_may_be_here_but_nowhere_else(project: Path, kind: list[str]) -> None:
    git(project, "tag", *kind, "v1.2.3")
    assert problems(project) == {}
    commit(project)
    assert problems(project).keys() == {"tag"}
    assert "another commit" in problems(project)["tag"]


@pytest.mark.parametrize(("tag", "older"), [("v1.2.10", True), ("v1.2.2", False), ("v2", False)])
def test_a_version_is_newer_than_all_released(project: Path, tag: str, *, older: bool) -> None:
    git(project, "tag", tag)
    commit(project)
    assert problems(project).keys() == ({"version"} if older else set())


def test_a_vulnerable_dependency_holds_a_release_back(project: Path) -> None:
    audit = project.parent / "audit"
    audit.write_text(
        "#!/bin/sh\necho 'aiohttp 1.0 PYSEC-1 2.0'\nseq 100 >&2; echo 'Found 1' >&2; exit 1"
    )
    audit.chmod(0o755)
    found = problems(project, audit=str(audit))
    assert found.keys() == {"dependencies"}
    assert "aiohttp 1.0 PYSEC-1 2.0" in found["dependencies"]
    assert "Found 1" in found["dependencies"]
    assert len(found["dependencies"].splitlines()) < 8
