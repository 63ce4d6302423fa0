"""*Hints* below the last board of a practice game: each hint again, with what was played, to share."""

from __future__ import annotations

import asyncio

from bot.core.computers import is_practice
from bot.core.errors import NotAllowed, Refusal
from bot.core.interactions.components import Component, rows, text_display
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, pictured
from bot.core.interactions.reply import Reply
from bot.features.practice.commands import hint_scene, hint_words
from bot.features.practice.thinking import Hint
from bot.play.boards.board_message_views import PICTURE
from bot.play.boards.board_text import BoardPost, below_boards
from bot.play.controls.lookup import visible
from bot.play.controls.share_buttons import (
    require_shareable,
    share_button,
    shared_style,
    shares,
)
from bot.play.matches import advice
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import Renderer, style_for
from bot.play.replays.replay import Replay, Replays
from data.puzzles import analyses
from data.store.store import Store
from engine.phrase import Phrase, capital, lines, say


class HintsButton(Button, prefix="hints"):
    """Shows a hint that was taken in a finished practice match."""

    match_id: int
    place: int
    """Which of them, from 0."""

    async def press(self, reply: Reply) -> None:
        """Show it in place of the one before, to this person alone."""
        await reply.show_privately(await _layout(reply, self.match_id, self.place))


@below_boards("ended", order=7)
def hints_button(post: BoardPost) -> Component | None:
    """Return the button below the final board of a match in which hints were taken."""
    return HintsButton(post.match_id, 0).component(say("Hints")) if post.hinted else None


@shares("hint")
async def _shared(reply: Reply, number: int, place: int) -> Layout:
    return await _layout(reply, number, place, shared=True)


async def _layout(reply: Reply, number: int, place: int, *, shared: bool = False) -> Layout:
    position = await visible(reply, number)
    if shared:
        await require_shareable(reply, position)
    match = position.match
    if not match.finished:
        raise NotAllowed(say("This game is still being played. See its hints once it's over."))
    replay = await reply.get(Replays).of_match(number)
    given = await _given(reply, replay)
    if not given:
        raise Refusal(say("This game has no hints to show."))
    place %= len(given)
    ply, hint = given[place]
    then = await reply.get(Matches).position_at(number, ply)
    async with reply.get(Store).read() as tx:
        here = await asyncio.to_thread(advice.of_position, then.game, then.state)
        await advice.require_open(tx, here, advice.hint_refusals())
    style = await (shared_style(reply, position) if shared else style_for(reply, position))
    scene = hint_scene(then, hint)
    png = await reply.get(Renderer).picture(scene, style)
    # Translators: one of the hints taken in a game, and at which move.
    head = say(
        "**Hint {place} of {n}** · move {move}",
        place=place + 1,
        n=len(given),
        move=replay.move(ply + 1),
    )
    told = await asyncio.to_thread(hint_words, then, hint)
    buttons: list[Component] = []
    if not shared:
        if len(given) > 1:
            following = HintsButton(number, (place + 1) % len(given))
            buttons.append(following.component(say("Next hint")))
        buttons += share_button(reply, "hint", number, place)
    return Layout(
        pictured(PICTURE, png, scene.alt),
        text_display(lines((head, told, _played(replay, ply, hint)))),
        *rows(buttons),
    )


async def _given(reply: Reply, replay: Replay) -> list[tuple[int, Hint]]:
    """Return the hints of a practice match whose turns are known, by the entries before them.

    Once a move was taken back, which turn a hint was for is not.
    """
    match = replay.position.match
    if not is_practice(match) or match.takebacks:
        return []
    async with reply.get(Store).read() as tx:
        stored = await analyses.hints_of(tx, match.id)
    found = ((version - match.passed, Hint(**given)) for version, given in stored)
    return [(ply, hint) for ply, hint in found if 0 <= ply <= replay.plies]


def _played(replay: Replay, ply: int, hint: Hint) -> Phrase | str:
    """Return what was played instead, if anything was."""
    if ply == replay.plies:
        return say("The game ended here.")
    game, entry = replay.game, replay.entry(ply + 1)
    if entry.move == game.read(entry.before, hint.move):
        return say("It was played.")
    label = game.move_label(entry.before, entry.move).text
    # Translators: move is such as "Man e5 to e9".
    return say("Played instead: {move}.", move=capital(label))
