"""``/match replay``, ``gif``, ``board``, ``export`` and ``import``, and ``/<game> since``."""

from __future__ import annotations

from typing import Annotated

import discord

from bot.analysis.buttons import AnalysisButton
from bot.analysis.service import result
from bot.errors import BadImport, NoSuchMatch
from bot.i18n.slash import slash
from bot.interactions.commands import Option, command, game_command
from bot.interactions.components import text_display
from bot.interactions.layout import Layout, Upload, text_layout
from bot.interactions.reply import Reply
from bot.matches.lookup import ChosenMatch, pick, suggest_names
from bot.replays import buttons, since_buttons
from bot.replays.import_export import MAX_BYTES, ImportExport, too_large
from bot.replays.service import Replays
from data import imported_records
from engine.phrase import lines, plural, say
from engine.registry import AnyGame

NUMBER = say("The number of the match, such as 12, or i3 for a record that you brought along")


@command("match replay", say("Step through a match, from beginning to end"))
async def replay(
    reply: Reply,
    number: Annotated[str, Option(NUMBER, suggest=suggest_names)],
    ply: Annotated[
        int | None, Option(say("Where to begin: after so many entries"), minimum=0)
    ] = None,
) -> None:
    """Show a viewer of a match."""
    found = await buttons.found(reply, number)
    await buttons.show(reply, found, found.plies if ply is None else ply, new=True)


@command("match gif", say("See a whole match as a GIF"))
async def gif(reply: Reply, number: Annotated[str, Option(NUMBER, suggest=suggest_names)]) -> None:
    """Show a whole match as an animation."""
    await buttons.show_whole(reply, await buttons.found(reply, number))


@command("match board", say("See a match at any turn, as a picture or as text"))
async def board(
    reply: Reply,
    number: Annotated[str, Option(NUMBER, suggest=suggest_names)],
    shown: Annotated[
        str,
        Option(
            say("A picture, or text for a screen reader"),
            name="as",
            choices={"picture": say("picture"), "text": say("text")},
        ),
    ] = "picture",
    ply: Annotated[
        int | None,
        Option(say("After so many entries; without it as it stands"), minimum=0),
    ] = None,
) -> None:
    """Show one position of a match."""
    found = await buttons.found(reply, number)
    at = found.plies if ply is None else ply
    if at > found.plies:
        raise NoSuchMatch(
            say(
                "Match {name} has no more than {plies} entries.",
                name=found.name,
                plies=found.plies,
            )
        )
    if shown == "picture":
        file = await buttons.painted(reply, found, at)
        await reply.tell(Layout(*buttons.still(found, at)), files=[file])
        return
    scene = found.scene(at)
    drawn = "\n".join(line.rstrip() for line in scene.text.splitlines())
    parts = (
        found.heading(),
        lines(["```", drawn, "```"]),
        scene.alt,
        buttons.caption(found, at),
    )
    await reply.tell(Layout(*map(text_display, parts)))


@command("match export", say("Get a match as a text that people and programs read"))
async def export(
    reply: Reply,
    number: Annotated[str, Option(NUMBER, suggest=suggest_names)],
    people: Annotated[  # noqa: FBT002 -- an option of the command
        bool,
        Option(
            say("Whether the record tells the user ids of the players; without it only their seats")
        ),
    ] = False,
) -> None:
    """Send the record of a match."""
    found = await buttons.found(reply, number)
    written = await reply.get(ImportExport).export(found, people=people)
    filename = f"match-{found.name}.txt"
    words = say(
        "The record of {name}: {plies} entries in {turns} turns. `{command}` shows it again, "
        "here or elsewhere, and `python -m engine verify` checks its luck.",
        command=slash("match", "import"),
        name=found.name if found.imported else say("match #{number}", number=found.name),
        plies=found.plies,
        turns=len(found.turns),
    )
    upload = Upload(filename, written.encode())
    await reply.tell(text_layout(words, attached=filename), files=[upload])


@command("match import", say("Look at a record of a match that you bring along"))
async def import_record(
    reply: Reply,
    file: Annotated[
        discord.Attachment | None,
        Option(say("A text file with a record, as /match export writes it")),
    ] = None,
    text: Annotated[str | None, Option(say("The record itself, where there is no file"))] = None,
) -> None:
    """Store a record and show it."""
    raw = await _given(file, text)
    imported = await reply.get(ImportExport).add(reply.user_id, raw)
    found = await reply.get(Replays).of_import(imported.number, reply.user_id)
    words = [say("This is your record **{name}** now.", name=found.name), imported.luck]
    if imported.dropped:
        words.append(
            plural(
                "Your oldest record made room for it: you can keep {most}.",
                "Your {n} oldest records made room for it: you can keep {most}.",
                imported.dropped,
                most=imported_records.MOST,
            )
        )
    await buttons.show(reply, found, 0, new=True)
    analysis = [AnalysisButton(found.name).component(say("Analysis"))]
    await reply.tell(
        text_layout(lines(words), *(analysis if result(found.view) is not None else [])),
        public=False,
    )


@game_command("since", say("See what happened since your last turn"))
async def since(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Show what happened since a player's last turn."""
    await since_buttons.show(reply, await pick(reply, game.slug, match, my_turn=True))


async def _given(file: discord.Attachment | None, text: str | None) -> bytes:
    """Return the record to import; raise BadImport if it is missing, given twice or too large."""
    if (file is None) == (text is None):
        raise _nothing_given()
    if file is None:
        return (text or "").encode("utf-8", "replace")
    if file.size > MAX_BYTES:
        raise too_large()
    try:
        return await file.read()
    except discord.HTTPException as error:
        raise _nothing_given() from error


def _nothing_given() -> BadImport:
    return BadImport(
        say(
            "Attach a record as a file, or paste it as text. `{command}` gives you a record.",
            command=slash("match", "export"),
        )
    )
