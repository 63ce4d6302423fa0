"""Planning conditional moves: "if they play this, I play that".

Only their owner sees them. They can be planned while waiting for others, in matches between people
without luck; `bot.play.matches.moves` plays them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.core.errors import OldBoard, Refusal, TooMany
from bot.play.matches.moves import Walk, allows_conditional_moves
from bot.play.matches.positions import (
    MatchView,
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
from data.matches.matches import Player
from data.store.store import Store
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

    view: MatchView
    player: Player
    moves: tuple[ConditionalMove, ...]
    """This player's conditional moves, sorted by line."""

    def get(self, number: int) -> ConditionalMove:
        """Return one of these moves by number.

        Raises:
            OldBoard: it has been played, dropped or removed.

        """
        for one in self.moves:
            if one.id == number:
                return one
        raise OldBoard(say("That planned move is gone. Here is what's left."))

    def after(self, number: int) -> Walk:
        """Return the position after one of these moves, or the current one for 0."""
        here = Walk(self.view.game, self.view.state)
        return here.continued(self.get(number).line) if number else here

    def own(self, walk: Walk) -> tuple[int, ...]:
        """Return the indices of this player's own choices in a walk."""
        return tuple(
            place
            for place, one in enumerate(walk.played)
            if walk.game.actor(one.before) == self.player.seat and was_choice(walk.game, one)
        )


class ConditionalMoves:
    """Use cases of conditional moves."""

    def __init__(self, store: Store, matches_: Matches) -> None:
        """Use the matches of a store."""
        self._store = store
        self._matches = matches_

    async def of(self, match_id: int, user_id: int) -> Planning:
        """Return a player's conditional moves; raises like `may_plan`."""
        async with self._store.read() as tx:
            view = await self._matches.view_in(tx, match_id)
            player = may_plan(view, user_id)
            known = await conditional_moves.of_match(tx, match_id)
        return Planning(view, player, _own(known, view, player))

    async def keep(
        self, match_id: int, user_id: int, version: int, answers: Sequence[Answer]
    ) -> Planning:
        """Save moves, each replacing any other answer to the same moves.

        Raises like `may_plan`, and:

        Raises:
            OldBoard: the match has gone on since that version.
            TooMany: there would be too many.
            Refusal: too many would be in a row.
            BadRecord: a move is illegal there.

        """
        async with self._store.write() as tx:
            await locks.lock_match(tx, match_id)
            view = await self._matches.view_in(tx, match_id)
            player = may_plan(view, user_id)
            if view.version != version:
                raise OldBoard(say("A move has been made since then. Here's the current board."))
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
        """Remove a move and those that continue it, if it still exists; raises like `may_plan`."""
        async with self._store.write() as tx:
            await locks.lock_match(tx, match_id)
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
    """Return this user's player if they can plan conditional moves now.

    Raises:
        NotForYou: the user does not play in the match, or has given up.
        MatchOver: as named.
        Refusal: it is their turn, or the match does not allow conditional moves.

    """
    player = player_of(view, user_id)
    if view.to_move is None:
        raise over(view.match.id)
    check_playing(view, player)
    if view.game.has_luck:
        raise Refusal(say("You can't plan ahead in games with throws."))
    if not allows_conditional_moves(view):
        raise Refusal(say("The computer answers at once, so there's nothing to plan."))
    if waits_for(view, user_id):
        words = say("It's your turn. You can plan ahead while you wait for your opponent.")
        raise Refusal(words, match_id=view.match.id)
    return player


def typed(planning: Planning, text: str) -> list[Answer]:
    """Return the answers in a typed line of moves, such as ``e5-e4, d3-d4``.

    Raises:
        Refusal: it has no answer, or an ambiguous move.
        RulesError: it has an illegal move.

    """
    walk, answers = planning.after(0), []
    for part in _parts(_BETWEEN.split(text))[:_MAX_TYPED]:
        require_open(walk)
        try:
            move = understand(walk.game, walk.state, part)
        except UnclearMove as unclear:
            sentence = say(
                "“{text}” could be several moves: {moves}.",
                text=part,
                moves=", ".join(unclear.candidates[:_MAX_NAMED]),
            )
            raise Refusal(sentence) from unclear
        if walk.actor == planning.player.seat:
            answers.append(Answer(walk.line, walk.game.write(move)))
        walk = walk.after(move)
    if not answers:
        raise Refusal(say("Type their move and then your answer, such as `e5-e4, d3-d4`."))
    return answers


def suggestions(planning: Planning, text: str) -> list[str]:
    """Return continuations of a line being typed."""
    *before, last = _BETWEEN.split(text)
    whole = _parts(before)
    if len(whole) > _MAX_TYPED:
        return []
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
    """Raise Refusal if the game is over by then, so nothing can be answered."""
    if walk.over:
        raise Refusal(say("The game would be over by then, so there's nothing to answer."))


def _parts(split: Iterable[str]) -> list[str]:
    return [stripped for part in split if (stripped := part.strip())]


def _own(
    known: Sequence[ConditionalMove], view: MatchView, player: Player
) -> tuple[ConditionalMove, ...]:
    return tuple(one for one in known if one.seat == player.seat and one.version == view.version)


def _outdated(known: Sequence[ConditionalMove], view: MatchView) -> set[int]:
    return {one.id for one in known if one.version != view.version}


def _replaced(one: ConditionalMove, answer: Answer) -> bool:
    """Return whether an answer replaces this move, or one before it."""
    many = len(answer.path)
    if one.path == answer.path:
        return True
    return (
        len(one.path) > many
        and one.path[:many] == answer.path
        and (one.path[many] != answer.notation)
    )


def _check(planning: Planning, answer: Answer) -> None:
    walk = planning.after(0).continued(answer.path)
    own = planning.own(walk)
    if walk.actor != planning.player.seat or walk.line != answer.path:
        raise OldBoard(say("A move has been made since then. Here's the current board."))
    known = {one.line for one in planning.moves}
    begun = [answer.path[: place + 1] for place in own]
    if any(line not in known for line in begun):
        raise OldBoard(say("That planned move is gone. Here is what's left."))
    if len(own) >= MAX_DEPTH:
        raise Refusal(
            plural("You can plan {n} move in a row.", "You can plan {n} moves in a row.", MAX_DEPTH)
        )
    walk.continued((answer.notation,))
