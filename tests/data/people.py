"""People, matches and moments for the tests of the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from data.challenges import challenges
from data.challenges.challenges import Challenge, Invitation
from data.ladders import ladder_challenges, ladders
from data.ladders.ladder_challenges import LadderChallenge
from data.ladders.ladders import Ladder
from data.ladders.ladders import Terms as LadderTerms
from data.matches import matches
from data.matches.match import Entry, Match, Player
from data.store.store import Transaction
from data.tournaments import tournament_entrants, tournaments
from data.tournaments.tournaments import Terms as TournamentTerms
from data.tournaments.values import Format, Plan

ANN, BEN, CAROL, DAN = 1_100_000_000_000_000_001, 1_100_000_000_000_000_002, 3, 2**62
SERVER, CHANNEL = 2**63 - 1, 1_300_000_000_000_000_000
SEED = b"never to be seen by anybody....!"
NOW = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)


def after(seconds: float) -> datetime:
    """Return a moment this long after the start."""
    return NOW + timedelta(seconds=seconds)


async def challenge(
    tx: Transaction,
    *opponents: int,
    challenger: int = ANN,
    game: str = "nim",
    guild_id: int | None = SERVER,
    channel_id: int = CHANNEL,
    expires_at: datetime | None = None,
) -> Challenge:
    """Create a challenge between players, Ann and Ben by default."""
    invitation = Invitation(
        game=game,
        options={"heaps": "3"},
        guild_id=guild_id,
        channel_id=channel_id,
        challenger_id=challenger,
        word="word of the challenger",
        opponents=opponents or (BEN,),
    )
    return await challenges.add(tx, invitation, seed=SEED, at=NOW, expires_at=expires_at)


def a_match(*users: int, **changes: Any) -> Match:
    """Return the row of a match, seating players in this order."""
    made = Match(
        0,
        game="nim",
        rules_version=1,
        options={},
        guild_id=SERVER,
        channel_id=CHANNEL,
        seed=SEED,
        commitment="c0ffee",
        created_at=NOW,
        players=tuple(Player(seat, user, f"word {seat}") for seat, user in enumerate(users)),
    )
    return replace(made, **changes)


async def match(tx: Transaction, people: Sequence[int] = (ANN, BEN), **changes: Any) -> int:
    """Seat players for a match and return its number."""
    options = {"zebra": "first", "apple": "second"}
    return await matches.add(tx, a_match(*people, options=options, **changes))


def entries(first: int, number: int = 1, actor: int | None = 0) -> list[Entry]:
    """Return this many log entries, starting at a ply."""
    return [Entry(ply, actor, f"a{ply}-b{ply}", after(ply)) for ply in range(first, first + number)]


LADDER = LadderTerms(
    guild_id=SERVER,
    channel_id=CHANNEL,
    game="nim",
    created_by=CAROL,
    reach=3,
    answer_days=3,
    idle_days=30,
    pause_days=7,
    days=3,
    game_days=30,
    unrated=False,
)


async def new_ladder(tx: Transaction, *users: int, terms: LadderTerms = LADDER) -> Ladder:
    """Return a ladder with these players, first place first."""
    found = await ladders.add(tx, terms, at=NOW, next_check_at=after(60))
    for place, user in enumerate(users, 1):
        await ladders.enter(tx, found.id, user, place=place, at=NOW, slide_at=after(90))
    return found


async def new_challenge(tx: Transaction, ladder: int, one: int, other: int) -> LadderChallenge:
    """Return a challenge for first place."""
    made = LadderChallenge(0, ladder, one, other, b"s", 1, NOW, NOW, after(30), after(20))
    return await ladder_challenges.add(tx, made)


TOURNAMENT = TournamentTerms(
    guild_id=SERVER,
    channel_id=CHANNEL,
    name="Winter Cup",
    game="nim",
    plan=Plan(Format.SWISS, rounds=3),
    created_by=CAROL,
    days=3,
)


async def new_tournament(
    tx: Transaction, *users: int, terms: TournamentTerms = TOURNAMENT
) -> tournaments.Tournament:
    """Return a tournament with these sign-ups."""
    found = await tournaments.add(tx, terms, seed=SEED, at=NOW, next_at=after(60))
    for n, user in enumerate(users):
        await tournament_entrants.enter(tx, found.id, user, strength=1500.0 + n, at=after(n))
    return found
