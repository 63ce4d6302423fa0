"""What servers and players have chosen. Stored as JSON; what is not stored has its default."""

from __future__ import annotations

from datetime import time
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Theme: TypeAlias = Literal["wood", "night", "contrast"]

MOST_DAYS = 14
"""The longest time for a move that a challenge or a server may choose, in days."""


class _Choices(BaseModel):
    """Choices of an older or newer program may have other fields: those are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ServerSettings(_Choices):
    """How a server plays; chosen by those who may manage it."""

    channels: tuple[int, ...] = ()
    """Where challenges may be made; empty allows every channel."""
    threads: bool = True
    """Whether each match gets a thread of its own, where the bot may make one."""
    board: Literal["new", "edit"] = "new"
    """A new board message each turn, or one that is edited, with a short ping beside it."""
    days: int = Field(default=3, ge=1, le=MOST_DAYS)
    """Days for each move, unless the challenge says otherwise."""
    forfeit: Literal["claim", "automatic"] = "claim"
    """Whether a player out of time loses when the opponent claims it, or at once."""
    rated: bool = True
    """Whether its matches count for ratings."""
    theme: Theme = "wood"
    """The look of the boards in its channels."""
    language: str | None = None
    """The language of what everybody sees; ``None`` takes the one that Discord tells."""
    log_channel: int | None = None
    """Where what moderators do is told as well; ``None`` keeps it in the list only."""


class PlayerSettings(_Choices):
    """How one player likes it, in every server."""

    theme: Theme | None = None
    """The look of boards that only this player sees; ``None`` takes the server's."""
    coordinates: bool = True
    """Whether such boards show the names of files and ranks."""
    turned: bool = False
    """Whether boards are turned so that this player's side is below."""
    confirm: bool = False
    """Whether a move is asked about before it is made."""
    pings: bool = True
    """Whether a turn calls this player; else the board just names them."""
    reminders: bool = True
    """Whether a reminder comes before the time for a move is over."""
    clips: bool = True
    """Whether a turn brings a short film of what happened since the last one."""
    profile: bool = True
    """Whether others may look at this player's profile; leaderboards list them in any case."""
    language: str | None = None
    """The language of answers that only this player sees; ``None`` takes Discord's own."""
    zone: str = "UTC"
    """The time zone, by its IANA name."""
    quiet_from: time | None = None
    """When the quiet hours begin, in the player's time zone; ``None`` has none."""
    quiet_to: time | None = None
    """When they end; earlier than the beginning means the next day."""
