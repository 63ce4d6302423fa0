"""The club of the bot's own tests."""

from __future__ import annotations

from tests.bot.conftest import club

__all__ = ["club"]
