"""Limits tournaments to those in channels the user can read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.core.errors import NotAllowed, Refusal
from bot.core.interactions.reply import Reply
from bot.core.permissions.visibility import sees_or_deleted
from bot.core.workers.fair_queue import Requester
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import TournamentView
from engine.phrase import say


def server_of(reply: Reply) -> int:
    """Return the server of an interaction.

    Raises:
        NotAllowed: outside servers.

    """
    if reply.guild_id is None:
        raise NotAllowed(say("This only works on a server. Use it there."))
    return reply.guild_id


@asynccontextmanager
async def showing(reply: Reply, number: int) -> AsyncIterator[TournamentView]:
    """Wait for a turn to show a tournament of this server that the user may see.

    Raises:
        Refusal: there is no such tournament.
        TooMany: this user already has too many requests waiting.

    """
    service = reply.get(Tournaments)
    async with service.turn(Requester(reply.guild_id or 0, reply.user_id)):
        view = await service.get(number, reply.guild_id)
        if not sees_or_deleted(reply, view.tournament.channel_id):
            raise Refusal(say("There's no such tournament on this server."))
        yield view


async def visible(reply: Reply, number: int) -> TournamentView:
    """Return a tournament of this server that the user may see; see `showing`."""
    async with showing(reply, number) as view:
        return view
