"""Friends who try to hold a place on a ladder for a year, against one honest challenger."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import combinations
from typing import Any, TypeAlias

import pytest

from bot.core.errors import Refusal
from bot.features.challenges.blocks import Blocks
from bot.features.ladder.rules import LadderView
from bot.play.clocks.service import Vacations
from data import posts
from data.ladders.ladder_challenges import LadderChallenge
from data.matches import clocks
from tests.bot.conftest import GUILD, Club
from tests.bot.features.ladder.club import TERMS, LadderClub
from tests.moves import play_on

Trick: TypeAlias = Callable[["Year", LadderView], Awaitable[None]]

HOLDER, FRIEND, OTHER_FRIEND, HONEST = 101, 102, 103, 104
RULES = replace(TERMS, reach=5, pause_days=7, game_days=30)
DAY = timedelta(days=1)
A_GAME = timedelta(days=RULES.answer_days + 2 * RULES.game_days)
"""The time that one challenge can take, without vacations."""


@dataclass
class Year:
    """A ladder on which some players are friends; time passes by the day."""

    club: LadderClub
    friends: tuple[int, ...]
    trick: Trick
    others: tuple[int, ...] = (HONEST,)
    met: set[int] = field(default_factory=set)
    """The honest player's games."""
    tops: list[int] = field(default_factory=list)
    """Who was at the top, by day."""
    waits: list[int] = field(default_factory=lambda: [0])
    """For how many days in a row the honest player neither played nor was at the top."""
    away: Vacations = field(init=False)

    def __post_init__(self) -> None:
        self.away = Vacations(self.club.store, self.club.matches.deadlines, clock=self.club.clock)

    async def tried(self, act: Awaitable[object]) -> bool:
        """Try something; return whether the bot allowed it."""
        try:
            await act
        except Refusal:
            return False
        return True

    async def challenge(self, user: int, other: int) -> bool:
        """Challenge a player, unless that is refused."""
        return await self.tried(self.club.ladder_challenges.challenge(1, GUILD, user, other))

    async def accept(self, challenge: LadderChallenge) -> None:
        """Accept a challenge."""
        await self.club.ladder_challenges.accept(challenge.id, GUILD, challenge.challenged_id)

    async def decline(self, challenge: LadderChallenge) -> None:
        """Decline a challenge."""
        user = challenge.challenged_id
        await self.club.ladder_challenges.decline(challenge.id, GUILD, user)

    async def pass_or_accept(self, challenge: LadderChallenge) -> None:
        """Decline a challenge if that is free, and else accept it."""
        _, free = await self.club.ladder_challenges.can_decline(
            challenge.id, GUILD, challenge.challenged_id
        )
        if free:
            await self.decline(challenge)
        else:
            await self.accept(challenge)

    async def run(
        self, days: int, *, honest_from: int | None = None, games: int | None = None
    ) -> None:
        """Let days pass; the honest player challenges the top from one of them on.

        Stop once they have begun a number of games.
        """
        await self.club.ladders.open(RULES)
        for user in (*self.friends, *self.others):
            await self.club.ladders.join(1, GUILD, user)
        for day in range(days):
            view = await self.club.ladders.get(1, GUILD)
            if not view.order:
                return  # all were idle for too long
            self.tops.append(view.order[0])
            if honest_from is not None and day >= honest_from:
                view = await self._act_honestly(view)
            elif len(self.others) > 1 and day % 10 == 0:
                await self._play_among_others(view, day // 10)
            await self.trick(self, view)
            await self._play()
            self.club.wait(days=1)
            await self._steps()
            if len(self.met) == games:
                return

    async def _act_honestly(self, view: LadderView) -> LadderView:
        received, made = view.made_to(HONEST), view.made_by(HONEST)
        playing = any(one is not None and one.playing for one in (received, made))
        if playing or view.order[0] == HONEST:
            self.waits.append(0)
        else:
            self.waits[-1] += 1
        if received is not None and received.waiting:
            await self.accept(received)
        elif made is None:
            for other in view.order[: view.order.index(HONEST)]:
                if await self.challenge(HONEST, other):
                    break
        else:
            return view
        return await self.club.ladders.get(1, GUILD)

    async def _play_among_others(self, view: LadderView, turn: int) -> None:
        """Let two of the others play a game; the challenger wins."""
        pairs = list(combinations(self.others, 2))
        pair = pairs[(0, 5, 1, 4, 2, 3)[turn % 6]]
        better, worse = (user for user in view.order if user in pair)
        match_id = await self.club.begin(worse, better)
        await self.club.play_a_while(await self.club.matches.position(match_id))
        await self.club.matches.resign(match_id, better)
        await self._steps()

    async def _play(self) -> None:
        """Play on: the honest player at once, slow friends as late as they can."""
        for one in (await self.club.ladders.get(1, GUILD)).challenges:
            if one.match_id is None:
                continue
            if HONEST in one.both:
                self.met.add(one.match_id)
            match = await self.club.matches.position(one.match_id)
            if match.to_move is None:
                continue
            user = match.to_move.user_id
            async with self.club.store.read() as tx:
                clock = await clocks.of(tx, one.match_id)
            left = (
                None if clock is None or clock.due_at is None else clock.due_at - self.club.clock()
            )
            if left is not None and left <= timedelta():
                await self.club.matches.lose(one.match_id, match.to_move.seat, "forfeited", by=None)
            elif user == HONEST or self.trick not in SLOW or (left is not None and left <= DAY):
                text = match.game.write(match.game.legal_moves(match.state)[0])
                await play_on(self.club.matches, match, text)

    async def _steps(self) -> None:
        """Take every step that is due, with all messages posted."""
        now = self.club.clock()
        await self.away.finish(now)
        async with self.club.store.write() as tx:
            for post in await posts.due(tx, now, limit=99):
                there: dict[str, Any] = {"channel_id": TERMS.channel_id, "message_id": 1}
                await posts.record(tx, post, **there, try_at=None)
        await self.club.take_steps()
        await self.club.steps.check(1, now)


async def decline_a_friend(year: Year, view: LadderView) -> None:
    """A friend challenges as often as possible; everyone is declined while that is free."""
    for friend in year.friends[1:]:
        await year.challenge(friend, HOLDER)
    top = view.made_to(view.order[0])
    if top is not None and top.waiting:
        await year.pass_or_accept(top)


async def let_friends_resign(year: Year, view: LadderView) -> None:
    """Friends challenge once a month, make two moves and resign."""
    if len(year.tops) % 30 == 1:
        for friend in year.friends[1:]:
            await year.challenge(friend, HOLDER)
    top = view.made_to(HOLDER)
    if top is None or top.challenger_id == HONEST:
        if top is not None and top.waiting:
            await year.pass_or_accept(top)
    elif top.waiting:
        await year.accept(top)
    elif top.match_id is not None:
        match = await year.club.matches.position(top.match_id)
        if match.match.plies >= 4:
            await year.club.matches.resign(top.match_id, top.challenger_id)


async def play_slowly(year: Year, view: LadderView) -> None:
    """Friends always have a challenge in play or in line, and play as slowly as they can."""
    for user in view.order[1:]:
        if user in year.friends:
            await year.challenge(user, view.order[0])
    for user in year.friends:
        received = view.made_to(user)
        if received is not None and received.waiting:
            if received.challenger_id == HONEST:
                await year.pass_or_accept(received)
            elif (received.answer_by - year.club.clock()) <= DAY:
                await year.accept(received)


async def hand_the_place_around(year: Year, view: LadderView) -> None:
    """Play slowly; whoever is at the top gives the place to a friend when they can."""
    top = view.made_to(view.order[0])
    if top is not None and top.challenger_id in year.friends and view.queue(view.order[0]):
        if top.waiting:
            await year.decline(top)
        elif top.match_id is not None:
            await year.tried(year.club.matches.resign(top.match_id, top.challenged_id))
    await play_slowly(year, await year.club.ladders.get(1, GUILD))


async def go_on_vacations(year: Year, view: LadderView) -> None:
    """Play slowly, and go on vacation for a day whenever the honest player waits for an answer."""
    for user in year.friends:
        received = view.made_to(user)
        if received is not None and received.waiting and received.challenger_id == HONEST:
            await year.tried(year.away.start(user, 1))
    await play_slowly(year, view)


async def leave_and_come_back(year: Year, view: LadderView) -> None:
    """Play slowly; leave and rejoin rather than play the honest player."""
    for user in year.friends:
        received = view.made_to(user)
        if received is not None and received.waiting and received.challenger_id == HONEST:
            await year.club.ladders.leave(1, GUILD, user)
            await year.club.ladders.join(1, GUILD, user)
    await play_slowly(year, await year.club.ladders.get(1, GUILD))


async def block(year: Year, view: LadderView) -> None:
    """Play slowly; the holder blocks the honest player, who can play the friends nevertheless."""
    if len(year.tops) == 1:
        await Blocks(year.club.store, clock=year.club.clock).add(HOLDER, HONEST)
    await play_slowly(year, view)


SLOW = {block, play_slowly, hand_the_place_around, go_on_vacations, leave_and_come_back}
"""Tricks by players who make each move as late as they can."""
TWO, THREE = (HOLDER, FRIEND), (HOLDER, FRIEND, OTHER_FRIEND)


@pytest.mark.parametrize(
    ("trick", "friends", "vacations"),
    [
        (decline_a_friend, TWO, 0),
        (decline_a_friend, THREE, 0),
        (let_friends_resign, TWO, 0),
        (play_slowly, TWO, 0),
        (play_slowly, THREE, 0),
        (hand_the_place_around, THREE, 0),
        (go_on_vacations, TWO, 30),
        (leave_and_come_back, THREE, 0),
        (block, THREE, 0),
    ],
)
async def test_an_honest_challenger_gets_a_game_or_the_place_however_friends_hold_it(
    club: Club, trick: Trick, friends: tuple[int, ...], vacations: int
) -> None:
    """The bound of docs/ladder.md: the challenges ahead, one pass by each, and the answer.

    A vacation day delays by two days at most: itself, and a day to answer after it.
    """
    year = Year(LadderClub(club.store, club.hands), friends, trick)
    await year.run(365, honest_from=10, games=2)
    passes = len(friends) * (RULES.answer_days + RULES.pause_days)
    ahead = (len(friends) - 1) * A_GAME.days
    assert len(year.met) >= 2 or HONEST in year.tops
    assert max(year.waits) <= ahead + passes + RULES.answer_days + 2 * vacations


@pytest.mark.parametrize("trick", [decline_a_friend, let_friends_resign])
async def test_friends_alone_do_not_keep_a_place_above_those_who_play(
    club: Club, trick: Trick
) -> None:
    """Four others play one another every ten days; nobody challenges the two friends."""
    others = (HONEST, 105, 106, 107)
    year = Year(LadderClub(club.store, club.hands), TWO, trick, others)
    await year.run(100)
    slid = 2 * RULES.idle_days  # one game of the two counts in that time
    assert not {*year.tops[slid:]} & {*TWO}


async def test_blocking_those_in_between_does_not_bring_the_top_within_reach(club: Club) -> None:
    ladder = LadderClub(club.store, club.hands)
    await ladder.opened(*range(101, 109))  # three places are within reach
    blocks = Blocks(club.store, clock=club.clock)
    for other in range(105, 108):
        await blocks.add(108, other)
    _, found = await ladder.ladder_challenges.in_reach(1, GUILD, 108)
    assert list(found) == [107, 106, 105]
    assert all("You've blocked" in str(reason) for reason in found.values())
    with pytest.raises(Refusal, match="isn't within reach"):
        await ladder.ladder_challenges.challenge(1, GUILD, 108, 104)
