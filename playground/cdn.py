"""The CDN: attachments, by signed URLs that expire, and avatars."""

from __future__ import annotations

import io
from functools import lru_cache

from aiohttp import web

from playground.addresses import CDN_PATH
from playground.world import World

_GONE = "This content is no longer available."


class Cdn:
    """Serves files."""

    def __init__(self, world: World) -> None:
        self._world = world

    def register(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get(
            CDN_PATH + "/attachments/{channel_id}/{attachment_id}/{filename}", self.attachment
        )
        app.router.add_get(
            CDN_PATH + "/ephemeral-attachments/{application_id}/{number}/{filename}", self.upload
        )
        app.router.add_get(CDN_PATH + "/avatars/{user_id}/{name}", self.avatar)
        app.router.add_get(CDN_PATH + "/embed/avatars/{name}", self.avatar)

    async def attachment(self, request: web.Request) -> web.Response:
        """Serve an attachment until its message is deleted or its URL a day old.

        One that an edit has just replaced is served too: a page may be loading it.
        """
        info = request.match_info
        try:
            channel = self._world.channels.get(int(info["channel_id"]))
            wanted, until = int(info["attachment_id"]), int(request.query["ex"], 16)
        except (KeyError, ValueError):
            return web.Response(status=404, text=_GONE)
        if channel is None or self._world.clock.time() > until:
            return web.Response(status=404, text=_GONE)
        for message in reversed(channel.messages.values()):
            for file in (*message.attachments, *message.replaced):
                if file.id == wanted and file.filename == info["filename"]:
                    return web.Response(body=file.data, content_type=file.content_type)
        return web.Response(status=404, text=_GONE)

    async def upload(self, request: web.Request) -> web.Response:
        """Serve a file given to a command's option, while it is stored."""
        file = self._world.uploads.get(_id(request.match_info["number"]))
        if file is None or file.filename != request.match_info["filename"]:
            return web.Response(status=404, text=_GONE)
        return web.Response(body=file.data, content_type=file.content_type)

    async def avatar(self, request: web.Request) -> web.Response:
        """Serve an avatar: the name's first letter on a coloured disc."""
        user = self._world.users.get(_id(request.match_info.get("user_id", "")))
        letter, colour = (user.display[0], user.colour) if user else ("?", 0x5865F2)
        return web.Response(body=_disc(letter, colour), content_type="image/png")


def _id(text: str) -> int:
    """Return an id from a path; 0, which is nobody's, if it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 20 else 0


@lru_cache(maxsize=64)
def _disc(letter: str, colour: int) -> bytes:
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415 - only for avatars; slow to load

    size, scale = 128, 4
    big = Image.new("RGBA", (size * scale, size * scale), (0, 0, 0, 0))
    draw = ImageDraw.Draw(big)
    fill = (colour >> 16 & 255, colour >> 8 & 255, colour & 255, 255)
    draw.ellipse((0, 0, size * scale - 1, size * scale - 1), fill=fill)
    draw.text(
        (size * scale / 2, size * scale / 2),
        letter.upper(),
        font=ImageFont.load_default(size * scale * 0.55),
        fill=(255, 255, 255, 255),
        anchor="mm",
    )
    out = io.BytesIO()
    big.resize((size, size), Image.Resampling.LANCZOS).save(out, "PNG")
    return out.getvalue()
