"""The chat page's WebSocket: events, requests and access."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest
from discord import app_commands, ui

from playground.app import Playground
from playground.chat.page import FOLDER, UNKNOWN_PERSON, attach
from playground.clock import ManualClock
from playground.connect import point_discord_here
from tests.playground.chat_window import window
from tests.playground.conftest import running


class Bot(discord.Client):
    """A bot with a command for each kind of answer."""

    def __init__(self) -> None:
        intents = discord.Intents(guilds=True)
        super().__init__(intents=intents, guild_ready_timeout=0.05)
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(secret)
        self.tree.add_command(ask)
        self.tree.add_command(silent)
        self.tree.add_command(find)
        self.tree.add_command(hand)

    async def setup_hook(self) -> None:
        """Sync the commands."""
        await self.tree.sync()


@app_commands.command(description="For your eyes only")
async def secret(interaction: discord.Interaction) -> None:
    view = ui.View(timeout=None)
    view.add_item(ui.Button(label="Press", custom_id="press"))
    view.add_item(ui.Button(label="Never", custom_id="never", disabled=True))
    await interaction.response.send_message("A secret", ephemeral=True, view=view)


class Form(ui.Modal, title="A form"):
    """One menu of people."""

    friend: ui.Label[Form] = ui.Label(text="Friend", component=ui.UserSelect())

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Greet the chosen person."""
        assert isinstance(self.friend.component, ui.UserSelect)
        chosen = self.friend.component.values[0]
        await interaction.response.send_message(f"Hello {chosen.display_name}")


@app_commands.command(description="Opens a form")
async def ask(interaction: discord.Interaction) -> None:
    await interaction.response.send_modal(Form())


@app_commands.command(description="Never answers")
async def silent(interaction: discord.Interaction) -> None:
    del interaction


@app_commands.command(description="Completes a word")
async def find(interaction: discord.Interaction, word: str, who: discord.User) -> None:
    await interaction.response.send_message(f"{who.display_name} found {word}")


@app_commands.command(description="Reads a file")
async def hand(interaction: discord.Interaction, file: discord.Attachment) -> None:
    content = await file.read()
    await interaction.response.send_message(f"{file.filename} {file.size} {content!r}")


@find.autocomplete("word")
async def offer(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=f"{typed}{end}", value=f"{typed}{end}") for end in "ab"]


@pytest.fixture
async def playground() -> AsyncIterator[Playground]:
    async with Playground(clock=ManualClock(), attach=[attach]) as one:
        yield one


@pytest.fixture
async def bot(playground: Playground) -> AsyncIterator[Bot]:
    with point_discord_here(playground):
        async with running(playground, Bot()) as one:
            yield one


def place(playground: Playground, name: str = "games") -> str:
    return str(playground.channel(name).id)


# What a window receives


async def test_a_new_window_receives_people_channels_and_unread_counts(
    playground: Playground,
) -> None:
    ben = playground.person("Ben")
    playground.person("Ann").says(f"Hello {ben.mention}", channel="games")
    async with window(playground, "ben") as one:
        hello = await one.op("hello")
    assert hello["me"]["global_name"] == "Ben"
    assert hello["me"]["locale"] == "en-US"
    keys = [p["key"] for p in hello["people"] if "key" in p]
    assert keys == ["ann", "ben", "carol", "dan", "olive"]
    assert {c["name"] for c in hello["channels"]} >= {"general", "games"}
    assert hello["unread"] == {place(playground): {"count": 1, "mentions": 1}}
    assert hello["guild"]["name"] == playground.guild.name


async def test_an_unknown_person_is_rejected_and_the_connection_closed(
    playground: Playground,
) -> None:
    async with window(playground, "zoe") as one:
        assert (await one.op("unknown_person")) == {"op": "unknown_person"}
        ending = await one.socket.receive()
        assert ending.type is aiohttp.WSMsgType.CLOSE
        assert one.socket.close_code == UNKNOWN_PERSON


async def test_a_message_reaches_every_window(playground: Playground) -> None:
    async with window(playground, "ann") as ann, window(playground, "ben") as ben:
        await ben.op("hello")
        answer = await ann.ask("say", channel=place(playground), content="Good evening")
        assert "error" not in answer
        assert (await ben.message("Good evening"))["author"]["username"] == "ann"
        assert (await ann.message("Good evening"))["id"] == answer["message"]


async def test_an_ephemeral_message_reaches_only_its_person(
    playground: Playground, bot: Bot
) -> None:
    async with window(playground, "ann") as ann, window(playground, "ben") as ben:
        await ann.ask("slash", channel=place(playground), path=["secret"], options={})
        payload = await ann.message("A secret")
        await ann.ask("say", channel=place(playground), content="Over")
        await ben.message("Over")
        assert not [f for f in ben.frames if "A secret" in json.dumps(f)]
        history = await ben.ask("history", channel=place(playground))
        assert [m["content"] for m in history["messages"]] == ["Over"]
        own = await ann.ask("history", channel=place(playground))
        assert [m["content"] for m in own["messages"]] == ["A secret", "Over"]
        ids = {"channel": place(playground), "message": payload["id"]}
        pressed = await ben.ask("press", custom_id="press", **ids)
        assert pressed["error"] == {"code": "refused", "message": "That message is gone."}
        dismissed = await ben.ask("dismiss", **ids)
        assert dismissed["error"]["code"] == "refused"
        assert "error" not in await ann.ask("dismiss", **ids)
        gone = await ann.op("gone")
        assert gone["id"] == payload["id"]
        assert not [f for f in ben.frames if f["op"] == "gone"]


async def test_direct_messages_are_seen_only_by_their_members(playground: Playground) -> None:
    async with window(playground, "ann") as ann, window(playground, "ben") as ben:
        carol = str(playground.person("Carol").id)
        opened = await ann.ask("direct", user=carol)
        there = opened["channel"]["id"]
        await ann.ask("say", channel=there, content="Between us")
        await ann.message("Between us")
        assert (await ben.ask("history", channel=there))["error"]["code"] == "refused"
        assert (await ben.ask("say", channel=there, content="Me too"))["error"]
        assert not [f for f in ben.frames if "Between us" in json.dumps(f)]


async def test_history_is_paged_starting_with_the_newest(playground: Playground) -> None:
    for number in range(7):
        playground.person("Ben").says(f"Number {number}", channel="games")
    async with window(playground, "ann") as ann:
        newest = await ann.ask("history", channel=place(playground), limit=3)
        assert [m["content"][-1] for m in newest["messages"]] == ["4", "5", "6"]
        assert newest["more"] is True
        before = newest["messages"][0]["id"]
        rest = await ann.ask("history", channel=place(playground), limit=9, before=before)
        assert [m["content"][-1] for m in rest["messages"]] == ["0", "1", "2", "3"]
        assert rest["more"] is False


async def test_a_reply_includes_the_original_message_or_that_it_is_gone(
    playground: Playground, bot: Bot
) -> None:
    first = playground.person("Ann").says("The question", channel="games")
    channel = bot.get_channel(first.channel.id)
    assert isinstance(channel, discord.TextChannel)
    reference = discord.MessageReference(message_id=first.id, channel_id=first.channel.id)
    async with window(playground, "ben") as ben:
        await channel.send("The answer", reference=reference)
        answer = await ben.message("The answer")
        assert answer["referenced_message"]["content"] == "The question"
        playground.person("Ann").deletes(first)
        history = await ben.ask("history", channel=place(playground))
        assert history["messages"][-1]["referenced_message"] is None


async def test_reading_in_one_window_updates_only_the_persons_other_windows(
    playground: Playground,
) -> None:
    message = playground.person("Ann").says("News", channel="games")
    async with (
        window(playground, "ben") as first,
        window(playground, "ben") as second,
        window(playground, "carol") as carol,
    ):
        for one in (second, carol):
            await one.op("hello")
        await first.ask("read", channel=place(playground), message=str(message.id))
        payload = await second.op("unread")
        assert payload == {"op": "unread", "channel": place(playground), "count": 0, "mentions": 0}
        await carol.ask("commands", channel=place(playground))
        assert not [f for f in carol.frames if f["op"] == "unread"]
    async with window(playground, "ben") as again:
        assert (await again.op("hello"))["unread"] == {}


# What a window may request


async def test_a_command_can_be_completed_and_used(playground: Playground, bot: Bot) -> None:
    async with window(playground, "ann") as ann:
        offer = await ann.ask("commands", channel=place(playground))
        assert [c["name"] for c in offer["commands"]] == ["secret", "ask", "silent", "find", "hand"]
        base = {"channel": place(playground), "path": ["find"]}
        completed = await ann.ask("autocomplete", options={"word": "x"}, focused="word", **base)
        assert [c["value"] for c in completed["choices"]] == ["xa", "xb"]
        dan = str(playground.person("Dan").id)
        used = await ann.ask("slash", options={"word": "xa", "who": dan}, **base)
        assert "error" not in used
        payload = await ann.message("Dan found xa")
        assert payload["command"] == "/find"
        assert payload["interaction_metadata"]["user"]["username"] == "ann"


async def test_a_form_is_shown_only_in_the_window_that_asked_and_sent_once(
    playground: Playground, bot: Bot
) -> None:
    async with window(playground, "ann") as ann, window(playground, "ann") as other:
        await ann.ask("slash", channel=place(playground), path=["ask"], options={})
        modal = (await ann.op("modal"))["modal"]
        field = modal["components"][0]["component"]["custom_id"]
        values = {field: [str(playground.person("Carol").id)]}
        stolen = await other.ask("submit", modal=modal["token"], values=values)
        assert stolen["error"]["code"] == "refused"
        assert not [f for f in other.frames if f["op"] == "modal"]
        wrong = await ann.ask("submit", modal=modal["token"], values={field: ["1"]})
        assert wrong["error"]["code"] == "refused"
        assert "error" not in await ann.ask("submit", modal=modal["token"], values=values)
        await ann.message("Hello Carol")
        again = await ann.ask("submit", modal=modal["token"], values=values)
        assert again["error"]["message"] == "That form is no longer open."


async def test_requests_a_real_client_would_not_make_are_refused_with_the_reason(
    playground: Playground, bot: Bot
) -> None:
    async with window(playground, "ann") as ann:
        await ann.ask("slash", channel=place(playground), path=["secret"], options={})
        payload = await ann.message("A secret")
        ids = {"channel": place(playground), "message": payload["id"]}
        disabled = await ann.ask("press", custom_id="never", **ids)
        absent = await ann.ask("press", custom_id="other", **ids)
        menu = await ann.ask("choose", custom_id="press", values=["x"], **ids)
        unknown = await ann.ask("slash", channel=place(playground), path=["nothing"], options={})
        missing = await ann.ask(
            "slash", channel=place(playground), path=["find"], options={"word": "x"}
        )
        empty = await ann.ask("say", channel=place(playground), content="   ")
        nowhere = await ann.ask("say", channel="1", content="Hello")
        for answer in (disabled, absent, menu, unknown, missing, empty, nowhere):
            assert answer["error"]["code"] == "refused"
            assert answer["error"]["message"]
        assert "disabled" in disabled["error"]["message"]


async def test_a_bot_that_does_not_answer_fails_after_three_seconds(
    playground: Playground, bot: Bot
) -> None:
    async with window(playground, "ann") as ann:
        ref = await ann.send("slash", channel=place(playground), path=["silent"], options={})
        await playground.world.until(
            lambda event: (event and hasattr(event, "interaction")) or None, what="the command"
        )
        assert isinstance(playground.clock, ManualClock)
        playground.clock.advance(3.1)
        answer = await ann.next(lambda f: f["op"] == "ack" and f["ref"] == ref)
        assert answer["error"] == {
            "code": "failed",
            "message": "The application did not respond",
        }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "{}",
        '{"op": 1, "ref": 1}',
        '{"op": "say", "ref": true}',
        '{"op": "fly", "ref": 1}',
        '{"op": "say", "ref": 1}',
        '{"op": "say", "ref": 1, "channel": 5, "content": "x"}',
        '{"op": "say", "ref": 1, "channel": "٣", "content": "x"}',
        '{"op": "history", "ref": 1, "channel": "5", "limit": -1}',
        '{"op": "slash", "ref": 1, "path": [], "options": {}, "channel": "5"}',
        '{"op": "slash", "ref": 1, "path": "find", "options": {}, "channel": "5"}',
        '{"op": "submit", "ref": 1, "modal": {}, "values": {}}',
    ],
)
async def test_an_invalid_frame_is_answered_and_the_window_continues(
    playground: Playground, text: str
) -> None:
    async with window(playground, "ann") as ann:
        await ann.op("hello")
        await ann.socket.send_str(text)
        answer = await ann.op("ack")
        assert answer["error"]["code"] in {"protocol", "refused"}
        assert answer["error"]["message"]
        assert "error" not in await ann.ask("say", channel=place(playground), content="Still here")


# Access


@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", "https://{}"],
)
async def test_a_websocket_from_outside_the_page_is_refused(
    playground: Playground, origin: str | None
) -> None:
    own = playground.url.removeprefix("http://")
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(
                f"{playground.url}/page/ws?as=ann", origin=origin.format(own) if origin else None
            )
    assert refused.value.status == 403


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/page/main.js", "/page/people", "/page/ws?as=ann"),
        *("/api/v10/gateway", "/api/v10/no/such/route", "/gateway/", "/cdn/embed/avatars/0.png"),
    ],
)
async def test_requests_under_another_host_name_are_refused(
    playground: Playground, path: str
) -> None:
    foreign = {"Host": "evil.example", "Origin": "http://evil.example"}
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    headers = foreign | upgrade if "ws" in path or "/gateway/" in path else foreign
    async with (
        aiohttp.ClientSession() as session,
        session.get(playground.url + path, headers=headers) as answer,
    ):
        assert answer.status == 403


async def test_the_page_has_no_inline_code_and_loads_nothing_from_elsewhere(
    playground: Playground,
) -> None:
    async with aiohttp.ClientSession() as session:
        async with session.get(playground.url + "/?as=ann") as answer:
            page = await answer.text()
            policy = answer.headers["Content-Security-Policy"]
        names = sorted(path.name for path in FOLDER.iterdir())
        for name in names:
            async with session.get(f"{playground.url}/page/{name}") as answer:
                assert answer.status == 200
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert "unsafe" not in answer.headers["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == "'self'"
    assert "unsafe" not in policy
    assert "style=" not in page
    assert "<style" not in page
    assert not re.search(r"\son\w+=", page)


@pytest.mark.parametrize("name", ["..%2fweb.py", "%2e%2e/web.py", "nothing.js", ".", "web.py"])
async def test_only_files_of_the_page_are_served(playground: Playground, name: str) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{playground.url}/page/{name}") as answer,
    ):
        assert answer.status == 404


async def test_a_file_sent_by_the_bot_is_sandboxed(playground: Playground, bot: Bot) -> None:
    channel = bot.get_channel(playground.channel("games").id)
    assert isinstance(channel, discord.TextChannel)
    sent = await channel.send(file=discord.File(io.BytesIO(b"<script></script>"), "x.html"))
    async with (
        aiohttp.ClientSession() as session,
        session.get(sent.attachments[0].url) as answer,
    ):
        assert "sandbox" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


# Files


async def test_the_bot_can_fetch_an_attached_file(playground: Playground, bot: Bot) -> None:
    data = base64.b64encode("ä\0\n".encode()).decode()
    file = {"name": "my file.txt", "type": "text/plain", "data": data}
    async with window(playground, "ann") as one:
        answer = await one.ask(
            "slash", channel=place(playground), path=["hand"], options={"file": file}
        )
        assert "error" not in answer
        payload = await one.message("my file.txt")
    assert "my file.txt 4 b'\\xc3\\xa4\\x00\\n'" in payload["content"]
    (address,) = [
        f"{playground.cdn_url}/ephemeral-attachments/{bot.application_id}/{number}"
        for number in playground.world.uploads
    ]
    async with aiohttp.ClientSession() as session:
        assert (await session.get(f"{address}/my%20file.txt")).status == 200
        assert (await session.get(f"{address}/other.txt")).status == 404


@pytest.mark.parametrize(
    "file",
    [
        "my file.txt",
        {"name": "a.txt", "type": "text/plain"},
        {"name": "", "type": "", "data": ""},
        {"name": "a.txt", "type": "text/plain", "data": "no base64!"},
    ],
)
async def test_an_invalid_file_is_not_attached(
    playground: Playground, bot: Bot, file: object
) -> None:
    async with window(playground, "ann") as one:
        answer = await one.ask(
            "slash", channel=place(playground), path=["hand"], options={"file": file}
        )
    assert answer["error"]["code"] == "protocol"
    assert not playground.world.uploads
