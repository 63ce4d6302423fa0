"""Collects what is wrong with a request and tells it as Discord does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from playground.errors import JSON, ApiError

if TYPE_CHECKING:
    from collections.abc import Collection

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. ``refused`` is False for what Discord lets pass."""

    path: Path
    code: str
    message: str
    refused: bool = True

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path)) or 'body'}: {self.message} ({self.code})"


@dataclass(slots=True)
class Problems:
    """The problems of one request."""

    found: list[Problem] = field(default_factory=list)

    def add(self, path: Path, code: str, message: str) -> None:
        """Note something that Discord refuses."""
        self.found.append(Problem(path, code, message))

    def note(self, path: Path, code: str, message: str) -> None:
        """Note something that Discord lets pass."""
        self.found.append(Problem(path, code, message, refused=False))

    def text(
        self, path: Path, value: Any, longest: int, *, shortest: int = 0, required: bool = False
    ) -> bool:
        """Check a text's length. Return whether it is a text of a fitting length."""
        if value is None:
            if required:
                self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
            return False
        if not isinstance(value, str):
            self.add(path, "BASE_TYPE_BAD_TYPE", "Could not interpret the value as string.")
            return False
        size = len(value)
        if shortest <= size <= longest:
            return True
        if shortest:
            self.add(
                path,
                "BASE_TYPE_BAD_LENGTH",
                f"Must be between {shortest} and {longest} in length.",
            )
        else:
            self.add(path, "BASE_TYPE_MAX_LENGTH", f"Must be {longest} or fewer in length.")
        return False

    def count(self, path: Path, value: Any, most: int, *, least: int = 0) -> bool:
        """Check the length of a list. Return whether it is a list of a fitting length."""
        if not isinstance(value, list):
            self.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return False
        if least <= len(value) <= most:
            return True
        self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        return False

    def keys(self, path: Path, value: JSON, known: Collection[str]) -> None:
        """Note keys that Discord does not know. It ignores them; a reader of the code does not."""
        for key in value:
            if key not in known:
                self.note((*path, key), "UNKNOWN_KEY", "Discord knows no such key here.")

    def refuse(self) -> None:
        """Raise what Discord would answer, if there is anything that it refuses.

        Raises:
            ApiError: 50035 with the tree of errors.
        """
        if any(problem.refused for problem in self.found):
            raise self.refusal()

    def refusal(self) -> ApiError:
        """Make the error that Discord would answer with."""
        return ApiError(50035, errors=tree([p for p in self.found if p.refused]))


def tree(problems: list[Problem]) -> JSON:
    """Arrange problems as Discord nests them: by path, with ``_errors`` at the leaves."""
    root: JSON = {}
    for problem in problems:
        node = root
        for step in problem.path:
            node = node.setdefault(str(step), {})
        node.setdefault("_errors", []).append({"code": problem.code, "message": problem.message})
    return root
