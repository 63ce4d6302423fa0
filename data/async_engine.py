"""SQLAlchemy's asyncio layer, loaded with the first engine: only PostgreSQL needs it.

It brings the ORM along, which is a tenth of what a start with SQLite would take.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import URL
    from sqlalchemy.ext.asyncio import AsyncEngine


def create_async_engine(url: URL, **options: Any) -> AsyncEngine:
    """Return an engine, as SQLAlchemy's function of this name does."""
    from sqlalchemy.ext import asyncio  # noqa: PLC0415 -- as said above

    return asyncio.create_async_engine(url, **options)
