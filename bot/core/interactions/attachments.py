"""Reads files that users attach.

Nothing outside is trusted about a file's size: not what Discord said about it, not the headers of
the answer. Reading stops after one byte too many, and after some seconds in all.
"""

from __future__ import annotations

from typing import Final

import aiohttp
import discord

_TIMEOUT: Final = 20.0
"""Seconds to fetch a file in all, however slowly it arrives."""


async def fetched(file: discord.Attachment, *, maximum: int) -> bytes | None:
    """Return the content of an attachment; ``None`` if it can't be fetched.

    Args:
        file: what the user attached.
        maximum: bytes; of a larger file, the first ``maximum + 1`` are returned.

    """
    # Not discord.py's own session, which unpacks compressed answers and reads to their end.
    timeout = aiohttp.ClientTimeout(total=_TIMEOUT)
    try:
        async with (
            aiohttp.ClientSession(auto_decompress=False, timeout=timeout) as session,
            session.get(
                file.url, allow_redirects=False, headers={"Accept-Encoding": "identity"}
            ) as response,
        ):
            if response.status != 200:
                return None
            content = bytearray()
            async for chunk in response.content.iter_chunked(64 * 1024):
                content += chunk[: maximum + 1 - len(content)]
                if len(content) > maximum:
                    break
            return bytes(content)
    except (TimeoutError, aiohttp.ClientError, OSError):
        return None
