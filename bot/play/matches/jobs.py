"""What the use cases want to be shown about matches: boards, and notices.

`bot.play.delivery.outbox_worker` delivers the boards, jobs of the outbox; notices are posts, see
`bot.play.delivery.notices`.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Final

from bot.core.i18n.mentions import message_link
from bot.play.matches.positions import MatchView
from data import posts
from data.matches import boards, outbox
from data.matches.match import THREAD
from data.matches.matches import Match
from data.matches.outbox import Job
from data.store.store import Transaction

BOARD_JOB: Final = "board"
"""Outbox job: show a match at a ply."""
NOTICE_POST: Final = "notice"
"""The kind of post that is a notice about a match."""
FIRST_NOTICE_POST: Final = "first_notice"
"""The kind of post that is a notice before a match's next board."""
GAVE_UP: Final = "gave-up"
"""The kind of notice about a player who gave up a match that goes on."""
RESTORED: Final = "restored"
"""Notice that moves were lost when the bot was restored from a backup."""
REWRITE_JOB: Final = "rewrite"
"""Outbox job: write messages once more that a process may have overwritten after it lost a shard.

Its payload has the ``messages`` that may have been edited, and the ``posts`` that may have arrived
unnoticed: each with its mark, its channel and the version that it shows, if it is a board.
"""
_PART_BITS: Final = 31
"""Size of the random numbers that tell the notices about a match apart."""


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
    """Queue the board of a match as a backup knows it.

    Args:
        tx: the transaction that restores.
        match: its current state.
        step: by how much its version was advanced.
        known: the last moment that the backup knows.
        at: now.

    """
    payload = {
        "ply": match.version,
        "after": None,
        "restored": step,
        "known": known.isoformat(),
    }
    await outbox.put(
        tx,
        match_id=match.id,
        kind=BOARD_JOB,
        payload=payload,
        nonce=f"m{match.id}b{match.restored}",
        at=at,
    )


async def repost(tx: Transaction, view: MatchView, at: datetime, *, by: int | None = None) -> None:
    """Queue the board of a match once more, unless one is queued.

    Args:
        tx: the transaction.
        view: the current match.
        at: now.
        by: the player who caused it, if any.

    """
    if any(job.kind == BOARD_JOB for job in await outbox.pending(tx, view.match.id)):
        return
    await outbox.put(
        tx,
        match_id=view.match.id,
        kind=BOARD_JOB,
        payload={"ply": view.version, "after": None, "by": by},
        nonce=f"m{view.match.id}a{secrets.token_hex(4)}",
        at=at,
    )


async def notify(
    tx: Transaction,
    match: Match,
    kind: str,
    *,
    at: datetime,
    ply: int | None = None,
    not_before: datetime | None = None,
    first: bool = False,
    **payload: object,
) -> int:
    """Ask for a notice where a match is played; return the number of its post.

    Args:
        tx: the transaction of the event it reports.
        match: its current state.
        kind: selects its builder, see `bot.play.delivery.notices`.
        at: now.
        ply: the turn it expires with, if any.
        not_before: when it is due, if not at once.
        first: whether it comes before the next board, whose writer waits for it.
        payload: what its builder needs, in JSON.

    """
    turn = {} if ply is None else {"ply": ply, "takebacks": match.takebacks}
    return await posts.want(
        tx,
        FIRST_NOTICE_POST if first else NOTICE_POST,
        match.id,
        # Each is a message of its own, whatever else is wanted at the same time.
        part=secrets.randbits(_PART_BITS),
        at=at,
        guild_id=match.guild_id,
        payload={**payload, **turn, "kind": kind},
        not_before=not_before,
    )


async def board_link(tx: Transaction, match: Match) -> str | None:
    """Return the link to a match's latest board, or to its thread, if any."""
    posted = await boards.latest(tx, match.id)
    if posted is not None:
        return message_link(match.guild_id, posted.channel_id, posted.message_id)
    if match.place == THREAD:
        return f"https://discord.com/channels/{match.guild_id}/{match.channel_id}"
    return None
