"""Outdated messages of challenges are redrawn, and expired challenges closed, by the scheduler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.challenges.expiry import Expiry
from bot.challenges.service import OPEN_FOR
from bot.shards.ownership import AllShards
from data.challenge import State
from data.challenges import GRACE
from tests.bot.conftest import ANN, BEN

if TYPE_CHECKING:
    from data.challenge import Challenge
    from tests.bot.conftest import Club


class Shown(list[tuple[int, State]]):
    """A channel that remembers which challenges were shown, in which state."""

    async def show(self, challenge: Challenge, /, *, thread: int | None) -> bool:
        """Remember one, shown for the first time or redrawn."""
        assert thread is None
        self.append((challenge.id, challenge.state))
        return True


async def due(club: Club, shown: Shown) -> int:
    """Do everything that is due; return how many transactions write."""
    kinds: list[bool] = []

    def observe(_: float, /, *, writes: bool) -> None:
        kinds.append(writes)

    expiry = Expiry(club.store, shown.show, shards=AllShards(), clock=club.clock)
    club.store.observer = observe
    await expiry.due(club.clock())
    club.store.observer = None
    return sum(kinds)


async def test_an_outdated_message_is_redrawn_without_a_write_unless_its_match_is_over(
    club: Club,
) -> None:
    shown = Shown()
    begun = await club.challenges.offer(club.invitation(BEN))
    await club.challenges.set_message(begun.id, 501)
    match_id = (await club.challenges.accept(begun.id, BEN)).match_id
    assert match_id is not None
    club.wait(seconds=GRACE.total_seconds())
    assert await due(club, shown) == 0
    assert shown == [(begun.id, State.STARTED)]
    await club.matches.resign(match_id, ANN)
    assert await due(club, shown) == 1  # its result is drawn elsewhere
    assert await due(club, shown) == 0
    assert len(shown) == 1


async def test_an_expired_challenge_is_closed_and_redrawn_at_once(club: Club) -> None:
    shown = Shown()
    made = await club.challenges.offer(club.invitation(BEN))
    await club.challenges.set_message(made.id, 501)
    assert await due(club, shown) == 0
    club.wait(seconds=OPEN_FOR.total_seconds())
    assert await due(club, shown) == 1
    assert shown == [(made.id, State.EXPIRED)]
