"""A door behind which every opponent dies."""

from __future__ import annotations

from tests.bot.practice import doings

CHORES = {"think": doings.dies}
