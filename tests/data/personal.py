"""All of a person's data at once, as tests ask for it."""

from __future__ import annotations

from typing import Any

from data import privacy
from data.store.store import Transaction


async def everything(tx: Transaction, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return all of a person's data; see `data.privacy.pages`."""
    found: dict[str, list[dict[str, Any]]] = {}
    async for name, rows in privacy.pages(tx, user_id):
        found.setdefault(name, []).extend(map(privacy.plain, rows))
    return found
