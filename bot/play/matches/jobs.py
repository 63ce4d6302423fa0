"""What the use cases want to be shown about matches: boards, and notices.

`bot.play.delivery.outbox_worker` delivers the boards, jobs of the outbox; notices are posts, see
`bot.play.delivery.notices`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Final, TypeAlias

from bot.core.i18n.mentions import message_link
from data import posts
from data.matches import boards, outbox
from data.matches.match import THREAD, Match
from data.store.store import Transaction

HoldMatch: TypeAlias = Callable[[int], AbstractAsyncContextManager[None]]
"""Waits for what is being written about a match, and holds what follows."""

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


async def put(
    tx: Transaction,
    match: Match,
    nonce: str,
    at: datetime,
    *,
    after: int | None = None,
    **payload: object,
) -> None:
    """Queue the board of a match as it is now; ``nonce`` names the job.

    ``after`` is the player who caused it; while it is their turn, the board is edited in place.
    """
    payload = {"ply": match.version, "after": after, **payload}
    await outbox.put(tx, match_id=match.id, kind=BOARD_JOB, payload=payload, nonce=nonce, at=at)


async def show(
    tx: Transaction,
    match: Match,
    after: int | None,
    at: datetime,
    *,
    ended: bool,
    quietly: bool = False,
    undone: bool = False,
) -> None:
    """Queue the board of a match after a decision of the player ``after``, see `put`.

    If ``quietly``, it notifies no one. An ``undone`` move always posts a new board.
    """
    # A resignation ends a match without a new log entry, so its job needs its own name.
    nonce = f"m{match.id}end" if ended else f"m{match.id}p{match.version}"
    await put(tx, match, nonce, at, after=after, quietly=quietly, undone=undone)


async def redraw(tx: Transaction, match: Match, user_id: int, nonce: str, at: datetime) -> None:
    """Queue an edit of the board in place: still this player's turn, but something changed."""
    await put(tx, match, nonce, at, after=user_id, redraw=True)


async def show_restored(
    tx: Transaction, match: Match, step: int, known: datetime, at: datetime
) -> None:
    """Queue the board of a match as a backup knows it, in the transaction that restores.

    ``step`` is by how much its version was advanced, ``known`` the last moment that the backup knows.
    """
    nonce = f"m{match.id}b{match.restored}"
    await put(tx, match, nonce, at, restored=step, known=known.isoformat())


async def repost(tx: Transaction, match: Match, at: datetime, *, by: int | None = None) -> None:
    """Queue the board of a match once more, unless one is queued; ``by`` who caused it, if any."""
    if not any(job.kind == BOARD_JOB for job in await outbox.pending(tx, match.id)):
        await put(tx, match, f"m{match.id}a{secrets.token_hex(4)}", at, by=by)


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

    ``kind`` selects its builder (`bot.play.delivery.notices`), which needs the ``payload``, in JSON.
    It expires with the turn ``ply``, if given; the ``first`` come before the next board, whose writer
    waits for them.
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
    return (await board_links(tx, [match]))[match.id]


async def board_links(tx: Transaction, found: Iterable[Match]) -> dict[int, str | None]:
    """Return the same of several matches, by number."""
    these = {match.id: match for match in found}
    posted = await boards.latest_of(tx, these)
    return {
        number: message_link(match.guild_id, at.channel_id, at.message_id)
        if (at := posted.get(number)) is not None
        else thread_link(match)
        for number, match in these.items()
    }


def thread_link(match: Match) -> str | None:
    """Return the link to a match's thread, if it has one."""
    if match.channel_kind != THREAD:
        return None
    return f"https://discord.com/channels/{match.guild_id}/{match.channel_id}"
