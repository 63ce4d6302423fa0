"""docs/commands.md matches the commands, and documents name no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.app.words.command_page import PAGE, page

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    *(one for one in sorted((ROOT / "docs").glob("*.md")) if one.name != "operating.md"),
]
"""The operators' guide has file paths and no player commands."""
_COMMAND = re.compile(r"`/((?:<game>|[a-z]+)[^`]*)`")


def test_the_commands_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make commands`"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_documents_name_only_commands_that_exist(document: Path) -> None:
    known = {_words(line) for line in _COMMAND.findall(page())}
    for named in _COMMAND.findall(document.read_text(encoding="utf-8")):
        words = _words(named)
        assert any(words[: len(one)] == one for one in known), f"/{named}"


def _words(line: str) -> tuple[str, ...]:
    words = re.sub(r"^(tablan|tablut|tablaaza|thaayam)\b", "<game>", line).split()
    return tuple(words)
