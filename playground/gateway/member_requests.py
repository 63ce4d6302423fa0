"""Who is a member of a server: what the gateway answers when a bot asks (op 8).

Where Discord's documents say less than they might, the stricter reading holds: a limit is kept to
by questions about ids as well, and whatever is more than Discord promises to tell is not told.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from playground import payloads
from playground.gateway.sessions import Closed, Intent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playground.errors import JSON
    from playground.gateway.sessions import Session
    from playground.model import Guild, Member
    from playground.world import World

MOST: Final = 100
"""So many members at most are told of those who are asked for by id or by name."""
A_CHUNK: Final = 1000
"""So many members at most are in one part of an answer."""
MOST_NONCE: Final = 32


class MemberRequests:
    """Calls the roll of a server.

    Attributes:
        silent: while True, no question is answered, as when Discord is in trouble.
        questions: how many questions have come.
        asked: set by each question.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self.unresponsive = False
        self.count = 0
        self.received = asyncio.Event()

    def call(self, session: Session, data: JSON) -> None:
        """Answer a question, in as many parts as it takes.

        Servers that the bot is not in, and questions for which it lacks an intent, get no answer.

        Raises:
            Closed: when the question makes no sense.
        """
        try:
            received = _MemberRequest(data)
        except (KeyError, TypeError, ValueError):
            raise Closed(4001, "Unknown opcode.") from None
        self.count += 1
        self.received.set()
        guild = self._world.guilds.get(received.guild_id)
        if (
            self.unresponsive
            or guild is None
            or self._world.bot.id not in guild.members
            or not session.concerns(guild.id)
            or (received.everybody and not session.intents & Intent.GUILD_MEMBERS)
        ):
            return
        found, missing = received.look(guild)
        parts = [found[start : start + A_CHUNK] for start in range(0, len(found), A_CHUNK)] or [[]]
        for number, part in enumerate(parts):
            chunk: JSON = {
                "guild_id": str(guild.id),
                "members": [payloads.member(member) for member in part],
                "chunk_index": number,
                "chunk_count": len(parts),
            }
            if missing:
                chunk["not_found"] = [str(user_id) for user_id in missing]
            if received.presences and session.intents & Intent.GUILD_PRESENCES:
                chunk["presences"] = []
            if received.nonce is not None:
                chunk["nonce"] = received.nonce
            session.dispatch("GUILD_MEMBERS_CHUNK", chunk)


class _MemberRequest:
    """What a bot asks: about ids, or about the beginning of a name.

    Raises:
        KeyError, TypeError, ValueError: for what is neither.
    """

    def __init__(self, data: JSON) -> None:
        self.guild_id = int(data["guild_id"])
        self.limit = int(data.get("limit") or 0)
        self.presences = bool(data.get("presences"))
        nonce = data.get("nonce")
        fits = isinstance(nonce, str) and len(nonce.encode()) <= MOST_NONCE
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
            raise ValueError("a limit is not negative")

    @property
    def everybody(self) -> bool:
        """Whether all members are wanted."""
        return self.query == ""

    def look(self, guild: Guild) -> tuple[list[Member], list[int]]:
        """Return the members who are wanted, and the ids that are no members'."""
        if self.query is None:
            wanted = self.user_ids[:MOST]
            found = [guild.members[one] for one in wanted if one in guild.members]
            return found[: self.limit or MOST], [one for one in wanted if one not in guild.members]
        named = list(self._named(guild))
        if self.everybody:
            return named[: self.limit or len(named)], []
        return named[: min(self.limit or MOST, MOST)], []

    def _named(self, guild: Guild) -> Iterator[Member]:
        query = self.query or ""
        for member in guild.members.values():
            names = (member.user.name, (member.nick or member.user.display).lower())
            if any(name.startswith(query) for name in names):
                yield member
