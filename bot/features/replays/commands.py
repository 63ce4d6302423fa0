"""``/match replay``, ``try``, ``gif`` and ``board``, and ``/<game> since``."""

from __future__ import annotations

from typing import Annotated

from bot.core.errors import NoSuchMatch
from bot.core.interactions.commands import Option, command, game_command
from bot.core.interactions.components import text_display
from bot.core.interactions.layout import Layout, Upload
from bot.core.interactions.reply import Reply
from bot.features.replays import buttons, since_buttons, trying_buttons
from bot.play.controls.lookup import NUMBER, ChosenMatch, named, pick, suggest_names
from engine.phrase import lines, plural, say
from engine.registry import AnyGame

_MOVE = Option(say("Move number (latest if empty)"), name="move", minimum=0)


@command("match replay", say("Step through a game, move by move"))
async def replay(
    reply: Reply,
    number: Annotated[str | None, Option(NUMBER, suggest=suggest_names)] = None,
    move: Annotated[int | None, _MOVE] = None,
) -> None:
    """Show a match in the viewer."""
    replay = await buttons.found(reply, await named(reply, number))
    await buttons.show(reply, replay, replay.ply_after(move), new=True)


@command("match try", say("Try moves on a board of your own"))
async def try_moves(
    reply: Reply,
    number: Annotated[str | None, Option(NUMBER, suggest=suggest_names)] = None,
    move: Annotated[int | None, _MOVE] = None,
) -> None:
    """Show a board for trying moves, starting from any point of a match."""
    replay = await buttons.found(reply, await named(reply, number))
    await trying_buttons.show(reply, replay, replay.ply_after(move))


@command("match gif", say("Watch a whole game as a GIF"))
async def gif(
    reply: Reply, number: Annotated[str | None, Option(NUMBER, suggest=suggest_names)] = None
) -> None:
    """Show a whole match as an animation."""
    await buttons.show_whole(reply, await buttons.found(reply, await named(reply, number)))


@command("match board", say("Show the board after any move, as a picture or as text"))
async def board(
    reply: Reply,
    number: Annotated[str | None, Option(NUMBER, suggest=suggest_names)] = None,
    shown: Annotated[
        str,
        Option(
            say("Picture, or text for a screen reader"),
            name="as",
            choices={"picture": say("picture"), "text": say("text")},
        ),
    ] = "picture",
    move: Annotated[int | None, _MOVE] = None,
) -> None:
    """Show one position of a match."""
    replay = await buttons.found(reply, await named(reply, number))
    if move is not None and move > len(replay.turns):
        raise NoSuchMatch(
            plural(
                "{name} has only {n} move so far.",
                "{name} has only {n} moves so far.",
                len(replay.turns),
                name=replay.name if replay.imported else f"#{replay.name}",
            )
        )
    at = replay.ply_after(move)
    if shown == "picture":
        file = Upload(
            buttons.filename(replay, at), await buttons.painted(reply, replay, replay.scene(at))
        )
        await reply.send(Layout(*buttons.still(replay, at)), files=[file])
        return
    scene = replay.scene(at)
    drawn = "\n".join(line.rstrip() for line in scene.text.splitlines())
    parts = (
        replay.heading(),
        lines(["```", drawn, "```"]),
        scene.alt,
        buttons.caption(replay, at),
    )
    await reply.send(Layout(*map(text_display, parts)))


@game_command("since", say("Show what happened since your last turn"))
async def since(reply: Reply, game: AnyGame, match: ChosenMatch = None) -> None:
    """Show what happened since a player's last turn."""
    await since_buttons.show(reply, await pick(reply, game.slug, match, my_turn=True))
