"""Pages that run as Activities: a small one that speaks the embedded protocol itself, and Discord's SDK."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import shutil
import tarfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestServer
from playwright.async_api import Frame, Locator, expect

from playground.addresses import activity_host
from playground.app import Playground
from tests.browser.harness import Window

SDK: Final = "@discord/embedded-app-sdk@2.5.0"
_INTEGRITY: Final = (
    "FNoe5PbSkoKEbqPubaBmq6tlEMOftMjR3gu55YrdrrKmBfKKM4i9P/Z+Zxl0RZdJcKviBwVcTyYMMPM/aGex/w=="
)
_FETCH_SECONDS: Final = 60
_HTML: Final = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8"><title>A board</title><link rel="icon" href="data:,">
    <script type="module" src="/page.js"></script>
  </head>
  <body><h1>A board</h1><p id="out">waiting</p><button>Move</button></body>
</html>"""
_PLAIN: Final = """
const told = new URLSearchParams(location.search);
const waiting = new Map();
let last = 0;
window.heard = [];
addEventListener("message", ({ source, origin, data: [opcode, data] }) => {
  if (source !== parent || origin !== location.origin) return;
  window.heard.push([opcode, data]);
  if (data.evt === "READY") document.getElementById("out").textContent = "ready";
  waiting.get(data.nonce)?.(data);
});
window.post = (...message) => parent.postMessage(message, location.origin);
window.command = (cmd, args = {}, more = {}) => new Promise((done) => {
  last += 1;
  waiting.set(`n${last}`, done);
  post(1, { cmd, args, nonce: `n${last}`, ...more });
});
window.clientId = CLIENT;
post(0, { v: 1, encoding: "json", client_id: CLIENT, frame_id: told.get("frame_id") });
"""
_WITH_SDK: Final = """
import { DiscordSDK } from "/sdk/index.mjs";
const sdk = new DiscordSDK(CLIENT);
const said = [];
const tell = (name, value) => { said.push([name, value]); document.getElementById("out").textContent = JSON.stringify(said); };
try {
  await sdk.ready();
  const { code } = await sdk.commands.authorize({ client_id: CLIENT, response_type: "code", state: "", prompt: "none", scope: ["identify", "guilds"] });
  const answer = await fetch("/.proxy/api/token", { method: "POST", body: code });
  const { access_token } = await answer.json();
  const { user, scopes } = await sdk.commands.authenticate({ access_token });
  tell("user", user.global_name);
  tell("scopes", scopes);
  tell("locale", (await sdk.commands.userSettingsGetLocale()).locale);
  tell("channel", (await sdk.commands.getChannel({ channel_id: sdk.channelId })).name);
  tell("hardware", (await sdk.commands.encourageHardwareAcceleration()).enabled);
  tell("people", (await sdk.commands.getInstanceConnectedParticipants()).participants.map((one) => one.global_name));
  await sdk.subscribe("ACTIVITY_LAYOUT_MODE_UPDATE", ({ layout_mode }) => tell("layout", layout_mode));
  console.log("the SDK passes on what the page logs");
  tell("invite", await sdk.commands.openInviteDialog().catch(({ code, message }) => `${code} ${message}`));
  tell("platform", sdk.platform);
} catch (error) {
  tell("failed", String(error.message ?? JSON.stringify(error)));
}
"""


class ActivityPage:
    """The server of a page that runs as an Activity.

    Attributes:
        cookies: the cookies that came with each request for ``/cookies``.
    """

    def __init__(self, playground: Playground, sdk: dict[str, str] | None) -> None:
        self._playground = playground
        self._sdk = sdk
        self._client = str(playground.world.application.id)
        self.cookies: list[set[str]] = []

    def routes(self) -> list[web.RouteDef]:
        """Return what it serves."""
        return [
            web.get("/", self._index),
            web.get("/page.js", self._script),
            web.get("/sdk/{path:.+}", self._module),
            web.get("/cookies", self._give_cookies),
            web.get("/framing", self._framing),
            web.post("/api/token", self._exchange),
        ]

    async def _index(self, _: web.Request) -> web.Response:
        return web.Response(text=_HTML, content_type="text/html")

    async def _script(self, _: web.Request) -> web.Response:
        script = _PLAIN if self._sdk is None else _WITH_SDK
        text = f'const CLIENT = "{self._client}";\n'
        return web.Response(text=_imports_first(script, text), content_type="text/javascript")

    async def _module(self, request: web.Request) -> web.Response:
        found = (self._sdk or {}).get(request.match_info["path"])
        if found is None:
            raise web.HTTPNotFound
        return web.Response(text=found, content_type="text/javascript")

    async def _give_cookies(self, request: web.Request) -> web.Response:
        self.cookies.append(set(request.cookies))
        response = web.Response(text="")
        response.headers.add("Set-Cookie", "strict=1; Path=/; SameSite=Strict")
        response.headers.add("Set-Cookie", "lax=1; Path=/; SameSite=Lax")
        response.headers.add("Set-Cookie", "own=1; Path=/; Secure; SameSite=None; Partitioned")
        return response

    async def _framing(self, request: web.Request) -> web.Response:
        """Show another page in a frame, as a hostile website does."""
        text = f'<iframe src="{request.query["url"]}"></iframe>'
        return web.Response(text=text, content_type="text/html")

    async def _exchange(self, request: web.Request) -> web.Response:
        form = {
            "grant_type": "authorization_code",
            "code": await request.text(),
            "client_id": self._client,
            "client_secret": self._playground.client_secret,
        }
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{self._playground.rest_url}/oauth2/token", data=form) as answer,
        ):
            return web.json_response({"access_token": (await answer.json())["access_token"]})


def _imports_first(script: str, text: str) -> str:
    head, found, rest = script.partition('index.mjs";\n')
    return f"{head}{found}{text}{rest}" if found else text + script


@asynccontextmanager
async def serving(
    playground: Playground, *, sdk: dict[str, str] | None = None
) -> AsyncIterator[ActivityPage]:
    """Make a page the Activity of a playground, with Discord's SDK or without."""
    page = ActivityPage(playground, sdk)
    app = web.Application()
    app.add_routes(page.routes())
    async with TestServer(app) as server:
        playground.enable_activities(str(server.make_url("/").origin()))
        yield page


def inside(window: Window) -> Locator:
    """Find the page in the Activity's frame."""
    return (
        window.page.frame_locator("iframe.activity-frame").frame_locator("iframe").locator("body")
    )


async def frame_of(window: Window, playground: Playground) -> Frame:
    """Return the frame of the page, once it is ready."""
    await expect(inside(window).locator("#out")).to_have_text("ready")
    host = f"{activity_host(playground.world.application.id)}:{playground.port}/?"
    [found] = [frame for frame in window.page.frames if frame.url.startswith(f"http://{host}")]
    return found


async def fetch_sdk(folder: Path) -> dict[str, str] | str:
    """Return the modules of Discord's SDK by path, or why they cannot be had."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm isn't installed"
    packing = await asyncio.create_subprocess_exec(
        *(npm, "pack", SDK, "--pack-destination", str(folder), "--fetch-retries=0"),
        cwd=folder,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(_FETCH_SECONDS):
            status = await packing.wait()
    except TimeoutError:
        packing.kill()
        await packing.wait()
        return f"npm didn't fetch {SDK} in time"
    return f"npm cannot fetch {SDK}" if status else await asyncio.to_thread(_unpacked, folder)


def _unpacked(folder: Path) -> dict[str, str]:
    [file] = folder.glob("*.tgz")
    packed = file.read_bytes()
    digest = base64.b64encode(hashlib.sha512(packed).digest()).decode()
    assert digest == _INTEGRITY, "this is not the SDK that Discord published"
    found = {}
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive.getmembers():
            module = archive.extractfile(member) if member.name.endswith(".mjs") else None
            if module is not None:
                found[member.name.removeprefix("package/output/")] = module.read().decode()
    return found
