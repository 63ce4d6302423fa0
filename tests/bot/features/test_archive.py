"""Files too large for Discord are packed, and unpack unchanged."""

from __future__ import annotations

import io
import secrets
import zipfile

import pytest

from bot.core.errors import Refusal
from bot.features.settings.privacy import Archive


def archived(name: str, content: str, limit: int) -> tuple[str, bytes]:
    """Make a file of two pieces."""
    archive = Archive(name, limit)
    for piece in (content[:77], content[77:]):
        archive.write(piece)
    return archive.finish()


def test_files_that_fit_are_left_as_they_are() -> None:
    assert archived("my-data.json", "x" * 1000, 1000) == ("my-data.json", b"x" * 1000)


def test_files_that_are_too_large_are_packed_and_unpack_unchanged() -> None:
    content = "a match after another " * 10_000
    name, packed = archived("my-data.json", content, 10_000)
    assert name == "my-data.zip"
    assert len(packed) <= 10_000
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == ["my-data.json"]
        assert archive.read("my-data.json").decode() == content


def test_files_too_large_even_packed_are_refused_with_advice() -> None:
    with pytest.raises(Refusal, match="Ask the bot's owner"):
        archived("my-data.json", secrets.token_hex(10_000), 5_000)
