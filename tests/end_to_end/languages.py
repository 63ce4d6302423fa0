"""Play in any language, and the words that came from no catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.core.i18n.locales import Locales
from bot.features.leaderboards.text import LETTERS
from engine import registry
from playground.model import Message
from playground.people import Person
from playground.reply import Reply
from tests.end_to_end.harness import Environment
from tests.pseudolocale import PseudoLocale
from tests.words.reading import untranslated_words

FOREIGN = "ko"
"""A Discord locale without a translation; the bracketed language stands in for it."""


GAMES = sorted(registry.games())


TEXT_INPUT = 4


_SAID = {"content", "label", "description", "placeholder", "title"}


def texts_in(body: Any) -> Iterator[str]:
    """Yield all human-readable words of a request."""
    if isinstance(body, dict):
        for name, value in body.items():
            if name in _SAID and isinstance(value, str):
                yield value
            elif name == "choices":
                yield from (choice["name"] for choice in value)
            else:
                yield from texts_in(value)
    elif isinstance(body, list):
        for value in body:
            yield from texts_in(value)


def sent_texts(env: Environment) -> list[str]:
    return [
        words
        for request in env.playground.requests
        if "/commands" not in request.route
        for words in texts_in(request.json)
    ]


def untranslated(env: Environment) -> dict[str, list[str]]:
    """Return texts that came from no catalogue, with the offending words."""
    found = {words: untranslated_words(words, KNOWN) for words in sent_texts(env)}
    return {words: left for words, left in found.items() if left}


KNOWN = frozenset(
    {
        *("python", "engine", "verify", "FILE"),  # how to check a seed
        *("in", "off", "twins", "a1", "m"),  # notation of moves
        *("nonsense", "none", "x"),  # typed by people
        *LETTERS,  # before players without a rank
        "Game",  # how a record begins
        "½",  # of a point
        *("UTC", "Europe", "Stockholm"),
        *("Ann", "Ben", "Carol", "Dan"),  # names in the description of a picture
        *("Deutsch", "English", "Français", "Svenska", "한국어", "ह", "न", "द"),
    }
)
"""Words in no catalogue, as they are the same in all languages."""


def boards(env: Environment) -> list[Message]:
    """Return the messages with boards, oldest first."""
    found = [
        message
        for channel in env.world.channels.values()
        for message in channel.messages.values()
        if not message.deleted and not message.ephemeral and message.picture is not None
    ]
    return sorted(found, key=lambda message: message.id)


async def mover(env: Environment, number: int = 1) -> Person:
    position = await env.position(number)
    assert position.to_move is not None
    return env.person(position.to_move.user_id)


async def show_pseudo_locale(env: Environment) -> None:
    """Switch everyone, and the server, to the bracketed language."""
    env.guild.locale = FOREIGN
    for person in env.people:
        person.locale = FOREIGN
    await env.start()
    env.app.get(Locales).add(FOREIGN, PseudoLocale())


async def begin_in_any_language(env: Environment, slug: str) -> Message:
    offered = await env.challenge(slug)
    accept = next(b for b in offered.shown.buttons if (b.custom_id or "").endswith(":accept"))
    refused = await env.carol.press(offered.shown, custom_id=accept.custom_id)
    assert refused.ephemeral
    await env.done(env.ben.press(offered.shown, custom_id=accept.custom_id))
    return boards(env)[-1]


async def press_everything(env: Environment, person: Person, reply: Reply) -> None:
    """Press every button and choose the first entry of every menu of an answer."""
    message = reply.message
    if message is None:
        return
    wanted = [button.custom_id for button in message.buttons if button.custom_id]
    for custom_id in wanted:
        shown = next((b for b in message.buttons if b.custom_id == custom_id), None)
        if shown is None or shown.disabled or message.deleted:
            continue
        answered = await person.press(message, custom_id=custom_id)
        if answered.modal is not None:
            filled = {
                field.custom_id: "x" for field in answered.modal.fields if field.type == TEXT_INPUT
            }
            await person.submit(answered.modal, filled)
    for place in range(len(message.menus)):
        if place < len(message.menus) and message.menus[place].options:
            await person.choose(message, message.menus[place].options[0].value, menu=place)
    await env.settled()
