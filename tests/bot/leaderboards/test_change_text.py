"""What the last board says of ratings."""

from __future__ import annotations

from datetime import datetime, timezone

from bot.leaderboards.change_text import changes_line
from bot.ratings.changes import RatingChanges
from bot.ratings.skill import START
from data.rating import RatingChange
from data.rating_changes import MatchChange

NOW = datetime(2026, 11, 1, tzinfo=timezone.utc)


def test_each_sentence_is_a_small_line_below_the_figures() -> None:
    won = RatingChange(7, 1, "tablut", 3, NOW, True, START.mu + 1, START.sigma, 1, share=0.5)
    text = str(changes_line(RatingChanges("changed", False, (MatchChange(won, None, False),))))

    figures, reason = text.split("\n")
    assert figures.startswith("-# Ratings here: <@7> 1500? → ")
    assert reason == "-# It counts for less: some players have met few opponents so far."
