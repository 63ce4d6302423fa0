"""``/match try``: trying moves from any point of a match, privately; nothing is played or stored.

The custom ids of the buttons hold the moves tried. No move is evaluated: in an ongoing match
between people, the players think for themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated

from bot.core.interactions.commands import Option, command
from bot.core.interactions.components import Component, rows, text_display
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, pictured
from bot.core.interactions.reply import Reply
from bot.features.replays.buttons import MOVE, found
from bot.play.boards.board_message_views import (
    STEP_MARK,
    further_controls,
    further_steps,
    split_steps,
)
from bot.play.boards.board_text import BoardPost, behind_more, below_boards
from bot.play.controls.lookup import NUMBER, chosen_name, suggest_names
from bot.play.controls.more_buttons import back_to_more
from bot.play.matches.moves import TRYING, Variation, check_trying
from bot.play.matches.positions import Position
from bot.play.pictures.rendering import draft_alt, picture_for
from bot.play.replays.replay import Replay
from engine.menu import choices
from engine.phrase import Phrase, lines, say


class TryControl(Button, prefix="try"):
    """Chooses a move to try: a button for one step, or a menu of them."""

    name: str
    ply: int
    """The starting ply in the match."""
    steps: str
    """The steps of all moves tried since then, as in `MoveControl`."""

    async def press(self, reply: Reply) -> None:
        """Choose this step."""
        await show(reply, await found(reply, self.name), self.ply, split_steps(self.steps))

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Choose the selected step; its value holds the steps of its move."""
        steps = further_steps(self.steps, values[0])
        await show(reply, await found(reply, self.name), self.ply, steps)


async def show(reply: Reply, replay: Replay, ply: int, steps: tuple[str, ...] = ()) -> None:
    """Show a ply of a match with the moves tried from there, in place or as a new message.

    Raise NotForYou if others are still playing the match.
    """
    if not replay.imported:
        check_trying(replay.position, reply.user_id)
    ply = max(replay.skipped, min(ply, replay.plies))
    variation, turns = Variation(replay.game, replay.state(ply)), [0]
    left = steps
    while left:
        reached, rest = variation.choose(left)
        if reached is variation:
            break
        variation, left = reached, rest
        turns.append(len(steps) - len(left))
    # The remaining steps begin an incomplete move, unless the match has changed since.
    begun = not variation.over and any(
        replay.game.steps(move)[: len(left)] == left
        for move in replay.game.legal_moves(variation.state)
    )
    variation = replace(variation, chosen=left if begun else ())
    done = steps[: turns[-1]]
    scene = variation.scene(replay.shown(ply))
    png = await picture_for(reply, replay.position, scene, TRYING)
    layout = Layout(
        text_display(replay.heading()),
        pictured(f"try-{replay.name}.png", png, draft_alt(TRYING, scene)),
        text_display(_words(replay, variation, ply)),  # beside the controls: they play nothing
        *_controls(replay, variation, ply, done),
        *rows(_back(replay, ply, steps, turns)),
    )
    await reply.show_privately(layout)


def _words(replay: Replay, variation: Variation, ply: int) -> Phrase:
    parts: list[str] = []
    if variation.played:
        # Throws are written with an asterisk, which Discord would read as Markdown.
        parts.append(" → ".join(f"`{one}`" for one in variation.line))
    parts.append(variation.question)
    parts.append(
        say(
            "-# From move {number} of {all}. Only you see this, and nothing is played.",
            number=replay.move(ply),
            all=len(replay.turns),
        )
    )
    return lines(parts)


def _controls(
    replay: Replay, variation: Variation, ply: int, done: tuple[str, ...]
) -> list[Component]:
    """Return the controls for the next move, as far as custom ids can hold it."""
    if variation.over:
        return []
    entries = choices(variation.game, variation.state, variation.chosen, advised=False)
    address = partial(TryControl, replay.name, ply)
    controls = further_controls(address, done, entries, variation.chosen)
    if controls is None:
        return [text_display(say("-# That's as far as I go. Take a move back to try another."))]
    return controls


def _back(
    replay: Replay, ply: int, steps: tuple[str, ...], turns: Sequence[int]
) -> list[Component]:
    """Return the buttons that undo tried moves, or else step along the match."""
    if len(turns) > 1:
        shorter = STEP_MARK.join(steps[: turns[-2]])
        found_ = [TryControl(replay.name, ply, shorter).component(say("‹ Undo"))]
        if shorter:
            found_.append(TryControl(replay.name, ply, "").component(say("Start over")))
        return found_
    more = [] if replay.imported else [back_to_more(replay.position.match.id)]
    before = max((stop for stop in replay.stops if stop < ply), default=None)
    after = min((stop for stop in replay.stops if stop > ply), default=None)
    places = ((before, say("‹ Earlier")), (after, say("Later ›")))
    along = [
        TryControl(replay.name, place, "").component(label)
        for place, label in places
        if place is not None
    ]
    return [*along, *more]


@below_boards("ended", order=4)
def _below(post: BoardPost) -> Component:
    return _try(post.match_id, post.ply)


@behind_more(order=76)
def _behind_more(position: Position, user_id: int) -> Component | None:
    if position.player_of(user_id) is None:
        return None
    return _try(position.match.id, position.ply)


def _try(match_id: int, ply: int) -> Component:
    # Translators: a button: try moves on a private board, without playing them.
    return TryControl(str(match_id), ply, "").component(say("Try moves"))


@command("match try", say("Try moves on a board of your own"))
async def try_moves(
    reply: Reply,
    number: Annotated[str | None, Option(NUMBER, suggest=suggest_names)] = None,
    move: Annotated[int | None, MOVE] = None,
) -> None:
    """Show a board for trying moves, starting from any point of a match."""
    replay = await found(reply, await chosen_name(reply, number))
    await show(reply, replay, replay.ply_after(move))
