"""Tells in a terminal how far long work is, and how long the rest will take."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType


class Progress:
    """A line of rich's on stderr while the block runs; nothing where that is no terminal."""

    def __init__(self, what: str, total: int) -> None:
        """Count up to a total."""
        # The bot runs without it: requirements/strength.txt has it, for those who train and measure.
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import Progress as Lines  # noqa: PLC0415
        from rich.progress import TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415

        console = Console(stderr=True)
        self._lines = Lines(
            "{task.description}: {task.completed:.0f} of {task.total:.0f}",
            "{task.fields[doing]}",
            TimeElapsedColumn(),
            "left:",
            TimeRemainingColumn(),
            console=console,
            transient=True,
            redirect_stdout=sys.stdout.isatty(),  # results in a file stay there
            disable=not console.is_terminal,
        )
        self._line = self._lines.add_task(what, total=total, doing="")

    def __enter__(self) -> Self:
        self._lines.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lines.stop()

    def advance(self, number: int = 1) -> None:
        """Count some more as done."""
        self._lines.advance(self._line, number)

    def begin(self, doing: str) -> None:
        """Tell what is being done now."""
        self._lines.update(self._line, doing=doing)

    def print(self, line: str) -> None:
        """Print a line of results, above where there is a terminal."""
        print(line, flush=True)  # noqa: T201 - of a command
