"""Routes of servers and their members."""

from __future__ import annotations

from playground import payloads
from playground.errors import ApiError
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
        """Return a server's channels, without threads: also those that the bot may not see."""
        guild = self._world.guild(call.id("guild_id"))
        return 200, [payloads.channel(one) for one in guild.channels.values()]

    def member(self, call: Call) -> Result:
        """Return a member."""
        guild = self._world.guild(call.id("guild_id"))
        self._world.user(call.id("user_id"))
        member = guild.members.get(call.id("user_id"))
        if member is None:
            raise ApiError(10007)
        return 200, payloads.member(member)
