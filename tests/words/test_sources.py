"""Texts for players are phrases in the sources, even where no other test reaches them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import bot
import engine

_WORDS = re.compile(r"[^\W\d_]{2,},? [^\W\d_]{2,}")
"""Two adjacent words, which identifiers, stored values and log events hardly ever contain."""

_SAYS = {"say", "plural", "word", "Rule", "Document"}
_KEPT = {"print", "BadPosition"}
_STORED = {"commands of …"}
_INTERNAL = re.compile(r"(Error|Exception|Failure)$")

_FOLDERS = [Path(package.__path__[0]) for package in (bot, engine)]
SOURCES = sorted(
    file
    for folder in _FOLDERS
    for file in folder.rglob("*.py")
    # Read in a terminal by the operator, or by programs.
    if file.name
    not in {
        "__main__.py",
        "backups.py",
        "command_page.py",
        "config.py",
        "demo.py",
        "doctor.py",
        "gateway.py",
        "logs.py",
        "machine_checks.py",
        "maintenance.py",
        "membership.py",
        "metrics.py",
        "figures.py",
        "monitoring.py",
        "moving.py",
        "owner.py",
        "page_checks.py",
        "position.py",
        "protocol.py",
        "shard_figures.py",
        "thinking.py",
        "web.py",
        "words.py",
        "worker.py",
    }
    and file.parts[-3:-1] != ("features", "owner")
    and file.parts[-2:] not in {("rules", "pairing.py"), ("rules", "trf.py")}
)


def untranslatable_words(file: Path) -> Iterator[str]:
    """Yield a source's untranslatable words with their lines."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    passed = set(_passed(tree))
    for node in ast.walk(tree):
        if node in passed or not isinstance(node, (ast.Constant, ast.JoinedStr)):
            continue
        words = _text(node)
        if _WORDS.search(words) and words not in _STORED:
            yield f"{node.lineno}: {words}"


def _passed(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield nodes that may contain words: phrases, docstrings, logs, internal errors."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        elif isinstance(node, (ast.Assert, ast.JoinedStr)):
            # An f-string is checked as a whole; its parts are not texts of their own.
            yield from (part for part in ast.walk(node) if part is not node)
        elif isinstance(node, ast.Call):
            name = _name(node.func)
            if name in _SAYS | _KEPT or _INTERNAL.search(name) or _logs(node.func):
                yield from ast.walk(node)
            elif name == "command":
                yield node.args[0]  # its path: each word of it is translated as a name
        elif isinstance(node, ast.AnnAssign):
            yield from ast.walk(node.annotation)
            if _name(node.annotation) == "TypeAlias":
                yield from ast.walk(node)
        elif isinstance(node, ast.ClassDef) and any(_name(base) == "Enum" for base in node.bases):
            yield from ast.walk(node)


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _logs(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "log"
    )


def _text(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(_text(part) if isinstance(part, ast.Constant) else "…" for part in node.values)


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(Path(*file.parts[-3:])))
def test_texts_for_players_are_phrases(file: Path) -> None:
    assert list(untranslatable_words(file)) == []
