"""A door behind which everybody dies who looks at a match."""

from __future__ import annotations

from tests.bot.practice import doings

CHORES = {"study": doings.dies}
