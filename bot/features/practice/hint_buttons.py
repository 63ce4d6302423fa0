"""Hints in practice: the button behind *More*, and the board with an arrow, the reason, and the move."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from bot.core.interactions.components import Component, action_row, picture, text_display
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout
from bot.core.interactions.rendering import MAX_ALT
from bot.core.interactions.reply import Reply
from bot.features.practice.hints import Hint, Hints
from bot.play.boards import board_message_views
from bot.play.boards.board_message_views import PICTURE, ConfirmButton
from bot.play.boards.board_text import STEP_MARK, behind_more
from bot.play.controls.lookup import visible
from bot.play.matches.advice import CERTAIN, percent
from bot.play.matches.positions import MatchView, waits_for
from bot.play.pictures.rendering import picture_for
from engine.overlay import along, overlaid
from engine.phrase import Phrase, lines, plural, say, shortened
from engine.scene import Scene


class HintButton(Button, prefix="hint"):
    """Shows the best move of a practice match."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Show it, to this player alone."""
        await show(reply, await visible(reply, self.match_id))


@behind_more(order=10)
def hint_button(view: MatchView, user_id: int) -> Component | None:
    """Return the button if it is this player's turn in practice."""
    if not view.practice or not waits_for(view, user_id):
        return None
    return HintButton(view.match.id).component(say("Hint"))


async def show(reply: Reply, view: MatchView) -> None:
    """Show the best move in a practice match to this player alone.

    Raises:
        Refusal: no hint is available; see `Hints.give`.

    """
    given, now = await reply.get(Hints).give(view, reply.user_id)
    scene = _scene(view, given)
    png = await picture_for(reply, view, scene)
    move = view.game.read(view.state, given.move)
    play = ConfirmButton(view.match.id, view.version, STEP_MARK.join(view.game.steps(move)))
    layout = Layout(
        picture(PICTURE, scene.alt),
        text_display(await asyncio.to_thread(hint, view, given, now.match.hints)),
        action_row(play.component(say("Play it"), style="primary")),
    )
    await reply.send(layout, files=[board_message_views.picture(png)], public=False)


def _scene(view: MatchView, given: Hint) -> Scene:
    game, state = view.game, view.state
    move = game.read(state, given.move)
    last = [(played.before, played.move) for played in view.last_turn]
    scene = overlaid(game.scene(state, last), along(game.ways(state, move)))
    # Translators: move is in notation; a description of the position follows.
    alt = say("An arrow shows {move}. {alt}", move=given.move, alt=scene.alt)
    return replace(scene, alt=shortened(alt, MAX_ALT))


_CLOSE: Final = 0.02
"""Moves whose values differ by less count as equally good."""


def hint(view: MatchView, given: Hint, taken: int) -> Phrase:
    """Return the text of a hint: the move, the reason, and the number of hints so far."""
    game, state = view.game, view.state
    move = game.read(state, given.move)
    counted = plural(
        "-# {n} hint so far. The result says how many you took.",
        "-# {n} hints so far. The result says how many you took.",
        taken,
    )
    sentence = _hint(given, game.move_label(state, move).text)
    judged = (game.reason(state, move), game.price(state, move), _compared(given))
    reason = lines(filter(None, judged), " ")
    return lines((sentence, reason, counted))


def _hint(given: Hint, move: str) -> Phrase:
    if given.expected > CERTAIN:
        # Translators: move is what the notation means: "man e5 to e9", "enter a piece".
        return say("**{notation}**, {move}: this wins.", notation=given.move, move=move)
    return say(
        # Translators: move is what the notation means: "man e5 to e9", "enter a piece".
        "**{notation}**, {move}: {expected} % win chance.",
        notation=given.move,
        move=move,
        expected=percent(given.expected),
    )


def _compared(given: Hint) -> Phrase:
    if given.second is None:
        return say("It's your only move.")
    if given.expected < 1 - CERTAIN:
        return say("I don't see a way to save this one.")
    other, less = given.second
    if given.expected - less < _CLOSE:
        # Translators: other is another move in notation.
        return say("{other} is almost as good.", other=other)
    return say("Next best is {other}, at {less} %.", other=other, less=percent(less))
