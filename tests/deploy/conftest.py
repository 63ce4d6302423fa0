"""What these tests share with those that run the whole bot."""

from __future__ import annotations

from tests.end_to_end.conftest import (
    description,
    empty_env,
    error_log,
    registration,
    renderer,
)

__all__ = ["description", "empty_env", "error_log", "registration", "renderer"]
