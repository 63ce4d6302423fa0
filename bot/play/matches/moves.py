"""Where moves lead: made ones with all that follows automatically, and tried ones.

Conditional moves are played in the commit of the move they answer, as if the player had moved at that
moment: only in matches between people, without luck. Those that no longer fit are dropped.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import structlog

from bot.core.errors import NotForYou
from bot.core.posts.quiet_hours import after_quiet
from bot.core.settings.player_settings import PlayerSettings
from bot.play.matches.advice import barred
from bot.play.matches.computer_players import final_ranks
from bot.play.matches.luck import follow, log_entries, luck_of
from bot.play.matches.positions import TAIL, Position, deciding
from data import posts
from data.matches import conditional_moves, match_log
from data.matches.conditional_moves import ConditionalMove
from data.matches.match import Entry, Match
from data.store.store import Transaction
from engine.errors import RulesError
from engine.game import CHANCE
from engine.phrase import capital, say
from engine.registry import AnyGame
from engine.replay import Played, resume
from engine.scene import Scene

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

PLAYED_POST: Final = "conditional_move_played"
"""The kind of post that tells a player that their move was played."""

# Translators: on a picture, in few words: these moves are only tried.
TRYING: Final = say("Try moves: not played")


def made_move(before: Position, text: str, at: datetime) -> tuple[list[Entry], Position]:
    """Return the entries for a move and the automatic ones after it, and the resulting match.

    Nothing is stored yet, and the match still has the previous turn's clock. Raises RulesError if
    the text is not a legal move.
    """
    game, match, ply = before.game, before.match, before.ply + 1
    move = game.read(before.state, text)
    reached = game.after(before.state, move)
    new = [Played(ply, before.state, move, reached)]
    new += follow(game, reached, ply, luck_of(match))
    whole = (*before.tail, *new)
    kept = max(TAIL, len(new))  # always with the move itself, however many throws follow
    tail, count = whole[-kept:], before.before.after(game, whole[:-kept])
    entries = log_entries(game, new, at, barred(match, game, tail, ply))
    state = tail[-1].after
    match = dataclasses.replace(match, plies=tail[-1].ply, to_move=deciding(game, state))
    outcome = game.outcome(state)
    if outcome is not None:
        ranked = zip(match.players, final_ranks(match.players, outcome.ranks), strict=True)
        players = tuple(dataclasses.replace(player, rank=rank) for player, rank in ranked)
        match = dataclasses.replace(match, players=players, reason=outcome.reason, finished_at=at)
    return entries, Position(match, game, state, match.plies, tail, count)


async def append(tx: Transaction, match: Match, entries: Sequence[Entry]) -> None:
    """Append the entries that have led to a match to its log; raises like `match_log.append`."""
    left, taken = match.given_up, match.takebacks
    await match_log.append(
        tx, match.id, entries, to_move=match.to_move, takebacks=taken, given_up=left
    )


def allows_conditional_moves(position: Position) -> bool:
    """Return whether a match allows conditional moves."""
    return not position.game.has_luck and not position.practice


async def play_conditional_moves(
    tx: Transaction,
    before: Position,
    entries: Sequence[Entry],
    after: Position,
    *,
    settings: Mapping[int, PlayerSettings],
    by: int,
    at: datetime,
) -> tuple[Position, int]:
    """Play the conditional moves that answer a move just appended, and tell their owners.

    The transaction is that of the move and holds the match lock. ``entries`` are the move and the
    automatic ones after it, ``settings`` those of all players by user, and ``by`` has moved. Returns
    the resulting match, and the user who moved last.
    """
    known = await conditional_moves.of_match(tx, before.match.id)
    left = _fitting([one for one in known if one.version == before.version], entries, after)
    line = [entry.notation for entry in entries]
    played: dict[int, list[int]] = {}  # by user, the indices in the line
    while (player := after.called) is not None:
        due = next((one for one in left if one.seat == player.seat and not one.path), None)
        if due is None:
            break
        try:
            more, reached = made_move(after, due.notation, at)
        except RulesError as error:  # the rules have changed since
            reason = type(error).__name__  # its sentence says which move
            log.warning("a conditional move is refused", match=after.match.id, reason=reason)
            left = []
            break
        await append(tx, reached.match, more)
        by = player.user_id
        played.setdefault(by, []).append(len(line))
        line += (entry.notation for entry in more)
        left, after = _fitting([o for o in left if o is not due], more, reached), reached
    if known:
        await conditional_moves.replace(tx, known, left)
    for user, places in played.items():
        if settings[user].pings:
            await posts.want(
                tx,
                PLAYED_POST,
                after.match.id,
                at=at,
                guild_id=None,
                user_id=user,
                part=after.version,
                payload={"line": line[: places[-1] + 1], "own": places},
                not_before=after_quiet(settings[user], at),
            )
    return after, by


def _fitting(
    waiting: Sequence[ConditionalMove], entries: Sequence[Entry], reached: Position
) -> list[ConditionalMove]:
    notations = [entry.notation for entry in entries]
    found = [one.after(notations, reached.version) for one in waiting]
    return [one for one in found if one is not None]


def check_trying(position: Position, user_id: int) -> None:
    """Raise NotForYou if others are still playing a match: its moves may not be tried yet."""
    if not position.match.finished and position.player_of(user_id) is None:
        raise NotForYou(say("You can try moves in this game once it's over."))


@dataclass(frozen=True)
class Variation:
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

    def scene(self, earlier: Iterable[Played[Any, Any]]) -> Scene:
        """Return its picture, which marks the last move tried, or else ``earlier`` ones."""
        last = [(one.before, one.move) for one in self.played[-1:] or earlier]
        return self.game.scene(self.state, last, self.chosen, over=self.over)

    @property
    def question(self) -> str:
        """What to choose next, or how the game would end here."""
        outcome = self.game.outcome(self.state)
        if outcome is not None:
            return say("The game would end here: {reason}.", reason=outcome.reason)
        if self.chosen:
            return self.game.steps_label(self.state, self.chosen).question
        if self.actor is CHANCE:
            return say("Which throw?")
        return say("{seat} to move.", seat=capital(self.game.side(self.state, self.actor)))

    def continued(self, notations: Sequence[str]) -> Variation:
        """Return the variation continued by log entries; raise BadRecord if one is not playable."""
        played = (*self.played, *resume(self.game, self.state, notations, len(self.played)))
        return Variation(self.game, played[-1].after if played else self.state, played).settled()

    def after(self, move: Any) -> Variation:
        """Return the variation after a legal move and the only moves that follow it."""
        return self._moved(move).settled()

    def settled(self) -> Variation:
        """Return the variation with any only moves played."""
        variation = self
        while variation.actor not in {None, CHANCE}:
            only = variation.game.only_move(variation.state)
            if only is None:
                break
            variation = variation._moved(only)
        return variation

    def choose(self, steps: tuple[str, ...]) -> tuple[Variation, tuple[str, ...]]:
        """Return the variation after the move that some steps begin with, and the remaining steps.

        If they complete no move, that is this variation and all steps.
        """
        if not self.over:
            for move in self.game.legal_moves(self.state):
                own = self.game.steps(move)
                if steps[: len(own)] == own:
                    return self.after(move), steps[len(own) :]
        return self, steps

    def _moved(self, move: Any) -> Variation:
        reached = self.game.after(self.state, move)
        entry = Played(len(self.played) + 1, self.state, move, reached)
        return Variation(self.game, reached, (*self.played, entry))
