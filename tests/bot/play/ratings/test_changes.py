"""What the last board says of ratings."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.play.ratings.service import RatingChanges, changes_line
from bot.play.ratings.skill import START
from data.ratings.rating import RatingChange
from data.ratings.rating_changes import MatchChange

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def test_each_sentence_is_a_small_line_below_the_figures() -> None:
    won = RatingChange(
        user_id=7,
        scope=1,
        game="tablut",
        result_id=3,
        at=NOW,
        rated=True,
        mu=START.mu + 1,
        sigma=START.sigma,
        games=1,
        share=0.5,
    )
    change = MatchChange(won, before=None, established=False)
    text = str(changes_line(RatingChanges("changed", everywhere=False, changes=(change,))))

    figures, reason = text.split("\n")
    assert figures.startswith("-# Ratings here: <@7> 1500? → ")
    assert reason == "-# This game counts for less: some players have met few opponents so far."
