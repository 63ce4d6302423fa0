"""Packs a file that is too large for Discord."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePath

from bot.errors import Refusal
from engine.phrase import say


def archived(name: str, content: bytes, most: int) -> tuple[str, bytes]:
    """Return a file as it can be sent, packed only where it must be.

    It takes some seconds of a processor where there is much to pack, so it belongs into a thread.

    Args:
        name: what the file is called.
        content: what is in it.
        most: how many bytes a file may have.

    Returns:
        What it is called as it is sent, and its bytes.

    Raises:
        Refusal: it is too large even when it is packed.

    """
    if len(content) <= most:
        return name, content
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    if packed.tell() > most:
        raise Refusal(
            say(
                "There is more of it than Discord takes in one file. Please ask whoever runs this "
                "bot for your copy; nothing was deleted."
            )
        )
    return PurePath(name).with_suffix(".zip").name, packed.getvalue()
