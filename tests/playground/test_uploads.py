"""Multipart forms."""

from __future__ import annotations

import aiohttp
import pytest

from playground.errors import ApiError
from playground.uploads import Upload, picture_size, picture_type, read
from tests.playground.sample_bot import png


async def encoded(form: aiohttp.FormData) -> tuple[str, bytes]:
    """Encode a form with aiohttp, as discord.py does; return content type and body."""
    payload = form()
    writer = _Collected()
    await payload.write(writer)  # type: ignore[arg-type] # only write() is ever called
    return payload.headers["Content-Type"], bytes(writer.data)


class _Collected:
    def __init__(self) -> None:
        self.data = bytearray()

    async def write(self, chunk: bytes) -> None:
        self.data += chunk


async def test_json_and_files_are_parsed_from_a_form() -> None:
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", '{"content": "schön"}')
    hard = bytes(range(256)) + b"\r\n--\r\n\r\n" + b"end\r\n"
    form.add_field("files[0]", hard, filename="a b.bin", content_type="application/x-thing")
    form.add_field("files[7]", png(), filename="böard.png")
    body = read(*await encoded(form))
    assert body.json == {"content": "schön"}
    assert body.media_type == "multipart/form-data"
    assert body.files[0] == Upload("a b.bin", "application/x-thing", hard)
    assert body.files[7].filename == "böard.png"
    assert body.files[7].data == png()


def test_an_unreadable_form_is_reported() -> None:
    with pytest.raises(ApiError, match="50109"):
        read("application/json", b"{")
    with pytest.raises(ApiError, match="50035"):
        read("multipart/form-data", b"")
    assert read("", b"").json is None


def test_picture_types_are_recognised_by_their_first_bytes() -> None:
    gif = b"GIF89a" + (30).to_bytes(2, "little") + (20).to_bytes(2, "little")
    assert picture_size(png(30, 20)) == (30, 20)
    assert picture_size(gif) == (30, 20)
    assert picture_size(b"words") is None
    assert picture_type(Upload("a", "text/plain", png())) == "image/png"
    assert picture_type(Upload("a", "text/plain", gif)) == "image/gif"
    assert picture_type(Upload("a", "text/plain", b"words")) == "text/plain"
