"""Planning conditional moves, typed or by buttons and menus, visible only to their owner."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, ClassVar, Final

from bot.core.errors import OldBoard, Refusal, picked
from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import mention, mention_all, numbered
from bot.core.interactions.commands import Option, Suggestions, game_command
from bot.core.interactions.components import (
    Component,
    action_row,
    option,
    rows,
    text_display,
)
from bot.core.interactions.controls import Button, Menu
from bot.core.interactions.layout import Layout, pictured, text_layout
from bot.core.interactions.reply import Reply
from bot.core.posts.kinds import Content, PostKind
from bot.features.conditional_moves.service import (
    MAX_DEPTH,
    MAX_MOVES,
    MOVED_ON,
    Answer,
    ConditionalMoves,
    Planning,
    may_plan,
    require_open,
    suggestions,
    typed,
)
from bot.play.boards.board_message_views import (
    PICTURE,
    further_controls,
    further_steps,
    split_steps,
)
from bot.play.boards.board_text import behind_more
from bot.play.controls.lookup import ChosenMatch, given_number, pick, visible
from bot.play.controls.more_buttons import back_to_more
from bot.play.matches.jobs import board_link
from bot.play.matches.moves import PLAYED_POST, Variation
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import draft_alt, picture_for
from data.matches import conditional_moves
from data.matches.conditional_moves import ConditionalMove
from data.posts import Post
from data.store.store import Store
from engine.menu import choices
from engine.phrase import Phrase, concat, lines, say
from engine.registry import AnyGame

_MAX_SUGGESTED: Final = 25
_MAX_LENGTH: Final = 100
"""Maximum length of a suggestion."""
_NEXT: Final = " → "
# Translators: on a picture, in few words: these moves are planned.
DRAFT: Final = say("Plan ahead: not played yet")
_HOW: Final = say(
    "-# If they play these moves, I play your answer, in bold, at once. If not, I ask you "
    "as usual. Only you see this. Up to {most} answers, {depth} in a row.",
    most=MAX_MOVES,
    depth=MAX_DEPTH,
)


class PlanButton(Button, prefix="plan"):
    """Shows a player's conditional moves in a match."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Show them, or offer to plan one if there are none."""
        await show(reply, await _planning(reply, self.match_id))


class PlanControl(Button, prefix="if"):
    """Chooses the others' moves and the answer: a button for one step, or a menu of them."""

    match_id: int
    version: int
    after: int
    """The conditional move this continues; 0 for the current position."""
    steps: str
    """The steps of all moves since then, as in `MoveControl`."""

    async def press(self, reply: Reply) -> None:
        """Choose this step."""
        await self._choose(reply, split_steps(self.steps))

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Choose the selected step; its value holds the steps of its move."""
        await self._choose(reply, further_steps(self.steps, values[0]))

    async def _choose(self, reply: Reply, chosen: tuple[str, ...]) -> None:
        planning = await _planning(reply, self.match_id)
        try:
            if planning.position.version != self.version:
                raise OldBoard(MOVED_ON)
            variation, steps = planning.after(self.after), chosen
            while steps and not variation.over:
                reached, left = variation.choose(steps)
                if reached is variation:
                    break
                if variation.actor == planning.player.seat:
                    move = variation.game.write(reached.played[len(variation.played)].move)
                    await _keep(reply, planning.position, [Answer(variation.line, move)])
                    return
                variation, steps = reached, left
        except Refusal as refusal:
            await show(reply, await _planning(reply, self.match_id), note=refusal.sentence)
            return
        done = chosen[: len(chosen) - len(steps)]
        await _ask(reply, planning, variation, after=self.after, done=done, steps=steps)


class PlannedMenu(Menu, prefix="ifs"):
    """Selects one of a player's conditional moves."""

    match_id: int

    async def choose(self, reply: Reply, values: Sequence[str]) -> None:
        """Show the selected move."""
        planning = await _planning(reply, self.match_id)
        try:
            await _show_one(reply, planning, planning.get(picked(values[0])))
        except OldBoard as gone:
            await show(reply, planning, note=gone.sentence)


class RemoveButton(Button, prefix="ifx"):
    """Removes a conditional move."""

    match_id: int
    number: int

    async def press(self, reply: Reply) -> None:
        """Remove the move."""
        await visible(reply, self.match_id)
        moves = reply.get(ConditionalMoves)
        after = await moves.remove(self.match_id, reply.user_id, self.number)
        await show(reply, after, note=say("Removed."))


async def _planning(reply: Reply, match_id: int) -> Planning:
    await visible(reply, match_id)
    return await reply.get(ConditionalMoves).of(match_id, reply.user_id)


async def _keep(reply: Reply, position: Position, answers: Sequence[Answer]) -> None:
    conditional = reply.get(ConditionalMoves)
    after = await conditional.keep(position.match.id, reply.user_id, position.version, answers)
    planned = told(after, after.after(0).continued(answers[-1].line))
    await show(reply, after, note=say("Planned: {moves}", moves=planned))


async def show(reply: Reply, planning: Planning, *, note: str = "") -> None:
    """Show a player's conditional moves, or offer to plan one if there are none."""
    if not planning.moves and not note:
        await _ask(reply, planning, planning.after(0))
        return
    match_id = planning.position.match.id
    picks = [
        option(concat(f"{n}. ", line_of(planning, one, marked=False)), str(one.id))
        for n, one in enumerate(planning.moves, 1)
    ]
    pick = PlannedMenu(match_id).component(picks, placeholder=say("Continue or remove one"))
    controls = [action_row(pick)] if picks else []
    buttons = [back_to_more(match_id)]
    if len(planning.moves) < MAX_MOVES:
        more = PlanControl(match_id, planning.position.version, 0, "")
        buttons.insert(0, more.component(say("Plan a move"), style="primary"))
    controls += rows(buttons)
    planned = [concat(f"{n}. ", line_of(planning, one)) for n, one in enumerate(planning.moves, 1)]
    words = [*filter(None, [note]), *(planned or [say("Nothing is planned.")]), _HOW]
    await _send(reply, planning, planning.after(0), words, controls)


async def _show_one(reply: Reply, planning: Planning, one: ConditionalMove) -> None:
    variation, position = planning.after(one.id), planning.position
    buttons = [
        RemoveButton(position.match.id, one.id).component(say("Remove"), style="danger"),
        PlanButton(position.match.id).component(say("Back")),
    ]
    deep = len(planning.own(variation)) >= MAX_DEPTH
    if not (variation.over or deep or len(planning.moves) >= MAX_MOVES):
        more = PlanControl(position.match.id, position.version, one.id, "")
        buttons.insert(0, more.component(say("Plan the next"), style="primary"))
    await _send(reply, planning, variation, [line_of(planning, one)], rows(buttons))


async def _ask(
    reply: Reply,
    planning: Planning,
    variation: Variation,
    *,
    after: int = 0,
    done: tuple[str, ...] = (),
    steps: tuple[str, ...] = (),
) -> None:
    """Ask a player for the others' next move, or for the answer.

    ``done`` are the steps from the move ``after`` to here, ``steps`` those chosen since.
    """
    require_open(variation)
    position = planning.position
    address = partial(PlanControl, position.match.id, position.version, after)
    entries = choices(variation.game, variation.state, steps, advised=False)
    controls = further_controls(address, done, entries, steps)
    if controls is None:
        controls = [text_display(say("-# These moves are too long to plan here."))]
    number = position.match.id
    planned = PlanButton(number).component(say("Back"))
    back = [planned if planning.moves else back_to_more(number)]
    if done:
        back.insert(0, address("").component(say("Start over")))
    asked = replace(variation, chosen=steps)
    await _send(reply, planning, asked, question(planning, asked), [*controls, *rows(back)])


async def _send(
    reply: Reply,
    planning: Planning,
    variation: Variation,
    words: Iterable[str],
    controls: Sequence[Component],
) -> None:
    """Show a position with text and controls, to this player alone."""
    position = planning.position
    scene = variation.scene(position.last_turn)
    png = await picture_for(reply, position, scene, DRAFT)
    title = say("### Plan ahead · match #{number}", number=position.match.id)
    body = text_display(lines((title, *words)))
    await reply.show_privately(
        Layout(body, pictured(PICTURE, png, draft_alt(DRAFT, scene)), *controls)
    )


@behind_more(order=20)
def _plan(position: Position, user_id: int) -> Component:
    may_plan(position, user_id)
    # Translators: a button: choose your reply to a possible move by the opponent in advance.
    return PlanButton(position.match.id).component(say("Plan ahead"))


def line_of(planning: Planning, one: ConditionalMove, *, marked: bool = True) -> Phrase:
    """Return a move with those leading to it, in words, the player's own in bold."""
    variation = planning.after(one.id)
    # What follows as the only move is no part of it.
    line = replace(variation, played=variation.played[: len(one.line)])
    return told(planning, line, marked=marked)


def told(planning: Planning, variation: Variation, *, marked: bool = True) -> Phrase:
    """Return the moves of a variation in the words of menus, the player's own in bold."""
    own = planning.own(variation) if marked else ()
    played = variation.played
    return _marked((variation.game.move_label(one.before, one.move).text for one in played), own)


def _marked(moves: Iterable[str], own: Collection[int]) -> Phrase:
    """Return moves in a row, some in bold."""
    return lines(
        (concat("**", one, "**") if n in own else one for n, one in enumerate(moves)), _NEXT
    )


def _in_words(position: Position, line: Sequence[str]) -> Sequence[str]:
    """Return moves just played in the words of menus, or as they are if they were played long ago."""
    game, latest = position.game, position.tail
    for begin in range(len(latest) - len(line), -1, -1):
        played = latest[begin : begin + len(line)]
        if [game.write(one.move) for one in played] == list(line):
            return [game.move_label(one.before, one.move).text for one in played]
    return line


def question(planning: Planning, variation: Variation) -> Iterator[str]:
    """Yield the question for the next choice."""
    if variation.played:
        yield say("If {moves} …", moves=told(planning, variation))
    if variation.chosen:
        yield variation.game.steps_label(variation.state, variation.chosen).question
    elif variation.actor == planning.player.seat:
        yield say("Your answer?")
    else:
        player = mention(planning.position.player_at(variation.actor).user_id)
        yield say("What might {player} play?", player=player)
    if not variation.played:
        yield _HOW


async def _lines(reply: Reply, typed_: str, game: AnyGame | None) -> Suggestions:
    assert game is not None
    position = await pick(reply, game.slug, given_number(reply))
    planning = await reply.get(ConditionalMoves).of(position.match.id, reply.user_id)
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
    position = await pick(reply, game.slug, match)
    planning = await reply.get(ConditionalMoves).of(position.match.id, reply.user_id)
    if moves is None:
        await show(reply, planning)
    else:
        await _keep(reply, planning.position, typed(planning, moves))


@dataclass(eq=False, repr=False)
class MovePlayedPost(PostKind):
    """Tells a player what was played for them. Who takes no direct messages misses it."""

    kind: ClassVar[str] = PLAYED_POST
    kept: ClassVar[bool] = False

    store: Store
    matches: Matches
    locales: Locales

    async def content(self, post: Post) -> Content | None:
        """Return what was played; ``None`` if the match is gone or they have left it."""
        position = await self.matches.position(post.subject)
        player = position.player_of(post.user_id)
        if player is None:
            return None
        async with self.store.read() as tx:
            link = await board_link(tx, position.match)
            known = await conditional_moves.of_match(tx, position.match.id)
        others = mention_all(p.user_id for p in position.match.players if p.user_id != post.user_id)
        head = say(
            "Your planned answer was played in match {number} ({game} against {others}).",
            number=numbered(position.match.id, link),
            game=position.game.title,
            others=others,
        )
        notes: list[str] = []
        if left := sum(
            one.seat == player.seat and one.version == position.version for one in known
        ):
            notes.append(say("Still planned: {n}", n=left))
        played = _marked(_in_words(position, post.payload["line"]), post.payload["own"])
        words = lines((head, played, *([concat("-# ", lines(notes, " · "))] if notes else [])))
        again = (
            [PlanButton(position.match.id).component(say("Plan ahead"))] if position.to_move else []
        )
        return Content(text_layout(words, *again), await self.locales.of_player(post.user_id))
