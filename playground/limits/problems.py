"""Collects the problems with a request, in Discord's format."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from playground.errors import JSON, ApiError

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem with a request. ``refused`` is False if Discord accepts it anyway."""

    path: Path
    code: str
    message: str
    refused: bool = True

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path)) or 'body'}: {self.message} ({self.code})"


@dataclass(slots=True)
class Problems:
    """The problems with a request. Checks return whether the value is usable."""

    found: list[Problem] = field(default_factory=list)

    def add(self, path: Path, code: str, message: str) -> None:
        """Add a problem that makes Discord refuse the request."""
        self.found.append(Problem(path, code, message))

    def note(self, path: Path, code: str, message: str) -> None:
        """Add a problem that Discord tolerates."""
        self.found.append(Problem(path, code, message, refused=False))

    def required(self, path: Path) -> None:
        """Add a missing field."""
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def text(
        self, path: Path, value: Any, longest: int, *, shortest: int = 0, required: bool = False
    ) -> bool:
        """Check the length of a string."""
        if value is None:
            if required:
                self.required(path)
            return False
        if not isinstance(value, str):
            self.add(path, "BASE_TYPE_BAD_TYPE", "Could not interpret the value as string.")
            return False
        if shortest <= len(value) <= longest:
            return True
        if shortest:
            self._bad_length(path, shortest, longest)
        else:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {longest} or fewer in length.")
        return False

    def count(self, path: Path, value: Any, most: int, *, least: int = 0) -> bool:
        """Check the length of a list."""
        if not isinstance(value, list):
            self.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return False
        if least <= len(value) <= most:
            return True
        self._bad_length(path, least, most)
        return False

    def _bad_length(self, path: Path, least: int, most: int) -> None:
        self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")

    def is_object(self, path: Path, value: Any) -> bool:
        """Check that a value is an object."""
        if isinstance(value, dict):
            return True
        self.add(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
        return False

    def keys(self, path: Path, value: JSON, known: Collection[str]) -> None:
        """Note unknown keys, which Discord ignores."""
        for key in value:
            if key not in known:
                self.note((*path, key), "UNKNOWN_KEY", "Discord knows no such key here.")

    def refuse(self) -> None:
        """Raise Discord's error if there is any problem that Discord refuses.

        Raises:
            ApiError: 50035 with the tree of errors.
        """
        if any(problem.refused for problem in self.found):
            raise self.refusal()

    def refusal(self) -> ApiError:
        """Return Discord's error."""
        return ApiError(50035, errors=tree([p for p in self.found if p.refused]))


def tree(problems: list[Problem]) -> JSON:
    """Nest problems by path as Discord does, with ``_errors`` at the leaves."""
    root: JSON = {}
    for problem in problems:
        node = root
        for step in problem.path:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": problem.code, "message": problem.message})
    return root
