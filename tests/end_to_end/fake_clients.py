"""What a fake client may send, and the commands there are to send it to."""

from __future__ import annotations

from typing import Any

from bot.core.interactions.dispatch import UNEXPECTED
from engine import registry
from playground import command_picker
from playground.command_picker import SlashCommand
from playground.errors import JSON
from playground.interaction import InteractionType
from playground.people import Person
from playground.reply import Reply
from playground.uploads import Upload
from tests.end_to_end.harness import Environment


async def sent(
    env: Environment, person: Person, kind: InteractionType, data: JSON, on: Reply | None = None
) -> Reply:
    """Send an interaction as a fake client would; check its answer."""
    reply = person._interact(
        kind,
        env.channel(),
        data,
        message=None if on is None else on.message,
        trigger=on.interaction if on is not None and kind is InteractionType.MODAL else None,
    )
    await reply
    texts = [reply.text, *(one.text for one in reply.interaction.followups)]
    assert UNEXPECTED not in " ".join(texts), data
    assert env.error_log.lines == [], data
    return reply


def offered(env: Environment) -> list[SlashCommand]:
    """Return every slash command; of games' commands, all made alike, those with most options."""
    place = env.channel()
    found: dict[tuple[str, ...], SlashCommand] = {}
    for command in command_picker.slash_commands(env.world, env.ann.user, place):
        root, *words = (word["name"] for word in command.words)
        key = ("game" if root in registry.games() else root, *words)
        if key not in found or len(found[key].options) < len(command.options):
            found[key] = command
    return list(found.values())


def usual(env: Environment, option: JSON) -> Any:
    """Return what an option is given where another is tried."""
    if option.get("choices"):
        return option["choices"][0]["value"]
    file = Upload("file.txt", "text/plain", b"1")
    return {3: "1", 4: option.get("min_value", 1), 5: True, 6: env.ben, 11: file}[option["type"]]
