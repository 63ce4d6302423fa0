"""Finds the boards that a store restored from a backup does not know."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from data.boards import PostedMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.delivery.reach import Reach
    from bot.delivery.stored_messages import Stored
    from data.outbox import Job


async def find(
    reach: Reach, stored: Stored, jobs: Sequence[Job]
) -> tuple[Sequence[Job], Sequence[PostedMessage]]:
    """Return the board jobs to carry out, and the boards that the store does not know.

    Without such boards nothing was lost: the jobs become quiet, and the board stays in place.
    """
    match = reach.view.match
    step = sum(job.payload.get("restored", 0) for job in jobs)
    if not step or not reach.editable:
        return jobs, ()
    there = await reach.transport.boards(match.channel_id, match.id)
    known = {shown.message_id: shown.ply - step for shown in stored.live}
    lost = [
        PostedMessage(message_id, match.channel_id, match.id, version, live=True)
        for message_id, version in there.items()
        if message_id not in known
    ]
    if lost or any(there.get(message_id, ply) != ply for message_id, ply in known.items()):
        return jobs, lost or stored.live
    mover = reach.view.to_move
    same = {"after": None if mover is None else mover.user_id, "redraw": True}
    quiet = [dataclasses.replace(job, payload=job.payload | same) for job in jobs]
    return quiet, ()
