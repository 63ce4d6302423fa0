"""Deciding on moves beforehand: "if they play this, then I play that".

Seen by their owner only. They can be made while others are to move, in matches of people without
luck; `bot.matches.conditional_moves` plays them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.errors import OldBoard, Refusal, TooMany
from bot.matches.conditional_moves import possible
from bot.matches.positions import was_choice
from bot.matches.turns import check_plays, over, player_of, waits_for
from bot.matches.walking import Walk
from data import conditional_moves, matches
from engine.errors import RulesError, UnclearMove
from engine.phrase import plural, say
from engine.typed import suggested, understand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from data.conditional_moves import ConditionalMove
    from data.matches import Player
    from data.store import Store

MAX_MOVES: Final = 10
"""How many moves a player may have decided on in one match."""
MAX_DEPTH: Final = 3
"""How many of them may follow one another."""
_MAX_TYPED: Final = 12
"""How many moves of a typed line are looked at."""
_MAX_NAMED: Final = 8
"""How many moves are named that a typed one can be."""
_BETWEEN: Final = re.compile(r"\s*(?:[,;>→\n]|\bthen\b)+\s*")


class Answer(NamedTuple):
    """A move to be played once the entries before it were."""

    path: tuple[str, ...]
    notation: str

    @property
    def line(self) -> tuple[str, ...]:
        """The path with the move itself."""
        return (*self.path, self.notation)


@dataclass(frozen=True)
class Planning:
    """A match as a player looks ahead in it."""

    view: MatchView
    player: Player
    moves: tuple[ConditionalMove, ...]
    """What this player has decided on, in the order of its lines."""

    def get(self, number: int) -> ConditionalMove:
        """Return one of these moves.

        Raises:
            OldBoard: it was played, dropped or removed.

        """
        for one in self.moves:
            if one.id == number:
                return one
        raise OldBoard(say("That planned move is gone. Here is what's left."))

    def after(self, number: int) -> Walk:
        """Return the position after one of these moves; for 0 that of the match."""
        here = Walk(self.view.game, self.view.state)
        return here.along(self.get(number).line) if number else here

    def own(self, walk: Walk) -> tuple[int, ...]:
        """Return the places of this player's own choices among the moves of a walk."""
        return tuple(
            place
            for place, one in enumerate(walk.played)
            if walk.game.actor(one.before) == self.player.seat and was_choice(walk.game, one)
        )


class ConditionalMoves:
    """The use cases, over a store."""

    def __init__(self, store: Store, matches_: Matches) -> None:
        """Work on the matches of a store."""
        self._store = store
        self._matches = matches_

    async def of(self, match_id: int, user_id: int) -> Planning:
        """Return what a player has decided on.

        Raises what `may_plan` raises.
        """
        async with self._store.read() as tx:
            view = await self._matches.view_in(tx, match_id)
            player = may_plan(view, user_id)
            known = await conditional_moves.of_match(tx, match_id)
        return Planning(view, player, _own(known, view, player))

    async def keep(
        self, match_id: int, user_id: int, version: int, answers: Sequence[Answer]
    ) -> Planning:
        """Keep moves, each in place of another answer to the same moves.

        Raises what `may_plan` raises, and:

        Raises:
            OldBoard: the match has gone on since that version.
            TooMany: there would be too many.
            Refusal: too many follow one another.
            BadRecord: a move is not legal there.

        """
        async with self._store.write() as tx:
            await matches.lock(tx, match_id)
            view = await self._matches.view_in(tx, match_id)
            player = may_plan(view, user_id)
            if view.version != version:
                raise OldBoard(say("A move was made since. Here is the current board."))
            known = await conditional_moves.of_match(tx, match_id)
            await conditional_moves.remove(tx, _outdated(known, view))
            own = _own(known, view, player)
            for answer in answers:
                _check(Planning(view, player, own), answer)
                gone = [one for one in own if _replaced(one, answer)]
                await conditional_moves.remove(tx, {one.id for one in gone})
                await conditional_moves.add(
                    tx,
                    match_id,
                    player.seat,
                    version=version,
                    path=answer.path,
                    notation=answer.notation,
                )
                known = await conditional_moves.of_match(tx, match_id)
                own = _own(known, view, player)
            if len(own) > MAX_MOVES:
                raise TooMany(
                    plural(
                        "You can plan {n} move per game. Remove one first.",
                        "You can plan {n} moves per game. Remove one first.",
                        MAX_MOVES,
                    )
                )
        return Planning(view, player, own)

    async def remove(self, match_id: int, user_id: int, number: int) -> Planning:
        """Remove a move, and those that follow it; it may be gone already.

        Raises what `may_plan` raises.
        """
        async with self._store.write() as tx:
            await matches.lock(tx, match_id)
            view = await self._matches.view_in(tx, match_id)
            player = may_plan(view, user_id)
            own = _own(await conditional_moves.of_match(tx, match_id), view, player)
            this = next((one for one in own if one.id == number), None)
            if this is not None:
                many = len(this.line)
                gone = {one.id for one in own if one.line[:many] == this.line}
                await conditional_moves.remove(tx, gone)
                own = tuple(one for one in own if one.id not in gone)
        return Planning(view, player, own)


def may_plan(view: MatchView, user_id: int) -> Player:
    """Return the player who this user is, if they can decide on moves now.

    Raises:
        NotForYou: a stranger, or who has given up.
        MatchOver: as its name says.
        Refusal: it is their turn, or such a match knows no moves decided on beforehand.

    """
    player = player_of(view, user_id)
    if view.to_move is None:
        raise over(view.match.id)
    check_plays(view, player)
    if view.game.has_luck:
        raise Refusal(say("You can't plan ahead in games with throws."))
    if not possible(view):
        raise Refusal(say("The computer answers at once, so there is nothing to plan ahead."))
    if waits_for(view, user_id):
        words = say("It's your turn. You can plan ahead while you wait for your opponent.")
        raise Refusal(words, match_id=view.match.id)
    return player


def typed(planning: Planning, text: str) -> list[Answer]:
    """Return the answers in a line of moves that was typed, such as ``e5-e4, d3-d4``.

    Raises:
        Refusal: it has no answer, or a move that can be several.
        RulesError: it has a move that is not legal there.

    """
    walk, answers = planning.after(0), []
    for part in _parts(text)[:_MAX_TYPED]:
        require_open(walk)
        try:
            move = understand(walk.game, walk.state, part)
        except UnclearMove as unclear:
            told = say(
                "“{text}” can be several moves: {moves}.",
                text=part,
                moves=", ".join(unclear.candidates[:_MAX_NAMED]),
            )
            raise Refusal(told) from unclear
        if walk.actor == planning.player.seat:
            answers.append(Answer(walk.line, walk.game.write(move)))
        walk = walk.after(move)
    if not answers:
        raise Refusal(say("Type their move and then your answer, such as `e5-e4, d3-d4`."))
    return answers


def suggestions(planning: Planning, text: str) -> list[str]:
    """Return how a line of moves that is being typed may go on."""
    *whole, last = re.split(_BETWEEN, text)
    walk, begun = planning.after(0), []
    try:
        for part in whole:
            move = understand(walk.game, walk.state, part)
            begun.append(walk.game.write(move))
            walk = walk.after(move)
        if walk.over:
            return []
        moves = suggested(walk.game, walk.state, last)
    except RulesError:
        return []
    return [", ".join((*begun, walk.game.write(move))) for move in moves]


def require_open(walk: Walk) -> None:
    """Raise Refusal where the game is over, so that nothing can be answered."""
    if walk.over:
        raise Refusal(say("The game would be over by then, so there is nothing to answer."))


def _parts(text: str) -> list[str]:
    return [part for part in re.split(_BETWEEN, text) if part.strip()]


def _own(
    known: Sequence[ConditionalMove], view: MatchView, player: Player
) -> tuple[ConditionalMove, ...]:
    return tuple(one for one in known if one.seat == player.seat and one.version == view.version)


def _outdated(known: Sequence[ConditionalMove], view: MatchView) -> set[int]:
    return {one.id for one in known if one.version != view.version}


def _replaced(one: ConditionalMove, answer: Answer) -> bool:
    """Return whether a move goes as another answer takes its place, or that of one before it."""
    many = len(answer.path)
    if one.path == answer.path:
        return True
    return (
        len(one.path) > many
        and one.path[:many] == answer.path
        and (one.path[many] != answer.notation)
    )


def _check(planning: Planning, answer: Answer) -> None:
    walk = planning.after(0).along(answer.path)
    own = planning.own(walk)
    if walk.actor != planning.player.seat or walk.line != answer.path:
        raise OldBoard(say("A move was made since. Here is the current board."))
    known = {one.line for one in planning.moves}
    begun = [answer.path[: place + 1] for place in own]
    if any(line not in known for line in begun):
        raise OldBoard(say("That planned move is gone. Here is what's left."))
    if len(own) >= MAX_DEPTH:
        raise Refusal(
            plural("You can plan {n} move in a row.", "You can plan {n} moves in a row.", MAX_DEPTH)
        )
    walk.along((answer.notation,))
