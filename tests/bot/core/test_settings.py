"""Players' typed times are read as meant, or politely refused."""

from __future__ import annotations

from contextlib import AsyncExitStack
from datetime import time

import pytest

from bot.core.errors import BadInput
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.player_settings import parsed_quiet_hours, parsed_zone
from bot.core.settings.service import SettingsStore
from data.sql import key_values
from data.store.store import Store


@pytest.mark.parametrize(
    ("typed", "hours"),
    [
        ("22:00-07:30", (time(22), time(7, 30))),
        ("22:00–07:30", (time(22), time(7, 30))),
        (" 22.00 — 7.30 ", (time(22), time(7, 30))),
        ("22-7", (time(22), time(7))),
        ("10pm to 7am", (time(22), time(7))),
        ("12am-12pm", (time(0), time(12))),
        ("22h30 - 24", (time(22, 30), time(0))),
        ("1:00-5:00", (time(1), time(5))),
    ],
)
def test_quiet_hours_can_be_typed_in_many_ways(typed: str, hours: tuple[time, time]) -> None:
    assert parsed_quiet_hours(typed) == hours


@pytest.mark.parametrize(
    "typed",
    ["", "22", "22:00", "22:60-7:00", "24:30-7", "13pm-7", "0am-7", "a-b", "7-7", "9-10-11"],
)
def test_invalid_quiet_hours_are_refused_with_an_example_or_a_reason(typed: str) -> None:
    with pytest.raises(BadInput) as refused:
        parsed_quiet_hours(typed)
    assert "22:00-07:30" in refused.value.sentence or "are the same" in refused.value.sentence


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Europe/Stockholm", "Europe/Stockholm"),
        ("europe/stockholm", "Europe/Stockholm"),
        ("Stockholm", "Europe/Stockholm"),
        ("new york", "America/New_York"),
        ("utc", "UTC"),
        (" Asia/Kolkata ", "Asia/Kolkata"),
    ],
)
def test_a_time_zone_is_found_by_its_name_or_city(typed: str, name: str) -> None:
    assert parsed_zone(typed) == name


def test_a_misspelt_time_zone_gets_a_suggestion() -> None:
    with pytest.raises(BadInput, match="America/New_York"):
        parsed_zone("America/New York City")
    with pytest.raises(BadInput, match="Europe/Berlin"):
        parsed_zone("Berln")


def test_text_unlike_any_time_zone_gets_an_example_and_is_not_quoted_in_full() -> None:
    with pytest.raises(BadInput) as refused:
        parsed_zone("x" * 500)
    assert "Europe/Stockholm" in refused.value.sentence
    assert len(refused.value.sentence) < 200


async def test_settings_that_another_process_changes_at_the_same_time_are_not_hidden(
    sqlite_url: str,
) -> None:
    async with AsyncExitStack() as stack:
        stores = [await Store.open(sqlite_url) for _ in range(2)]
        for store in stores:
            stack.push_async_callback(store.close)
        ours, theirs = (SettingsStore(store, clock=WallClock()) for store in stores)
        # Both commit, and are told of the other's change, before either goes on.
        await ours.change_player(1, {"theme": "night"})
        await ours.change_server(2, {"theme": "night"}, by=1)
        await theirs.change_player(1, {"theme": "contrast"})
        await theirs.change_server(2, {"theme": "contrast"}, by=1)
        assert (await ours.player(1)).theme == "contrast"
        assert (await ours.server(2)).theme == "contrast"


async def test_what_a_transaction_from_before_a_change_reads_does_not_hide_it(
    database_url: str,
) -> None:
    store = await Store.open(database_url)
    settings = SettingsStore(store, clock=WallClock())
    async with store.read() as tx:
        await key_values.get(tx, "anything")  # now it sees the store at this moment
        await settings.change_player(1, {"challenges": False})
        assert (await settings.player_in(tx, 1)).challenges
    assert not (await settings.player(1)).challenges
    await store.close()
