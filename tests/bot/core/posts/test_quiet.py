"""Quiet hours follow the player's local time, over midnight and through clock changes."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest

from bot.core.posts.quiet_hours import after_quiet, quiet, reminder_time
from bot.core.settings.player_settings import PlayerSettings
from bot.play.matches.time_controls import before_end

MARGIN = timedelta(hours=2)


def nights(zone: str = "UTC", begin: int = 22, end: int = 7) -> PlayerSettings:
    """Return the settings of a player with these quiet hours."""
    return PlayerSettings(zone=zone, quiet_from=time(begin), quiet_to=time(end))


def at(text: str) -> datetime:
    """Parse a moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_without_quiet_hours_pings_are_allowed_at_any_hour() -> None:
    assert quiet(PlayerSettings(), at("2026-01-10 03:00")) is None
    assert quiet(PlayerSettings(quiet_from=time(22)), at("2026-01-10 03:00")) is None
    assert quiet(nights(begin=7, end=7), at("2026-01-10 07:00")) is None


@pytest.mark.parametrize(
    ("moment", "still"),
    [("21:59", False), ("22:00", True), ("23:59", True), ("00:00", True), ("06:59", True)],
)
def test_quiet_hours_can_cross_midnight(moment: str, still: bool) -> None:  # noqa: FBT001 -- a parameter
    assert (quiet(nights(), at(f"2026-01-10 {moment}")) is not None) is still


def test_quiet_hours_end_to_the_minute() -> None:
    assert quiet(nights(), at("2026-01-10 07:00")) is None
    assert after_quiet(nights(), at("2026-01-10 23:30")) == at("2026-01-11 07:00")
    assert after_quiet(nights(), at("2026-01-10 12:00")) == at("2026-01-10 12:00")


def test_quiet_hours_can_lie_within_one_day() -> None:
    naps = nights(begin=13, end=15)
    assert quiet(naps, at("2026-01-10 14:00")) is not None
    assert quiet(naps, at("2026-01-10 23:00")) is None


def test_quiet_hours_use_the_players_time_zone() -> None:
    tokyo = nights("Asia/Tokyo")
    assert after_quiet(tokyo, at("2026-01-10 13:00")) == at("2026-01-10 22:00")
    assert quiet(tokyo, at("2026-01-10 12:59")) is None


def test_an_unknown_time_zone_counts_as_utc() -> None:
    for name in ("Middle/Earth", "../etc", ""):
        assert after_quiet(nights(name), at("2026-01-10 23:00")) == at("2026-01-11 07:00")


def test_the_short_night_in_spring_ends_by_the_wall_clock() -> None:
    # In Berlin the clock goes from 2 to 3 on 29 March 2026.
    assert after_quiet(nights("Europe/Berlin"), at("2026-03-28 22:00")) == at("2026-03-29 05:00")


def test_the_long_night_in_autumn_ends_by_the_wall_clock() -> None:
    # The clock goes back from 3 to 2 on 25 October 2026.
    assert after_quiet(nights("Europe/Berlin"), at("2026-10-24 21:00")) == at("2026-10-25 06:00")


def test_a_repeated_hour_is_quiet_both_times() -> None:
    early = nights("Europe/Berlin", begin=1, end=2)
    twice = PlayerSettings(zone="Europe/Berlin", quiet_from=time(2), quiet_to=time(2, 30))
    assert quiet(early, at("2026-10-24 23:30")) is not None
    assert quiet(twice, at("2026-10-25 00:10")) is not None
    assert quiet(twice, at("2026-10-25 01:10")) is not None
    assert quiet(twice, at("2026-10-25 01:30")) is None


def test_a_skipped_hour_does_no_harm() -> None:
    gone = PlayerSettings(zone="Europe/Berlin", quiet_from=time(2), quiet_to=time(2, 30))
    for minutes in range(0, 180, 10):
        moment = at("2026-03-29 00:00") + timedelta(minutes=minutes)
        assert after_quiet(gone, moment) - moment <= timedelta(minutes=30)


def test_quiet_hours_starting_or_ending_in_the_skipped_hour_do_so_at_the_jump() -> None:
    jump = at("2026-03-29 01:00")
    ending = PlayerSettings(zone="Europe/Berlin", quiet_from=time(22), quiet_to=time(2, 30))
    assert after_quiet(ending, at("2026-03-29 00:00")) == jump
    assert quiet(ending, at("2026-03-29 00:45")) is not None
    beginning = PlayerSettings(zone="Europe/Berlin", quiet_from=time(2, 30), quiet_to=time(7))
    assert quiet(beginning, at("2026-03-29 00:59")) is None
    assert quiet(beginning, jump) == (jump, at("2026-03-29 05:00"))
    lord_howe = PlayerSettings(
        zone="Australia/Lord_Howe", quiet_from=time(22), quiet_to=time(2, 15)
    )
    assert after_quiet(lord_howe, at("2026-10-03 13:00")) == at("2026-10-03 15:30")


@pytest.mark.parametrize(
    ("days", "hours"),
    [(1 / 24, 1 / 2), (1 / 4, 3), (1 / 2, 6), (1, 12), (2, 12), (3, 18), (4, 24), (14, 24)],
)
def test_a_reminder_comes_when_a_quarter_of_the_time_is_left(days: float, hours: float) -> None:
    """Or half of less than a day."""
    assert before_end(timedelta(days=days)) == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("since", "due", "wanted", "found"),
    [
        # It waits for the morning, or comes before the night if that is too late ...
        ("2026-01-09 20:00", "2026-01-12 20:00", "2026-01-12 02:00", "2026-01-12 07:00"),
        ("2026-01-09 20:00", "2026-01-12 09:00", "2026-01-12 02:30", "2026-01-12 07:00"),
        ("2026-01-09 20:00", "2026-01-12 08:59", "2026-01-12 02:30", "2026-01-11 21:59"),
        ("2026-01-11 21:58", "2026-01-12 08:30", "2026-01-12 00:00", "2026-01-11 21:59"),
        # ... but not as the turn begins, nor before it.
        ("2026-01-11 21:59", "2026-01-12 08:30", "2026-01-12 00:00", "2026-01-12 00:00"),
        ("2026-01-11 22:30", "2026-01-12 08:30", "2026-01-12 00:00", "2026-01-12 00:00"),
    ],
)
def test_a_reminder_avoids_the_night_if_it_can(
    since: str, due: str, wanted: str, found: str
) -> None:
    assert reminder_time(nights(), at(since), at(wanted), at(due), MARGIN) == at(found)
