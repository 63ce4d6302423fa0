"""The command that plans conditional moves from typed text."""

from __future__ import annotations

from typing import Annotated, Final

from bot.core.interactions.commands import Option, Suggestions, game_command
from bot.core.interactions.reply import Reply
from bot.features.conditional_moves import buttons, text
from bot.features.conditional_moves.service import ConditionalMoves, suggestions, typed
from bot.play.controls.lookup import ChosenMatch, given_number, pick
from engine.phrase import say
from engine.registry import AnyGame

_MAX_SUGGESTED: Final = 25
_MAX_LENGTH: Final = 100
"""Maximum length of a suggestion."""


async def _lines(reply: Reply, typed_: str, game: AnyGame | None) -> Suggestions:
    """Suggest continuations of a line."""
    assert game is not None
    view = await pick(reply, game.slug, given_number(reply))
    planning = await reply.get(ConditionalMoves).of(view.match.id, reply.user_id)
    found = [line for line in suggestions(planning, typed_) if len(line) <= _MAX_LENGTH]
    return [(line, line) for line in found[:_MAX_SUGGESTED]]


@game_command(
    "plan", say("Plan your answer to a move of your opponent"), when=lambda game: not game.has_luck
)
async def plan(
    reply: Reply,
    game: AnyGame,
    moves: Annotated[
        str | None,
        Option(
            say("Their move, your answer, and so on (leave empty to see your plans)"),
            suggest=_lines,
            maximum=_MAX_LENGTH,
        ),
    ] = None,
    match: ChosenMatch = None,
) -> None:
    """Save the answers in a line, or show the saved ones."""
    view = await pick(reply, game.slug, match)
    conditional = reply.get(ConditionalMoves)
    planning = await conditional.of(view.match.id, reply.user_id)
    if moves is None:
        await buttons.show(reply, planning)
        return
    answers = typed(planning, moves)
    after = await conditional.keep(view.match.id, reply.user_id, planning.view.version, answers)
    await buttons.show(reply, after, note=text.kept(after, answers[-1].line))
