"""SQLAlchemy's asyncio layer, loaded with the first engine: only PostgreSQL needs it.

It pulls in the ORM, which would take a tenth of the start-up time with SQLite.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncEngine


def create_async_engine(url: URL, **options: Any) -> AsyncEngine:
    """Return an engine, as SQLAlchemy's function of the same name does."""
    from sqlalchemy.ext import asyncio  # noqa: PLC0415 -- see the module's docstring

    return asyncio.create_async_engine(url, **options)
