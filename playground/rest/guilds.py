"""Routes of users, servers and their members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground import payloads
from playground.errors import ApiError

if TYPE_CHECKING:
    from playground.rest.api import Call, Handler, Result
    from playground.world import World


class GuildRoutes:
    """Serves ``/users`` and ``/guilds``."""

    def __init__(self, world: World) -> None:
        self._world = world

    def table(self) -> dict[str, Handler]:
        """List the routes."""
        return {
            "GET /users/@me": self.me,
            "GET /users/@me/guilds": self.my_guilds,
            "POST /users/@me/channels": self.open_direct,
            "DELETE /users/@me/guilds/{guild_id}": self.leave,
            "GET /users/{user_id}": self.user,
            "GET /guilds/{guild_id}": self.guild,
            "GET /guilds/{guild_id}/channels": self.channels,
            "GET /guilds/{guild_id}/roles": self.roles,
            "GET /guilds/{guild_id}/members": self.members,
            "GET /guilds/{guild_id}/members/search": self.search,
            "GET /guilds/{guild_id}/members/{user_id}": self.member,
        }

    def me(self, _call: Call) -> Result:
        """Show the bot."""
        return 200, payloads.own_user(self._world.bot)

    def my_guilds(self, _call: Call) -> Result:
        """List the servers that the bot is in."""
        bot = self._world.bot.id
        return 200, [
            {
                "id": str(g.id),
                "name": g.name,
                "icon": None,
                "banner": None,
                "owner": False,
                "permissions": str(int(self._world.application.permissions)),
                "features": [],
            }
            for g in self._world.guilds.values()
            if bot in g.members
        ]

    def open_direct(self, call: Call) -> Result:
        """Open direct messages with a user."""
        try:
            recipient = int(call.json["recipient_id"])
        except (KeyError, TypeError, ValueError):
            call.problems.add(("recipient_id",), "BASE_TYPE_REQUIRED", "This field is required")
            raise call.problems.refusal() from None
        user = self._world.user(recipient)
        if user.bot:
            raise ApiError(50007)
        return 200, payloads.channel(self._world.dm_channel(user, self._world.bot))

    def leave(self, call: Call) -> Result:
        """Let the bot leave a server."""
        self._world.remove_member(self._world.guild(call.id("guild_id")), self._world.bot)
        return 204, None

    def user(self, call: Call) -> Result:
        """Show a user."""
        return 200, payloads.user(self._world.user(call.id("user_id")))

    def guild(self, call: Call) -> Result:
        """Show a server."""
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
        """List members of a server by id."""
        guild = self._world.guild(call.id("guild_id"))
        after, limit = int(call.query.get("after", 0)), int(call.query.get("limit", 1))
        found = sorted(
            (m for m in guild.members.values() if m.user.id > after), key=lambda m: m.user.id
        )
        return 200, [payloads.member(m) for m in found[:limit]]

    def search(self, call: Call) -> Result:
        """Find members by the beginning of their name."""
        guild = self._world.guild(call.id("guild_id"))
        query, limit = call.query.get("query", "").lower(), int(call.query.get("limit", 1))
        found = [
            m
            for m in guild.members.values()
            if m.user.name.startswith(query) or m.user.display.lower().startswith(query)
        ]
        return 200, [payloads.member(m) for m in found[:limit]]

    def member(self, call: Call) -> Result:
        """Show a member."""
        guild = self._world.guild(call.id("guild_id"))
        self._world.user(call.id("user_id"))
        member = guild.members.get(call.id("user_id"))
        if member is None:
            raise ApiError(10007)
        return 200, payloads.member(member)
