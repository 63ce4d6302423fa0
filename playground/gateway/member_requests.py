"""Answers Request Guild Members (op 8).

Where Discord's documentation is vague, the stricter reading applies: limits hold for requests by id
too, and only what Discord promises is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, Final

from playground import payloads
from playground.errors import JSON
from playground.gateway.sessions import GatewayClose, Intent, Session
from playground.model import Guild, Member
from playground.world import World

MAX_MEMBERS: Final = 100
"""The most members found by id or name."""
CHUNK_SIZE: Final = 1000
MAX_NONCE_BYTES: Final = 32


class MemberRequests:
    """Answers member requests.

    Attributes:
        unresponsive: while True, requests are ignored, as in an outage.
        count: the number of requests so far.
        received: set by each request.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.unresponsive = False
        self.count = 0
        self.received = asyncio.Event()

    def handle(self, session: Session, data: JSON) -> None:
        """Send the requested members in chunks.

        There is no answer for servers the bot is not in, or without the required intent.

        Raises:
            GatewayClose: if the request is malformed.
        """
        try:
            request = _MemberRequest(data)
        except (KeyError, TypeError, ValueError):
            raise GatewayClose(4001, "Unknown opcode.") from None
        self.count += 1
        self.received.set()
        guild = self._world.guilds.get(request.guild_id)
        if (
            self.unresponsive
            or guild is None
            or self._world.bot.id not in guild.members
            or not session.owns(guild.id)
            or (request.all_members and not session.intents & Intent.GUILD_MEMBERS)
        ):
            return
        found, missing = request.find(guild)
        chunks = [found[i : i + CHUNK_SIZE] for i in range(0, len(found), CHUNK_SIZE)] or [[]]
        for number, members in enumerate(chunks):
            chunk: JSON = {
                "guild_id": str(guild.id),
                "members": [payloads.member(member) for member in members],
                "chunk_index": number,
                "chunk_count": len(chunks),
            }
            if missing:
                chunk["not_found"] = [str(user_id) for user_id in missing]
            if request.presences and session.intents & Intent.GUILD_PRESENCES:
                chunk["presences"] = []
            if request.nonce is not None:
                chunk["nonce"] = request.nonce
            session.dispatch("GUILD_MEMBERS_CHUNK", chunk)


class _MemberRequest:
    """A request by user ids or by the beginning of a name.

    Raises:
        KeyError, TypeError, ValueError: if it is neither.
    """

    def __init__(self, data: JSON) -> None:
        self.guild_id = int(data["guild_id"])
        self.limit = int(data.get("limit") or 0)
        self.presences = bool(data.get("presences"))
        nonce = data.get("nonce")
        fits = isinstance(nonce, str) and len(nonce.encode()) <= MAX_NONCE_BYTES
        self.nonce: str | None = nonce if fits else None
        ids: Any = data.get("user_ids")
        self.query: str | None = None
        self.user_ids: tuple[int, ...] = ()
        if ids:
            several = ids if isinstance(ids, list) else [ids]
            self.user_ids = tuple(dict.fromkeys(int(user_id) for user_id in several))
        else:
            self.query = str(data["query"]).lower()
        if self.limit < 0:
            raise ValueError("limit must not be negative")

    @property
    def all_members(self) -> bool:
        """Whether all members are requested."""
        return self.query == ""

    def find(self, guild: Guild) -> tuple[list[Member], list[int]]:
        """Return the requested members, and the requested ids of non-members."""
        if self.query is None:
            wanted = self.user_ids[:MAX_MEMBERS]
            found = [guild.members[one] for one in wanted if one in guild.members]
            missing = [one for one in wanted if one not in guild.members]
            return found[: self.limit or MAX_MEMBERS], missing
        named = list(self._named(guild))
        if self.all_members:
            return named[: self.limit or len(named)], []
        return named[: min(self.limit or MAX_MEMBERS, MAX_MEMBERS)], []

    def _named(self, guild: Guild) -> Iterator[Member]:
        query = self.query or ""
        for member in guild.members.values():
            names = (member.user.name, (member.nick or member.user.display).lower())
            if any(name.startswith(query) for name in names):
                yield member
