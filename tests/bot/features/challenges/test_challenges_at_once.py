"""On PostgreSQL, a challenge is answered in two processes at the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from bot.core.errors import BadOpponent, ChallengeGone, Refusal
from bot.features.challenges.blocks import Blocks
from bot.features.challenges.service import OPEN_FOR, Expiry
from data import posts
from data.challenges import challenges
from data.challenges.challenges import Challenge, State
from tests.bot.conftest import ANN, BEN, CAROL, Club, opened_twice
from tests.bot.locks import waits_or_ends

Act = Callable[["Process", int], Awaitable[object]]

ROUNDS = 2
"""Each act comes first once."""


class Process(Club):
    """A club in one of two processes."""

    @property
    def blocks(self) -> Blocks:
        """The block lists."""
        return Blocks(self.store, clock=self.clock)

    async def unblock_all(self) -> None:
        """Clear the block lists of Ann and Ben."""
        for user, other in ((ANN, BEN), (BEN, ANN)):
            with suppress(BadOpponent):
                await self.blocks.remove(user, other)


@pytest.fixture
async def processes(postgresql_url: str) -> AsyncIterator[tuple[Process, Process]]:
    """Open two clubs on one database, with the same clock."""
    async with opened_twice(postgresql_url) as (store, other):
        one = Process(store)
        yield one, Process(other, hands=one.hands)


ACTS: dict[str, Act] = {
    "accept": lambda club, number: club.challenges.accept(number, BEN),
    "decline": lambda club, number: club.challenges.decline(number, BEN),
    "withdraw": lambda club, number: club.challenges.withdraw(number, ANN),
    "carol accepts": lambda club, number: club.challenges.accept(number, CAROL),
    "carol leaves": lambda club, number: club.challenges.leave(number, CAROL),
    "carol writes": lambda club, number: club.challenges.set_word(number, CAROL, "late"),
    "ann blocks": lambda club, _: club.blocks.add(ANN, BEN),
    "ben blocks": lambda club, _: club.blocks.add(BEN, ANN),
    "erase": lambda club, _: club.privacy.erase(ANN),
    "expire": lambda club, _: Expiry(club.store).due(club.clock() + OPEN_FOR),
}
TO_BEN: tuple[tuple[str, ...], ...] = (
    ("accept", "withdraw"),
    ("accept", "accept"),
    ("accept", "decline"),
    ("accept", "expire"),
    ("accept", "ann blocks"),
    ("accept", "ben blocks"),
    ("accept", "erase"),
    ("decline", "withdraw"),
)
OPEN: tuple[tuple[str, ...], ...] = (
    ("accept", "carol accepts"),
    ("accept", "accept", "carol accepts"),
    ("accept", "ann blocks"),
    ("accept", "ben blocks"),
)
CAROL_JOINED: tuple[tuple[str, ...], ...] = (
    ("accept", "carol leaves"),
    ("accept", "carol leaves", "withdraw"),
    ("accept", "carol writes"),
    ("accept", "ann blocks"),
    ("accept", "erase"),
)


async def collide(processes: tuple[Process, Process], made: Challenge, *acts: str) -> None:
    """Act at once on a challenge, each in the next process.

    Each act succeeds or is refused with a reason, and there is a match of all players or none.
    """
    done = await asyncio.gather(
        *(ACTS[act](processes[place % 2], made.id) for place, act in enumerate(acts)),
        return_exceptions=True,
    )
    what = list(zip(acts, done, strict=True))
    failed = [one for one in done if isinstance(one, BaseException)]
    assert all(isinstance(one, Refusal) for one in failed), what
    assert len(failed) < len(acts), what
    club = processes[0]
    club.forget()
    after = await club.challenges.get(made.id)
    assert (after.match_id is not None) is (after.state is State.STARTED) is after.complete, what
    if after.match_id is not None:
        match = (await club.matches.position(after.match_id)).match
        players = {player.user_id for player in match.players}
        assert players == {one.user_id for one in after.invited}, what
        assert len(players) == len(match.players) == (after.places or 2), what


async def test_answers_at_once_lead_to_one_match_or_none(
    processes: tuple[Process, Process],
) -> None:
    club = processes[0]
    three = replace(club.invitation(), game="thaayam", places=3)
    for invitation, collisions in (
        (club.invitation(BEN), TO_BEN),
        (club.invitation(), OPEN),
        (three, CAROL_JOINED),
    ):
        for acts in collisions:
            for turn in range(ROUNDS):
                made = await club.challenges.offer(invitation)
                if invitation is three:
                    await club.challenges.accept(made.id, CAROL)
                await collide(processes, made, *(acts[::-1] if turn % 2 else acts))
                await club.unblock_all()
                with suppress(Refusal):
                    await club.challenges.withdraw(made.id, ANN)
                club.wait(days=1)  # past all limits


async def test_a_block_is_stored_even_if_challenges_are_answered_meanwhile(
    processes: tuple[Process, Process],
) -> None:
    """Ben accepts one challenge and Ann leaves another before her block can end them."""
    club, other = processes
    accepted = await club.challenges.offer(club.invitation(BEN))
    untouched = await club.challenges.offer(replace(club.invitation(BEN), game="tablut"))
    four = replace(club.invitation(BEN), challenger_id=CAROL, game="thaayam", places=4)
    joined = await club.challenges.offer(four)
    for user in (BEN, ANN):
        await club.challenges.accept(joined.id, user)
    async with other.store.write() as tx:
        for one in await challenges.lock_with(tx, ANN, BEN):
            if one.id == accepted.id:
                await other.challenges.start(
                    tx, await challenges.join(tx, one, BEN), channel_kind=None
                )
            elif one.id == joined.id:
                await challenges.leave(tx, one, ANN)
        blocking = asyncio.create_task(club.blocks.add(ANN, BEN))
        await waits_or_ends(club, blocking)
    await blocking
    assert (await club.challenges.get(untouched.id)).state is State.WITHDRAWN
    assert (await club.challenges.get(joined.id)).state is State.OPEN
    assert await club.blocks.of(ANN) == (BEN,)
    assert (await club.challenges.get(accepted.id)).state is State.STARTED


async def test_what_two_processes_change_at_once_is_redrawn_whichever_is_drawn_last(
    processes: tuple[Process, Process],
) -> None:
    club, other = processes
    made = await club.challenges.offer(replace(club.invitation(), game="thaayam", places=3))
    first = await club.challenges.accept(made.id, BEN)
    second = await other.challenges.leave(made.id, BEN)
    await other.challenges.shown(second, in_place=True)
    await club.challenges.shown(first, in_place=True)
    post = await club.read(posts.find, challenges.POST, made.id)
    assert post is not None
    assert post.try_at is not None
    assert post.try_at <= club.clock()


async def test_a_rematch_that_all_three_ask_for_at_once_begins_once(
    processes: tuple[Process, Process],
) -> None:
    club, other = processes
    number = (await club.begin_match(BEN, CAROL, game="thaayam")).match.id
    for user in (ANN, BEN):
        await club.matches.resign(number, user)
    match = (await club.matches.position(number)).match
    await asyncio.gather(
        *(
            process.challenges.ask_rematch(match, user)
            for process, user in ((club, ANN), (other, BEN), (club, CAROL))
        )
    )
    (rematch,) = await club.read(challenges.rematches, number)
    assert rematch.state is State.STARTED


async def test_of_ten_challenges_to_one_player_at_once_one_is_made(
    processes: tuple[Process, Process],
) -> None:
    invitation = processes[0].invitation(BEN)
    made = await asyncio.gather(
        *(processes[turn % 2].challenges.offer(invitation) for turn in range(10)),
        return_exceptions=True,
    )
    assert sum(isinstance(one, ChallengeGone) for one in made) == 9
    assert len(await processes[0].challenges.made_by(ANN)) == 1
