"""``/<game> practice`` and ``/match hint``; hints are also behind *More*."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated, Any, Final

from bot.core.computers import LEVEL_NAMES, is_practice
from bot.core.errors import NoSuchMatch
from bot.core.i18n.mentions import slash
from bot.core.interactions.commands import (
    Option,
    Suggestions,
    command,
    fitting,
    game_command,
    game_parameters,
    options_in,
    seat_in,
    word_in,
)
from bot.core.interactions.components import Component, action_row, text_display
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import MAX_ALT, Layout, pictured
from bot.core.interactions.reply import Reply
from bot.core.permissions import play
from bot.features.challenges.buttons import ChallengeMessages, invitation
from bot.features.challenges.invitations import against
from bot.features.challenges.service import Challenges
from bot.features.practice.thinking import Hint, Hints
from bot.play.boards.board_message_views import PICTURE, STEP_MARK, ConfirmButton
from bot.play.boards.board_text import behind_more
from bot.play.controls.lookup import in_channel, only, visible, with_opponents
from bot.play.matches.advice import CERTAIN, percent
from bot.play.matches.positions import Position, is_turn_of, waits_for
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import picture_for
from data.matches.match import Match
from engine.overlay import along, overlaid
from engine.phrase import Phrase, capital, lines, plural, say, shortened
from engine.registry import AnyGame
from engine.scene import Scene


@game_command(
    "practice",
    lambda game: say("Play {game} against the computer", game=game.title),
    public=True,
    parameters=lambda game: game_parameters(
        game, say("Number of players (computers take the other seats)")
    ),
)
async def practice(
    reply: Reply,
    game: AnyGame,
    level: Annotated[int, Option(say("How strong the computer is"), choices=LEVEL_NAMES)],
    **given: Any,
) -> None:
    """Start a match against computers of a level."""
    await play.require_games(reply)
    asked = invitation(reply, game, options_in(game, given), seat_in(game, given), word_in(given))
    asked = against(asked, level, given.get("players"))
    begun = await reply.get(Challenges).practise(asked, channel_kind=reply.channel_kind)
    await reply.get(ChallengeMessages).post(reply, begun)


async def _waiting(reply: Reply) -> list[Match]:
    """Return the practice matches where it is the user's turn, those in this channel first."""
    played = await reply.get(Matches).of_player(reply.user_id)
    found = [one for one in played if is_practice(one) and is_turn_of(one, reply.user_id)]
    return sorted(found, key=lambda match: match.channel_id != reply.channel_id)


async def _suggest(reply: Reply, typed: str, _: AnyGame | None) -> Suggestions:
    """Suggest practice matches where it is the user's turn."""
    return await fitting(reply, typed, with_opponents(reply, await _waiting(reply)))


@command("match hint", say("Show the best move in a practice game"))
async def hint(
    reply: Reply,
    number: Annotated[
        int | None, Option(say("Match number (if you have several)"), suggest=_suggest)
    ] = None,
) -> None:
    """Give a hint in a practice match."""
    position = await _practised(reply) if number is None else await visible(reply, number)
    await _show(reply, position)


async def _practised(reply: Reply) -> Position:
    """Return the practice match meant if no number is given."""
    found = await _waiting(reply)
    if not found:
        raise NoSuchMatch(
            say(
                "It's not your turn in any practice game. To start one, use {play}.",
                play=slash("play"),
            )
        )
    return await only(reply, in_channel(reply, found))


class HintButton(Button, prefix="hint"):
    """Shows the best move of a practice match."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Show it, to this player alone."""
        await _show(reply, await visible(reply, self.match_id))


@behind_more(order=10)
def hint_button(position: Position, user_id: int) -> Component | None:
    """Return the button if it is this player's turn in practice."""
    if not position.practice or not waits_for(position, user_id):
        return None
    return HintButton(position.match.id).component(say("Hint"))


async def _show(reply: Reply, position: Position) -> None:
    """Show the best move in a practice match to this player alone."""
    given, now = await reply.get(Hints).give(position, reply.user_id)
    scene = hint_scene(position, given)
    png = await picture_for(reply, position, scene)
    move = position.game.read(position.state, given.move)
    play = ConfirmButton(
        position.match.id, position.version, STEP_MARK.join(position.game.steps(move))
    )
    layout = Layout(
        pictured(PICTURE, png, scene.alt),
        text_display(await asyncio.to_thread(hint_text, position, given, now.match.hints)),
        action_row(play.component(say("Play it"), style="primary")),
    )
    await reply.send(layout, public=False)


def hint_scene(position: Position, given: Hint) -> Scene:
    """Return the board with an arrow for the hint."""
    game, state = position.game, position.state
    move = game.read(state, given.move)
    last = [(played.before, played.move) for played in position.last_turn]
    scene = overlaid(game.scene(state, last), along(game.routes(state, move)))
    # Translators: move is in notation; a description of the position follows.
    alt = say("An arrow shows {move}. {alt}", move=given.move, alt=scene.alt)
    return replace(scene, alt=shortened(alt, MAX_ALT))


_CLOSE: Final = 0.02
"""Moves whose values differ by less count as equally good."""


def hint_text(position: Position, given: Hint, taken: int) -> Phrase:
    """Return the text of a hint: the move, the reason, and the number of hints so far."""
    counted = plural(
        "-# {n} hint so far. The result says how many you took.",
        "-# {n} hints so far. The result says how many you took.",
        taken,
    )
    return lines((hint_words(position, given), counted))


def hint_words(position: Position, given: Hint) -> Phrase:
    """Return what a hint says: the move, and the reason."""
    game, state = position.game, position.state
    move = game.read(state, given.move)
    sentence = _hint(given, capital(game.move_label(state, move).text))
    other = "" if given.second is None else game.read(state, given.second[0])
    judged = (
        game.reason(state, move),
        game.price(state, move),
        _compared(given, game.move_label(state, other).text if other else ""),
    )
    return lines((sentence, lines(filter(None, judged), " ")))


def _hint(given: Hint, move: str) -> Phrase:
    if given.expected > CERTAIN:
        # Translators: move is such as "Man e5 to e9" or "Enter a piece".
        return say("**{move}**: this wins.", move=move)
    return say(
        # Translators: move is such as "Man e5 to e9" or "Enter a piece".
        "**{move}**: {expected} % win chance.",
        move=move,
        expected=percent(given.expected),
    )


def _compared(given: Hint, other: str) -> Phrase:
    if given.second is None:
        return say("It's your only move.")
    if given.expected < 1 - CERTAIN:
        return say("I don't see a way to save this one.")
    _, less = given.second
    if given.expected - less < _CLOSE:
        # Translators: other is another move, such as "Man e5 to e9".
        return say("{other} is almost as good.", other=capital(other))
    return say("Next best is {other}, at {less} %.", other=other, less=percent(less))
