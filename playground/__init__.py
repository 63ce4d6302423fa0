"""A small Discord of one's own on the loopback address, for trying the bot and for its tests.

::

    async with Playground() as town:
        with point_discord_here(town):
            ...                                   # start a bot with town.token
            ann = town.person("Ann")
            reply = await ann.slash("/hello", channel="general")
            await ann.press(reply.message, "Again")
"""

from playground.app import Playground
from playground.clock import ManualClock, RealClock
from playground.connect import point_discord_here
from playground.errors import Impossible, InteractionFailed, NothingHappened
from playground.people import Person
from playground.reply import Modal, Reply

__all__ = [
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
