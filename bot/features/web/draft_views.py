"""What the page's board shows besides the match: tried and planned moves, and hints.

Nothing here is played. The rules, limits and words are those of the buttons in Discord.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from bot.core.errors import OldBoard
from bot.core.interactions.layout import say_in
from bot.features.conditional_moves.buttons import DRAFT as PLANNING
from bot.features.conditional_moves.buttons import line_of, question, told
from bot.features.conditional_moves.service import MOVED_ON, Answer, ConditionalMoves, Planning
from bot.features.practice.commands import hint_scene, hint_text
from bot.features.practice.thinking import Hints
from bot.features.web.guard import Reader
from bot.features.web.match_views import JSON, MatchViews, drawn, moves_of
from bot.play.matches.moves import TRYING, Variation
from bot.play.matches.positions import Position
from bot.play.pictures.rendering import draft_alt
from engine.phrase import lines, say
from engine.phrase import translated as said
from engine.scene import without_choices

Line = Sequence[tuple[str, ...]]
"""Moves by their steps, without those that follow as the only ones."""
MAX_LINE: Final = 100
_IMPOSSIBLE: Final = say("That move isn't possible on this board.")


@dataclass(eq=False, repr=False)
class DraftViews:
    """Describes drafts of a match to one reader, as JSON."""

    views: MatchViews
    plans: ConditionalMoves
    hints: Hints

    async def tried(self, then: Position, reader: Reader, line: Line) -> JSON:
        """Return the board after moves tried from a turn on; raise OldBoard if they are not possible there."""
        here = Variation(then.game, then.state)
        variation = await asyncio.to_thread(_after, here, line)
        words = " → ".join(f"`{one}`" for one in variation.line)
        asked = [variation.question]
        return await self._shown("try", then, variation, reader, words=words, asked=asked)

    async def planned(
        self, position: Position, reader: Reader, version: int, line: Line, *, keep: bool
    ) -> JSON:
        """Return the board after planned moves; ``keep`` the last of them, an answer of the reader.

        Raises like `ConditionalMoves.keep`.
        """
        number, user_id = position.match.id, reader.user_id
        planning = await self.plans.of(number, user_id)
        if planning.position.version != version:
            raise OldBoard(MOVED_ON)
        before = await asyncio.to_thread(_after, planning.after(0), line[:-1])
        variation = await asyncio.to_thread(_after, before, line[-1:])
        if keep and line and before.actor == planning.player.seat:
            move = before.game.write(variation.played[len(before.played)].move)
            planning = await self.plans.keep(number, user_id, version, [Answer(before.line, move)])
        return await self._planning(planning, variation, reader)

    async def removed(self, position: Position, reader: Reader, *, number: int) -> JSON:
        """Remove a planned move, and return the board as it stands."""
        planning = await self.plans.remove(position.match.id, reader.user_id, number)
        return await self._planning(planning, planning.after(0), reader)

    async def _planning(self, planning: Planning, variation: Variation, reader: Reader) -> JSON:
        words = told(planning, variation)
        asked = [variation.question] if variation.over else list(question(planning, variation))
        if variation.over or variation.played:
            asked = asked[-1:]  # the moves are told already
        shown = await self._shown(
            "plan", planning.position, variation, reader, words=words, asked=asked
        )
        shown["planned"] = [
            {"id": one.id, "words": say_in(reader.locale, line_of(planning, one))}
            for one in planning.moves
        ]
        return shown

    async def _shown(
        self,
        kind: Literal["try", "plan"],
        base: Position,
        variation: Variation,
        reader: Reader,
        *,
        words: str,
        asked: Iterable[str],
    ) -> JSON:
        label = TRYING if kind == "try" else PLANNING
        locale = reader.locale
        style = replace(await self.views.style(base, reader), draft=label)
        game, state = variation.game, variation.state

        def described() -> JSON:
            scene = variation.scene(base.last_turn)
            moves = [] if variation.over else moves_of(game, state, locale, advised=False)
            return {
                "scene": drawn(scene, style),
                "alt": said(draft_alt(label, scene), locale),
                "moves": moves,
            }

        shown: JSON = await asyncio.to_thread(described)
        shown |= {
            "kind": kind,
            "label": say_in(locale, label),
            "match": base.match.id,
            "theme": style.colours,
            "story": say_in(locale, words),
            "prompt": say_in(locale, lines(asked)),
            "planned": [],
        }
        shown["people"] = await self.views.people(base.match.guild_id, shown)
        return shown

    async def hint(self, position: Position, reader: Reader) -> JSON:
        """Return the board with the best move marked in a match of practice; raises like `Hints.give`."""
        given, now = await self.hints.give(position, reader.user_id)
        style, locale = await self.views.style(position, reader), reader.locale

        def described() -> JSON:
            scene = hint_scene(position, given)
            move = position.game.read(position.state, given.move)
            return {
                "scene": drawn(without_choices(scene), style),
                "alt": said(scene.alt, locale),
                "words": say_in(locale, hint_text(position, given, now.match.hints)),
                "steps": list(position.game.steps(move)),
                "version": position.version,
            }

        return await asyncio.to_thread(described)


def _after(variation: Variation, line: Line) -> Variation:
    """Return a variation continued by moves; raise OldBoard if one is not possible."""
    for steps in line:
        reached, rest = variation.choose(steps)
        if reached is variation or rest:
            raise OldBoard(_IMPOSSIBLE)
        variation = reached
    return variation


def as_line(sent: Any) -> Line:
    """Return moves that were sent; raise TypeError or ValueError for anything else."""
    if not isinstance(sent, list) or len(sent) > MAX_LINE:
        raise ValueError(sent)
    for steps in sent:
        if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
            raise TypeError(steps)
    return [tuple(steps) for steps in sent]
