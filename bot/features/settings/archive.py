"""A file made piece by piece, and packed if it is too large for Discord."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePath
from typing import Final

from bot.core.errors import Refusal
from engine.phrase import say

MAX_PLAIN: Final = 8 * 1024 * 1024
"""Bytes of the largest file that is not packed."""
MAX_PACKED: Final = 25 * 1024 * 1024
"""Bytes of the largest packed file, which is made in memory."""


class Archive:
    """A file in the making, kept packed. Call its methods in a thread: compression takes time."""

    def __init__(self, name: str, limit: int) -> None:
        """Begin a file that may have at most ``limit`` bytes when sent, packed if need be."""
        self._name = name
        self._limit = min(limit, MAX_PACKED)
        self._size = 0
        self._packed = io.BytesIO()
        self._zip = zipfile.ZipFile(self._packed, "w", zipfile.ZIP_DEFLATED)
        self._member = self._zip.open(name, "w", force_zip64=True)

    def write(self, text: str) -> None:
        """Add text to the end; raises Refusal if the file is too large even packed."""
        content = text.encode()
        self._size += len(content)
        self._member.write(content)
        self._check()

    def finish(self) -> tuple[str, bytes]:
        """Return the name and bytes of the file to send; raises Refusal like `write`."""
        self._member.close()
        self._zip.close()
        if self._size <= min(self._limit, MAX_PLAIN):
            with zipfile.ZipFile(self._packed) as packed:
                return self._name, packed.read(self._name)
        self._check()
        return PurePath(self._name).with_suffix(".zip").name, self._packed.getvalue()

    def _check(self) -> None:
        if self._packed.tell() > self._limit < self._size:
            raise Refusal(
                say(
                    "It's too big for one Discord file. Nothing was deleted. Ask the bot's owner "
                    "for your copy."
                )
            )
