"""Findings of an examination, each with advice on what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Level(Enum):
    """How bad a finding is."""

    OK = "ok"
    WARNING = "warning"
    """The bot works, but not as well as it could, or not for long."""
    ERROR = "ERROR"
    """The bot does not work, or not for everyone."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact, and advice unless it is fine. Neither contains a secret."""

    level: Level
    about: str
    fact: str
    advice: str = ""

    def __post_init__(self) -> None:
        """Check that every problem comes with advice."""
        assert self.advice or self.level is Level.OK


_WIDTH: Final = 12


def ok(about: str, fact: str) -> Finding:
    """Report that something is fine."""
    return Finding(Level.OK, about, fact)


def warning(about: str, fact: str, advice: str) -> Finding:
    """Report that something should be better."""
    return Finding(Level.WARNING, about, fact, advice)


def error(about: str, fact: str, advice: str) -> Finding:
    """Report that something does not work."""
    return Finding(Level.ERROR, about, fact, advice)


def written(findings: Iterable[Finding]) -> str:
    """Return findings as lines for a terminal."""
    lines = []
    for one in findings:
        lines.append(f"{one.level.value:<8} {one.about:<{_WIDTH}} {one.fact}")
        if one.advice:
            lines.append(f"{'':<8} {'':<{_WIDTH}} -> {one.advice}")
    return "\n".join(lines)
