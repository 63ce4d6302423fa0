"""Routes of the application, its commands and the gateway."""

from __future__ import annotations

from typing import Final

from playground import payloads
from playground.activities.instances import Activities
from playground.commands import ENTRY_POINT, Scope, key_of
from playground.errors import ApiError
from playground.gateway.server import Gateway
from playground.limits.commands import check_commands
from playground.rest.api import Call, Handler, Result
from playground.world import World

MAX_DAILY_CREATES: Final = 200
_DAY: Final = 86_400.0


class ApplicationRoutes:
    """Serves ``/applications`` and ``/gateway``."""

    def __init__(self, world: World, gateway: Gateway, activities: Activities) -> None:
        self._world = world
        self._activities = activities
        self._gateway = gateway
        self._creates: list[tuple[float, Scope]] = []

    def table(self) -> dict[str, Handler]:
        """Return the handlers by route, for both global and server commands."""
        global_commands = "/applications/{application_id}/commands"
        guild_commands = "/applications/{application_id}/guilds/{guild_id}/commands"
        return {
            "GET /applications/{application_id}/activity-instances/{instance_id}": self.instance,
            "GET /oauth2/applications/@me": self.me,
            "GET /applications/@me": self.me,
            "GET /gateway/bot": self.gateway_bot,
            f"GET {global_commands}": self.commands,
            f"PUT {global_commands}": self.overwrite_commands,
            f"GET {guild_commands}": self.commands,
            f"PUT {guild_commands}": self.overwrite_commands,
        }

    def me(self, _call: Call) -> Result:
        """Return the application."""
        world = self._world
        guilds = sum(world.bot.id in g.members for g in world.guilds.values())
        return 200, payloads.application(world.application, guilds)

    def gateway_bot(self, _call: Call) -> Result:
        """Return the gateway's URL and the recommended number of shards."""
        return 200, {
            "url": self._gateway.url,
            "shards": self._gateway.shards,
            "session_start_limit": self._gateway.starts.limit(),
        }

    def instance(self, call: Call) -> Result:
        """Return a running Activity."""
        if call.id("application_id") != self._world.application.id:
            raise ApiError(20012)
        instance = self._activities.instance(call.params["instance_id"])
        return 200, self._activities.described(instance)

    def _scope(self, call: Call) -> Scope:
        if call.id("application_id") != self._world.application.id:
            raise ApiError(20012)
        if "guild_id" not in call.params:
            return None
        guild_id = call.id("guild_id")
        if guild_id not in self._world.guilds:
            raise ApiError(50001)
        return guild_id

    def commands(self, call: Call) -> Result:
        """List commands."""
        commands = self._world.commands.registered(self._scope(call))
        localized = call.query.get("with_localizations") == "true"
        hidden = () if localized else ("name_localizations", "description_localizations")
        return 200, [
            {name: value for name, value in command.data.items() if name not in hidden}
            for command in commands.values()
        ]

    def overwrite_commands(self, call: Call) -> Result:
        """Overwrite all commands."""
        scope = self._scope(call)
        check_commands(call.problems, call.body.json, in_server=scope is not None)
        call.problems.refuse()
        keys = {key_of(definition) for definition in call.body.json}
        ids = {str(definition.get("id")) for definition in call.body.json}
        for command in self._world.commands.registered(scope).values():
            kept = command.key in keys or command.data["id"] in ids
            if command.type == ENTRY_POINT and not kept:
                raise ApiError(50240)
        self._count(scope, [key_of(definition) for definition in call.body.json])
        commands = self._world.commands.sync(scope, call.body.json)
        return 200, [command.data for command in commands]

    def _count(self, scope: Scope, keys: list[tuple[int, str]]) -> None:
        """Count new commands: Discord allows 200 a day per scope."""
        now = self._world.clock.time()
        self._creates = [c for c in self._creates if c[0] > now - _DAY]
        known = {command.key for command in self._world.commands.registered(scope).values()}
        fresh = [key for key in keys if key not in known]
        before = sum(where == scope for _, where in self._creates)
        if before + len(fresh) > MAX_DAILY_CREATES:
            raise ApiError(30034)
        self._creates += [(now, scope)] * len(fresh)
