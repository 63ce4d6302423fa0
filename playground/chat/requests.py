"""Parses the chat page's requests, strictly: they come from outside."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Self

from playground.errors import JSON


class BadChatRequest(Exception):
    """A malformed request. The message says why."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request: operation, number and fields. Getters raise `BadChatRequest`."""

    op: str
    ref: int
    fields: JSON

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a request.

        Raises:
            BadChatRequest: if it is not a JSON object with a text ``op`` and an integer ``ref``.
        """
        try:
            data = json.loads(text)
        except ValueError:
            raise BadChatRequest("A frame is a JSON object.") from None
        if not isinstance(data, dict):
            raise BadChatRequest("A frame is a JSON object.")
        op, ref = data.get("op"), data.get("ref")
        if not isinstance(op, str) or not isinstance(ref, int) or isinstance(ref, bool):
            raise BadChatRequest(
                "A frame has an op, which is text, and a ref, which is a whole number."
            )
        return cls(op, ref, data)

    def text(self, name: str) -> str:
        """Return a text field."""
        value = self.fields.get(name)
        if not isinstance(value, str):
            raise BadChatRequest(f"{self.op} needs the field {name!r}, which is text.")
        return value

    def id(self, name: str) -> int:
        """Return an id field."""
        value = self.text(name)
        if not (value.isascii() and value.isdecimal() and len(value) <= 20):
            raise BadChatRequest(f"The field {name!r} of {self.op} is an id: digits only.")
        return int(value)

    def number(self, name: str, *, minimum: int) -> int | None:
        """Return an optional field: a number, or an id as text."""
        value = self.fields.get(name)
        if value is None:
            return None
        if isinstance(value, str):
            return self.id(name)
        if not isinstance(value, int) or isinstance(value, bool) or value < minimum:
            raise BadChatRequest(f"The field {name!r} of {self.op} is a number from {minimum} up.")
        return value

    def texts(self, name: str) -> list[str]:
        """Return a field with a list of texts."""
        value = self.fields.get(name)
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise BadChatRequest(f"{self.op} needs the field {name!r}, which is a list of texts.")
        return value

    def items(self, name: str) -> list[Any]:
        """Return a field with a list of anything."""
        value = self.fields.get(name)
        if not isinstance(value, list):
            raise BadChatRequest(f"{self.op} needs the field {name!r}, which is a list.")
        return value

    def flag(self, name: str) -> bool:
        """Return a field that is true or false."""
        value = self.fields.get(name)
        if not isinstance(value, bool):
            raise BadChatRequest(f"{self.op} needs the field {name!r}, which is true or false.")
        return value

    def line(self, name: str) -> str:
        """Return a command's path as the line a person types."""
        words = self.texts(name)
        if not 1 <= len(words) <= 3:
            raise BadChatRequest(f"The field {name!r} of {self.op} has one to three words.")
        return "/" + " ".join(words)

    def table(self, name: str) -> dict[str, Any]:
        """Return an object field."""
        value = self.fields.get(name)
        if not isinstance(value, dict):
            raise BadChatRequest(f"{self.op} needs the field {name!r}, which is an object.")
        return value
