"""What the bot sends with files goes out at once."""

from __future__ import annotations

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.app.client import WholeBodies


async def test_a_message_with_files_is_sent_in_one_piece_and_arrives_whole() -> None:
    pieces: list[bytes] = []
    received: dict[str, object] = {}

    async def take(request: web.Request) -> web.Response:
        form = await request.post()
        file = form["files[0]"]
        assert isinstance(file, web.FileField)
        received.update(words=form["payload_json"], name=file.filename, data=file.file.read())
        return web.Response()

    async def sent(_: object, __: object, chunk: aiohttp.TraceRequestChunkSentParams) -> None:
        pieces.append(chunk.chunk)

    app = web.Application()
    app.router.add_post("/", take)
    trace = aiohttp.TraceConfig()
    trace.on_request_chunk_sent.append(sent)
    form = aiohttp.FormData({"payload_json": "words"})
    form.add_field("files[0]", b"picture" * 9, filename="board.png")
    async with (
        TestServer(app) as server,
        aiohttp.ClientSession(connector=WholeBodies(), trace_configs=[trace]) as session,
    ):
        await session.post(server.make_url("/"), data=form)
    assert received == {"words": "words", "name": "board.png", "data": b"picture" * 9}
    assert len(list(filter(None, pieces))) == 1
