"""The whole bot, as people at their Discord clients see it."""

import pytest

pytest.register_assert_rewrite("tests.end_to_end.harness")
