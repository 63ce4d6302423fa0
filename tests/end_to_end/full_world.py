"""A server in which everything is as large as it may become, stored without being played.

Ann has the most of everything. The numbers are those in ``tests/recorded/controls.txt``, so that
every control listed there leads to something large.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import product
from typing import Any, Final

from sqlalchemy import Boolean, Float, LargeBinary, Table, Text, insert

from data.puzzles.imported_records import MAX_KEPT
from data.sql.columns import Document, Instant
from data.store.store import Transaction
from data.tournaments import tournament_entrants, tournament_rounds, tournaments
from data.tournaments.tournament_rounds import Round
from data.tournaments.tournaments import Entry, State
from data.tournaments.values import Format, Game, Pairing, Plan
from engine import registry
from engine.game import CHANCE, Seat
from tests.data.schema import TABLES
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


def plain(table: Table, at: datetime) -> dict[str, Any]:
    """Return plain values of the columns of a table that may not be empty."""
    values = {
        Instant: at,
        Document: {},
        Boolean: False,
        LargeBinary: bytes(32),
        Text: "",
        Float: 0.0,
    }
    return {
        column.name: next((one for kind, one in values.items() if isinstance(column.type, kind)), 0)
        for column in table.columns
        if not column.nullable and not column.primary_key
    }


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
        *(world.matches, world.tournament, world.ladder),
        *(world.challenges, world.results, world.lists),
    ):
        await env.store.run_write(one)


class _World:
    def __init__(self, env: Environment) -> None:
        self.now = env.now()
        self.ann, self.ben = env.ann.id, env.ben.id
        self.guild = env.guild.id
        self.channel = env.channel().id

    async def put(
        self, tx: Transaction, table: str, columns: str, rows: Iterable[Sequence[Any]]
    ) -> None:
        """Insert rows of some columns; the others are `plain`."""
        names, usual = columns.split(), plain(TABLES[table], self.now)
        filled = [{**usual, **dict(zip(names, one, strict=True))} for one in rows]
        await tx.run(insert(TABLES[table]), filled)

    async def matches(self, tx: Transaction) -> None:
        """Store Ann's matches, open and finished, each against somebody else."""
        slugs = sorted(registry.games(), key=lambda slug: slug != "thaayam")
        numbers = range(1, OPEN + FINISHED + 1)
        special = {MATCH, WAITING, ENDED}
        games = {n: "tablut" if n in special else slugs[n % len(slugs)] for n in numbers}
        logs = {slug: log(slug) for slug in slugs}
        game = {slug: registry.game(slug) for slug in slugs}
        ended, going = ("agreed", "they agreed", self.now, 1), (None, None, None, None)
        over = {n: ended if n > OPEN else going for n in numbers}
        await self.put(
            tx,
            "matches",
            "id game rules_version options guild_id channel_id plies to_move days place"
            " ending reason finished_at",
            (
                (
                    *(n, slug, game[slug].rules_version, dict(game[slug].settle({}))),
                    *(self.guild, self.channel, len(logs[slug][0]), logs[slug][1]),
                    *(5 if n <= TIMED else None, "channel", *over[n][:3]),
                )
                for n, slug in games.items()
            ),
        )
        other = {n: self.ben if n in special else STRANGERS + n for n in numbers}
        seated = {n: (self.ann, one) for n, one in other.items()}
        seated[WAITING] = (self.ben, self.ann)
        seats = {n: dict(zip(game[games[n]].seats(2), seated[n], strict=True)) for n in numbers}
        players = (
            (n, int(seat), user, over[n][3]) for n in numbers for seat, user in seats[n].items()
        )
        await self.put(tx, "players", "match_id seat user_id rank", players)
        moves = (
            (n, ply, actor, text, self.now)
            for n, slug in games.items()
            for ply, (actor, text) in enumerate(logs[slug][0], 1)
        )
        await self.put(tx, "moves", "match_id ply actor notation made_at", moves)
        due = self.now + timedelta(days=4)
        clocks = (
            (n, seats[n][Seat(logs[slug][1] or 0)], len(logs[slug][0]), due, due)
            for n, slug in games.items()
            if n <= TIMED
        )
        await self.put(tx, "clocks", "match_id user_id ply due_at next_at", clocks)
        notes = ((self.ann, n, NOTE) for n in numbers)
        await self.put(tx, "notes", "user_id match_id text", notes)

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
        later = self.now + timedelta(days=20)
        await self.put(
            tx,
            "ladders",
            "id game guild_id channel_id created_by reach answer_days idle_days pause_days days",
            (
                (number, slug, self.guild, self.channel, self.ann, 3, 3, 30, 7, 3)
                for number, slug in enumerate(registry.games(), 1)
            ),
        )
        users = [STRANGERS + n for n in range(STEPS - 2)]
        users = [*users[:100], self.ben, self.ann, *users[100:]]
        places = ((LADDER, user, place, place, later) for place, user in enumerate(users, 1))
        await self.put(tx, "ladder_places", "ladder_id user_id place best slide_at", places)
        await self.put(
            tx,
            "ladder_events",
            "id ladder_id kind user_id other_id from_place to_place",
            (
                (n, LADDER, "won", users[n % STEPS], users[n * 7 % STEPS], 5, 4)
                for n in range(1, 3001)
            ),
        )
        ended = {CHALLENGE: (None, None)}
        await self.put(
            tx,
            "ladder_challenges",
            "id ladder_id challenger_id challenged_id place answer_by outcome ended_at",
            (
                (
                    *(n, LADDER, users[n % STEPS], users[(n - 1) % STEPS], 4, later),
                    *ended.get(n, ("declined", self.now)),
                )
                for n in range(1, 501)
            ),
        )

    async def challenges(self, tx: Transaction) -> None:
        """Store open challenges: ten of Ann's, and those of a busy server."""
        users = {n: self.ann if n <= 10 else STRANGERS + n for n in range(1, 201)}
        options, expires = dict(registry.game("thaayam").settle({})), self.now + timedelta(days=5)
        await self.put(
            tx,
            "challenges",
            "id game options guild_id channel_id challenger_id state places expires_at",
            (
                (n, "thaayam", options, self.guild, self.channel, user, "open", 4, expires)
                for n, user in users.items()
            ),
        )
        invited = ((n, user, 0, 0, "word") for n, user in users.items())
        await self.put(tx, "invited", "challenge_id user_id place joined word", invited)

    async def results(self, tx: Transaction) -> None:
        """Store ratings and meetings."""
        users = [self.ann, self.ben, *range(STRANGERS, STRANGERS + RATED)]
        scopes, games = (0, self.guild), registry.games()
        await self.put(
            tx,
            "ratings",
            "user_id scope game mu sigma games won lost form opponents established best",
            (
                (user, scope, game, 25.0 + n % 977 / 100, 1.5, 50, 25, 25, "wl" * 5, 30, True, 1800)
                for scope in scopes
                for game in ("tablut", "tablan")
                for n, user in enumerate(users)
            ),
        )
        met = range(STRANGERS, STRANGERS + MEETINGS)
        pairs = [*((self.ann, one) for one in met), (self.ann, self.ben), (self.ben, self.ann)]
        await self.put(
            tx,
            "rivals",
            "user_id scope rival_id game games rated won",
            (
                (one, scope, other, game, 3, 3, 1)
                for scope in scopes
                for game in games
                for one, other in pairs
            ),
        )
        seats = product((self.ann, self.ben), scopes, games, (0, 1))
        await self.put(
            tx,
            "scores",
            "user_id scope game seat won lost moves seconds",
            ((*seat, 100, 50, 9000, 90000) for seat in seats),
        )

    async def lists(self, tx: Transaction) -> None:
        """Store blocks, decisions of moderators, and what Ann follows."""
        blocks = ((self.ann, STRANGERS + n) for n in range(BLOCKS))
        await self.put(tx, "blocks", "user_id blocked_id", blocks)
        decided = {"reason": "y" * 200, "winners": [self.ann]}
        await self.put(
            tx,
            "audit",
            "id guild_id user_id action match_id detail",
            (
                (
                    n,
                    self.guild,
                    self.ann,
                    "void",
                    n,
                    {**decided, "players": [self.ann, STRANGERS + n]},
                )
                for n in range(1, 501)
            ),
        )
        followed = ((self.ben, n) for n in range(1, 26))
        await self.put(tx, "followed_matches", "user_id match_id", followed)
        people = ((self.ann, self.guild, STRANGERS + n) for n in range(25))
        await self.put(tx, "followed_players", "user_id guild_id player_id", people)


async def import_records(env: Environment, record: str) -> None:
    """Store as many imported records of Ann's as are kept, the third as Ann's i3."""
    numbers = range(1, MAX_KEPT + 1)
    rows = ((n, env.ann.id, record, "thaayam", True, {"text": ""}) for n in numbers)
    columns = "id user_id record game over luck"
    await env.store.run_write(lambda tx: _World(env).put(tx, "imports", columns, rows))
