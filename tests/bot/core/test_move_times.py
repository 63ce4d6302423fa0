"""Times per move: what controls and commands hold of them, and their words."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.core import move_times
from bot.core.interactions import controls
from bot.features.guide.play_buttons import PlayMenu

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("time", "text", "words", "amount"),
    [
        (HOUR, "1h", "1 hour per move", "1 hour"),
        (12 * HOUR, "12h", "12 hours per move", "12 hours"),
        (DAY, "1", "1 day per move", "1 day"),
        (14 * DAY, "14", "14 days per move", "14 days"),
    ],
)
def test_a_time_is_named_in_its_largest_unit(
    time: timedelta, text: str, words: str, amount: str
) -> None:
    assert (move_times.written(time), move_times.read(text)) == (text, time)
    assert (move_times.words(time), move_times.span(time)) == (words, amount)


def test_an_hour_six_hours_and_each_number_of_days_is_on_offer() -> None:
    assert {HOUR, 6 * HOUR, *(n * DAY for n in range(1, 15))} <= set(move_times.OFFERED)
    assert len(move_times.choices()) == len(move_times.OFFERED) <= 25


@pytest.mark.parametrize("text", ["0h", "24h", "15", "0", "-1h", "h", "1.5h", "1d", "", "9" * 19])
def test_any_other_text_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        move_times.read(text)
    assert controls.find(f"play:people::1:0:0:{text}:0:1:0:tablan::days") is None


def test_controls_hold_hours_and_days() -> None:
    for time in move_times.OFFERED:
        menu = controls.find(f"play:people::1:0:0:{move_times.written(time)}:0:1:0:tablan::days")
        assert isinstance(menu, PlayMenu)
        assert menu.per_move == time
        assert controls.find(menu.custom_id) == menu
