"""The owner's commands mean the same in the terminal and in a message."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.features.owner.arguments import BadCommand, MessageParser, add_arguments, order_in
from data.people.owner_orders import Order

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
USER = 123_456_789_012_345_678


def read(typed: str, parser: argparse.ArgumentParser | None = None) -> Order | None:
    parser = parser or MessageParser()
    add_arguments(parser)
    return order_in(parser.parse_args(typed.split()), NOW, user_id=None, detail={})


@pytest.mark.parametrize("parser", [MessageParser, argparse.ArgumentParser])
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (f"block user {USER}", ("block", USER, None, {})),
        (f"block user <@{USER}>", ("block", USER, None, {})),
        (f"block server {USER}", ("block", None, USER, {})),
        (
            f"block user {USER} --reason too much spam --yes",
            ("block", USER, None, {"reason": "too much spam"}),
        ),
        (f"leave {USER}", ("leave", None, USER, {})),
        (f"unblock {USER}", ("unblock", USER, None, {})),
        (f"delete <@!{USER}>", ("delete", USER, None, {})),
        ("presence", ("presence", None, None, {})),
        ("announce --off", ("announce", None, None, {})),
    ],
)
def test_a_command_becomes_an_order(
    parser: type[argparse.ArgumentParser], typed: str, meant: tuple[Any, ...]
) -> None:
    order = read(typed, parser())
    assert order is not None
    assert (order.what, order.person_id, order.guild_id, order.detail) == meant
    assert order.due_at == NOW


@pytest.mark.parametrize("typed", ["servers", "totals", "blocks", "log --page 2"])
def test_a_question_is_no_order(typed: str) -> None:
    assert read(typed) is None


@pytest.mark.parametrize(
    ("typed", "until"),
    [
        ("90m", NOW + timedelta(minutes=90)),
        ("2 h", NOW + timedelta(hours=2)),
        ("3d", NOW + timedelta(days=3)),
        ("2026-11-28 04:00", datetime(2026, 11, 28, 4, tzinfo=UTC)),
        ("2026-11-28T04:00", datetime(2026, 11, 28, 4, tzinfo=UTC)),
    ],
)
def test_an_announcement_has_an_end(typed: str, until: datetime) -> None:
    order = read(f"announce It's time, isn't it? --until {typed}")
    assert order is not None
    assert order.detail == {"text": "It's time, isn't it?", "until": until.isoformat()}


@pytest.mark.parametrize("typed", ["", "0m", "31d", "2026-11-27 11:59", "04:00", "soon", "-2h"])
def test_an_end_that_is_past_or_far_or_unclear_is_refused(typed: str) -> None:
    with pytest.raises(BadCommand):
        read(f"announce Moving --until {typed}")


@pytest.mark.parametrize(
    "typed", ["0", "12", str(2**64), "1" * 30, "1.5", "<@&123456789012345678>"]
)
def test_what_is_no_id_is_refused(typed: str) -> None:
    with pytest.raises(BadCommand, match="is no id"):
        read(f"leave {typed}")
