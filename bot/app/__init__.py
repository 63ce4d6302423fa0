"""What a process is: command line, roles, doctor, backups, monitoring, the demo."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from svcs import Registry, autowire


class CannotWork(Exception):
    """Ends the process, with a reason that says what to do."""

    def __init__(self, reason: str, *, restart_helps: bool = True) -> None:
        """Keep the reason, and whether a retry with the same program and settings could succeed."""
        super().__init__(reason)
        self.restart_helps = restart_helps


@cache
def _recipe(kind: Any) -> Any:
    """Return how to build one of the bot's classes, read from its constructor only once."""
    registry = Registry()
    registry.register_factory(kind, autowire(kind), enter=False)
    return registry.get_registered_service_for(kind)


class Services(Registry):
    """Builds the bot's classes when they are first asked for, from what their constructors take.

    Only what types do not say is registered: values, and arguments that are no services.
    """

    def add(self, values: Mapping[Any, object]) -> None:
        """Register services by their types."""
        for kind, value in values.items():
            self.register_value(kind, value)

    def give(self, kind: type[object], **arguments: object) -> None:
        """Have a service built with these arguments, and found ones for the rest."""
        self.register_factory(kind, autowire(partial(kind, **arguments)), enter=False)

    def get_registered_service_for(self, svc_type: Any) -> Any:
        """Return how to build a service.

        Raises ServiceNotFoundError if it is none of the bot's classes, and was not registered.
        """
        ours = isinstance(svc_type, type) and svc_type.__module__.startswith("bot.")
        if ours and svc_type not in self:
            return _recipe(svc_type)
        return super().get_registered_service_for(svc_type)
