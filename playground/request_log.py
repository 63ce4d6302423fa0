"""What the bot asked, what it was told, and what was wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playground.limits.problems import Problem
    from playground.uploads import Upload


@dataclass(slots=True, eq=False)
class Request:
    """One request of the bot.

    Attributes:
        route: method and path with names for ids: ``"PATCH /channels/{channel_id}"``.
        path: the path as it came, without the version. Tokens of interactions are in it.
        params: what stands in the path for each name.
        json: the body.
        files: what was uploaded: name and size in bytes by number.
        at: seconds on the clock when it came.
        status: the HTTP status of the answer; None while there is none, or for ever when the
            line was broken.
        code: Discord's error code in the answer, 0 for none.
    """

    route: str
    path: str = field(repr=False)
    params: dict[str, str] = field(repr=False)
    at: float
    query: dict[str, str] = field(default_factory=dict)
    json: Any = None
    files: dict[int, tuple[str, int]] = field(default_factory=dict)
    status: int | None = None
    code: int = 0

    def note_files(self, files: dict[int, Upload]) -> None:
        """Keep names and sizes, not contents."""
        self.files = {n: (upload.filename, len(upload.data)) for n, upload in files.items()}


@dataclass(frozen=True, slots=True)
class Violation:
    """A request that broke a limit or a promise."""

    request: Request
    problem: Problem

    def __str__(self) -> str:
        return f"{self.request.route}: {self.problem}"
