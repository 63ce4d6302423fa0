"""Discord's side of the embedded protocol, through a window of the chat page."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from playground.activities.oauth2 import OAuth2Error
from playground.app import Playground
from playground.chat.page import attach
from playground.clock import ManualClock
from playground.commands import APP_HANDLER
from playground.events import InteractionCreated
from playground.interaction import Interaction
from playground.limits.problems import Problems
from playground.people import Person
from tests.playground.chat_window import JSON, Window, window

DENIED = (
    "OAuth2 Error: access_denied: The resource owner or authorization server denied the request"
)
NO_SCOPE = "OAuth2 Error: invalid_scope: The requested scope is invalid, unknown, or malformed."
FORBIDDEN = {"code": 4006, "message": "Not authenticated or invalid scope"}


class Embedded:
    """An Activity in a window."""

    def __init__(self, playground: Playground, one: Window, opened: JSON) -> None:
        self.playground = playground
        self.window = one
        self.opened = opened
        self.client_id = str(playground.world.application.id)
        self._nonces = (f"n{number}" for number in itertools.count(1))

    @property
    def frame(self) -> str:
        """The frame's id."""
        return str(self.opened["frame"])

    async def post(self, *message: Any) -> JSON:
        """Send a message as it is."""
        return await self.window.ask("embedded", frame=self.frame, message=list(message))

    async def heard(self) -> list[Any]:
        """Return the next message."""
        frame = await self.window.op("embedded")
        assert frame["frame"] == self.frame
        return list(frame["message"])

    async def handshake(self, **other: Any) -> list[Any]:
        """Begin, and return the answer."""
        told = {"v": 1, "encoding": "json", "client_id": self.client_id, "frame_id": self.frame}
        await self.post(0, {**told, **other})
        return await self.heard()

    async def send(self, cmd: str, args: Any = None, **more: Any) -> str:
        """Send a command, and return its nonce."""
        nonce = next(self._nonces)
        await self.post(1, {"cmd": cmd, "args": args, "nonce": nonce, **more})
        return nonce

    async def command(self, cmd: str, args: Any = None, **more: Any) -> JSON:
        """Send a command, and return the data of its answer, or of its error."""
        nonce = await self.send(cmd, args, **more)
        [opcode, answer] = await self.heard()
        assert (opcode, answer["nonce"], answer["cmd"]) == (1, nonce, cmd)
        assert answer["evt"] in {None, "ERROR"}
        return {} if answer["data"] is None else dict(answer["data"])

    async def question(self) -> JSON:
        """Return what the person is asked."""
        return dict((await self.window.op("question"))["question"])

    async def decide(self, nonce: str, *, yes: bool) -> JSON:
        """Answer a question."""
        return await self.window.ask("decide", frame=self.frame, nonce=nonce, yes=yes)

    async def authorize(self, **other: Any) -> str:
        """Ask to know who it is."""
        args = {"client_id": self.client_id, "response_type": "code", "scope": ["identify"]}
        return await self.send("AUTHORIZE", {**args, **other})

    def token(self, code: str) -> str:
        """Exchange a code, as the application's server does."""
        application = self.playground.world.application
        client = (str(application.id), application.client_secret)
        form = {"grant_type": "authorization_code", "code": code}
        return str(self.playground.oauth2.exchange(form, client)["access_token"])

    async def sign_in(self, *scopes: str, person: Person | None = None) -> JSON:
        """Authenticate with a token for some scopes."""
        whose = person or self.playground.person("Ann")
        token = self.token(self.playground.oauth2.code(whose.user, scopes or ["identify"]))
        return await self.command("AUTHENTICATE", {"access_token": token})


@pytest.fixture
async def playground() -> AsyncIterator[Playground]:
    async with Playground(clock=ManualClock(), attach=[attach]) as one:
        one.enable_activities("http://127.0.0.1:1")
        yield one


@asynccontextmanager
async def opened(
    playground: Playground, person: str = "ann", place: str = "games"
) -> AsyncIterator[Embedded]:
    """Launch the Activity in a window of its own."""
    async with window(playground, person) as one:
        channel = str(playground.channel(place).id)
        answer = await one.ask("slash", channel=channel, path=["launch"], options={})
        assert "error" not in answer
        yield Embedded(playground, one, await one.op("activity"))


@pytest.fixture
async def activity(playground: Playground) -> AsyncIterator[Embedded]:
    """Ann's Activity, which has been told READY."""
    async with opened(playground) as one:
        [opcode, ready] = await one.handshake()
        assert (opcode, ready["evt"]) == (1, "READY")
        yield one


async def test_launching_opens_a_frame_that_is_told_where_it_is(playground: Playground) -> None:
    async with opened(playground) as one:
        frame = one.opened
        assert frame["host"] == f"{playground.world.application.id}.localhost"
        assert frame["name"] == playground.world.application.name
        assert frame["query"]["frame_id"] == one.frame
        assert frame["query"]["channel_id"] == str(playground.channel("games").id)


async def test_a_right_handshake_is_told_ready(playground: Playground) -> None:
    async with opened(playground) as one:
        [opcode, ready] = await one.handshake(sdk_version="2.5.0")
        assert opcode == 1
        assert (ready["cmd"], ready["evt"], ready["nonce"]) == ("DISPATCH", "READY", None)
        assert ready["data"]["v"] == 1
        assert ready["data"]["config"]["api_endpoint"] == f"//127.0.0.1:{playground.port}/api"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"client_id": "1"}, 4000),
        ({"frame_id": "another"}, 4001),
        ({"v": 2}, 4004),
        ({"encoding": "etf"}, 4005),
    ],
)
async def test_a_wrong_handshake_is_closed_and_no_command_follows_it(
    playground: Playground, wrong: JSON, code: int
) -> None:
    async with opened(playground) as one:
        [opcode, refusal] = await one.handshake(**wrong)
        assert (opcode, refusal["code"]) == (2, code)
        await one.send("ENCOURAGE_HW_ACCELERATION")
        assert (await one.handshake())[1]["evt"] == "READY", "and nothing was heard before"


async def test_the_person_is_asked_once_for_what_they_allow(activity: Embedded) -> None:
    nonce = await activity.authorize(prompt="none")
    question = await activity.question()
    assert question == {"nonce": nonce, "kind": "authorize", "scopes": ["identify"]}
    await activity.decide(nonce, yes=True)
    [_, answer] = await activity.heard()
    assert activity.token(answer["data"]["code"])
    with pytest.raises(OAuth2Error):
        activity.token(answer["data"]["code"])
    await activity.authorize(prompt="none")
    assert "code" in (await activity.heard())[1]["data"], "known already"
    await activity.authorize(prompt="none", scope=["identify", "guilds"])
    assert (await activity.question())["scopes"] == ["identify", "guilds"], "more is asked again"
    await activity.authorize()
    assert await activity.question(), "without a prompt of none, too"


async def test_who_says_no_gives_no_code(activity: Embedded) -> None:
    nonce = await activity.authorize(prompt="none")
    await activity.question()
    await activity.decide(nonce, yes=False)
    [_, answer] = await activity.heard()
    assert (answer["evt"], answer["data"]) == ("ERROR", {"code": 5000, "message": DENIED})
    await activity.decide(nonce, yes=True)
    await activity.decide("made-up", yes=True)
    assert (await activity.command("ENCOURAGE_HW_ACCELERATION")) == {"enabled": True}, (
        "no code came"
    )


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"client_id": "1"}, {"code": 4007, "message": "Invalid Client ID"}),
        ({"scope": ["rpc"]}, {"code": 5000, "message": NO_SCOPE}),
        ({"scope": []}, {"code": 5000, "message": NO_SCOPE}),
        ({"scope": 7}, {"code": 5000, "message": NO_SCOPE}),
        ({"scope": [["identify"]]}, {"code": 5000, "message": NO_SCOPE}),
        ({"response_type": "token"}, {"code": 4000, "message": "Invalid response_type"}),
    ],
)
async def test_nobody_is_asked_what_no_application_may_ask(
    activity: Embedded, wrong: JSON, error: JSON
) -> None:
    await activity.authorize(**wrong)
    [_, answer] = await activity.heard()
    assert (answer["evt"], answer["data"]) == ("ERROR", error)


async def test_a_token_signs_its_own_person_in_and_nobody_else(activity: Embedded) -> None:
    ann = activity.playground.person("Ann")
    stranger = await activity.sign_in(person=activity.playground.person("Ben"))
    assert stranger == {"code": 4009, "message": "Invalid access token"}
    assert (await activity.command("USER_SETTINGS_GET_LOCALE")) == FORBIDDEN
    answer = await activity.sign_in()
    assert (answer["user"]["id"], answer["scopes"]) == (str(ann.id), ["identify"])
    assert answer["application"]["id"] == activity.client_id
    assert (await activity.command("USER_SETTINGS_GET_LOCALE")) == {"locale": ann.locale}
    await activity.handshake()
    assert (await activity.command("USER_SETTINGS_GET_LOCALE")) == FORBIDDEN, (
        "a new page begins anew"
    )


async def test_commands_need_their_scopes(activity: Embedded) -> None:
    playground = activity.playground
    here = {"channel_id": str(playground.channel("games").id)}
    presence = {"activity": {"details": "Winning"}}
    assert (await activity.command("GET_CHANNEL", here)) == FORBIDDEN
    assert (await activity.command("GET_CHANNEL_PERMISSIONS")) == FORBIDDEN
    assert (await activity.command("SET_ACTIVITY", presence)) == FORBIDDEN
    await activity.sign_in("guilds", "guilds.members.read", "rpc.activities.write")
    assert (await activity.command("GET_CHANNEL", here))["name"] == "games"
    assert int((await activity.command("GET_CHANNEL_PERMISSIONS"))["permissions"])
    assert (await activity.command("SET_ACTIVITY", presence))["details"] == "Winning"


@pytest.mark.parametrize("channel", ["1", "x", None, "9" * 30, [], "hidden"])
async def test_a_channel_that_the_person_cannot_see_is_not_shown(
    activity: Embedded, channel: Any
) -> None:
    playground = activity.playground
    if channel == "hidden":
        others = playground.world.dm_channel(
            playground.person("Ben").user, playground.person("Carol").user
        )
        channel = str(others.id)
    await activity.sign_in("guilds")
    answer = await activity.command("GET_CHANNEL", {"channel_id": channel})
    assert answer == {"code": 4005, "message": "Invalid channel"}


async def test_what_a_small_page_sends_is_answered(
    activity: Embedded, caplog: pytest.LogCaptureFixture
) -> None:
    assert await activity.command("ENCOURAGE_HW_ACCELERATION") == {"enabled": True}
    assert await activity.command("SET_ORIENTATION_LOCK_STATE", {"lock_state": 1}) == {}
    assert await activity.command("GET_PLATFORM_BEHAVIORS") == {"iosKeyboardResizesView": True}
    pip = {"use_interactive_pip": True}
    assert await activity.command("SET_CONFIG", pip) == pip
    with caplog.at_level("INFO"):
        said = {"level": "warn", "message": "x" * 5000}
        assert await activity.command("CAPTURE_LOG", said) == {}
    [line] = [record.getMessage() for record in caplog.records if "Activity says" in record.message]
    assert line == f"the Activity says (warn): {'x' * 2000}"


async def test_the_rest_is_refused(activity: Embedded) -> None:
    for command in ("OPEN_INVITE_DIALOG", "START_PURCHASE", "SELECT_VOICE_CHANNEL", "nonsense"):
        answer = await activity.command(command)
        assert answer == {"code": 4002, "message": f"Invalid command: {command}"}
    assert (await activity.command("GET_CHANNEL", [1]))["code"] == 4000
    await activity.post(1, {"cmd": "GET_CHANNEL"})
    [_, answer] = await activity.heard()
    assert answer["data"] == {"code": 4000, "message": "Payload requires a nonce"}


@pytest.mark.parametrize(
    "noise", [[], [1], [1, None], [1, "x"], [9, {}], ["1", {}], [1, {}, 3], [None, {}], [3, {}]]
)
async def test_noise_is_ignored(activity: Embedded, noise: list[Any]) -> None:
    assert "error" not in await activity.post(*noise)
    assert await activity.command("ENCOURAGE_HW_ACCELERATION") == {"enabled": True}


async def test_who_comes_and_goes_is_told_to_who_asked_for_it(activity: Embedded) -> None:
    event = "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE"
    assert (await activity.command("SUBSCRIBE", evt=event)) == {"evt": event}
    async with opened(activity.playground, "ben") as other:
        assert other.opened["query"]["instance_id"] == activity.opened["query"]["instance_id"]
        [_, told] = await activity.heard()
        assert (told["cmd"], told["evt"]) == ("DISPATCH", event)
        assert [p["global_name"] for p in told["data"]["participants"]] == ["Ann", "Ben"]
        known = await activity.command("GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS")
        assert known == told["data"]
    [_, told] = await activity.heard()
    assert [p["global_name"] for p in told["data"]["participants"]] == ["Ann"], (
        "Ben's window closed"
    )
    assert (await activity.command("UNSUBSCRIBE", evt=event)) == {"evt": event}
    async with opened(activity.playground, "carol"):
        assert await activity.command("ENCOURAGE_HW_ACCELERATION") == {"enabled": True}


async def test_the_layout_is_told_at_once_and_unknown_or_foreign_events_never(
    activity: Embedded,
) -> None:
    layout = "ACTIVITY_LAYOUT_MODE_UPDATE"
    assert await activity.command("SUBSCRIBE", evt=layout) == {"evt": layout}
    [_, told] = await activity.heard()
    assert (told["evt"], told["data"]) == (layout, {"layout_mode": 0})
    assert (await activity.command("SUBSCRIBE", evt="SPEAKING_START"))["code"] == 4004
    assert (await activity.command("SUBSCRIBE"))["code"] == 4004
    assert (await activity.command("SUBSCRIBE", evt="CURRENT_USER_UPDATE")) == FORBIDDEN


async def test_links_are_opened_by_the_person(activity: Embedded) -> None:
    for url in ("javascript:alert(1)", "file:///etc/passwd", 7, None):
        assert (await activity.command("OPEN_EXTERNAL_LINK", {"url": url}))["code"] == 4000
    for yes in (True, False):
        nonce = await activity.send("OPEN_EXTERNAL_LINK", {"url": "https://example.org/"})
        assert (await activity.question())["url"] == "https://example.org/"
        await activity.decide(nonce, yes=yes)
        assert (await activity.heard())[1]["data"] == {"opened": yes}


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ({"code": 1000, "message": "Bye"}, None),
        ({"code": 1006, "message": "It broke"}, "It broke"),
        ({"code": 1006}, None),
        ({"message": 7}, None),
    ],
)
async def test_the_activity_can_end_itself(
    activity: Embedded, said: JSON, shown: str | None
) -> None:
    answer = await activity.post(2, said)
    assert "error" not in answer
    over = await activity.window.op("activity_over")
    assert (over["frame"], over["message"]) == (activity.frame, shown)
    assert (await activity.post(1, {}))["error"]["code"] == "refused"


async def test_who_leaves_is_no_longer_in_it(activity: Embedded) -> None:
    activities = activity.playground.activities
    instance = activities.instance(activity.opened["query"]["instance_id"])
    answer = await activity.window.ask("leave_activity", frame="another")
    assert answer["error"]["code"] == "refused"
    assert "error" not in await activity.window.ask("leave_activity", frame=activity.frame)
    assert instance.users == []


async def test_who_closes_the_window_before_it_opens_is_not_in_it(playground: Playground) -> None:
    asked: list[Interaction] = []
    playground.world.subscribe(
        lambda e: asked.append(e.interaction) if isinstance(e, InteractionCreated) else None
    )
    [entry] = playground.world.commands.registered(None).values()
    entry.data["handler"] = APP_HANDLER
    async with window(playground, "ann") as one:
        place = str(playground.channel("games").id)
        await one.send("slash", channel=place, path=["launch"], options={})
        await one.ask("history", channel=place)
        assert asked, "it was sent before the history was asked for"
    async with window(playground, "ben") as later:
        await later.op("hello")
    [interaction] = asked
    playground.interactions.respond(interaction, {"type": 12}, {}, Problems())
    assert interaction.frame is not None
    instance = interaction.frame.instance
    await playground.world.until(
        lambda _: instance if not instance.users else None, what="the last to leave"
    )


async def test_a_window_shows_one_activity(activity: Embedded) -> None:
    place = str(activity.playground.channel("general").id)
    first = activity.playground.activities.instance(activity.opened["query"]["instance_id"])
    await activity.window.ask("slash", channel=place, path=["launch"], options={})
    again = await activity.window.op("activity")
    assert again["query"]["channel_id"] == place
    assert first.users == []
    assert (await activity.post(1, {}))["error"]["code"] == "refused", "the first is over"


async def test_another_window_cannot_speak_for_the_activity(activity: Embedded) -> None:
    async with window(activity.playground, "ann") as other:
        message = [1, {"cmd": "ENCOURAGE_HW_ACCELERATION", "nonce": "1"}]
        answer = await other.ask("embedded", frame=activity.frame, message=message)
        assert answer["error"]["code"] == "refused"
        answer = await other.ask("decide", frame=activity.frame, nonce="1", yes=True)
        assert answer["error"]["code"] == "refused"


@pytest.mark.parametrize(
    ("op", "fields"),
    [
        ("embedded", {"message": {}}),
        ("embedded", {}),
        ("decide", {"nonce": 1, "yes": True}),
        ("decide", {"nonce": "1", "yes": "true"}),
    ],
)
async def test_malformed_requests_are_refused(activity: Embedded, op: str, fields: JSON) -> None:
    answer = await activity.window.ask(op, frame=activity.frame, **fields)
    assert answer["error"]["code"] == "protocol", json.dumps(answer)
