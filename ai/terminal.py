"""Shows the progress of long work in a terminal, and the time left."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self


class Progress:
    """A rich progress line on stderr while the block runs; none if stderr is not a terminal."""

    def __init__(self, what: str, total: int) -> None:
        """Count up to a total."""
        # Not needed by the bot: requirements/strength.txt has it, for training and measuring.
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
        """Show the current work."""
        self._lines.update(self._line, doing=doing)

    def print(self, line: str) -> None:
        """Print a line of results, above the progress line if there is one."""
        print(line, flush=True)  # noqa: T201 - of a command
