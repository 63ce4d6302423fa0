"""Routes of users and DMs."""

from __future__ import annotations

from playground import payloads
from playground.errors import ApiError
from playground.rest.api import Call, Handler, Result
from playground.world import World


class UserRoutes:
    """Serves ``/users``."""

    def __init__(self, world: World) -> None:
        self._world = world

    def table(self) -> dict[str, Handler]:
        """Return the handlers by route."""
        return {
            "GET /users/@me/guilds": self.guilds,
            "POST /users/@me/channels": self.open_dm,
            "DELETE /users/@me/guilds/{guild_id}": self.leave,
            "GET /users/{user_id}": self.user,
        }

    def bearer_table(self) -> dict[str, Handler]:
        """Return the handlers by route that a person's token opens, too."""
        return {"GET /users/@me": self.me}

    def me(self, call: Call) -> Result:
        """Return the bot's user, or the one whose token asks."""
        grant = call.grant
        if grant is not None:
            if "identify" not in grant.scopes:
                raise ApiError(50026)
            return 200, payloads.authorized_user(grant.user, grant.scopes)
        return 200, payloads.own_user(self._world.bot)

    def guilds(self, call: Call) -> Result:
        """List the bot's servers by id, up to 200 after a given one."""
        world, after = self._world, int(call.query.get("after", 0))
        mine = [one for one in world.guilds.values() if world.bot.id in one.members]
        found = sorted((one for one in mine if one.id > after), key=lambda one: one.id)
        limit = int(call.query.get("limit", 200))
        return 200, [payloads.own_guild(one) for one in found[:limit]]

    def open_dm(self, call: Call) -> Result:
        """Open a DM with a user."""
        try:
            recipient = int(call.json["recipient_id"])
        except (KeyError, TypeError, ValueError):
            call.problems.required(("recipient_id",))
            raise call.problems.refusal() from None
        user = self._world.user(recipient)
        if user.bot:
            raise ApiError(50007)
        return 200, payloads.channel(self._world.dm_channel(user, self._world.bot))

    def leave(self, call: Call) -> Result:
        """Leave a server."""
        self._world.remove_member(self._world.guild(call.id("guild_id")), self._world.bot)
        return 204, None

    def user(self, call: Call) -> Result:
        """Return a user."""
        return 200, payloads.user(self._world.user(call.id("user_id")))
