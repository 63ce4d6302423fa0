"""Trying moves from a position without playing them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import structlog

from bot.core.posts.quiet_hours import after_quiet
from bot.core.settings.player_settings import PlayerSettings
from bot.play.matches.advice import marked
from bot.play.matches.computer_players import final_ranks
from bot.play.matches.luck import follow, luck_of
from bot.play.matches.positions import TAIL, MatchView, deciding
from data import posts
from data.matches import conditional_moves, match_log
from data.matches.conditional_moves import ConditionalMove
from data.matches.match import Entry
from data.matches.matches import Player
from data.store.store import Transaction
from engine.errors import RulesError
from engine.game import CHANCE
from engine.registry import AnyGame
from engine.replay import Played, resume


@dataclass(frozen=True)
class Walk:
    """A position reached by trying moves, with the steps chosen so far of the next."""

    game: AnyGame
    state: Any
    played: tuple[Played[Any, Any], ...] = ()
    chosen: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game has ended here."""
        return self.game.outcome(self.state) is not None

    @property
    def actor(self) -> Any:
        """The seat to move, or CHANCE; ``None`` if the game is over."""
        return None if self.over else self.game.actor(self.state)

    @property
    def line(self) -> tuple[str, ...]:
        """The moves tried, in notation."""
        return tuple(self.game.write(one.move) for one in self.played)

    @property
    def last(self) -> list[tuple[Any, Any]]:
        """The last move with the position before it, for marking in a scene; empty at the start."""
        return [(one.before, one.move) for one in self.played[-1:]]

    def continued(self, notations: Sequence[str]) -> Walk:
        """Return the walk continued by log entries, each checked.

        Raises:
            BadRecord: an entry is not playable.

        """
        played = (*self.played, *resume(self.game, self.state, notations, len(self.played)))
        state = played[-1].after if played else self.state
        return Walk(self.game, state, played).settled()

    def after(self, move: Any) -> Walk:
        """Return the walk after a legal move and the only moves that follow it."""
        reached = self.game.after(self.state, move)
        entry = Played(len(self.played) + 1, self.state, move, reached)
        return Walk(self.game, reached, (*self.played, entry)).settled()

    def settled(self) -> Walk:
        """Return the walk with any only moves played."""
        walk = self
        while walk.actor not in {None, CHANCE}:
            only = walk.game.only_move(walk.state)
            if only is None:
                break
            reached = walk.game.after(walk.state, only)
            entry = Played(len(walk.played) + 1, walk.state, only, reached)
            walk = Walk(walk.game, reached, (*walk.played, entry))
        return walk

    def choose(self, steps: tuple[str, ...]) -> tuple[Walk, tuple[str, ...]]:
        """Make the move that some steps begin with.

        Returns:
            The resulting walk and the remaining steps; this walk and all steps if they complete no
            move.

        """
        if not self.over:
            for move in self.game.legal_moves(self.state):
                own = self.game.steps(move)
                if steps[: len(own)] == own:
                    return self.after(move), steps[len(own) :]
        return self, steps


def made_move(
    before: MatchView, player: Player, text: str, at: datetime
) -> tuple[list[Entry], MatchView]:
    """Return the entries for a move and the automatic ones after it, and the resulting match.

    Nothing is stored yet, and the match still has the previous turn's clock.

    Raises:
        RulesError: the text is not a legal move.

    """
    game, match = before.game, before.match
    move = game.read(before.state, text)
    reached = game.after(before.state, move)
    first = Entry(ply=before.ply + 1, actor=player.seat, notation=game.write(move), made_at=at)
    more, followed = follow(game, reached, first.ply, luck_of(match), at)
    entries = [first, *more]
    whole = (*before.tail, Played(first.ply, before.state, move, reached), *followed)
    kept = max(TAIL, len(entries))  # always with the move itself, however many throws follow
    tail, count = whole[-kept:], before.before.after(game, whole[:-kept])
    entries = marked(match, game, entries, tail)
    ply = entries[-1].ply
    outcome = game.outcome(tail[-1].after)
    match = dataclasses.replace(match, plies=ply, to_move=deciding(game, tail[-1].after))
    if outcome is not None:
        ranks = final_ranks(match.players, outcome.ranks)
        ranked = zip(match.players, ranks, strict=True)
        players = tuple(dataclasses.replace(player, rank=rank) for player, rank in ranked)
        match = dataclasses.replace(match, players=players, reason=outcome.reason, finished_at=at)
    return entries, MatchView(match, game, tail[-1].after, ply, tail, count)


log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


PLAYED_POST: Final = "conditional_move_played"
"""The kind of post that tells a player that their move was played."""


@dataclass(frozen=True)
class Answered:
    """The outcome of a move and the conditional moves that answered it."""

    view: MatchView
    by: int
    """The user who moved last."""
    line: tuple[str, ...]
    """All new log entries, including the move itself."""
    played: Mapping[int, tuple[int, ...]]
    """By user, the indices in the line of the conditional moves played for them."""


def allows_conditional_moves(view: MatchView) -> bool:
    """Return whether a match allows conditional moves."""
    return not view.game.has_luck and not view.practice


async def play_conditional_moves(
    tx: Transaction,
    before: MatchView,
    entries: Sequence[Entry],
    after: MatchView,
    *,
    by: int,
    at: datetime,
) -> Answered:
    """Play the conditional moves that answer a move just appended.

    Args:
        tx: the transaction of the move, which holds the match lock.
        before: the match before that move.
        entries: the move and the automatic ones after it.
        after: the match after those.
        by: the user who moved.
        at: the current time.

    """
    known = await conditional_moves.of_match(tx, before.match.id)
    current = [one for one in known if one.version == before.version]
    left = _fitting(current, entries, after)
    line = [entry.notation for entry in entries]
    played: dict[int, tuple[int, ...]] = {}
    while (player := after.called) is not None:
        due = next((one for one in left if one.seat == player.seat and not one.path), None)
        if due is None:
            break
        try:
            more, reached = made_move(after, player, due.notation, at)
        except RulesError as error:  # the rules have changed since
            log.warning("a conditional move is refused", match=after.match.id, reason=str(error))
            left = []
            break
        left_up, taken = after.match.given_up, after.match.takebacks
        then = reached.match.to_move
        await match_log.append(
            tx, after.match.id, more, to_move=then, takebacks=taken, given_up=left_up
        )
        by = player.user_id
        played[by] = (*played.get(by, ()), len(line))
        line += (entry.notation for entry in more)
        left, after = _fitting([o for o in left if o is not due], more, reached), reached
    if known:
        await conditional_moves.replace(tx, known, left)
    return Answered(after, by, tuple(line), played)


async def notify_owners(
    tx: Transaction, answered: Answered, settings: Mapping[int, PlayerSettings], at: datetime
) -> None:
    """Notify each player privately that their conditional moves were played."""
    match = answered.view.match
    for user, places in answered.played.items():
        chosen = settings[user]
        if not chosen.pings:
            continue
        await posts.want(
            tx,
            PLAYED_POST,
            match.id,
            at=at,
            guild_id=None,
            user_id=user,
            part=answered.view.version,
            payload={"line": answered.line[: places[-1] + 1], "own": places},
            not_before=after_quiet(chosen, at),
        )


def _fitting(
    waiting: Sequence[ConditionalMove], entries: Sequence[Entry], reached: MatchView
) -> list[ConditionalMove]:
    """Return the conditional moves still waiting after new entries."""
    notations = [entry.notation for entry in entries]
    found = [one.after(notations, reached.version) for one in waiting]
    return [one for one in found if one is not None]
