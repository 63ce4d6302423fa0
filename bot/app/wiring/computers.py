"""Builds practice, and what workers compute: hints, analyses, puzzles."""

from __future__ import annotations

from bot.app.thinking import Thinking
from bot.app.wiring.services import Services
from bot.core.settings.service import SettingsStore
from bot.core.workers.pool import WorkerPool
from bot.core.workers.task_queue import TaskQueue
from bot.features.analysis.service import Analyses
from bot.features.challenges.practice import Practice
from bot.features.challenges.service import Challenges
from bot.features.daily.service import DailyPuzzles
from bot.features.lessons.lessons import Courses
from bot.features.practice.hints import Hints
from bot.features.puzzles.puzzles import Puzzles
from bot.play.matches.service import Matches
from data.store.store import Store


def build(services: Services) -> None:
    """Build practice and lessons, and what asks workers for hints, analyses and puzzles."""
    store, clock, matches = services.get(Store), services.clock, services.get(Matches)
    tasks = services.get(TaskQueue)
    services.add(Courses(store))
    services.add(Practice(store, services.get(Challenges), clock=clock))
    services.add(Analyses(store, tasks))
    services.add(Hints(store, matches, tasks))
    puzzles = services.add(Puzzles(store, clock=clock))
    services.add(DailyPuzzles(store, puzzles, services.get(SettingsStore), clock=clock))


def build_thinking(services: Services, thinking: Thinking) -> None:
    """Add the thinking done in this process."""
    services.add(thinking)
    services.add(thinking.runner)
    services.pools |= thinking.pools
    services.add(thinking.workers, WorkerPool)
    services.on_close(thinking.close)
