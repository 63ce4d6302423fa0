"""The button and form for players' private notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.core.interactions.components import Component, text_input
from bot.core.interactions.controls import Button, Form
from bot.core.interactions.layout import text_layout
from bot.core.interactions.reply import Reply
from bot.play.boards.board_actions import behind_more
from bot.play.controls.lookup import visible
from bot.play.matches.notes import MAX_NOTE, Notes, mark, saved
from bot.play.matches.positions import MatchView
from bot.play.matches.turns import player_of
from engine.phrase import say

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
    """Open a player's note on a match.

    Raises:
        NotForYou: the user does not play in the match.

    """
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
