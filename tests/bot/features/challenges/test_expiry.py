"""Expired challenges are closed by the scheduler, and their messages redrawn."""

from __future__ import annotations

from bot.features.challenges.service import GRACE, OPEN_FOR, Expiry
from data import posts
from data.challenges import challenges
from data.challenges.challenges import State
from data.posts import Post
from tests.bot.conftest import BEN, Club


async def wanted(club: Club, challenge_id: int) -> Post | None:
    """Return the post that redraws a challenge's message."""
    async with club.store.read() as tx:
        return await posts.find(tx, challenges.POST, challenge_id)


async def test_an_expired_challenge_is_closed_and_redrawn_at_once(club: Club) -> None:
    made = await club.challenges.offer(club.invitation(BEN))
    await club.challenges.set_message(made.id, 501)
    expiry = Expiry(club.store)
    await expiry.due(club.clock())
    assert await wanted(club, made.id) is None
    club.wait(seconds=OPEN_FOR.total_seconds())
    await expiry.due(club.clock())
    assert (await club.challenges.get(made.id)).state is State.EXPIRED
    post = await wanted(club, made.id)
    assert post is not None
    assert post.try_at == club.clock()


async def test_a_change_is_redrawn_later_unless_the_press_has_shown_it(club: Club) -> None:
    made = await club.challenges.offer(club.invitation(BEN))
    await club.challenges.set_message(made.id, 501)
    changed = await club.challenges.accept(made.id, BEN)
    post = await wanted(club, made.id)
    assert post is not None
    assert post.try_at == club.clock() + GRACE
    await club.challenges.shown(changed, in_place=True)
    assert await wanted(club, made.id) is None
