"""Finds the database that the settings mean."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AsyncExitStack

    from bot.core.config import Config


def database_of(settings: Config, stack: AsyncExitStack) -> str:
    """Return the address of the database; a playground's may go with the process."""
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    if settings.in_playground:
        # The playground forgets its messages when it ends; matches without them would be confusing.
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="old-board-games-"))
        return f"sqlite:///{folder}/playground.db"
    return f"sqlite:///{Path('var/games.db').resolve()}"
