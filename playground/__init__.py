"""A small Discord on the loopback interface, to try the bot in and to test it.

::

    async with Playground() as playground:
        with point_discord_here(playground):
            ...                                   # start a bot with playground.token
            ann = playground.person("Ann")
            reply = await ann.slash("/hello", channel="general")
            await ann.press(reply.message, "Again")
"""

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
