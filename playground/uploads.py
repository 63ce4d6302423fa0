"""Request bodies: JSON, or a multipart form with ``payload_json`` and files."""

from __future__ import annotations

import json
import re
import struct
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl

from playground.errors import ApiError

FORM: Final = "application/x-www-form-urlencoded"
_FILE = re.compile(r"^files\[([0-9]{1,3})\]$")
_NAMED = re.compile(r'\b(name|filename)="((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_ESCAPED = re.compile(r"\\(.)")
_TYPE = re.compile(r"^content-type:\s*([^\s;]+)", re.IGNORECASE | re.MULTILINE)
_BOUNDARY = re.compile(r'boundary="?([^";]+)"?')


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file."""

    filename: str
    content_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Body:
    """A request body; ``files`` is keyed by the n of ``files[n]``."""

    json: Any = None
    files: dict[int, Upload] = field(default_factory=dict)
    media_type: str = "application/json"
    form: dict[str, str] = field(default_factory=dict, repr=False)
    """The fields of a plain form. They are secrets, and not logged."""


def _loads(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):  # the latter if it is nested too deeply
        raise ApiError(50109) from None


def _parts(raw: bytes, boundary: bytes) -> list[tuple[dict[str, str], bytes]]:
    """Split a form into the headers and content of its parts."""
    parts = []
    for piece in raw.split(b"--" + boundary)[1:-1]:
        head, _, content = piece.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        text = head.decode("utf-8", "replace")
        named = {key.lower(): _ESCAPED.sub(r"\1", value) for key, value in _NAMED.findall(text)}
        kind = _TYPE.search(text)
        named["type"] = kind[1] if kind else "application/octet-stream"
        parts.append((named, content.removesuffix(b"\r\n")))
    return parts


def read(content_type: str, raw: bytes) -> Body:
    """Read a body.

    Raises:
        ApiError: 50109 for invalid JSON, 50035 for an invalid form.
    """
    if content_type.partition(";")[0].strip() == FORM:
        fields = parse_qsl(raw.decode("utf-8", "replace"), keep_blank_values=True)
        return Body(media_type=FORM, form=dict(fields))
    if not content_type.startswith("multipart/form-data"):
        return Body(_loads(raw) if raw else None)
    boundary = _BOUNDARY.search(content_type)
    if boundary is None:
        raise ApiError(50035)
    content: Any = None
    files: dict[int, Upload] = {}
    for named, data in _parts(raw, boundary[1].encode()):
        name = named.get("name", "")
        if name == "payload_json":
            content = _loads(data)
        elif number := _FILE.match(name):
            files[int(number[1])] = Upload(named.get("filename", "file"), named["type"], data)
    return Body(content, files, "multipart/form-data")


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return the width and height of a PNG or GIF in pixels; None for other files."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data[:6] in {b"GIF87a", b"GIF89a"} and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    return None


def picture_type(upload: Upload) -> str:
    """Detect the content type from the data if possible, as Discord does."""
    if upload.data.startswith(b"\x89PNG"):
        return "image/png"
    if upload.data.startswith(b"GIF8"):
        return "image/gif"
    return upload.content_type
