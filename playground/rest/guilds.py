"""Routes of servers and their members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground import payloads
from playground.errors import ApiError

if TYPE_CHECKING:
    from playground.rest.api import Call, Handler, Result
    from playground.world import World


class GuildRoutes:
    """Serves ``/guilds``."""

    def __init__(self, world: World) -> None:
        self._world = world

    def table(self) -> dict[str, Handler]:
        """Return the handlers by route."""
        return {
            "GET /guilds/{guild_id}": self.guild,
            "GET /guilds/{guild_id}/channels": self.channels,
            "GET /guilds/{guild_id}/roles": self.roles,
            "GET /guilds/{guild_id}/members": self.members,
            "GET /guilds/{guild_id}/members/search": self.search,
            "GET /guilds/{guild_id}/members/{user_id}": self.member,
        }

    def guild(self, call: Call) -> Result:
        """Return a server."""
        guild = self._world.guild(call.id("guild_id"))
        data = payloads.guild(guild)
        if call.query.get("with_counts") in {"1", "true", "True"}:
            data["approximate_member_count"] = len(guild.members)
            data["approximate_presence_count"] = len(guild.members)
        return 200, data

    def channels(self, call: Call) -> Result:
        """List the channels of a server, without threads."""
        guild = self._world.guild(call.id("guild_id"))
        return 200, [payloads.channel(c) for c in guild.channels.values()]

    def roles(self, call: Call) -> Result:
        """List the roles of a server."""
        guild = self._world.guild(call.id("guild_id"))
        return 200, [payloads.role(r) for r in guild.roles.values()]

    def members(self, call: Call) -> Result:
        """List the members of a server by id."""
        guild = self._world.guild(call.id("guild_id"))
        after, limit = int(call.query.get("after", 0)), int(call.query.get("limit", 1))
        found = sorted(
            (m for m in guild.members.values() if m.user.id > after), key=lambda m: m.user.id
        )
        return 200, [payloads.member(m) for m in found[:limit]]

    def search(self, call: Call) -> Result:
        """List the members whose name begins with a query."""
        guild = self._world.guild(call.id("guild_id"))
        query, limit = call.query.get("query", "").lower(), int(call.query.get("limit", 1))
        found = [
            m
            for m in guild.members.values()
            if m.user.name.startswith(query) or m.user.display.lower().startswith(query)
        ]
        return 200, [payloads.member(m) for m in found[:limit]]

    def member(self, call: Call) -> Result:
        """Return a member."""
        guild = self._world.guild(call.id("guild_id"))
        self._world.user(call.id("user_id"))
        member = guild.members.get(call.id("user_id"))
        if member is None:
            raise ApiError(10007)
        return 200, payloads.member(member)
