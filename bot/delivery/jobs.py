"""Outbox jobs of the use cases: boards to show, notices to post.

`bot.delivery.outbox_worker` delivers them; `bot.delivery.notices` builds the notices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from data import outbox

if TYPE_CHECKING:
    from datetime import datetime

    from data.matches import Match
    from data.outbox import Job
    from data.store import Transaction

BOARD_JOB: Final = "board"
"""Outbox job: show a match at a ply."""
NOTICE_JOB: Final = "notice"
"""Outbox job: post a notice alongside the boards."""
GAVE_UP: Final = "gave-up"
"""The kind of notice about a player who gave up a match that goes on."""
RESTORED: Final = "restored"
"""Notice that moves were lost when the bot was restored from a backup."""
REWRITE_JOB: Final = "rewrite"
"""Outbox job: write messages once more that a process may have overwritten after it lost a shard.

Its payload has the ``messages`` that may have been edited, and the ``posts`` that may have arrived
unnoticed: each with its mark, its channel and the version that it shows, if it is a board.
"""


async def show(
    tx: Transaction,
    match: Match,
    after: int | None,
    at: datetime,
    *,
    ended: bool,
    quietly: bool = False,
    undone: bool = False,
) -> Job:
    """Queue the board of a match after a decision.

    Args:
        tx: the transaction of the decision.
        match: its state afterwards.
        after: the player who decided; while it stays their turn, the board is edited in place.
        at: now.
        ended: whether the match is over.
        quietly: whether the board notifies no one.
        undone: whether a move was taken back, which always posts a new board.

    """
    # A resignation ends a match without a new log entry, so its job needs its own name.
    nonce = f"m{match.id}end" if ended else f"m{match.id}p{match.version}"
    payload = {"ply": match.version, "after": after, "quietly": quietly, "undone": undone}
    return await outbox.put(
        tx, match_id=match.id, kind=BOARD_JOB, payload=payload, nonce=nonce, at=at
    )


async def redraw(tx: Transaction, match: Match, user_id: int, nonce: str, at: datetime) -> Job:
    """Queue an edit of the board in place: still this player's turn, but something changed."""
    payload = {"ply": match.version, "after": user_id, "redraw": True}
    return await outbox.put(
        tx, match_id=match.id, kind=BOARD_JOB, payload=payload, nonce=nonce, at=at
    )


async def show_restored(
    tx: Transaction, match: Match, step: int, known: datetime, at: datetime
) -> None:
    """Queue the board of a match as a backup knows it, and a notice in case moves were lost.

    Args:
        tx: the transaction that restores.
        match: its current state.
        step: by how much its version was advanced.
        known: the last moment that the backup knows.
        at: now.

    """
    payload = {"ply": match.version, "after": None, "restored": step}
    await outbox.put(
        tx,
        match_id=match.id,
        kind=BOARD_JOB,
        payload=payload,
        nonce=f"m{match.id}b{match.restored}",
        at=at,
    )
    nonce = f"m{match.id}k{match.restored}"
    await notify(tx, match, RESTORED, nonce=nonce, at=at, known=known.isoformat())


async def notify(
    tx: Transaction,
    match: Match,
    kind: str,
    *,
    nonce: str,
    at: datetime,
    ply: int | None = None,
    not_before: datetime | None = None,
    **payload: object,
) -> Job:
    """Queue a notice in the place of a match.

    Args:
        tx: the transaction of the event it reports.
        match: its current state.
        kind: selects its builder, see `bot.delivery.notices`.
        nonce: 1 to 25 characters, unique among all jobs.
        at: now.
        ply: the turn it expires with, if any.
        not_before: when it is due, if not at once; other jobs do not wait for it.
        payload: what its builder needs, in JSON.

    """
    turn = {} if ply is None else {"ply": ply, "takebacks": match.takebacks}
    return await outbox.put(
        tx,
        match_id=match.id,
        kind=NOTICE_JOB,
        payload={**payload, **turn, "kind": kind},
        nonce=nonce,
        at=at,
        not_before=not_before,
    )
