"""Puzzles: a picture, and buttons or menus to answer with. Only the one who asks sees them.

Addresses are ``z:<puzzle>:<steps>`` for the steps of an answer, with ``~<number>`` behind for
menus, and ``zz:<what>:<puzzle>:<game>`` for the rest. Where puzzles of any game were asked for, a
``*`` stands behind the number of the puzzle, or no game.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ui

from bot.analysis import puzzle_text as words
from bot.interactions import layouts
from bot.interactions.buttons import Pressed, chosen_value
from bot.matches.board_text import STEP_MARK, placeholder, step_told
from bot.pictures.styles import BoardStyle
from engine.game import Seat
from engine.menu import choices
from engine.phrase import lines, say, shortened

if TYPE_CHECKING:
    import re

    from bot.analysis.puzzles import Answered, PuzzlePosition
    from bot.client import Bot
    from bot.interactions.reply import Reply
    from engine.menu import Choice
    from engine.scene import Scene

_MOST_BUTTONS: Final = 5
_MOST_OPTIONS: Final = 25
_MOST_ALT: Final = 1024
_MOST_LABEL: Final = 80


class TryButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"z:(?P<puzzle>\d+)(?P<mixed>\*?):(?P<steps>[^~]*)",
):
    """Chooses a step of an answer; without steps it goes back to the first choice."""

    def __init__(self, puzzle: int, steps: str, label: str = "", *, mixed: bool = False) -> None:
        """Address one choice in one puzzle; ``mixed`` where the next may be of any game."""
        style = discord.ButtonStyle.primary if steps else discord.ButtonStyle.secondary
        super().__init__(
            ui.Button(
                label=label or say("Choose again"),
                style=style,
                custom_id=f"z:{puzzle}{_mark(mixed)}:{steps}",
            )
        )
        self.puzzle, self.steps, self.mixed = puzzle, steps, mixed

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> TryButton:
        """Rebuild a button from its address."""
        return cls(int(match["puzzle"]), match["steps"], mixed=bool(match["mixed"]))

    async def press(self, answer: Reply, client: Bot) -> None:
        """Choose this step, or answer."""
        await choose(answer, client, self.puzzle, _split(self.steps), mixed=self.mixed)


class TryMenu(
    Pressed,
    ui.DynamicItem[ui.Select[Any]],
    template=r"z:(?P<puzzle>\d+)(?P<mixed>\*?):(?P<steps>[^~]*)~(?P<number>\d+)",
):
    """A menu of answers, or of steps of them."""

    def __init__(
        self,
        puzzle: int,
        steps: str,
        number: int,
        options: list[discord.SelectOption] | None = None,
        *,
        placeholder: str = "",
        mixed: bool = False,
    ) -> None:
        """Address one menu of one puzzle."""
        super().__init__(
            ui.Select(
                custom_id=f"z:{puzzle}{_mark(mixed)}:{steps}~{number}",
                placeholder=placeholder or None,
                options=options or [],
            )
        )
        self.puzzle, self.mixed = puzzle, mixed

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> TryMenu:
        """Rebuild a menu from its address, with the values that were chosen."""
        mixed = bool(match["mixed"])
        menu = cls(int(match["puzzle"]), match["steps"], int(match["number"]), mixed=mixed)
        assert isinstance(item, ui.Select)
        menu.item = item
        return menu

    async def press(self, answer: Reply, client: Bot) -> None:
        """Choose the step that was picked, or answer."""
        await choose(answer, client, self.puzzle, _split(chosen_value(self.item)), mixed=self.mixed)


class PuzzleButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"zz:(?P<what>show|next):(?P<puzzle>\d+):(?P<game>[a-z0-9_]*)",
):
    """Shows the solution, or the next puzzle."""

    def __init__(self, what: str, puzzle: int, game: str = "") -> None:
        """Address what is to follow a puzzle; without a game the next may be of any."""
        label = say("Show the solution") if what == "show" else say("Next puzzle")
        super().__init__(
            ui.Button(
                label=label,
                style=discord.ButtonStyle.secondary,
                custom_id=f"zz:{what}:{puzzle}:{game}",
            )
        )
        self.what, self.puzzle, self.game = what, puzzle, game

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> PuzzleButton:
        """Rebuild a button from its address."""
        return cls(match["what"], int(match["puzzle"]), match["game"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show the solution or the next puzzle."""
        user = answer.interaction.user.id
        if self.what == "show":
            given = await client.puzzles.answer(self.puzzle, user, None)
            await _solved(answer, client, given, mixed=not self.game)
            return
        following = await client.puzzles.next(user, self.game or None, but=self.puzzle)
        await pose(answer, client, following, mixed=not self.game, new=False)


async def pose(
    answer: Reply,
    client: Bot,
    riddle: PuzzlePosition,
    *,
    chosen: tuple[str, ...] = (),
    mixed: bool,
    new: bool,
) -> None:
    """Show a puzzle.

    Args:
        answer: the answer to what this person did.
        client: the bot.
        riddle: the puzzle.
        chosen: the steps of an answer that were chosen so far.
        mixed: whether puzzles of any game were asked for.
        new: whether as a new answer, else in place of what was pressed.

    """
    scene = riddle.game.scene(riddle.state, (), chosen)
    parts = [words.question(riddle)]
    if chosen:
        parts.append(say("Chosen: **{steps}**", steps="".join(chosen)))
    controls = [*_controls(riddle, chosen, mixed), *_after(riddle, mixed, shown=False)]
    await _show(answer, client, riddle, scene, told=lines(parts), controls=controls, new=new)


async def choose(
    answer: Reply, client: Bot, puzzle_id: int, steps: tuple[str, ...], *, mixed: bool
) -> None:
    """Take the next step of an answer, or the answer when it is complete."""
    riddle = await client.puzzles.get(puzzle_id)
    moves = riddle.game.legal_moves(riddle.state)
    if not any(riddle.game.steps(move) == steps for move in moves):
        await pose(answer, client, riddle, chosen=steps, mixed=mixed, new=False)
        return
    notation = "".join(steps)
    given = await client.puzzles.answer(puzzle_id, answer.interaction.user.id, notation)
    if given.right:
        await _solved(answer, client, given, mixed=mixed)
        return
    told = lines((words.question(given.riddle), words.wrong(given, notation)))
    scene = riddle.game.scene(riddle.state)
    controls = [*_controls(riddle, (), mixed), *_after(riddle, mixed, shown=False)]
    await _show(answer, client, riddle, scene, told=told, controls=controls, new=False)


async def _solved(answer: Reply, client: Bot, given: Answered, *, mixed: bool) -> None:
    """Show what the best move does."""
    riddle = given.riddle
    move = riddle.game.read(riddle.state, riddle.puzzle.solution)
    reached = riddle.game.after(riddle.state, move)
    scene = riddle.game.scene(reached, [(riddle.state, move)], over=True)
    told, controls = words.solved(given), _after(riddle, mixed, shown=True)
    await _show(answer, client, riddle, scene, told=told, controls=controls, new=False)


async def _show(
    answer: Reply,
    client: Bot,
    riddle: PuzzlePosition,
    scene: Scene,
    *,
    told: str,
    controls: list[ui.Item[Any]],
    new: bool,
) -> None:
    filename = f"puzzle-{riddle.puzzle.id}.png"
    picture = discord.MediaGalleryItem(
        f"attachment://{filename}", description=shortened(scene.alt, _MOST_ALT)
    )
    message = layouts.Message(
        ui.TextDisplay(words.title(riddle)),
        ui.MediaGallery(picture),
        ui.TextDisplay(told),
        *controls,
    )
    png = await client.studio.picture(scene, await _look(answer, client, riddle))
    file = discord.File(io.BytesIO(png), filename=filename)
    if new:
        await answer.tell(message, files=[file], public=False)
    else:
        await answer.replace(message, files=[file])


async def _look(answer: Reply, client: Bot, riddle: PuzzlePosition) -> BoardStyle:
    """Return how a puzzle looks to this person: their side is below, if they like that."""
    likes = await client.choices.player(answer.interaction.user.id)
    server = await client.choices.server(answer.interaction.guild_id)
    actor = riddle.game.actor(riddle.state)
    turn = 0
    if likes.turned and isinstance(actor, int):
        turn = riddle.game.quarters(riddle.state, Seat(actor))
    tongue = await answer.tongue(public=False)
    return BoardStyle(likes.theme or server.theme, turn, likes.coordinates, tongue)


def _controls(riddle: PuzzlePosition, chosen: tuple[str, ...], mixed: bool) -> list[ui.Item[Any]]:  # noqa: FBT001 - private, as are all of these
    found = choices(riddle.game, riddle.state, chosen)
    number = riddle.puzzle.id
    back: list[ui.Item[Any]] = [TryButton(number, "", mixed=mixed)] if chosen else []
    if len(found) <= _MOST_BUTTONS - bool(chosen):
        buttons = [
            TryButton(number, STEP_MARK.join(one.steps), _label(riddle, one), mixed=mixed)
            for one in found
        ]
        return layouts.rows([*buttons, *back])
    steps = STEP_MARK.join(chosen)
    menus: list[ui.Item[Any]] = [
        ui.ActionRow(
            TryMenu(
                number,
                steps,
                place,
                [_option(riddle, one) for one in found[start : start + _MOST_OPTIONS]],
                placeholder=placeholder(chosen),
                mixed=mixed,
            )
        )
        for place, start in enumerate(range(0, len(found), _MOST_OPTIONS))
    ]
    return [*menus, *layouts.rows(back)]


def _option(riddle: PuzzlePosition, one: Choice[Any]) -> discord.SelectOption:
    return discord.SelectOption(
        label=one.label,
        value=STEP_MARK.join(one.steps),
        description=shortened(step_told(riddle.game, riddle.state, one), 100),
    )


def _label(riddle: PuzzlePosition, one: Choice[Any]) -> str:
    if one.move is None:
        return f"{one.label} …"
    return shortened(riddle.game.tell(riddle.state, one.move), _MOST_LABEL)


def _after(riddle: PuzzlePosition, mixed: bool, *, shown: bool) -> list[ui.Item[Any]]:  # noqa: FBT001 - see above
    number, game = riddle.puzzle.id, "" if mixed else riddle.game.slug
    following = PuzzleButton("next", number, game)
    return layouts.rows([following] if shown else [PuzzleButton("show", number, game), following])


def _mark(mixed: bool) -> str:  # noqa: FBT001 - see above
    return "*" if mixed else ""


def _split(steps: str) -> tuple[str, ...]:
    return tuple(steps.split(STEP_MARK)) if steps else ()
