"""What features do in the transactions of others happens in a fixed order, in every process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable

import pytest

from bot.core.hooks import (
    Hooks,
    before_anonymised,
    interest_in_match,
    milestones_of,
    on_match_analysed,
    on_match_ended,
    on_match_shown,
    on_match_voided,
    on_server_left,
    on_withdrawal,
    places_of,
)
from bot.core.settings.service import on_server_changed
from bot.play.boards.board_text import about_end

ENDED = [
    "bot.play.ratings.service.rate",
    "bot.features.milestones.service.ended",
    "bot.play.matches.endings._announce",
    "data.matches.watching.tell_followers",
    "data.ladders.ladder_challenges.ended",
    "bot.features.analysis.service.queue",
]
VOIDED = ["bot.play.ratings.service.take_back"]
ABOUT_END = [
    "bot.features.replays.service.told",
    "bot.features.analysis.service._decided",
    "bot.features.milestones.service._reached_in",
    "bot.play.ratings.service._changes",
]


def names(hooks: Iterable[Callable[..., object]]) -> list[str]:
    """Return the full names of registered functions, in the order of their calls."""
    return [f"{hook.__module__}.{hook.__qualname__}" for hook in hooks]


def test_what_follows_a_match_is_declared_in_order() -> None:
    """Ratings come first: milestones need the result, and followers are told of both."""
    assert names(on_match_ended) == ENDED
    assert names(on_match_voided) == VOIDED
    assert names(on_match_shown) == [
        "bot.features.tournaments.transitions.show_link",
        "bot.features.challenges.service.link_to_board",
        "bot.features.ladder.changes.show_board",
    ]
    assert names(on_match_analysed) == ["bot.features.milestones.service.analysed"]


def test_the_last_board_says_what_decided_a_match_before_what_it_changed() -> None:
    assert names(about_end) == ABOUT_END


@pytest.mark.parametrize("module", ["gateway", "thinking"])
def test_every_process_that_ends_matches_has_every_hook(module: str) -> None:
    """Computers end matches in workers, which import few features otherwise."""
    program = (
        f"import bot.app.{module}\n"
        "from bot.core.hooks import on_match_ended as hooks\n"
        "print(*(f'{hook.__module__}.{hook.__qualname__}' for hook in hooks))\n"
        "import sys; print('discord' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.decode().split() == ENDED
    assert done.stderr.decode().split() == [str(module == "gateway")], "workers need no Discord"


def test_a_profile_lists_tournaments_before_ladders() -> None:
    assert names(places_of) == [
        "bot.features.tournaments.service.prizes",
        "bot.features.ladder.service.places",
    ]
    assert names(milestones_of) == ["bot.features.milestones.service.reached"]


def test_deleting_data_locks_tournaments_before_ladders_and_counts_limits_last() -> None:
    assert names(on_withdrawal) == [
        "bot.features.tournaments.entrants.withdraw_everywhere",
        "bot.features.ladder.changes.take_off_everywhere",
    ]
    assert names(before_anonymised) == [
        "data.privacy.request_redraws",
        "bot.features.challenges.limits.keep",
    ]


def test_leaving_a_server_locks_tournaments_and_ladders_before_challenges() -> None:
    assert names(on_server_left) == [
        "bot.features.tournaments.transitions.cancel_all",
        "bot.features.ladder.changes.close_all",
        "bot.features.challenges.service.withdraw_all",
    ]


def test_a_servers_new_settings_reach_its_challenges_and_its_daily_puzzle() -> None:
    assert names(on_server_changed) == [
        "bot.features.challenges.service.redraw_rated",
        "bot.features.daily.service.reschedule",
    ]


def test_who_gains_by_a_match_is_known_to_tournaments_and_ladders() -> None:
    assert names(interest_in_match) == [
        "bot.features.tournaments.interests.of_match",
        "bot.features.ladder.service.interest",
    ]


def test_two_hooks_cannot_claim_one_place_in_the_order() -> None:
    hooks: Hooks[Callable[..., object]] = Hooks()
    hooks(order=1)(print)
    with pytest.raises(ValueError, match="same order"):
        hooks(order=1)(repr)
