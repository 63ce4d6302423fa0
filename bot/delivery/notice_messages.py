"""Posts the notices of a match, or sends them to its players where the bot cannot post."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING

import discord
import structlog

from bot.delivery.notices import announcement
from bot.delivery.requests import Post

if TYPE_CHECKING:
    from bot.delivery.reach import Reach
    from bot.delivery.stored_messages import Done
    from bot.delivery.transport import ChannelTransport
    from bot.i18n.locales import Locales
    from bot.matches.positions import MatchView
    from data.outbox import Job

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def post(reach: Reach, job: Job, done: Done) -> None:
    """Post a notice, unless its turn has passed; one that Discord refuses goes by the clock."""
    notice, extras, kind = announcement(reach.view, job), reach.requests.extras, f"notice {job.id}"
    if notice is not None:
        if extras.waits(kind):
            return
        marked = Post(job.mark, reach.view.match.channel_id)
        send = partial(
            reach.transport.post,
            marked.channel_id,
            notice.message.marked(marked.mark),
            reach.locale,
            nonce=job.nonce,
            pings=notice.pings,
            by=notice.by,
        )
        try:
            await reach.requests.post(marked, send)
        except discord.HTTPException as error:
            if error.status != HTTPStatus.BAD_REQUEST:
                raise
            # Perhaps it is this notice alone: nothing else about the match waits for it.
            extras.failed(kind, error)
            if extras.failures(kind):
                return
            log.exception("Discord refused an announcement", job=job.id, code=error.code)
    extras.succeeded(kind)
    done.jobs.append(job)


async def send_privately(
    view: MatchView, job: Job, transport: ChannelTransport, locales: Locales
) -> None:
    """Send a notice to the players it notifies, in direct messages."""
    notice = announcement(view, job)
    if notice is None:
        return
    for user_id in await transport.pings.of(notice.pings, by=notice.by):
        locale = await locales.of_player(user_id)
        await transport.write(user_id, notice.private or notice.message, locale)
