"""Planning conditional moves: "if they play this, I play that".

Only their owner sees them. They can be planned while waiting for others, in matches between people
without luck; `bot.play.matches.moves` plays them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from bot.core.errors import OldBoard, Refusal, TooMany
from bot.play.matches.moves import Variation, allows_conditional_moves
from bot.play.matches.positions import (
    Position,
    check_playing,
    over,
    player_of,
    waits_for,
    was_choice,
)
from bot.play.matches.service import Matches
from data import locks
from data.matches import conditional_moves
from data.matches.conditional_moves import ConditionalMove
from data.matches.match import Player
from data.store.store import Store, Transaction
from engine.errors import RulesError, UnclearMove
from engine.phrase import plural, say
from engine.typed import suggested, understand

MAX_MOVES: Final = 10
"""Maximum conditional moves per player and match."""
MAX_DEPTH: Final = 3
"""Maximum conditional moves in a row."""
_MAX_TYPED: Final = 12
"""Maximum moves parsed from a typed line."""
_MAX_NAMED: Final = 8
"""Maximum candidates listed for an ambiguous typed move."""
MOVED_ON: Final = say("A move has been made since then. Here's the current board.")
_GONE: Final = say("That planned move is gone. Here is what's left.")
_BETWEEN: Final = re.compile(r"[,;>→\n]|\bthen\b")


class Answer(NamedTuple):
    """A move to play after the entries before it."""

    path: tuple[str, ...]
    notation: str

    @property
    def line(self) -> tuple[str, ...]:
        """The path including the move itself."""
        return (*self.path, self.notation)


@dataclass(frozen=True)
class Planning:
    """A match from the view of a player planning ahead."""

    position: Position
    player: Player
    moves: tuple[ConditionalMove, ...]
    """This player's conditional moves, sorted by line."""

    def get(self, number: int) -> ConditionalMove:
        """Return one of these moves by number; raise OldBoard if it has gone since."""
        for one in self.moves:
            if one.id == number:
                return one
        raise OldBoard(_GONE)

    def after(self, number: int) -> Variation:
        """Return the position after one of these moves, or the current one for 0."""
        here = Variation(self.position.game, self.position.state)
        return here.continued(self.get(number).line) if number else here

    def own(self, variation: Variation) -> tuple[int, ...]:
        """Return the indices of this player's own choices in a variation."""
        return tuple(
            place
            for place, one in enumerate(variation.played)
            if variation.game.actor(one.before) == self.player.seat
            and was_choice(variation.game, one)
        )


@dataclass(eq=False, repr=False)
class ConditionalMoves:
    """Use cases of conditional moves. All raise like `may_plan`."""

    store: Store
    matches: Matches

    async def of(self, match_id: int, user_id: int) -> Planning:
        """Return a player's conditional moves."""
        async with self.store.read() as tx:
            return await self._of(tx, match_id, user_id)

    async def _of(self, tx: Transaction, match_id: int, user_id: int) -> Planning:
        position = await self.matches.position_in(tx, match_id)
        player = may_plan(position, user_id)
        return await _read(tx, position, player)

    async def keep(
        self, match_id: int, user_id: int, version: int, answers: Sequence[Answer]
    ) -> Planning:
        """Save moves, each replacing any other answer to the same moves.

        Raise OldBoard if the match has gone on since that version, TooMany or Refusal if there
        would be too many or too many in a row, BadRecord if a move is illegal there.
        """
        async with self.store.write() as tx:
            await locks.lock_match(tx, match_id)
            planning = await self._of(tx, match_id, user_id)
            if planning.position.version != version:
                raise OldBoard(MOVED_ON)
            known = await conditional_moves.of_match(tx, match_id)
            outdated = {one.id for one in known if one.version != version}
            await conditional_moves.remove(tx, outdated)
            for answer in answers:
                _check(planning, answer)
                gone = {one.id for one in planning.moves if _replaced(one, answer)}
                await conditional_moves.remove(tx, gone)
                await conditional_moves.add(
                    *(tx, match_id, planning.player.seat),
                    version=version,
                    path=answer.path,
                    notation=answer.notation,
                )
                planning = await _read(tx, planning.position, planning.player)
            if len(planning.moves) > MAX_MOVES:
                raise TooMany(
                    plural(
                        "You can plan {n} move per game. Remove one first.",
                        "You can plan {n} moves per game. Remove one first.",
                        MAX_MOVES,
                    )
                )
        return planning

    async def remove(self, match_id: int, user_id: int, number: int) -> Planning:
        """Remove a move and those that continue it, if it still exists."""
        async with self.store.write() as tx:
            await locks.lock_match(tx, match_id)
            planning = await self._of(tx, match_id, user_id)
            lines = [one.line for one in planning.moves if one.id == number]
            gone = [one for one in planning.moves for line in lines if _starts(one.line, line)]
            await conditional_moves.remove(tx, {one.id for one in gone})
        return replace(planning, moves=tuple(one for one in planning.moves if one not in gone))


async def _read(tx: Transaction, position: Position, player: Player) -> Planning:
    known = await conditional_moves.of_match(tx, position.match.id)
    own = (one for one in known if one.seat == player.seat and one.version == position.version)
    return Planning(position, player, tuple(own))


def may_plan(position: Position, user_id: int) -> Player:
    """Return this user's player if they can plan now; raise NotForYou, MatchOver or Refusal."""
    player = player_of(position, user_id)
    if position.to_move is None:
        raise over(position.match.id)
    check_playing(position, player)
    if position.game.has_luck:
        raise Refusal(say("You can't plan ahead in games with throws."))
    if not allows_conditional_moves(position):
        raise Refusal(say("The computer answers at once, so there's nothing to plan."))
    if waits_for(position, user_id):
        words = say("It's your turn. You can plan ahead while you wait for your opponent.")
        raise Refusal(words, match_id=position.match.id)
    return player


def typed(planning: Planning, text: str) -> list[Answer]:
    """Return the answers in a typed line of moves, such as ``e5-e4, d3-d4``.

    Raises Refusal if it has no answer or an ambiguous move, RulesError if it has an illegal one.
    """
    variation, answers = planning.after(0), []
    for part in _parts(_BETWEEN.split(text))[:_MAX_TYPED]:
        require_open(variation)
        try:
            move = understand(variation.game, variation.state, part)
        except UnclearMove as unclear:
            sentence = say(
                "“{text}” could be several moves: {moves}.",
                text=part,
                moves=", ".join(unclear.candidates[:_MAX_NAMED]),
            )
            raise Refusal(sentence) from unclear
        if variation.actor == planning.player.seat:
            answers.append(Answer(variation.line, variation.game.write(move)))
        variation = variation.after(move)
    if not answers:
        raise Refusal(say("Type their move and then your answer, such as `e5-e4, d3-d4`."))
    return answers


def suggestions(planning: Planning, text: str) -> list[str]:
    """Return continuations of a line being typed."""
    *before, last = _BETWEEN.split(text)
    whole = _parts(before)
    if len(whole) > _MAX_TYPED:
        return []
    variation, begun = planning.after(0), []
    try:
        for part in whole:
            move = understand(variation.game, variation.state, part)
            begun.append(variation.game.write(move))
            variation = variation.after(move)
        if variation.over:
            return []
        moves = suggested(variation.game, variation.state, last)
    except RulesError:
        return []
    return [", ".join((*begun, variation.game.write(move))) for move in moves]


def require_open(variation: Variation) -> None:
    """Raise Refusal if the game is over by then, so nothing can be answered."""
    if variation.over:
        raise Refusal(say("The game would be over by then, so there's nothing to answer."))


def _parts(split: Iterable[str]) -> list[str]:
    return [stripped for part in split if (stripped := part.strip())]


def _starts(line: tuple[str, ...], start: tuple[str, ...]) -> bool:
    return line[: len(start)] == start


def _replaced(one: ConditionalMove, answer: Answer) -> bool:
    """Return whether an answer replaces this move, or one before it."""
    return _starts(one.path, answer.path) and not _starts(one.path, answer.line)


def _check(planning: Planning, answer: Answer) -> None:
    variation = planning.after(0).continued(answer.path)
    own = planning.own(variation)
    if variation.actor != planning.player.seat or variation.line != answer.path:
        raise OldBoard(MOVED_ON)
    known = {one.line for one in planning.moves}
    if any(answer.path[: place + 1] not in known for place in own):
        raise OldBoard(_GONE)
    if len(own) >= MAX_DEPTH:
        raise Refusal(
            plural("You can plan {n} move in a row.", "You can plan {n} moves in a row.", MAX_DEPTH)
        )
    variation.continued((answer.notation,))
