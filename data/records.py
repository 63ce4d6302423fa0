"""Records of the store as the values of a statement."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def values_of(record: DataclassInstance) -> dict[str, Any]:
    """Return the fields of a record by their names.

    `dataclasses.asdict` also copies all that is in them, which takes as long as a statement.
    """
    return {field.name: getattr(record, field.name) for field in fields(record)}
