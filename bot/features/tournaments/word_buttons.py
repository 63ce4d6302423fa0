"""The word that a player adds to the throws of their games in a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core.interactions.controls import Button, Form
from bot.core.interactions.layout import text_layout
from bot.features.tournaments import text
from bot.features.tournaments.entrants import Entrants, check_in
from bot.features.tournaments.visible_views import visible
from bot.play.matches.luck_text import form_title, word_field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.core.interactions.reply import Reply


class TournamentWordButton(Button, prefix="cup-word"):
    """Asks for a player's word."""

    number: int

    async def press(self, reply: Reply) -> None:
        """Open the form."""
        entry = check_in(await visible(reply, self.number), reply.user_id)
        form = TournamentWordForm(self.number)
        await reply.ask(form.modal(form_title(accepts=False), word_field(entry.word)))


class TournamentWordForm(Form, prefix="cup-worded"):
    """Sets a player's word."""

    number: int

    async def submit(self, reply: Reply, typed: Mapping[str, str]) -> None:
        """Set the word, and say which games it goes into."""
        view, typed_word = await visible(reply, self.number), typed.get("word", "")
        word = await reply.get(Entrants).set_word(view, reply.user_id, typed_word)
        await reply.send(text_layout(text.word_set(view, word)), public=False)
