"""All tables, by their names in the database."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from typing import Final

import data
from data.sql.columns import metadata

for found in walk_packages(data.__path__, "data."):
    if not found.name.startswith("data.migrations"):
        import_module(found.name)

TABLES: Final = metadata.tables
