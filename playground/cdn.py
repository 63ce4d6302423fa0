"""The CDN: files of messages, by signed addresses that grow old, and avatars."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from playground.world import World

PREFIX = "/cdn"
_GONE = "This content is no longer available."


class Cdn:
    """Hands out files."""

    def __init__(self, world: World) -> None:
        self._world = world

    def register(self, app: web.Application) -> None:
        """Serve the addresses."""
        app.router.add_get(
            PREFIX + "/attachments/{channel_id}/{attachment_id}/{filename}", self.attachment
        )
        app.router.add_get(
            PREFIX + "/ephemeral-attachments/{application_id}/{number}/{filename}", self.upload
        )
        app.router.add_get(PREFIX + "/avatars/{user_id}/{name}", self.avatar)
        app.router.add_get(PREFIX + "/embed/avatars/{name}", self.avatar)

    async def attachment(self, request: web.Request) -> web.Response:
        """Serve a file of a message that is still there, until its address is a day old."""
        info = request.match_info
        try:
            channel = self._world.channels.get(int(info["channel_id"]))
            wanted, until = int(info["attachment_id"]), int(request.query["ex"], 16)
        except (KeyError, ValueError):
            return web.Response(status=404, text=_GONE)
        if channel is None or self._world.clock.time() > until:
            return web.Response(status=404, text=_GONE)
        for message in reversed(channel.messages.values()):
            for file in message.attachments:
                if file.id == wanted and file.filename == info["filename"]:
                    return web.Response(body=file.data, content_type=file.content_type)
        return web.Response(status=404, text=_GONE)

    async def upload(self, request: web.Request) -> web.Response:
        """Serve a file that a person handed to the bot, while it is kept."""
        number = request.match_info["number"]
        file = self._world.uploads.get(int(number)) if number.isdecimal() else None
        if file is None or file.filename != request.match_info["filename"]:
            return web.Response(status=404, text=_GONE)
        return web.Response(body=file.data, content_type=file.content_type)

    async def avatar(self, request: web.Request) -> web.Response:
        """Serve a coloured disc with the first letter of the name."""
        user_id = request.match_info.get("user_id", "0")
        user = self._world.users.get(int(user_id)) if user_id.isdecimal() else None
        letter, colour = (user.display[0], user.colour) if user else ("?", 0x5865F2)
        return web.Response(body=_disc(letter, colour), content_type="image/png")


@lru_cache(maxsize=64)
def _disc(letter: str, colour: int) -> bytes:
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415 - only for avatars, and slow to load

    size, fine = 128, 4
    big = Image.new("RGBA", (size * fine, size * fine), (0, 0, 0, 0))
    draw = ImageDraw.Draw(big)
    ink = (colour >> 16 & 255, colour >> 8 & 255, colour & 255, 255)
    draw.ellipse((0, 0, size * fine - 1, size * fine - 1), fill=ink)
    draw.text(
        (size * fine / 2, size * fine / 2),
        letter.upper(),
        font=ImageFont.load_default(size * fine * 0.55),
        fill=(255, 255, 255, 255),
        anchor="mm",
    )
    out = io.BytesIO()
    big.resize((size, size), Image.Resampling.LANCZOS).save(out, "PNG")
    return out.getvalue()
