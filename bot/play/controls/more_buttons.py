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
from bot.play.matches.endings import may_agree
from bot.play.matches.notes import MAX_NOTE, Notes, mark, note_lines, saved
from bot.play.matches.offers import to_remove
from bot.play.matches.positions import MatchView, player_of, waits_for
from engine.game import Seat
from engine.phrase import lines, say

Action = Literal["resign", "draw", "takeback", "claim", "flip"]


class MoreButton(Button, prefix="more"):
    """Shows what else can be done in a match."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Show it, to the presser alone."""
        view = await visible(reply, self.match_id)
        note = await reply.get(Notes).of(view, reply.user_id)
        await reply.send(menu(view, reply.user_id, note), public=False)


class ActionButton(Button, prefix="do"):
    """Does one of the things behind *More*."""

    action: Action
    match_id: int

    async def press(self, reply: Reply) -> None:
        """Do it, or first ask for confirmation."""
        await _ACTIONS[self.action](reply, await visible(reply, self.match_id))


def menu(view: MatchView, user_id: int, note: str = "") -> Layout:
    """Return the menu of what a user can do in a match now, with their note."""
    title = say("### {game} · match #{number}", game=view.game.title, number=view.match.id)
    words = lines((title, board_text.prompt_for(view, user_id), *note_lines(note)))
    if view.to_move is None:
        return text_layout(words, *buttons_below("ended", board_text.board(view)))
    return text_layout(words, *actions_of(view, user_id))


@below_boards("running", order=9)
def _more(post: BoardPost) -> Component:
    return MoreButton(post.match_id).component(say("More"))


@behind_more(order=30)
def _take_back(view: MatchView, user_id: int) -> Component:
    to_remove(view, user_id)
    # Translators: a button that takes the player's last move back, or asks the opponent to agree.
    return ActionButton("takeback", view.match.id).component(say("Take back"))


@behind_more(order=40)
def _flip_button(view: MatchView, user_id: int) -> Component | None:
    player = view.player_of(user_id)
    if player is None or not view.game.quarter_turns(view.state, Seat(player.seat)):
        return None
    # Translators: a button that flips the board, so that the player's side is at the bottom.
    return _of_player("flip", view, user_id, say("Flip the board"))


@behind_more(order=50)
def _claim(view: MatchView, user_id: int) -> Component:
    late_player(view, user_id)
    return ActionButton("claim", view.match.id).component(say("Claim"), style="success")


@behind_more(order=60)
def _mute(view: MatchView, user_id: int) -> Component | None:
    clock = view.match.clock
    if clock is None or clock.muted or not waits_for(view, user_id):
        return None
    return claim_buttons.mute_button(view)


@behind_more(order=80)
def _draw(view: MatchView, user_id: int) -> Component | None:
    return _of_player("draw", view, user_id, say("Offer a draw")) if may_agree(view) else None


@behind_more(order=90)
def _resign(view: MatchView, user_id: int) -> Component | None:
    return _of_player("resign", view, user_id, say("Resign"))


def _of_player(action: Action, view: MatchView, user_id: int, label: str) -> Component | None:
    """Return a button for players who have not given up."""
    player = view.player_of(user_id)
    if player is None or player.gave_up is not None:
        return None
    style: Style = "danger" if action == "resign" else "secondary"
    return ActionButton(action, view.match.id).component(label, style=style)


async def _flip(reply: Reply, view: MatchView) -> None:
    settings = reply.get(SettingsStore)
    turned = (await settings.player(reply.user_id)).turned
    await settings.change_player(reply.user_id, {"turned": not turned})
    await reply.get(BoardController).show(reply, view.match.id)


_ACTIONS: Final[Mapping[Action, Callable[[Reply, MatchView], Awaitable[None]]]] = {
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
        view = await visible(reply, self.match_id)
        notes, note = reply.get(Notes), typed.get(_NOTE, "")
        kept = await notes.write(view.match.id, reply.user_id, note, seen=self.seen)
        again = note_button(view.match.id)
        await reply.send(text_layout(saved(view.match.id, kept), again), public=False)


async def ask(reply: Reply, view: MatchView) -> None:
    """Open a player's note on a match; raise NotForYou unless they play in it."""
    player_of(view, reply.user_id)
    kept = await reply.get(Notes).of(view, reply.user_id)
    field = text_input(
        _NOTE,
        say("Note to yourself"),
        description=say("Only you see it. Leave it empty to remove it."),
        value=kept,
        max_length=MAX_NOTE,
        multiline=True,
        required=False,
    )
    form = NoteForm(view.match.id, mark(kept))
    await reply.ask(form.modal(say("Match #{number}", number=view.match.id), field))


def note_button(match_id: int) -> Component:
    """Return the button that opens a player's note."""
    # Translators: a button: read and write a private note about this game.
    return NoteButton(match_id).component(say("Note"))


@behind_more(order=65)
def _behind_more(view: MatchView, user_id: int) -> Component | None:
    return None if view.player_of(user_id) is None else note_button(view.match.id)
