"""Exceptions.

::

    ApiError            an error response of the REST API: status, code, message
    Impossible          Discord's client would not let a person do this
    InteractionFailed   the bot did not respond in time
    NothingHappened     a test waited in vain
"""

from __future__ import annotations

from typing import Any, Final

JSON = dict[str, Any]

SAFETY_SECONDS: Final = 100.0
"""Real seconds until a wait fails; enough for a busy machine."""

_CODES: Final[dict[int, tuple[int, str]]] = {
    0: (401, "401: Unauthorized"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    20012: (403, "You are not authorized to perform this action on this application"),
    30003: (400, "Maximum number of pins reached for the channel (50)"),
    30034: (
        400,
        "Max number of daily application command creates has been reached (200)",
    ),
    30046: (
        429,
        "Maximum number of edits to messages older than 1 hour reached. Try again later.",
    ),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    40094: (
        400,
        "This interaction has reached the maximum number of follow up messages",
    ),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50008: (400, "Cannot send messages in a non-text channel"),
    50013: (403, "Missing Permissions"),
    50026: (403, "Missing required OAuth2 scope"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50083: (400, "Thread is archived"),
    50240: (
        400,
        "You cannot remove this app's Entry Point command in a bulk update operation.",
    ),
    50109: (400, "The request body contains invalid JSON."),
    160004: (400, "A thread has already been created for this message"),
    160005: (403, "Thread is locked"),
}


class ApiError(Exception):
    """An error response of the REST API.

    Args:
        code: Discord's error code, such as 50013.
        errors: the tree of field errors, for a 50035.
        status: the HTTP status; by default the code's usual one.
        message: the message; by default the code's usual one.
        extra: further keys of the body.
    """

    def __init__(
        self,
        code: int,
        *,
        errors: JSON | None = None,
        status: int | None = None,
        message: str | None = None,
        extra: JSON | None = None,
    ) -> None:
        usual_status, usual_message = _CODES.get(code, (400, "Bad Request"))
        self.code = code
        self.status = usual_status if status is None else status
        self.message = usual_message if message is None else message
        self.errors = errors
        self.extra = extra
        super().__init__(f"{self.status} {self.code}: {self.message}")

    @property
    def body(self) -> JSON:
        """The JSON body."""
        body: JSON = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        if self.extra:
            body.update(self.extra)
        return body


class Impossible(Exception):
    """Discord's client would not let a person do this. The message says why."""


class InteractionFailed(Exception):
    """The bot did not respond to an interaction within three seconds."""


class NothingHappened(Exception):
    """An expected event did not come in time."""
