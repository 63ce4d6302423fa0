"""Files too large for Discord are packed, and unpack unchanged."""

from __future__ import annotations

import io
import secrets
import zipfile

import pytest

from bot.errors import Refusal
from bot.settings.archive import archived


def test_what_fits_stays_as_it_is() -> None:
    assert archived("my-data.json", b"x" * 1000, 1000) == ("my-data.json", b"x" * 1000)


def test_what_is_too_large_is_packed_and_comes_out_whole() -> None:
    content = b"a match after another " * 10_000
    name, packed = archived("my-data.json", content, 10_000)
    assert name == "my-data.zip"
    assert len(packed) <= 10_000
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == ["my-data.json"]
        assert archive.read("my-data.json") == content


def test_what_is_too_large_even_then_is_refused_with_what_to_do() -> None:
    with pytest.raises(Refusal, match="Ask the bot's owner"):
        archived("my-data.json", secrets.token_bytes(10_000), 5_000)
