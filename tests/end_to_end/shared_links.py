"""Links that show a finished game: how people make them, and a stranger who opens them."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import aiohttp
from yarl import URL

from bot.core.interactions.components import BUTTON, STRING_SELECT
from playground.interaction import InteractionType
from playground.model import Message
from playground.people import Person
from playground.reply import Reply
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import SLUG, begin_and_play, finish


class Visitor:
    """Somebody with a browser, who is nobody here."""

    def __init__(self, http: aiohttp.ClientSession) -> None:
        self.http = http

    async def get(
        self, address: str | URL, *, method: str = "GET", language: str = ""
    ) -> tuple[int, str, Any]:
        """Ask for an address; return status, body and headers."""
        headers = {"Accept-Language": language} if language else {}
        async with self.http.request(method, address, headers=headers) as answer:
            body = await answer.read()
            text = body.decode() if answer.content_type != "image/png" else body.hex()
            return answer.status, text, answer.headers

    async def page(self, address: str | URL, language: str = "") -> str:
        """Return a page that is there."""
        status, text, _ = await self.get(address, language=language)
        assert status == HTTPStatus.OK, text
        return text


async def offered(person: Person, channel: str = "games", number: str = "1") -> Message:
    """Return what *Share a link* asks below a replay."""
    replay = (await person.slash("/match replay", channel=channel, number=number)).shown
    return (await person.press(replay, "Share a link")).shown


async def made(env: Environment, person: Person, channel: str = "games") -> URL:
    """Make a link to the first match, from the end of its replay."""
    question = await offered(person, channel)
    answer = (await env.done(person.press(question, "Make a link"))).shown
    (found,) = [one.url for one in answer.buttons if one.url]
    assert found in answer.text
    return URL(str(found))


async def finished(env: Environment, slug: str = SLUG) -> None:
    """Play and finish a match of Ann and Ben."""
    await begin_and_play(env, slug)
    await finish(env, env.ann, slug)


async def forged(
    env: Environment, person: Person, custom_id: str, *values: str, channel: str = "games"
) -> Reply:
    """Press a button, or choose from a menu, that no message has."""
    data: dict[str, Any] = {"custom_id": custom_id, "id": 1, "component_type": BUTTON}
    if values:
        data |= {"component_type": STRING_SELECT, "values": list(values)}
    on = (await person.slash("/help", channel=channel)).message
    reply = person._interact(InteractionType.COMPONENT, env.channel(channel), data, message=on)
    await reply
    return reply
