"""A server in which everything is as large as it may become, stored without being played.

Ann has the most of everything. The numbers are those in ``tests/recorded/controls.txt``, so that
every control listed there leads to something large.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import Boolean, Float, LargeBinary, Table, Text, insert

from data.puzzles.imported_records import MAX_KEPT, imports
from data.sql.columns import Document, Instant
from data.store.store import Transaction
from data.tournaments import tournament_entrants, tournament_rounds, tournaments
from data.tournaments.tournament_rounds import Round
from data.tournaments.tournaments import Entry, State
from data.tournaments.values import Format, Game, Pairing, Plan
from engine import registry
from engine.game import CHANCE
from tests.data.tables import TABLES
from tests.end_to_end.harness import Environment

MATCH: Final = 12
"""An open match of Ann's, as long as they get."""
WAITING: Final = 13
"""Another of hers, in which it is not her turn."""
ENDED: Final = 401
"""A finished match of hers."""
TOURNAMENT: Final = 3
LADDER: Final = 3
CHALLENGE: Final = 7
OPEN: Final = 400
TIMED: Final = 60
"""Open matches with a clock; the board of each is drawn again when Ann goes on vacation."""
FINISHED: Final = 100
PLIES: Final = 240
"""Entries of a log, unless its game is over sooner."""
ENTRANTS: Final = 500
ROUNDS: Final = 30
STEPS: Final = 200
"""Players of a ladder."""
BLOCKS: Final = 500
RATED: Final = 3000
"""Players of a leaderboard."""
MEETINGS: Final = 300
STRANGERS: Final = 2**58
"""The first id of people that Discord does not know."""
NOTE: Final = "Watch the corner. " * 27


def row(table: Table, at: datetime, **values: Any) -> dict[str, Any]:
    """Return the values of a row; what is not given and may not be empty is plain."""
    made = dict(values)
    for column in table.columns:
        if column.name in made or column.nullable or column.primary_key:
            continue
        kind = column.type
        plain: Any = 0
        if isinstance(kind, Instant):
            plain = at
        elif isinstance(kind, Document):
            plain = {}
        elif isinstance(kind, Boolean):
            plain = False
        elif isinstance(kind, LargeBinary):
            plain = bytes(32)
        elif isinstance(kind, Text):
            plain = ""
        elif isinstance(kind, Float):
            plain = 0.0
        made[column.name] = plain
    return made


async def put(tx: Transaction, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    await tx.run(insert(table), list(rows))


@cache
def log(slug: str) -> tuple[list[tuple[int | None, str]], int | None]:
    """Return a long log of a game: the actor and notation of each entry, and the seat to move."""
    game = registry.game(slug)
    longest: tuple[list[tuple[int | None, str]], int | None] = ([], None)
    for seed in range(40):
        dice, state = random.Random(seed), game.initial({}, 2)
        made: list[tuple[int | None, str]] = []
        while game.outcome(state) is None and len(made) < PLIES + 30:
            actor = game.actor(state)
            if actor is CHANCE:
                move, by = dice.choice(list(game.odds(state))), None
            else:
                if len(made) > len(longest[0]):
                    longest = ([*made], actor)
                move, by = dice.choice(game.legal_moves(state)), actor
            made.append((by, game.write(move)))
            state = game.after(state, move)
        if len(longest[0]) >= PLIES:
            break
    return longest


async def fill(env: Environment) -> None:
    world = _World(env)
    for one in (
        world.matches,
        world.tournament,
        world.ladder,
        world.challenges,
        world.results,
        world.lists,
    ):
        await env.store.run_write(one)


class _World:
    def __init__(self, env: Environment) -> None:
        self.now = env.now()
        self.ann, self.ben = env.ann.id, env.ben.id
        self.guild = env.playground.guild.id
        self.channel = env.playground.channel("games").id

    async def matches(self, tx: Transaction) -> None:
        """Store Ann's matches, open and finished, each against somebody else."""
        t, slugs = TABLES, sorted(registry.games(), key=lambda slug: slug != "thaayam")
        numbers = range(1, OPEN + FINISHED + 1)
        games = {
            n: "tablut" if n in {MATCH, WAITING, ENDED} else slugs[n % len(slugs)] for n in numbers
        }
        logs = {slug: log(slug) for slug in slugs}
        over = {n for n in numbers if n > OPEN}
        settled = {slug: registry.game(slug).settle({}) for slug in slugs}
        await put(
            tx,
            t["matches"],
            (
                row(
                    t["matches"],
                    self.now,
                    id=n,
                    game=slug,
                    rules_version=registry.game(slug).rules_version,
                    options=dict(settled[slug]),
                    guild_id=self.guild,
                    channel_id=self.channel,
                    plies=len(logs[slug][0]),
                    to_move=logs[slug][1],
                    days=5 if n <= TIMED else None,
                    place="channel",
                    ending="agreed" if n in over else None,
                    reason="they agreed" if n in over else None,
                    finished_at=self.now if n in over else None,
                )
                for n, slug in games.items()
            ),
        )
        other = {n: self.ben if n in {MATCH, WAITING, ENDED} else STRANGERS + n for n in numbers}
        seated = {n: (self.ann, one) for n, one in other.items()}
        seated[WAITING] = (self.ben, self.ann)
        await put(
            tx,
            t["players"],
            (
                row(
                    t["players"],
                    self.now,
                    match_id=n,
                    seat=seat,
                    user_id=user,
                    rank=1 if n in over else None,
                )
                for n in numbers
                for seat, user in enumerate(seated[n])
            ),
        )
        await put(
            tx,
            t["moves"],
            (
                {
                    "match_id": n,
                    "ply": ply,
                    "actor": actor,
                    "notation": text,
                    "made_at": self.now,
                    "fingerprint": None,
                }
                for n, slug in games.items()
                for ply, (actor, text) in enumerate(logs[slug][0], 1)
            ),
        )
        due = self.now + timedelta(days=4)
        await put(
            tx,
            t["clocks"],
            (
                row(
                    t["clocks"],
                    self.now,
                    match_id=n,
                    user_id=seated[n][logs[slug][1] or 0],
                    ply=len(logs[slug][0]),
                    due_at=due,
                    next_at=due,
                )
                for n, slug in games.items()
                if n <= TIMED
            ),
        )
        await put(
            tx, t["notes"], ({"user_id": self.ann, "match_id": n, "text": NOTE} for n in numbers)
        )

    async def tournament(self, tx: Transaction) -> None:
        """Store an adjourned Swiss tournament in which everyone has played every round."""
        for number in range(1, TOURNAMENT + 1):
            terms = tournaments.Terms(
                guild_id=self.guild,
                channel_id=self.channel,
                name=f"Cup {number} " + "x" * 90,
                game="tablut",
                plan=Plan(Format.SWISS, rounds=ROUNDS),
                created_by=self.ann,
                days=3,
            )
            made = await tournaments.add(tx, terms, seed=bytes(32), at=self.now, next_at=None)
        users = [self.ann, self.ben, *range(STRANGERS, STRANGERS + ENTRANTS - 2)]
        await tournament_entrants.add(
            tx,
            [
                Entry(
                    user_id=user,
                    strength=1500.0 + number,
                    tournament_id=made.id,
                    number=number,
                    joined_at=self.now,
                )
                for number, user in enumerate(users, 1)
            ],
        )
        dice = random.Random(1)
        for number in range(1, ROUNDS + 1):
            dice.shuffle(users)
            pairs = list(zip(users[::2], users[1::2], strict=True))
            pairings = [
                Pairing(number, table, pair, (Game(pair, dice.choice(((1, 0), (0, 1)))),))
                for table, pair in enumerate(pairs, 1)
            ]
            round_ = Round(made.id, number, self.now, ended_at=self.now)
            await tournament_rounds.add(tx, round_, pairings)
        await tournaments.change(tx, made, state=State.ADJOURNED, round=ROUNDS)

    async def ladder(self, tx: Transaction) -> None:
        """Store ladders with every place taken, and years of history."""
        t = TABLES
        slugs = list(registry.games())
        later = self.now + timedelta(days=20)
        await put(
            tx,
            t["ladders"],
            (
                row(
                    t["ladders"],
                    self.now,
                    id=number,
                    guild_id=self.guild,
                    channel_id=self.channel,
                    game=slug,
                    created_by=self.ann,
                    reach=3,
                    answer_days=3,
                    idle_days=30,
                    pause_days=7,
                    days=3,
                )
                for number, slug in enumerate(slugs, 1)
            ),
        )
        users = [STRANGERS + n for n in range(STEPS - 2)]
        users = [*users[:100], self.ben, self.ann, *users[100:]]
        await put(
            tx,
            t["ladder_places"],
            (
                row(
                    t["ladder_places"],
                    self.now,
                    ladder_id=LADDER,
                    user_id=user,
                    place=place,
                    best=place,
                    slide_at=later,
                )
                for place, user in enumerate(users, 1)
            ),
        )
        await put(
            tx,
            t["ladder_events"],
            (
                row(
                    t["ladder_events"],
                    self.now,
                    id=number,
                    ladder_id=LADDER,
                    kind="won",
                    user_id=users[number % STEPS],
                    other_id=users[number * 7 % STEPS],
                    from_place=5,
                    to_place=4,
                )
                for number in range(1, 3001)
            ),
        )
        await put(
            tx,
            t["ladder_challenges"],
            (
                row(
                    t["ladder_challenges"],
                    self.now,
                    id=number,
                    ladder_id=LADDER,
                    challenger_id=users[number % STEPS],
                    challenged_id=users[(number - 1) % STEPS],
                    place=4,
                    answer_by=later,
                    outcome=None if number == CHALLENGE else "declined",
                    ended_at=None if number == CHALLENGE else self.now,
                )
                for number in range(1, 501)
            ),
        )

    async def challenges(self, tx: Transaction) -> None:
        """Store open challenges: ten of Ann's, and those of a busy server."""
        t = TABLES
        mine = range(1, 11)
        numbers = range(1, 201)
        await put(
            tx,
            t["challenges"],
            (
                row(
                    t["challenges"],
                    self.now,
                    id=n,
                    game="thaayam",
                    options=dict(registry.game("thaayam").settle({})),
                    guild_id=self.guild,
                    channel_id=self.channel,
                    challenger_id=self.ann if n in mine else STRANGERS + n,
                    state="open",
                    places=4,
                    expires_at=self.now + timedelta(days=5),
                )
                for n in numbers
            ),
        )
        await put(
            tx,
            t["invited"],
            (
                row(
                    t["invited"],
                    self.now,
                    challenge_id=n,
                    user_id=self.ann if n in mine else STRANGERS + n,
                    place=0,
                    joined=0,
                    word="word",
                )
                for n in numbers
            ),
        )

    async def results(self, tx: Transaction) -> None:
        """Store ratings and meetings."""
        t = TABLES
        users = [self.ann, self.ben, *range(STRANGERS, STRANGERS + RATED)]
        scopes = (0, self.guild)
        await put(
            tx,
            t["ratings"],
            (
                row(
                    t["ratings"],
                    self.now,
                    user_id=user,
                    scope=scope,
                    game=game,
                    mu=25.0 + n % 977 / 100,
                    sigma=1.5,
                    games=50,
                    won=25,
                    lost=25,
                    form="wlwlwlwlwl",
                    opponents=30,
                    established=True,
                    best=1800,
                )
                for scope in scopes
                for game in ("tablut", "tablan")
                for n, user in enumerate(users)
            ),
        )
        met = range(STRANGERS, STRANGERS + MEETINGS)
        pairs = [*((self.ann, one) for one in met), (self.ann, self.ben), (self.ben, self.ann)]
        await put(
            tx,
            t["rivals"],
            (
                row(
                    t["rivals"],
                    self.now,
                    user_id=one,
                    scope=scope,
                    rival_id=other,
                    game=game,
                    games=3,
                    rated=3,
                    won=1,
                )
                for scope in scopes
                for game in registry.games()
                for one, other in pairs
            ),
        )
        await put(
            tx,
            t["scores"],
            (
                row(
                    t["scores"],
                    self.now,
                    user_id=user,
                    scope=scope,
                    game=game,
                    seat=seat,
                    won=100,
                    lost=50,
                    moves=9000,
                    seconds=90000,
                )
                for user in (self.ann, self.ben)
                for scope in scopes
                for game in registry.games()
                for seat in (0, 1)
            ),
        )

    async def lists(self, tx: Transaction) -> None:
        """Store blocks, decisions of moderators, and what Ann follows."""
        t = TABLES
        strangers = range(STRANGERS, STRANGERS + BLOCKS)
        await put(
            tx,
            t["blocks"],
            (row(t["blocks"], self.now, user_id=self.ann, blocked_id=one) for one in strangers),
        )
        await put(
            tx,
            t["audit"],
            (
                row(
                    t["audit"],
                    self.now,
                    id=n,
                    guild_id=self.guild,
                    user_id=self.ann,
                    action="void",
                    match_id=n,
                    detail={
                        "reason": "y" * 200,
                        "players": [self.ann, STRANGERS + n],
                        "winners": [self.ann],
                    },
                )
                for n in range(1, 501)
            ),
        )
        await put(
            tx,
            t["followed_matches"],
            (
                row(t["followed_matches"], self.now, user_id=self.ben, match_id=n)
                for n in range(1, 26)
            ),
        )
        await put(
            tx,
            t["followed_players"],
            (
                row(
                    t["followed_players"],
                    self.now,
                    user_id=self.ann,
                    guild_id=self.guild,
                    player_id=STRANGERS + n,
                )
                for n in range(25)
            ),
        )


async def import_records(env: Environment, record: str) -> None:
    """Store as many imported records of Ann's as are kept, the third as Ann's i3."""
    at = env.now()

    async def store(tx: Transaction) -> None:
        await put(
            tx,
            imports,
            (
                row(
                    imports,
                    at,
                    id=n,
                    user_id=env.ann.id,
                    record=record,
                    game="thaayam",
                    over=True,
                    luck={"text": ""},
                )
                for n in range(1, MAX_KEPT + 1)
            ),
        )

    await env.store.run_write(store)
