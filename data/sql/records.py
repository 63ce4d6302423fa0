"""The store's records as values for statements."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def values_of(record: DataclassInstance) -> dict[str, Any]:
    """Return the fields of a record by name.

    `dataclasses.asdict` also copies their contents, which takes as long as a statement.
    """
    return {field.name: getattr(record, field.name) for field in fields(record)}
