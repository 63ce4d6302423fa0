"""A small Discord on the loopback interface, to try the bot in and to test it.

::

    async with Playground() as playground:
        with point_discord_here(playground):
            ...                                   # start a bot with playground.token
            ann = playground.person("Ann")
            reply = await ann.slash("/hello", channel="general")
            await ann.press(reply.message, "Again")

Its parts are loaded on demand, so joining a playground does not load the server.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playground.addresses import Addresses
    from playground.app import Playground
    from playground.clock import ManualClock, RealClock
    from playground.connect import point_discord_here
    from playground.errors import Impossible, InteractionFailed, NothingHappened
    from playground.people import Person
    from playground.reply import Modal, Reply

__all__ = [
    "Addresses",
    "Impossible",
    "InteractionFailed",
    "ManualClock",
    "Modal",
    "NothingHappened",
    "Person",
    "Playground",
    "RealClock",
    "Reply",
    "point_discord_here",
]

_MODULES = {
    "Addresses": "addresses",
    "Impossible": "errors",
    "InteractionFailed": "errors",
    "ManualClock": "clock",
    "Modal": "reply",
    "NothingHappened": "errors",
    "Person": "people",
    "Playground": "app",
    "RealClock": "clock",
    "Reply": "reply",
    "point_discord_here": "connect",
}


def __getattr__(name: str) -> object:
    """Load a part of the package."""
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{module}"), name)
    return found
