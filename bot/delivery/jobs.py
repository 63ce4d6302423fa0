"""What the use cases put into the outbox: that a board is to be shown, that something is to be said.

`bot.delivery.outbox_worker` brings it to Discord; `bot.delivery.notices` makes the messages of notices.
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
"""The outbox job that shows a match at a ply."""
NOTICE_JOB: Final = "notice"
"""The outbox job that says something beside the boards."""
RESULT_JOB: Final = "result"
"""The outbox job that tells the channel of a match how it ended."""
RESTORED: Final = "restored"
"""The notice that moves were lost as the bot was restored from a backup."""
STORY_JOB: Final = "story"
"""The outbox job that adds the turning point to what was told, once an analysis knows it."""


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
    """Have a match shown after a decision.

    Args:
        tx: the transaction of the decision.
        match: as it stands then.
        after: who decided; while they go on, their board is changed in place.
        at: the present moment.
        ended: whether the match is over.
        quietly: whether nobody is called by the board.
        undone: whether a move was taken back, so that there is always a new board.

    """
    # A resignation ends a match without a new entry, so its job needs a name of its own.
    nonce = f"m{match.id}end" if ended else f"m{match.id}p{match.version}"
    payload = {"ply": match.version, "after": after, "quietly": quietly, "undone": undone}
    return await outbox.put(
        tx, match_id=match.id, kind=BOARD_JOB, payload=payload, nonce=nonce, at=at
    )


async def redraw(tx: Transaction, match: Match, user_id: int, nonce: str, at: datetime) -> Job:
    """Have the board changed in place: it is still this player's turn, but not all is the same."""
    payload = {"ply": match.version, "after": user_id, "redraw": True}
    return await outbox.put(
        tx, match_id=match.id, kind=BOARD_JOB, payload=payload, nonce=nonce, at=at
    )


async def show_restored(
    tx: Transaction, match: Match, step: int, known: datetime, at: datetime
) -> None:
    """Have a match shown as a backup knows it, and what was lost told, if anything was.

    Args:
        tx: the transaction that restores.
        match: as it stands.
        step: by how much its version was put forward.
        known: the last moment that the backup knows.
        at: the present moment.

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
    """Have something said in the place of a match.

    Args:
        tx: the transaction of what it tells.
        match: as it stands.
        kind: whose builder makes it, see `bot.delivery.notices`.
        nonce: 1 to 25 characters that no other job ever has.
        at: the present moment.
        ply: the turn with which it passes, if it does.
        not_before: when it is due, if not at once; others do not wait for it.
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


async def tell_result(tx: Transaction, match: Match, at: datetime) -> Job:
    """Have the channel of a match told how it ended."""
    return await _once(tx, match.id, RESULT_JOB, f"m{match.id}result", at)


async def tell_turning_point(tx: Transaction, match_id: int, at: datetime) -> Job:
    """Have the turning point added to what the channel was told."""
    return await _once(tx, match_id, STORY_JOB, f"m{match_id}story", at)


async def _once(tx: Transaction, match_id: int, kind: str, nonce: str, at: datetime) -> Job:
    return await outbox.put(tx, match_id=match_id, kind=kind, payload={}, nonce=nonce, at=at)
