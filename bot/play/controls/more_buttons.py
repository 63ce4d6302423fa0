"""*More* below a board: everything else the presser can do in a match, shown to them alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Literal

from bot.core.interactions.components import Component, Style, text_input
from bot.core.interactions.controls import Button, Form
from bot.core.interactions.layout import Layout, text_layout
from bot.core.interactions.reply import Reply
from bot.core.settings.service import SettingsStore
from bot.play.boards import board_text
from bot.play.boards.board_text import (
    BoardPost,
    actions_of,
    behind_more,
    below_boards,
    buttons_below,
)
from bot.play.clocks.service import late_player
from bot.play.controls import claim_buttons, ending_buttons
from bot.play.controls.board_views import BoardController
from bot.play.controls.lookup import visible
from bot.play.matches import match_text
from bot.play.matches.endings import may_agree
from bot.play.matches.notes import MAX_NOTE, Notes, mark, note_lines, saved
from bot.play.matches.offers import to_remove
from bot.play.matches.positions import Position, player_of, waits_for
from engine.game import Seat
from engine.phrase import concat, lines, say

Action = Literal["resign", "draw", "takeback", "claim", "flip"]


class MoreButton(Button, prefix="more"):
    """Shows what else can be done in a match."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Show it, to the presser alone."""
        await reply.send(await _menu(reply, self.match_id), public=False)


class BackToMoreButton(Button, prefix="more-again"):
    """Leads from what was opened behind *More* back there."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Show it in place of what it led to."""
        await reply.show_privately(await _menu(reply, self.match_id))


async def _menu(reply: Reply, match_id: int) -> Layout:
    position = await visible(reply, match_id)
    note = await reply.get(Notes).of(position, reply.user_id)
    return menu(position, reply.user_id, note)


def back_to_more(match_id: int) -> Component:
    """Return the button that leads back to what can be done in a match."""
    return BackToMoreButton(match_id).component(say("Back"))


class ActionButton(Button, prefix="do"):
    """Does one of the things behind *More*."""

    action: Action
    match_id: int

    async def press(self, reply: Reply) -> None:
        """Do it, or first ask for confirmation."""
        await _ACTIONS[self.action](reply, await visible(reply, self.match_id))


def menu(position: Position, user_id: int, note: str = "") -> Layout:
    """Return the menu of what a user can do in a match now, with their note."""
    title = concat("### ", match_text.named(position))
    words = lines((title, board_text.prompt_for(position, user_id), *note_lines(note)))
    if position.to_move is None:
        return text_layout(words, *buttons_below("ended", board_text.board(position)))
    return text_layout(words, *actions_of(position, user_id))


@below_boards("running", order=9)
def _more(post: BoardPost) -> Component:
    return MoreButton(post.match_id).component(say("More"))


@behind_more(order=30)
def _take_back(position: Position, user_id: int) -> Component:
    to_remove(position, user_id)
    # Translators: a button that takes the player's last move back, or asks the opponent to agree.
    return ActionButton("takeback", position.match.id).component(say("Take back"))


@behind_more(order=40)
def _flip_button(position: Position, user_id: int) -> Component | None:
    player = position.player_of(user_id)
    if player is None or not position.game.quarter_turns(position.state, Seat(player.seat)):
        return None
    # Translators: a button that flips the board, so that the player's side is at the bottom.
    return _of_player("flip", position, user_id, say("Flip the board"))


@behind_more(order=50)
def _claim(position: Position, user_id: int) -> Component:
    late_player(position, user_id)
    return ActionButton("claim", position.match.id).component(say("Claim"), style="success")


@behind_more(order=60)
def _mute(position: Position, user_id: int) -> Component | None:
    clock = position.match.clock
    if clock is None or clock.muted or not waits_for(position, user_id):
        return None
    return claim_buttons.mute_button(position)


@behind_more(order=80)
def _draw(position: Position, user_id: int) -> Component | None:
    return (
        _of_player("draw", position, user_id, say("Offer a draw")) if may_agree(position) else None
    )


@behind_more(order=90)
def _resign(position: Position, user_id: int) -> Component | None:
    return _of_player("resign", position, user_id, say("Resign"))


def _of_player(action: Action, position: Position, user_id: int, label: str) -> Component | None:
    """Return a button for players who have not given up."""
    player = position.player_of(user_id)
    if player is None or player.gave_up is not None:
        return None
    style: Style = "danger" if action == "resign" else "secondary"
    return ActionButton(action, position.match.id).component(label, style=style)


async def _flip(reply: Reply, position: Position) -> None:
    settings = reply.get(SettingsStore)
    turned = (await settings.player(reply.user_id)).turned
    await settings.change_player(reply.user_id, {"turned": not turned})
    await reply.get(BoardController).show(reply, position.match.id)


_ACTIONS: Final[Mapping[Action, Callable[[Reply, Position], Awaitable[None]]]] = {
    "resign": ending_buttons.ask,
    "draw": ending_buttons.offer_draw,
    "takeback": ending_buttons.take_back,
    "claim": claim_buttons.ask,
    "flip": _flip,
}
_NOTE: Final = "note"


class NoteButton(Button, prefix="note"):
    """Opens a player's note on a match, to read and edit."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Open it."""
        await ask(reply, await visible(reply, self.match_id))


class NoteForm(Form, prefix="noted"):
    """Saves a typed note."""

    match_id: int
    seen: str
    """The `mark` of the note shown when the form was opened."""

    async def submit(self, reply: Reply, typed: Mapping[str, str]) -> None:
        """Save the note, and show it to this player alone."""
        position = await visible(reply, self.match_id)
        notes, note = reply.get(Notes), typed.get(_NOTE, "")
        kept = await notes.write(position.match.id, reply.user_id, note, seen=self.seen)
        again = note_button(position.match.id)
        await reply.send(text_layout(saved(position.match.id, kept), again), public=False)


async def ask(reply: Reply, position: Position) -> None:
    """Open a player's note on a match; raise NotForYou unless they play in it."""
    player_of(position, reply.user_id)
    kept = await reply.get(Notes).of(position, reply.user_id)
    field = text_input(
        _NOTE,
        say("Note to yourself"),
        description=say("Only you see it. Leave it empty to remove it."),
        value=kept,
        max_length=MAX_NOTE,
        multiline=True,
        required=False,
    )
    form = NoteForm(position.match.id, mark(kept))
    await reply.ask(form.modal(say("Match #{number}", number=position.match.id), field))


def note_button(match_id: int) -> Component:
    """Return the button that opens a player's note."""
    # Translators: a button: read and write a private note about this game.
    return NoteButton(match_id).component(say("Note"))


@behind_more(order=65)
def _behind_more(position: Position, user_id: int) -> Component | None:
    return None if position.player_of(user_id) is None else note_button(position.match.id)
