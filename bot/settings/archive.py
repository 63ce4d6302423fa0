"""Compresses files too large for Discord."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePath

from bot.errors import Refusal
from engine.phrase import say


def archived(name: str, content: bytes, limit: int) -> tuple[str, bytes]:
    """Return a file's name and bytes ready to send: zipped if larger than ``limit`` bytes.

    Run this in a thread: compression can take seconds.

    Raises:
        Refusal: it is too large even when zipped.

    """
    if len(content) <= limit:
        return name, content
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    if packed.tell() > limit:
        raise Refusal(
            say(
                "It's too big for one Discord file. Nothing was deleted. Ask the bot's owner "
                "for your copy."
            )
        )
    return PurePath(name).with_suffix(".zip").name, packed.getvalue()
