"""One line of the table of figures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Something that was measured, beside what it is measured against.

    Both sides of a ratio come from the same run: they are measured in turns, and each is the
    median of its turns. Figures of one kind on their own say as much of the machine as of the
    program.
    """

    what: str
    figure: str
    """With its unit: ``5.8 ms``."""
    against: str = ""
    """What it is compared with, and the figure of that: ``drawn afresh: 108 ms``."""
    ratio: float | None = None
    """The figure divided by the other one."""
    target: str = ""
    """What is wanted, in words: ``at most 12 ms``."""
    met: bool | None = None
    """Whether it is; ``None`` where nothing is wanted."""
