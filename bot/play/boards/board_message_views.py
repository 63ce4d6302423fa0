"""The message that shows a match: players, picture, story and controls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import discord

from bot.core.interactions import controls
from bot.core.interactions.components import (
    Component,
    Style,
    action_row,
    button,
    option,
    rows,
    string_select,
    text_display,
)
from bot.core.interactions.components import picture as picture_component
from bot.core.interactions.controls import MAX_CUSTOM_ID, Button, Control
from bot.core.interactions.layout import MAX_ALT, Layout, Upload
from bot.core.interactions.reply import Reply
from bot.core.interactions.views import addresses
from bot.play.boards.board_text import BoardPost, buttons_below
from bot.play.matches import match_text
from bot.play.matches.positions import Position
from bot.play.replays.animation import Animation
from engine.menu import MAX_MOVE_BUTTONS, Choice, menus
from engine.move_label import Worth
from engine.phrase import capital, concat, lines, say, shortened
from engine.scene import Scene

PICTURE: Final = "board.png"
"""The filename of every board's picture; always the same, so an edit never names a missing one."""
MAX_BUTTONS: Final = 5
"""Maximum moves offered as buttons; more become a menu."""
STEP_MARK: Final = "|"
"""Separates the steps of a move in a custom id; no notation uses it."""
_SQUARE: Final = len("i10")
_SQUARES_IN_ROW: Final = 5
"""Buttons with nothing but a square that fit across a phone."""
_SHORT: Final = len("Piece c10 …")
_SHORT_IN_ROW: Final = 3
"""Buttons up to this length that do."""
_MENU: Final = "~"
"""Precedes the number that distinguishes the menus of a message."""
_NUMBERED: Final = 2
"""Its length in characters."""
_STYLES: Final[dict[Worth, Style]] = {
    Worth.WINS: "success",
    Worth.TAKES: "primary",
    Worth.LOSES: "danger",
}


class MoveHandler:
    """Handles the controls of boards."""

    async def choose(self, reply: Reply, match_id: int, ply: int, steps: tuple[str, ...]) -> None:
        """Choose the next step of a move, or play it once complete."""
        raise NotImplementedError

    async def confirm(self, reply: Reply, match_id: int, ply: int, steps: tuple[str, ...]) -> None:
        """Play a move that its player has confirmed."""
        raise NotImplementedError


class MoveControl(Control, prefix="t"):
    """Chooses the steps of a move on one turn: a button for one step, or a menu of them.

    A button holds all steps up to its own; none restarts the choice. A menu holds the steps
    chosen before it, and a number that distinguishes the menus of a board.
    """

    match_id: int
    ply: int
    steps: str

    async def press(self, reply: Reply) -> None:
        """Choose this step, or restart the choice."""
        steps = split_steps(self.steps)
        await reply.get(MoveHandler).choose(reply, self.match_id, self.ply, steps)

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Choose the selected step; its value holds all steps up to it."""
        steps = split_steps(values[0])
        await reply.get(MoveHandler).choose(reply, self.match_id, self.ply, steps)


def moves_of(message: discord.Message) -> Iterator[MoveControl]:
    """Yield the moves that can be chosen in a message."""
    for address in addresses(message.components):
        control = controls.find(address)
        if isinstance(control, MoveControl):
            yield control


class ConfirmButton(Button, prefix="ty"):
    """Plays a move that needs confirming; without steps it returns to choosing."""

    match_id: int
    ply: int
    steps: str

    async def press(self, reply: Reply) -> None:
        """Play the move, or show the choices again."""
        handler, steps = reply.get(MoveHandler), split_steps(self.steps)
        answer = handler.confirm if steps else handler.choose
        await answer(reply, self.match_id, self.ply, steps)


def message(post: BoardPost, *, above: str = "", film: Animation | None = None) -> Layout:
    """Return a board's message, with its picture attached as `PICTURE`.

    ``above`` are words above it, such as a private answer; the attached ``film`` shows what the player
    to move has missed.
    """
    body = lines(part for part in (lines(post.story), post.prompt, post.footer) if part)
    parts = [text_display(above)] if above else []
    if film is not None:
        # Above, so that the board stays next to its controls.
        title = say("-# The game so far:") if post.first else say("-# Since your last turn:")
        parts += [
            text_display(title),
            picture_component(film.filename, film.alt),
        ]
        post = replace(post, missed=False)
    parts += [text_display(post.heading), picture_component(PICTURE, post.scene.alt)]
    if body:
        parts.append(text_display(body))
    parts += _controls(post)
    if post.running:
        parts += rows(buttons_below("running", post))
    return Layout(*parts)


def result(post: BoardPost, position: Position, turning_point: str) -> Layout:
    """Return the post that announces in a channel how a match in a thread ended.

    ``post`` is its final board, ``turning_point`` empty if not known.
    """
    title = concat("### ", position.game.title)
    where = say("-# Played in {thread}", thread=f"<#{position.match.channel_id}>")
    return Layout(
        text_display(lines((title, match_text.ended(position)))),
        picture_component(PICTURE, post.scene.alt),
        text_display(lines(part for part in (turning_point, where) if part)),
        *rows(buttons_below("ended", post)),
    )


def picture(png: bytes) -> Upload:
    """Return a board's picture as a file to attach."""
    return Upload(PICTURE, png)


def _controls(post: BoardPost) -> Sequence[Component]:
    if post.over:
        return rows(buttons_below("ended", post))
    if not post.menu:
        return ()
    return _choices(post.match_id, post.ply, post.menu, post.chosen)


def candidates(question: str, match_id: int, ply: int, entries: Sequence[Choice[Any]]) -> Layout:
    """Return the moves that typed text may mean, each playable with one press."""
    return Layout(text_display(question), *_choices(match_id, ply, entries, ()))


def _choices(
    match_id: int, ply: int, entries: Sequence[Choice[Any]], chosen: tuple[str, ...]
) -> list[Component]:
    address = partial(_address, match_id, ply)
    before = STEP_MARK.join(chosen)
    return step_controls(
        entries, chosen, button_id=address, menu_id=lambda n: address(f"{before}~{n}")
    )


def step_controls(
    entries: Sequence[Choice[Any]],
    chosen: tuple[str, ...],
    *,
    button_id: Callable[[str], str],
    menu_id: Callable[[int], str],
) -> list[Component]:
    """Return controls for choosing a move or its next step, with one to start again.

    A few whole moves are buttons, more are menus, named by what the moves do; a menu's only move is
    a button, too. If a piece is chosen first, both the pieces and its moves are buttons, beside a menu
    of captures if they are many. Either way a move takes at most two clicks.

    ``button_id`` returns the custom id of a button from its steps, ``menu_id`` that of a menu from its
    number.
    """
    again = [button(button_id(""), say("Choose again"))] if chosen else []
    listed, pressed = _divided(entries, chosen)
    selects = [
        action_row(
            _button(part[0], button_id)
            if len(part) == 1
            else string_select(
                menu_id(number),
                [
                    option(
                        one.label,
                        STEP_MARK.join(one.steps),
                        capital(one.note) if one.note else None,
                    )
                    for one in part
                ],
                placeholder=name,
            )
        )
        for number, (name, part) in enumerate(menus(listed))
    ]
    return [*selects, *_even_rows(pressed, button_id), *rows(again)]


def _divided(
    entries: Sequence[Choice[Any]], chosen: tuple[str, ...]
) -> tuple[Sequence[Choice[Any]], Sequence[Choice[Any]]]:
    """Return which choices menus list, and which are buttons."""
    if chosen or all(one.move is not None for one in entries):
        most = MAX_MOVE_BUTTONS if chosen else MAX_BUTTONS
        return ((), entries) if len(entries) <= most else (entries, ())
    for worth in (Worth.TAKES, Worth.WINS):
        front = [one for one in entries if one.worth <= worth and one.move is not None]
        listed = [
            one for one in entries if worth < one.worth <= Worth.TAKES and one.move is not None
        ]
        pressed = [one for one in entries if one not in listed]
        if len(front) <= MAX_BUTTONS and len(pressed) <= MAX_MOVE_BUTTONS:
            return listed, pressed
    return front, [one for one in entries if one not in front]


def _even_rows(entries: Sequence[Choice[Any]], button_id: Callable[[str], str]) -> list[Component]:
    """Return buttons in as few rows as fit across a phone, of the same number or nearly so.

    Long ones stand in rows of their own, where they don't push short ones out of line: captures and
    named pieces first, others last.
    """
    width = {one.steps: len(_on_button(one)) for one in entries}
    narrow = any(chars <= _SQUARE for chars in width.values())
    short = [one for one in entries if width[one.steps] <= (_SQUARE if narrow else _SHORT)]
    long = [one for one in entries if one not in short]
    best = [one for one in long if one.worth <= Worth.TAKES or one.move is None]
    rest = [one for one in long if one not in best]
    most = _SQUARES_IN_ROW if narrow else _SHORT_IN_ROW
    return [
        action_row(*(_button(one, button_id) for one in row))
        for part in (best, short, rest)
        for row in _rows(part, most)
    ]


def _rows(part: Sequence[Choice[Any]], most: int) -> Iterator[Sequence[Choice[Any]]]:
    """Divide buttons into as few rows as possible, none of them much shorter than the one above."""
    start = 0
    for rows_left in range(-(-len(part) // most), 0, -1):
        end = start - (start - len(part)) // rows_left
        yield part[start:end]
        start = end


def further_controls(
    address: Callable[[str], Control],
    done: Sequence[str],
    entries: Sequence[Choice[Any]],
    chosen: tuple[str, ...],
) -> list[Component] | None:
    """Return controls for a move after others, or its next step; ``None`` if it is too long.

    ``address`` returns the control whose custom id holds given steps: ``done``, those of the moves
    before it, and its own.
    """
    longest = max((len(STEP_MARK.join([*done, *one.steps])) for one in entries), default=0)
    if longest + _NUMBERED > MAX_CUSTOM_ID - len(address("").custom_id):
        return None
    return step_controls(
        entries,
        chosen,
        button_id=lambda own: address(join_steps(done, own)).custom_id,
        menu_id=lambda number: address(f"{join_steps(done, '')}{_MENU}{number}").custom_id,
    )


def further_steps(steps: str, value: str) -> tuple[str, ...]:
    """Return all steps once one is chosen in a menu of `further_controls`."""
    done, _, _ = steps.rpartition(_MENU)
    return (*split_steps(done), *split_steps(value))


def _button(one: Choice[Any], button_id: Callable[[str], str]) -> Component:
    style = _STYLES.get(one.worth, "secondary")
    return button(button_id(STEP_MARK.join(one.steps)), _on_button(one), style=style)


def _on_button(one: Choice[Any]) -> str:
    if one.move is None:
        return one.label if len(one.label) <= _SQUARE else concat(one.label, " …")
    return concat(one.label, " · ", one.note) if one.note else one.label


def _address(match_id: int, ply: int, steps: str) -> str:
    return MoveControl(match_id, ply, steps).custom_id


def join_steps(done: Sequence[str], own: str) -> str:
    """Return the steps chosen and those of one more choice, as in a custom id."""
    return STEP_MARK.join([*done, own] if own else done)


def split_steps(steps: str) -> tuple[str, ...]:
    """Return the steps in a custom id."""
    return tuple(steps.split(STEP_MARK)) if steps else ()


# Translators: on a picture of the board as it would be after a move, in few words.
PREVIEW: Final = say("Not played yet")


def preview(position: Position, steps: tuple[str, ...]) -> Scene:
    """Return the scene after a move, with the move marked."""
    game, state = position.game, position.state
    move = game.read(state, "".join(steps))
    return game.scene(game.after(state, move), [(state, move)])


def confirmation(position: Position, steps: tuple[str, ...], scene: Scene) -> Layout:
    """Return the confirmation of a move; its picture is attached as `PICTURE`."""
    game, state = position.game, position.state
    move = game.read(state, "".join(steps))
    assert position.to_move is not None
    sentence = say(
        "**{seat}**: {sentence}.",
        seat=capital(position.seat_names[position.to_move.seat]),
        sentence=game.tell(state, move),
    )
    alt = say("The board if you play it. {alt}", alt=scene.alt)
    number, version = position.match.id, position.version
    play = ConfirmButton(number, version, STEP_MARK.join(steps))
    return Layout(
        text_display(say("### Match #{number}: do you want to play this?", number=number)),
        picture_component(PICTURE, shortened(alt, MAX_ALT)),
        text_display(lines([sentence, say("Nothing has been played yet.")])),
        action_row(
            play.component(say("Play it"), style="primary"),
            ConfirmButton(number, version, "").component(say("Choose again")),
        ),
    )
