"""``make release``: checks that this commit can be released, and says what is left to do.

It changes nothing: it makes no tag and pushes nothing.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tests.recorded import migrations

ROOT: Final = Path(__file__).parents[1]
AUDIT: Final = ("make", "--silent", "audit")
_HEADING: Final = re.compile(r"^## \[([^\]]+)\](?: - (.*))?$", re.MULTILINE)
_REVISION: Final = re.compile(r"alembic_version\"? VALUES ?\('(\w+)'\)")


def main(root: Path = ROOT, audit: Sequence[str] = AUDIT) -> int:
    """Print what is done and what is not; return 0 if the commit can be released, else 1.

    Args:
        root: the project's folder.
        audit: what to run to look for vulnerabilities; it fails if there is any.
    """
    version = _version(root)
    left = 0
    for about, problem in checks(root, version, audit):
        left += problem is not None
        mark = "ok" if problem is None else "TO DO"
        _say(f"{mark:<6} {about:<12} {problem or ''}".rstrip())
    if left:
        _say('\nCONTRIBUTING.md, "Release", explains each step. Then run `make release` again.')
        return 1
    _say(
        f"\nThis commit can be released as {version}. Once `.ci/run` has passed on it:\n"
        f"  git tag --annotate v{version} --message 'Version {version}'\n"
        f"  git push origin v{version}"
    )
    return 0


def checks(
    root: Path, version: str, audit: Sequence[str] = AUDIT
) -> Iterator[tuple[str, str | None]]:
    """Yield what a release needs, each with what is wrong with it, or ``None``."""
    yield "version", _of_version(root, version)
    yield "changelog", _of_changelog(root, version)
    yield "migrations", _of_migrations(root)
    yield "databases", _of_databases(root, version)
    changes = _git(root, "status", "--porcelain")
    yield "working tree", f"commit or remove:\n{changes}" if changes else None
    yield "tag", _of_tag(root, version)
    done = subprocess.run(audit, cwd=root, capture_output=True, text=True, check=False)
    # Its tables say which package needs which version, its last errors what could not be audited.
    said = [done.stdout.strip(), *done.stderr.splitlines()[-3:]]
    told = "do what `make audit` says:\n" + "\n".join(filter(None, said))
    yield "dependencies", told if done.returncode else None


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _version(root: Path) -> str:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def _of_version(root: Path, version: str) -> str | None:
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        return f"{version} in pyproject.toml is not of the form 1.2.3"
    newest = max(_tagged(root), default=version, key=_numbers)
    if _numbers(newest) > _numbers(version):
        return f"{newest} was released already: set a newer one than {version} in pyproject.toml"
    return None


def _of_changelog(root: Path, version: str) -> str | None:
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    _, *parts = _HEADING.split(text)
    sections = list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))
    if sections and sections[0][0] == "Unreleased" and not sections[0][2].strip():
        del sections[0]
    heading = f"`## [{version}] - {datetime.now(UTC):%Y-%m-%d}`"
    if not sections or sections[0][0] != version:
        return f"give the changes the heading {heading}"
    try:
        datetime.strptime(sections[0][1] or "", "%Y-%m-%d")  # noqa: DTZ007 -- only whether it is one
    except ValueError:
        return f"its heading needs a date: {heading}"
    return None


def _of_migrations(root: Path) -> str | None:
    versions, recorded = _versions(root), root / "tests/recorded/migrations.txt"
    if changed := migrations.changed(versions, recorded):
        return f"restore {', '.join(changed)}, which databases have run, and write a new migration"
    if missing := migrations.missing(versions, recorded):
        return "add to tests/recorded/migrations.txt:\n" + "\n".join(missing)
    return None


def _of_databases(root: Path, version: str) -> str | None:
    record = "run `python -m tests.recorded.record`"
    folder = root / "tests/recorded"
    for name in (f"{version}.txt", *(f"{version}.{kind}.sql" for kind in ("sqlite", "postgresql"))):
        if not (folder / name).exists():
            return f"{record}: tests/recorded/{name} is missing"
    newest = max(path.name[1:5] for path in _versions(root).glob("v*.py"))
    for dump in folder.glob(f"{version}.*.sql"):
        found = _REVISION.search(dump.read_text(encoding="utf-8"))
        if found is None or found[1] != newest:
            there = found[1] if found else "none"
            return f"{record}: {dump.name} has revision {there}, the newest is {newest}"
    return None


def _of_tag(root: Path, version: str) -> str | None:
    tag = f"v{version}"
    if tag not in _git(root, "tag", "--list").split():
        return None
    there, here = (_git(root, "rev-parse", f"{name}^{{commit}}") for name in (tag, "HEAD"))
    return None if there == here else f"{tag} is another commit, {there[:7]}: set a newer version"


def _tagged(root: Path) -> list[str]:
    tags = _git(root, "tag", "--list").split()
    return [tag[1:] for tag in tags if re.fullmatch(r"v\d+\.\d+\.\d+", tag)]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _versions(root: Path) -> Path:
    return root / "data/migrations/versions"


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
