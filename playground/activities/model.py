"""What is running: an Activity, and its frames in people's clients."""

from __future__ import annotations

from dataclasses import dataclass, field

from playground.model import Channel, User


@dataclass(slots=True, eq=False)
class Instance:
    """A running Activity, shared by the people in its frames."""

    launch_id: int
    channel: Channel
    frames: dict[str, Frame] = field(default_factory=dict, repr=False)

    @property
    def id(self) -> str:
        """The id by which the application knows it."""
        return f"i-{self.launch_id}-{self.location_id}"

    @property
    def kind(self) -> str:
        """Discord's kind of the place: ``gc`` for a server's channel, ``pc`` for a private one."""
        return "pc" if self.channel.guild is None else "gc"

    @property
    def location_id(self) -> str:
        """The id of the place."""
        guild = self.channel.guild
        places = [self.channel.id] if guild is None else [guild.id, self.channel.id]
        return "-".join([self.kind, *map(str, places)])

    @property
    def users(self) -> list[User]:
        """The people in it, each once, first come first."""
        return list({frame.user.id: frame.user for frame in self.frames.values()}.values())


@dataclass(slots=True, eq=False)
class Frame:
    """An Activity in one person's client."""

    id: str
    instance: Instance
    user: User

    def query(self) -> dict[str, str]:
        """Return what the page is told in its address; the client adds its ``platform``."""
        instance, guild = self.instance, self.instance.channel.guild
        told = {
            "instance_id": instance.id,
            "location_id": instance.location_id,
            "launch_id": str(instance.launch_id),
            "channel_id": str(instance.channel.id),
            "frame_id": self.id,
        }
        return told if guild is None else {**told, "guild_id": str(guild.id)}
