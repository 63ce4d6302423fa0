"""Reminders at a player's own interval."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from bot.core.settings.service import SettingsStore
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import begin_and_play, messages_with

REMINDER = "your turn in match"


async def test_extra_reminders_come_at_the_chosen_interval(env: Environment) -> None:
    settings = env.app.get(SettingsStore)
    for person in (env.ann, env.ben):
        await settings.change_player(person.id, {"remind_every": 12})
    await begin_and_play(env)
    await env.advance(hours=11)
    assert not messages_with(env, REMINDER)
    await env.advance(hours=2)
    assert len(messages_with(env, REMINDER)) == 1
    await env.advance(hours=12)
    assert len(messages_with(env, REMINDER)) == 2
    await env.advance(days=3)
    assert len(messages_with(env, REMINDER)) < 8, "no reminder after the deadline"
    env.allow_pending = True


async def test_by_default_there_is_one_reminder(env: Environment) -> None:
    await begin_and_play(env)
    await env.advance(days=2, hours=23)
    assert len(messages_with(env, REMINDER)) == 1


async def test_reminders_come_at_most_every_six_hours(env: Environment) -> None:
    with pytest.raises(ValidationError):
        await env.change_player(env.ann, remind_every=1)
