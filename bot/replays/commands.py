"""``/match replay``, ``gif``, ``board``, ``export`` and ``import``: looking back at matches."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
from discord import app_commands, ui

from bot.analysis.analyzer import result
from bot.analysis.buttons import AnalysisButton
from bot.errors import BadImport, NoSuchMatch
from bot.i18n.slash import slash
from bot.interactions import layouts
from bot.interactions.commands import completing, run
from bot.matches.lookup import suggest_names
from bot.replays import buttons as replay_view
from bot.replays.import_export import MOST_BYTES, exported, too_large
from bot.replays.service import turn_ends
from data import imports
from engine.phrase import lines, plural, say

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply

    Command = app_commands.Command[Any, Any, None]

NUMBER = say("The number of the match, such as 12, or i3 for a record that you brought along")


def look_commands() -> list[Command]:
    """Return the commands that look back at a match."""
    return [_replay(), _gif(), _board(), _export(), _import()]


def _replay() -> Command:
    @app_commands.describe(number=NUMBER, ply=say("Where to begin: after so many entries"))
    async def replay(
        interaction: discord.Interaction[Bot],
        number: str,
        ply: app_commands.Range[int, 0] | None = None,
    ) -> None:
        async def work(answer: Reply) -> None:
            client = interaction.client
            reel = await replay_view.found(answer, client, number)
            start = reel.plies if ply is None else ply
            await replay_view.show(answer, client, reel, start, new=True)

        await run(interaction, work)

    return _made("replay", say("Step through a match, from beginning to end"), replay)


def _gif() -> Command:
    @app_commands.describe(number=NUMBER)
    async def gif(interaction: discord.Interaction[Bot], number: str) -> None:
        async def work(answer: Reply) -> None:
            reel = await replay_view.found(answer, interaction.client, number)
            await replay_view.film(answer, interaction.client, reel)

        await run(interaction, work)

    return _made("gif", say("See a whole match as a GIF"), gif)


def _board() -> Command:
    @app_commands.describe(
        number=NUMBER,
        shown=say("A picture, or text for a screen reader"),
        ply=say("After so many entries; without it as it stands"),
    )
    @app_commands.rename(shown="as")
    @app_commands.choices(
        shown=[
            app_commands.Choice(name=say("picture"), value="picture"),
            app_commands.Choice(name=say("text"), value="text"),
        ]
    )
    async def board(
        interaction: discord.Interaction[Bot],
        number: str,
        shown: str = "picture",
        ply: app_commands.Range[int, 0] | None = None,
    ) -> None:
        async def work(answer: Reply) -> None:
            client = interaction.client
            reel = await replay_view.found(answer, client, number)
            if ply is not None and ply > reel.plies:
                raise NoSuchMatch(
                    say(
                        "Match {name} has no more than {plies} entries.",
                        name=reel.name,
                        plies=reel.plies,
                    )
                )
            at = reel.plies if ply is None else ply
            if shown == "picture":
                file = await replay_view.picture(answer, client, reel, at)
                await answer.tell(layouts.Message(*replay_view.still(reel, at)), files=[file])
                return
            scene = reel.scene(at)
            drawn = "\n".join(line.rstrip() for line in scene.text.splitlines())
            parts = (
                reel.heading(),
                lines(["```", drawn, "```"]),
                scene.alt,
                replay_view.caption(reel, at),
            )
            await answer.tell(layouts.Message(*(ui.TextDisplay(part) for part in parts)))

        await run(interaction, work)

    return _made("board", say("See a match at any turn, as a picture or as text"), board)


def _export() -> Command:
    @app_commands.describe(
        number=NUMBER,
        people=say(
            "Whether the record tells the user ids of the players; without it only their seats"
        ),
    )
    async def export(
        interaction: discord.Interaction[Bot],
        number: str,
        people: bool = False,  # noqa: FBT001, FBT002 - discord.py reads options from the signature
    ) -> None:
        async def work(answer: Reply) -> None:
            client = interaction.client
            reel = await replay_view.found(answer, client, number)
            written = await exported(client.store, reel, people=people)
            filename = f"match-{reel.name}.txt"
            words = say(
                "The record of {name}: {plies} entries in {turns} turns. `{command}` shows it again, "
                "here or elsewhere, and `python -m engine verify` checks its luck.",
                command=slash("match", "import"),
                name=reel.name if reel.brought else say("match #{number}", number=reel.name),
                plies=reel.plies,
                turns=len(turn_ends(reel)),
            )
            file = discord.File(io.BytesIO(written.encode()), filename=filename)
            await answer.tell(layouts.text(words, attached=filename), files=[file])

        await run(interaction, work)

    return _made("export", say("Get a match as a text that people and programs read"), export)


def _import() -> Command:
    @app_commands.describe(
        file=say("A text file with a record, as /match export writes it"),
        text=say("The record itself, where there is no file"),
    )
    async def bring(
        interaction: discord.Interaction[Bot],
        file: discord.Attachment | None = None,
        text: str | None = None,
    ) -> None:
        async def work(answer: Reply) -> None:
            client = interaction.client
            raw = await _given(file, text)
            brought = await client.exchange.bring(interaction.user.id, raw)
            reel = await client.reels.of_import(brought.number, interaction.user.id)
            notes = [brought.luck]
            if brought.dropped:
                notes.append(
                    plural(
                        "Your oldest record made room for it: you can keep {most}.",
                        "Your {n} oldest records made room for it: you can keep {most}.",
                        brought.dropped,
                        most=imports.MOST,
                    )
                )
            await replay_view.show(answer, client, reel, 0, new=True)
            await answer.tell(
                layouts.text(
                    lines(
                        [
                            say("This is your record **{name}** now.", name=reel.name),
                            *notes,
                        ]
                    ),
                    *([AnalysisButton(reel.name)] if result(reel.view) is not None else []),
                ),
                public=False,
            )

        await run(interaction, work)

    return _made(
        "import", say("Look at a record of a match that you bring along"), bring, complete=False
    )


async def _given(file: discord.Attachment | None, text: str | None) -> bytes:
    """Return what was given to be imported.

    Raises:
        BadImport: nothing or both, too much of it, or a file that Discord does not hand out.

    """
    nothing = BadImport(
        say(
            "Attach a record as a file, or paste it as text. `{command}` gives you a record.",
            command=slash("match", "export"),
        )
    )
    if (file is None) == (text is None):
        raise nothing
    if file is None:
        return (text or "").encode("utf-8", "replace")
    if file.size > MOST_BYTES:
        raise too_large()
    try:
        return await file.read()
    except (discord.HTTPException, aiohttp.ClientError) as error:
        raise nothing from error


def _made(name: str, description: str, callback: Any, *, complete: bool = True) -> Command:
    made: Command = app_commands.Command(name=name, description=description, callback=callback)
    if complete:
        made.autocomplete("number")(completing(suggest_names))
    return made
