"""The log of the bot's requests, and their violations of Discord's limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playground.limits.problems import Problem
from playground.uploads import Upload


@dataclass(slots=True, eq=False)
class Request:
    """A request from the bot.

    Attributes:
        route: method and path, with names for ids: ``"PATCH /channels/{channel_id}"``.
        path: the path as received, without the version; it may contain an interaction's token.
        params: the values of the names in the route.
        json: the JSON body.
        files: name and size in bytes of the uploads by number.
        at: the clock's time on arrival.
        status: the HTTP status of the response; None until then, or if the connection was dropped.
        code: Discord's error code in the response, or 0.
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

    def log_files(self, files: dict[int, Upload]) -> None:
        """Log the names and sizes of uploads."""
        self.files = {n: (upload.filename, len(upload.data)) for n, upload in files.items()}


@dataclass(frozen=True, slots=True)
class Violation:
    """A request that breaks a limit or a rule of the API."""

    request: Request
    problem: Problem

    def __str__(self) -> str:
        return f"{self.request.route}: {self.problem}"
