"""``/match export`` and ``import``."""

from __future__ import annotations

from typing import Annotated, Final

import discord

from bot.core.errors import BadImport
from bot.core.i18n.mentions import slash
from bot.core.interactions.commands import Option, command, fetched
from bot.core.interactions.components import Component, action_row, text_display
from bot.core.interactions.layout import Layout, saved
from bot.core.interactions.progress import ProgressMessage, bar
from bot.core.interactions.reply import Reply
from bot.features.analysis.buttons import AnalysisButton
from bot.features.analysis.service import result
from bot.features.records.import_export import MAX_BYTES, ImportExport
from bot.features.replays import buttons
from bot.play.controls.lookup import NUMBER, chosen_name, suggest_names
from bot.play.replays.replay import Replay, Replays
from data.puzzles import imported_records
from engine.phrase import lines, plural, say

_MAX_PASTED: Final = 6000
"""Characters of a pasted record, as many as Discord takes."""


@command("match export", say("Save a game as a text file"))
async def export(
    reply: Reply,
    number: Annotated[str | None, Option(NUMBER, suggest=suggest_names)] = None,
    people: Annotated[  # noqa: FBT002 -- an option of the command
        bool,
        Option(say("With the players' user ids (seats only if empty)")),
    ] = False,
) -> None:
    """Send the record of a match."""
    replay = await buttons.found(reply, await chosen_name(reply, number))
    written = await reply.get(ImportExport).export(replay, people=people)
    filename = f"match-{replay.name}.txt"
    words = plural(
        "The record of {name}, {n} move. To look at it again, here or on another server, use "
        "`{command}`.",
        "The record of {name}, {n} moves. To look at it again, here or on another server, use "
        "`{command}`.",
        len(replay.turns),
        command=slash("match", "import"),
        name=replay.name if replay.imported else say("match #{number}", number=replay.name),
    )
    if replay.game.has_luck:
        words = lines((words, say("-# `python -m engine verify` checks its throws.")))
    await reply.send(Layout(text_display(words), saved(filename, written.encode())))


@command("match import", say("Import a saved game to replay and analyse it"))
async def import_record(
    reply: Reply,
    file: Annotated[
        discord.Attachment | None,
        Option(say("Text file from /match export")),
    ] = None,
    text: Annotated[
        str | None,
        Option(say("The record as text (if you have no file)"), maximum=_MAX_PASTED),
    ] = None,
) -> None:
    """Store a record and show it."""
    raw = await _given(file, text)
    records = reply.get(ImportExport)
    message = ProgressMessage(
        reply,
        lambda: bar(say("Checking the record …"), records.progress(reply.user_id)),
        public=False,
    )
    imported = await message.wait(records.add(reply.user_id, raw))
    if imported is None:
        return
    replay = await reply.get(Replays).of_import(imported.number, reply.user_id)
    words = [say("Imported as **{name}**.", name=replay.name), imported.luck]
    if imported.dropped:
        words.append(
            plural(
                "You can keep {most}, so your oldest record was removed.",
                "You can keep {most}, so your {n} oldest records were removed.",
                imported.dropped,
                most=imported_records.MAX_KEPT,
            )
        )
    at = replay.plies
    parts = await buttons.still(reply, replay, at)
    parts += [text_display(lines(words)), action_row(*_after_import(replay))]
    await message.finish(Layout(*parts))


def _after_import(replay: Replay) -> list[Component]:
    opened = [
        buttons.ReplayButton(replay.name).component(say("Replay"), style="primary"),
        buttons.AnimationButton(replay.name).component(say("Show as GIF")),
    ]
    if result(replay.position) is not None:
        opened.insert(1, AnalysisButton(replay.name).component(say("Analysis")))
    return opened


async def _given(file: discord.Attachment | None, text: str | None) -> bytes:
    """Return the record to import; raise BadImport if it is missing, or given twice."""
    content = None
    if file is None and text is not None:
        content = text.encode("utf-8", "replace")
    elif file is not None and text is None:
        content = await fetched(file, maximum=MAX_BYTES)
    if content is None:
        raise BadImport(
            say(
                "Attach a record as a file, or paste it as text. To get one, use `{command}`.",
                command=slash("match", "export"),
            )
        )
    return content
