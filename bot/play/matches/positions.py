"""Positions of matches: the row, the state of the game, the last turn, and who may move.

Positions are never stored but replayed from the log. Recently used matches are cached in memory with
the tails of their logs, so that a press on a long match replays only new entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from weakref import WeakValueDictionary

from cachetools import LRUCache

from bot.core.computers import COMPUTERS, is_practice
from bot.core.errors import MatchOver, NoSuchMatch, NotForYou, NotYourTurn, OldBoard
from bot.core.i18n.mentions import mention, mention_all
from data.matches import matches
from data.matches.match import Entry, Match, Player
from data.store.store import Transaction
from engine import registry
from engine.game import CHANCE, Outcome, Seat
from engine.phrase import capital, say
from engine.registry import AnyGame
from engine.replay import Played, resume
from engine.turns import START, Count

TAIL = 64
"""Log entries kept: more than the longest turn shown in a picture."""
TOLD = 32
"""Log entries at least known of a match, unless it has fewer: enough to show the last turn."""


@dataclass(frozen=True, eq=False)
class Position:
    """A match at a ply, with everything that a board message needs. Compared by identity."""

    match: Match
    game: AnyGame
    state: Any
    ply: int
    """The number of log entries up to this point."""
    tail: tuple[Played[Any, Any], ...]
    before: Count = START
    """The turn count before the tail."""

    @cached_property
    def version(self) -> int:
        """Distinguishes this turn from every other one the match ever had; see `Match.version`."""
        return self.ply + self.match.passed

    @cached_property
    def move(self) -> int:
        """The number of the current or last move; a whole turn counts as one."""
        count = self.before.after(self.game, self.tail)
        if self.to_move is not None:
            count = count.then(self.game.actor(self.state))
        return count.turns

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended by its rules; a match may also end otherwise, as by resigning."""
        return self.game.outcome(self.state)

    @property
    def current(self) -> bool:
        """Whether this is the current match rather than an earlier turn."""
        return self.ply == self.match.plies

    @cached_property
    def to_move(self) -> Player | None:
        """The player to move, or ``None`` if the match is over."""
        if self.outcome is not None or (self.match.finished and self.current):
            return None
        seat = deciding(self.game, self.state)
        return None if seat is None else self.player_at(seat)

    @cached_property
    def called(self) -> Player | None:
        """The person to move; ``None`` if it is a computer's turn, or the match is over."""
        mover = self.to_move
        if mover is None or mover.user_id in COMPUTERS or self.stands_in(mover):
            return None
        return mover

    def stands_in(self, player: Player) -> bool:
        """Return whether a computer plays for someone who has given up by this turn."""
        return player.gave_up is not None and (player.gave_up_ply or 0) <= self.ply

    def at(self, ply: int) -> Position | None:
        """Return the match at an earlier ply; ``None`` if it is too long ago."""
        first = self.ply - len(self.tail)
        if ply == self.ply:
            return self
        if not first <= ply < self.ply:
            return None
        place = ply - first
        if first and place < TOLD:
            return None
        return replace(self, state=self.tail[place].before, ply=ply, tail=self.tail[:place])

    def had_turn(self, player: Player) -> bool:
        """Return whether a player has had a choice by now; so one has whose first may be too long ago."""
        return len(self.tail) < self.ply or any(
            self.game.actor(played.before) == player.seat and was_choice(self.game, played)
            for played in self.tail
        )

    def player_at(self, seat: Seat) -> Player:
        """Return the player in a seat."""
        return next(player for player in self.match.players if player.seat == seat)

    def player_of(self, user_id: int) -> Player | None:
        """Return this user's player, or ``None`` if they do not play."""
        return next((p for p in self.match.players if p.user_id == user_id), None)

    @cached_property
    def practice(self) -> bool:
        """Whether a computer is playing."""
        return is_practice(self.match)

    @cached_property
    def seat_names(self) -> Mapping[int, str]:
        """The name of each seat in this position, capitalised."""
        sides = {p.seat: self.game.side(self.state, Seat(p.seat)) for p in self.match.players}
        return {seat: capital(side) for seat, side in sides.items()}

    @cached_property
    def last_turn(self) -> tuple[Played[Any, Any], ...]:
        """The last turn with a choice, from the throw that began it up to now.

        That includes later throws and forced moves.
        """
        turn: list[Played[Any, Any]] = []
        mover: Seat | None = None
        opening: Played[Any, Any] | None = None
        for played in reversed(self.tail):
            actor = self.game.actor(played.before)
            forced = mover is None and not was_choice(self.game, played)
            if actor is CHANCE or forced:
                turn.append(played)
            elif mover is None or actor == mover:
                mover = actor
                turn.append(played)
            else:
                break
        turn.reverse()
        # Throws before the mover's first decision were already shown, except the one it used.
        while len(turn) > 1 and mover is not None and self.game.actor(turn[0].before) is CHANCE:
            opening = turn.pop(0)
        return tuple([opening, *turn] if opening else turn)


def deciding(game: AnyGame, state: Any) -> Seat | None:
    """Return the seat that decides; ``None`` if the game is over, or before a throw."""
    if game.outcome(state) is not None:
        return None
    actor = game.actor(state)
    return None if actor is CHANCE else actor


def was_choice(game: AnyGame, played: Played[Any, Any]) -> bool:
    """Return whether a log entry was a choice: neither a throw nor a forced move."""
    return game.actor(played.before) is not CHANCE and game.only_move(played.before) is None


async def get_match(tx: Transaction, match_id: int) -> Match:
    """Return a match; raise NoSuchMatch if there is none with that number."""
    match = await matches.get(tx, match_id)
    if match is None:
        raise NoSuchMatch(say("There's no match #{number}.", number=match_id))
    return match


class Positions:
    """The latest positions of recently used matches."""

    def __init__(self, capacity: int = 512) -> None:
        """Cache up to ``capacity`` matches, evicting the least recently used."""
        self._cache: LRUCache[int, Position] = LRUCache(capacity)
        # Anyone showing the same earlier turn shares one object, and thus its message.
        self._turns: WeakValueDictionary[tuple[int, int], Position] = WeakValueDictionary()

    def cached(self, match_id: int) -> Position | None:
        """Return the latest cached position of a match, if any."""
        return self._cache.get(match_id)

    def earlier(self, position: Position, ply: int) -> Position | None:
        """Return the match at an earlier ply; ``None`` if it is too long ago."""
        turn = self._turns.get((position.match.id, ply + position.match.passed))
        same = (
            turn is not None and turn.ply == ply and ply < position.ply and not turn.match.finished
        )
        return turn if same else position.at(ply)

    def cache(self, position: Position) -> None:
        """Cache a committed position, unless a newer one is cached."""
        cached = self._cache.get(position.match.id)
        if cached is None or _age(position) >= _age(cached):
            self._cache[position.match.id] = self._turns[position.match.id, position.version] = (
                position
            )

    def forget(self, match_id: int) -> None:
        """Drop a match."""
        self._cache.pop(match_id, None)
        for turn in [turn for turn in self._turns if turn[0] == match_id]:
            self._turns.pop(turn, None)


def _age(position: Position) -> tuple[int, int, bool]:
    return (position.version, position.match.given_up, position.match.finished)


def replayed(
    match: Match, entries: Sequence[Entry], known: Position | None, *, upto: int | None = None
) -> Position:
    """Return the match at its end, or at an earlier ply, from its log and a known position, if any.

    The log continues that position (`continues`), and may begin there.
    """
    game = registry.game(match.game)
    if known is None:
        state = game.initial(match.options, len(match.players))
        known = Position(match, game, state, 0, ())
    last = match.plies if upto is None else upto
    log = [entry.notation for entry in entries if known.ply < entry.ply <= last]
    played = (*known.tail, *resume(game, known.state, log, known.ply))
    reached = played[-1].after if played else known.state
    before = known.before.after(game, played[:-TAIL])
    return Position(match, game, reached, known.ply + len(log), played[-TAIL:], before)


def continues(cached: Position, match: Match) -> bool:
    """Return whether a match's log continues a position; it does not after a takeback."""
    return cached.match.takebacks == match.takebacks and cached.ply <= match.plies


def may_move(position: Position, user_id: int, *, ply: int | None = None) -> Player:
    """Return this user's player if it is their turn at this version.

    Raises MatchOver, NotForYou, NotYourTurn or OldBoard.
    """
    player, number = player_of(position, user_id), position.match.id
    if position.to_move is None:
        words = say("Match #{number} is over, so there's nothing left to play.", number=number)
        raise MatchOver(words, match_id=number)
    check_playing(position, player)
    if ply is not None and ply != position.version:
        words = say("That button is from an earlier turn. Here's the current board.")
        raise OldBoard(words, match_id=number)
    if position.to_move.user_id != user_id:
        words = say(
            "It's not your turn. Waiting for {player} (**{seat}**).",
            seat=position.seat_names[position.to_move.seat],
            player=mention(position.to_move.user_id),
        )
        raise NotYourTurn(words, match_id=number)
    return player


def waits_for(position: Position, user_id: int) -> bool:
    """Return whether a match waits for this user's decision."""
    return position.called is not None and position.called.user_id == user_id


def deciding_player(match: Match) -> Player | None:
    """Return the player to move, as stored; ``None`` if the match is over."""
    if match.finished:
        return None
    return next((one for one in match.players if one.seat == match.to_move), None)


def is_turn_of(match: Match, user_id: int) -> bool:
    """Return whether a match waits for this user's decision, without its log."""
    player = deciding_player(match)
    return player is not None and player.user_id == user_id and player.gave_up is None


def player_of(position: Position, user_id: int) -> Player:
    """Return this user's player; raise NotForYou if they do not play in this match."""
    player = position.player_of(user_id)
    if player is None:
        players = mention_all(one.user_id for one in position.match.players)
        number = position.match.id
        words = say("Match #{number} belongs to {players}.", number=number, players=players)
        raise NotForYou(words, match_id=number)
    return player


def check_playing(position: Position, player: Player) -> None:
    """Raise NotForYou if the player has given up."""
    if player.gave_up is not None:
        number = position.match.id
        words = say(
            "A computer has taken your seat in match #{number}. You can watch.", number=number
        )
        raise NotForYou(words, match_id=number)


def check_still_playing(position: Position, user_id: int) -> None:
    """Raise NoSuchMatch, MatchOver or NotForYou unless this user is still playing in a match."""
    player = position.player_of(user_id)
    if player is None:
        raise NoSuchMatch(say("You don't play in match #{number}.", number=position.match.id))
    if position.to_move is None:
        raise over(position.match.id)
    check_playing(position, player)


def arrived(match_id: int) -> OldBoard:
    """Return the error for claims against a player who has moved in time."""
    words = say("The move has arrived, so match {match} goes on.", match=f"#{match_id}")
    return OldBoard(words, match_id=match_id)


def over(match_id: int) -> MatchOver:
    """Return the error for actions that need an ongoing match."""
    return MatchOver(say("Match #{number} is already over.", number=match_id), match_id=match_id)
