"""A door behind which every opponent thinks without end."""

from __future__ import annotations

from tests.bot.practice import doings

CHORES = {"think": doings.endless}
