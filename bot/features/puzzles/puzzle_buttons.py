"""``/puzzle``: a picture with buttons or menus for the answer, visible only to the requester.

``mixed`` means that puzzles of any game were requested, so the next may be of any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

from bot.core.errors import NotAllowed
from bot.core.interactions.commands import command, game_option
from bot.core.interactions.components import Component, rows, text_display
from bot.core.interactions.controls import Button, Menu
from bot.core.interactions.layout import Layout, pictured
from bot.core.interactions.reply import Reply
from bot.features.puzzles import puzzles
from bot.features.puzzles.puzzles import Answered, PuzzlePosition, Puzzles
from bot.play.boards.board_message_views import split_steps, step_controls
from bot.play.controls.share_buttons import share_button, shares
from bot.play.pictures.rendering import BoardStyle, Renderer, private_style
from engine.game import CHANCE
from engine.menu import choices
from engine.overlay import Kind, Mark, along, overlaid
from engine.phrase import Phrase, concat, lines, say
from engine.scene import Scene


class PuzzleStepButton(Button, prefix="z"):
    """Chooses a step of an answer; without steps it restarts the choice."""

    puzzle: int
    mixed: bool
    steps: str

    async def press(self, reply: Reply) -> None:
        """Choose this step, or answer."""
        await _choose(reply, self.puzzle, split_steps(self.steps), mixed=self.mixed)


class PuzzleStepMenu(Menu, prefix="zm"):
    """A menu of answers or of their steps."""

    puzzle: int
    mixed: bool
    number: int
    """Distinguishes the menus of a puzzle."""

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Choose the selected step, or answer."""
        await _choose(reply, self.puzzle, split_steps(values[0]), mixed=self.mixed)


class PuzzleButton(Button, prefix="zz"):
    """Shows the solution, or the next puzzle."""

    action: Literal["show", "next"]
    puzzle: int
    game: str
    """Empty if the next puzzle may be of any game."""

    async def press(self, reply: Reply) -> None:
        """Show the solution or the next puzzle."""
        puzzles, mixed = reply.get(Puzzles), not self.game
        if self.action == "show":
            given = await puzzles.answer(self.puzzle, reply.user_id, None, guild_id=reply.guild_id)
            await show_solution(reply, given, mixed=mixed)
            return
        following = await puzzles.next(reply.user_id, self.game or None, avoid=self.puzzle)
        await pose(reply, following, mixed=mixed)


async def pose(
    reply: Reply,
    posed: PuzzlePosition,
    *,
    chosen: tuple[str, ...] = (),
    mixed: bool,
    wrong: Answered | None = None,
    note: str | None = None,
    new: bool = False,
) -> None:
    """Show a puzzle with the steps chosen so far or a wrong answer, in place or as a new message.

    ``note`` appears below the question, unless there is something to say about the answer.
    """
    marks: Sequence[Mark] = ()
    if wrong is not None:
        move = posed.game.read(posed.state, "".join(chosen))
        note, chosen = puzzles.wrong(wrong), ()
        marks = along(posed.game.routes(posed.state, move), Kind.WRONG)
    if chosen:
        note = posed.game.steps_label(posed.state, chosen).question
    body = lines(filter(None, (puzzles.question(posed), note)))
    scene = overlaid(posed.game.scene(posed.state, (), chosen), marks)
    controls = [
        *_controls(posed, chosen, mixed=mixed),
        *_after(reply, posed, mixed=mixed, solved=False),
    ]
    await _show(reply, posed, scene, body, controls, new=new)


async def _choose(reply: Reply, puzzle_id: int, steps: tuple[str, ...], *, mixed: bool) -> None:
    """Choose the next step of an answer, or submit it once complete."""
    puzzles = reply.get(Puzzles)
    posed = await puzzles.get(puzzle_id)
    moves = posed.game.legal_moves(posed.state)
    if not any(posed.game.steps(move) == steps for move in moves):
        await pose(reply, posed, chosen=steps, mixed=mixed)
        return
    notation = "".join(steps)
    given = await puzzles.answer(puzzle_id, reply.user_id, notation, guild_id=reply.guild_id)
    if given.right:
        await show_solution(reply, given, mixed=mixed)
    else:
        await pose(reply, given.posed, chosen=steps, mixed=mixed, wrong=given)


async def show_solution(reply: Reply, given: Answered, *, mixed: bool, new: bool = False) -> None:
    """Show the effect of the best move, in place or as a new message."""
    posed = given.posed
    move = posed.game.read(posed.state, posed.puzzle.solution)
    reached = posed.game.after(posed.state, move)
    scene = posed.game.scene(reached, [(posed.state, move)], over=True)
    controls = _after(reply, posed, mixed=mixed, solved=True)
    await _show(reply, posed, scene, puzzles.solved(given), controls, new=new)


async def _show(
    reply: Reply,
    posed: PuzzlePosition,
    scene: Scene,
    body: Phrase,
    controls: list[Component],
    *,
    new: bool = False,
) -> None:
    png = await reply.get(Renderer).picture(scene, await _style(reply, posed))
    shown = pictured(f"puzzle-{posed.puzzle.id}.png", png, scene.alt)
    layout = Layout(text_display(puzzles.title(posed)), shown, text_display(body), *controls)
    if new:
        await reply.send(layout, public=False)
    else:
        await reply.replace(layout)


async def _style(reply: Reply, posed: PuzzlePosition) -> BoardStyle:
    """Return the user's style for a puzzle; their side is at the bottom if they prefer that."""
    actor = posed.game.actor(posed.state)
    turn = 0 if actor is CHANCE else posed.game.quarter_turns(posed.state, actor)
    return await private_style(reply, reply.guild_id, turn)


def _controls(posed: PuzzlePosition, chosen: tuple[str, ...], *, mixed: bool) -> list[Component]:
    number = posed.puzzle.id
    return step_controls(
        choices(posed.game, posed.state, chosen, advised=False, captures=False),
        chosen,
        button_id=lambda steps: PuzzleStepButton(number, mixed, steps).custom_id,
        menu_id=lambda n: PuzzleStepMenu(number, mixed, n).custom_id,
    )


def _after(reply: Reply, posed: PuzzlePosition, *, mixed: bool, solved: bool) -> list[Component]:
    number, game = posed.puzzle.id, "" if mixed else posed.game.slug
    show = PuzzleButton("show", number, game).component(say("Show me"))
    following = PuzzleButton("next", number, game).component(say("Next puzzle"))
    if solved:
        share = [] if posed.of_the_day else share_button(reply, "puzzle", number)
        return rows([following, *share])
    return [] if posed.of_the_day else rows([show, following])


@shares("puzzle")
async def _shared(reply: Reply, number: int, _: int) -> Layout:
    posed = await reply.get(Puzzles).get(number, user_id=reply.user_id)
    if posed.of_the_day or not posed.answered:
        raise NotAllowed(puzzles.not_to_share(of_the_day=posed.of_the_day))
    scene = posed.game.scene(posed.state)
    style = await private_style(reply, reply.guild_id, public=True)
    png = await reply.get(Renderer).picture(scene, replace(style, quarter_turns=0))
    shown = pictured(f"puzzle-{number}.png", png, scene.alt)
    body = lines((puzzles.question(posed), concat("||", puzzles.solution(posed), "||")))
    return Layout(text_display(puzzles.title(posed)), shown, text_display(body))


@command("puzzle", say("Find the best move in a position from a real game"))
async def puzzle(
    reply: Reply, game: Annotated[str | None, game_option(say("Game (any if empty)"))] = None
) -> None:
    """Pose a puzzle."""
    posed = await reply.get(Puzzles).next(reply.user_id, game)
    await pose(reply, posed, mixed=game is None, new=True)
