"""The running Activities: who is in them, and where.

An application with Activities has one instance in each channel where people use it. Who launches it
there joins them. Once the last has left, it is over, and the next launch begins another.
"""

from __future__ import annotations

import uuid
from typing import Final
from urllib.parse import urlsplit

from playground.activities.model import Frame, Instance
from playground.addresses import is_loopback
from playground.errors import JSON, ApiError
from playground.events import ActivityParticipants
from playground.model import Channel, User
from playground.world import World

_EVERYWHERE: Final[dict[str, list[int]]] = {"integration_types": [0, 1], "contexts": [0, 1, 2]}


class Activities:
    """The application's Activity: its settings, as in Discord's developer portal, and its instances."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._instances: dict[str, Instance] = {}

    def enable(self, url: str) -> None:
        """Turn Activities on, and map them to a page on this machine.

        This creates the command that opens the Activity, unless there is one.

        Raises:
            ValueError: if the page isn't on this machine.
        """
        self._world.application.activity_url = local_origin(url)
        self._world.commands.ensure_entry_point(**_EVERYWHERE)

    def launch(self, user: User, channel: Channel) -> Frame:
        """Let somebody into the Activity in a channel, which begins with the first."""
        instance = next((i for i in self._instances.values() if i.channel is channel), None)
        if instance is None:
            instance = Instance(self._world.ids.next(), channel)
            self._instances[instance.id] = instance
        frame = Frame(str(uuid.uuid4()), instance, user)
        instance.frames[frame.id] = frame
        self._world.emit(ActivityParticipants(instance))
        return frame

    def close(self, frame: Frame) -> None:
        """Let somebody leave."""
        instance = frame.instance
        if instance.frames.pop(frame.id, None) is None:
            return
        if not instance.frames:
            self._instances.pop(instance.id, None)
        self._world.emit(ActivityParticipants(instance))

    def instance(self, instance_id: str) -> Instance:
        """Return a running instance.

        Raises:
            ApiError: 404 if there is none.
        """
        try:
            return self._instances[instance_id]
        except KeyError:
            raise ApiError(0, status=404, message="404: Not Found") from None

    def described(self, instance: Instance) -> JSON:
        """Return an instance as Discord's API describes it."""
        channel = instance.channel
        location = {
            "id": instance.location_id,
            "kind": instance.kind,
            "channel_id": str(channel.id),
        }
        if channel.guild is not None:
            location["guild_id"] = str(channel.guild.id)
        return {
            "application_id": str(self._world.application.id),
            "instance_id": instance.id,
            "launch_id": str(instance.launch_id),
            "location": location,
            "users": [str(user.id) for user in instance.users],
        }


def local_origin(url: str) -> str:
    """Return the origin of a page on this machine.

    Raises:
        ValueError: if it isn't on this machine.
    """
    parts = urlsplit(url)
    if parts.scheme != "http" or not is_loopback(parts.hostname or ""):
        raise ValueError(f"An Activity is a page on this machine, and {url!r} isn't on it.")
    return f"http://{parts.netloc}"
