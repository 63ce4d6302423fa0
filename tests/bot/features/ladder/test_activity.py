"""What keeps a player from sliding down a ladder, and what a check costs the others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.core.errors import NotAllowed, Refusal
from bot.core.settings.service import SettingsStore
from bot.features.ladder import rules
from bot.features.ladder.changes import CHALLENGE_POST
from bot.features.ladder.service import Ladders
from bot.features.ladder.steps import LadderSteps
from bot.features.moderation.service import Moderation, Moderator
from bot.play.matches.verification import proof
from data import posts
from data.ladders import ladder_challenges, ladders
from data.ladders.ladder_challenges import LadderChallenge
from data.sql.transaction import Transaction
from tests.bot.conftest import ANN, BEN, CAROL, CHANNEL, GUILD, Club
from tests.bot.features.ladder.club import TERMS, LadderClub, nobody

DAN, EVE = 44, 55


@pytest.fixture
def ladder(club: Club) -> LadderClub:
    """A ladder's club on SQLite."""
    return LadderClub(club.store, club.hands)


async def play(club: LadderClub, challenger: int, challenged: int, *, moves: int = 2) -> None:
    """Play a ladder game that the challenger loses by resigning after some moves each."""
    match_id = await club.begin(challenger, challenged)
    if moves:
        await club.play_a_while(await club.matches.position(match_id), moves)
    await club.matches.resign(match_id, challenger)
    await club.take_steps()


async def days(club: LadderClub, number: int) -> None:
    """Let days pass, with the ladder's daily check."""
    for _ in range(number):
        club.wait(days=1)
        await club.steps.check(1, club.clock())


async def test_declining_a_friend_is_no_game(ladder: LadderClub) -> None:
    await ladder.opened(ANN, BEN, CAROL, DAN)
    await days(ladder, 20)
    made = await ladder.ladder_challenges.challenge(1, GUILD, BEN, ANN)
    await ladder.ladder_challenges.decline(made.id, GUILD, ANN)
    await play(ladder, DAN, CAROL)
    await days(ladder, 11)
    # Ben's challenge was answered at once, so he has waited for nothing.
    assert await ladder.places() == (CAROL, ANN, BEN, DAN)


async def test_a_game_against_another_player_counts_at_once(ladder: LadderClub) -> None:
    await ladder.opened(ANN, BEN, CAROL)
    await play(ladder, BEN, ANN)
    ladder.wait(days=1)
    await play(ladder, CAROL, ANN)
    view = await ladder.ladders.get(1, GUILD)
    assert [one.active_at == ladder.clock() for one in view.rungs] == [True, False, True]


async def test_a_game_hardly_begun_does_not_count(ladder: LadderClub) -> None:
    view = await ladder.opened(ANN, BEN)
    ladder.wait(days=1)
    await play(ladder, BEN, ANN, moves=0)
    assert [one.active_at for one in (await ladder.ladders.get(1, GUILD)).rungs] == [
        one.active_at for one in view.rungs
    ]


async def test_waiting_for_an_answer_is_not_being_idle(ladder: LadderClub) -> None:
    await ladder.opened(ANN, BEN, CAROL)
    await days(ladder, 29)
    await play(ladder, CAROL, ANN)
    await ladder.ladder_challenges.challenge(1, GUILD, BEN, ANN)
    await days(ladder, 3)
    assert await ladder.places() == (ANN, BEN, CAROL)


@pytest.mark.parametrize(
    ("met", "after"), [(False, (ANN, BEN, CAROL)), (True, (CAROL, ANN, BEN))], ids=str
)
async def test_only_a_game_that_will_count_keeps_its_two_players_from_sliding(
    ladder: LadderClub, *, met: bool, after: tuple[int, ...]
) -> None:
    """A second game of the same two within sixty days does not."""
    await ladder.opened(ANN, BEN)
    if met:
        await play(ladder, BEN, ANN)
    await days(ladder, 25)
    await ladder.ladders.join(1, GUILD, CAROL)
    await ladder.begin(BEN, ANN)
    await days(ladder, 10)
    assert await ladder.places() == after


class Counting:
    """A store that counts the statements and changed rows of each writing transaction."""

    def __init__(self, club: LadderClub) -> None:
        """Start with none."""
        self._store = club.store
        self.statements: list[int] = []
        self.rows: list[int] = []
        self.stop_after: int | None = None

    def read(self) -> Any:
        """Read as usual."""
        return self._store.read()

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Any]:
        """Count what a transaction does; break off like a kill, if asked to."""
        async with self._store.write() as tx:
            self.statements.append(0)
            self.rows.append(0)
            yield _Counted(tx, self)
            if len(self.statements) == self.stop_after:
                raise KeyboardInterrupt


class _Counted:
    def __init__(self, tx: Transaction, counting: Counting) -> None:
        self._tx = tx
        self._counting = counting

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._tx, name)
        reads = {"row", "rows", "scalar", "scalars", "record", "records", "number", "count"}
        if name not in reads | {"run", "insert", "add", "put"}:
            return found

        async def counted(*arguments: Any) -> Any:
            self._counting.statements[-1] += 1
            done = await found(*arguments)
            if name not in reads:
                self._counting.rows[-1] += done if name == "run" else len(arguments) - 1
            return done

        return counted


async def full(club: LadderClub, *, idle_days: int) -> None:
    """Open a ladder of 200 players, all idle for some days but the last."""
    await club.opened()
    now = club.clock()
    async with club.store.write() as tx:
        for place in range(1, 201):
            at = now - timedelta(days=idle_days if place < 200 else 0)
            await ladders.enter(
                tx, 1, 1000 + place, place=place, at=at, slide_at=now + timedelta(hours=1)
            )
    club.wait(days=1)


@pytest.mark.parametrize("idle_days", [60, 181])
async def test_a_check_of_many_idle_players_is_made_of_short_transactions(
    ladder: LadderClub, idle_days: int
) -> None:
    await full(ladder, idle_days=idle_days)
    counting: Any = Counting(ladder)
    steps = LadderSteps(counting, nobody, lambda _: True)
    counting.stop_after = 4
    with pytest.raises(KeyboardInterrupt):
        await steps.check(1, ladder.clock())
    counting.stop_after = None
    # Another process goes on where the first was killed, and both end up sharing the rest.
    other = LadderSteps(counting, nobody, lambda _: True)
    await steps.check(1, ladder.clock())
    await other.check(1, ladder.clock())
    places = await ladder.places()
    idle = list(range(1001, 1200))
    assert list(places) == ([1200, *idle] if idle_days < rules.OFF_AFTER.days else [1200])
    view = await ladder.ladders.get(1, GUILD)
    events, _ = await ladder.ladders.history(view, None, limit=500)
    assert len(events) == 199
    assert max(counting.statements) <= 100
    assert max(counting.rows) <= 100


async def test_moving_and_closing_a_ladder_full_of_challenges_takes_few_statements(
    ladder: LadderClub,
) -> None:
    await full(ladder, idle_days=1)
    now = ladder.clock()
    async with ladder.store.write() as tx:
        for user in range(1002, 1201):
            soon, late = (now + timedelta(days=number) for number in (2, 3))
            made = LadderChallenge(0, 1, user, user - 1, b"", user - 1001, now, now, late, soon)
            one = await ladder_challenges.add(tx, made)
            await posts.want(tx, CHALLENGE_POST, 1, part=one.id, at=now, guild_id=GUILD)
            post = await posts.find(tx, CHALLENGE_POST, 1, part=one.id)
            assert post is not None
            there: dict[str, Any] = {"channel_id": TERMS.channel_id, "message_id": user}
            await posts.record(tx, post, **there, try_at=None)
    counting: Any = Counting(ladder)
    settings = SettingsStore(ladder.store, clock=ladder.clock)
    service = Ladders(counting, settings, clock=ladder.clock)
    ladder.wait(days=1)
    await service.open(replace(TERMS, channel_id=TERMS.channel_id + 1))
    async with ladder.store.read() as tx:
        again = await posts.due(tx, ladder.clock(), limit=999)
    assert [one.kind for one in again].count(CHALLENGE_POST) == 199, "posted in the new channel"
    found = (await ladder.ladders.get(1, GUILD)).challenges
    assert {one.answer_by for one in found} == {ladder.clock() + timedelta(days=3)}
    await service.close(1, GUILD, by=CAROL)
    assert (await ladder.ladders.get(1, GUILD)).challenges == ()
    assert max(counting.statements) <= 40


async def test_nobody_slides_while_the_bot_is_away_even_if_the_check_comes_late(
    ladder: LadderClub,
) -> None:
    club = ladder
    await club.opened()
    club.wait(minutes=10)
    await club.ladders.join(1, GUILD, ANN)
    club.wait(minutes=-10, days=1)
    for day in range(TERMS.idle_days):
        await club.steps.check(1, club.clock())
        if day == 1:
            await club.ladders.join(1, GUILD, BEN)
        club.wait(days=1)
    club.wait(minutes=30)  # Ann has been idle long enough for twenty minutes
    away = LadderSteps(club.store, nobody, lambda _: False)
    await away.check(1, club.clock())
    assert await club.places() == (ANN, BEN)
    club.wait(days=1)
    await club.steps.check(1, club.clock())
    assert await club.places() == (BEN, ANN)
    club.wait(days=2 * rules.OFF_AFTER.days)  # no process has looked for that long
    await club.steps.check(1, club.clock())
    assert await club.places() == (BEN, ANN)


async def test_the_record_of_a_ladder_game_says_whether_its_sides_were_drawn(club: Club) -> None:
    club = LadderClub(club.store, club.hands)
    await club.ladders.open(replace(TERMS, game="tablan", unrated=True))
    for user in (ANN, BEN):
        await club.ladders.join(1, GUILD, user)
    drawn, seats = [], []
    for _ in range(3):
        holder, challenger = await club.places()
        position = await club.matches.resign(await club.begin(challenger, holder), holder)
        seats.append([player.user_id for player in position.match.players])
        drawn.append("[Drawn " in ((await proof(club.store, position.match.id)).record or ""))
        await club.take_steps()
        assert position.match.game_days == TERMS.game_days
        assert position.match.unrated
    assert drawn == [True, False, False]
    assert seats[0] == seats[2] == seats[1][::-1]


MANAGER = 99


async def test_a_manager_on_a_ladder_removes_nobody_and_neither_closes_nor_changes_it(
    club: Club,
) -> None:
    ladders = LadderClub(club.store, club.hands)
    await ladders.opened(ANN, BEN)
    for act in (
        ladders.ladders.leave(1, GUILD, ANN, removed_by=BEN),
        ladders.ladders.close(1, GUILD, by=BEN),
        ladders.ladders.open(replace(TERMS, created_by=BEN, reach=1)),
    ):
        with pytest.raises(NotAllowed, match="You're on the Tablut ladder"):
            await act
    moved, _ = await ladders.ladders.open(
        replace(TERMS, created_by=BEN, reach=1, channel_id=CHANNEL + 1)
    )
    assert (moved.channel_id, moved.reach) == (CHANNEL + 1, TERMS.reach), "only moved"
    changed, new = await ladders.ladders.open(replace(TERMS, created_by=MANAGER, reach=1))
    assert not new
    assert (changed.channel_id, changed.reach) == (CHANNEL, 1)
    assert changed.created_by == TERMS.created_by
    await ladders.ladders.leave(1, GUILD, ANN, removed_by=MANAGER)
    await ladders.ladders.leave(1, GUILD, BEN)
    view = await ladders.ladders.close(1, GUILD, by=BEN)
    assert view.ladder.closed_at is not None


async def test_who_leaves_a_ladder_twice_is_not_told_to_join_it(club: Club) -> None:
    ladders = LadderClub(club.store, club.hands)
    await ladders.opened(ANN, BEN)
    await ladders.ladders.leave(1, GUILD, BEN)
    with pytest.raises(Refusal, match=r"not on this ladder\.$"):
        await ladders.ladders.leave(1, GUILD, BEN)


async def test_a_manager_on_a_ladder_decides_none_of_its_games(club: Club) -> None:
    ladders = LadderClub(club.store, club.hands)
    await ladders.opened(ANN, BEN, CAROL)
    match_id = await ladders.begin(BEN, ANN)
    moderation = Moderation(club.store, club.matches, clock=club.clock)
    with pytest.raises(NotAllowed, match="You're on the Tablut ladder"):
        await moderation.end(match_id, [ANN], Moderator(CAROL, GUILD, ""))
    await moderation.end(match_id, [ANN], Moderator(MANAGER, GUILD, ""))
