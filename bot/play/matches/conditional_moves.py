"""Plays conditional moves in the commit of the move they answer.

Only in matches between people, without luck. The log is the same as if the player had moved at that
moment. Conditional moves that no longer fit are dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import structlog

from bot.core.posts.quiet_hours import after_quiet
from bot.core.settings.player_settings import PlayerSettings
from bot.play.matches.positions import MatchView
from bot.play.matches.turns import made_move
from data.matches import conditional_moves, match_log
from data.matches.conditional_moves import ConditionalMove
from data.matches.match import Entry
from data.posts import posts
from data.store.store import Transaction
from engine.errors import RulesError

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


def possible(view: MatchView) -> bool:
    """Return whether a match allows conditional moves."""
    return not view.game.has_luck and not view.practice


async def answer(
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
