"""Shares fixtures with the end-to-end tests."""

from __future__ import annotations

from tests.end_to_end.conftest import (
    description,
    empty_env,
    error_log,
    registration,
    renderer,
)

__all__ = ["description", "empty_env", "error_log", "registration", "renderer"]
