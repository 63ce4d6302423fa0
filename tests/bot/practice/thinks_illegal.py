"""A door behind which every opponent plays an illegal move."""

from __future__ import annotations

from tests.bot.practice import doings

CHORES = {"think": doings.illegal}
