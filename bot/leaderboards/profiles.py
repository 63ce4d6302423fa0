"""Reading what is told of a player, and of two who have met."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from bot.leaderboards.profile import Ended, Game, Moment, Profile, Rated, Record, Rivalry
from bot.matches.text import message_link
from bot.ratings import gate
from bot.ratings.book import EVERYWHERE
from bot.ratings.mathematics import Skill, expected
from data import boards, crowd, leaderboards, profiles
from engine import registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from bot.leaderboards.profile import Outcome
    from bot.scheduling.wall_clock import Clock
    from data.profiles import Played
    from data.store import Store, Transaction

MOST_RIVALS: Final = 5
MOST_LATEST: Final = 5
MOST_MOMENTS: Final = 200
"""How many points a plot of ratings has at most."""
MOST_MEETINGS: Final = 100
"""How many of the last matches between two are looked at for their sides and streak."""


class Profiles:
    """The profiles in the store."""

    def __init__(self, store: Store, *, clock: Clock) -> None:
        """Read a store, with the time of day from ``clock``."""
        self._store = store
        self._clock = clock

    async def read(
        self, user_id: int, guild_id: int | None, *, game: str | None = None, whole: bool
    ) -> Profile | None:
        """Return the profile of a player, ``None`` where no match of theirs has ended.

        Args:
            user_id: the player.
            guild_id: the server that it is about; ``None`` for all of them together.
            game: the one of which more is told; without it the one that they play most.
            whole: whether opponents and single matches are told.

        """
        scope = EVERYWHERE if guild_id is None else guild_id
        now = self._clock()
        async with self._store.read() as tx:
            games = await _games(tx, scope, user_id, now)
            if not games:
                return None
            chosen = _chosen(games, game)
            history: tuple[Moment, ...] = ()
            if chosen is not None and chosen.rated is not None:
                history = await _history(tx, scope, chosen, user_id)
            rivals: tuple[tuple[int, Record], ...] = ()
            latest: tuple[Ended, ...] = ()
            if whole:
                rivals = await _rivals(tx, scope, user_id)
                played = await profiles.latest(tx, scope, user_id, MOST_LATEST)
                latest = tuple([await _ended(tx, one, user_id) for one in played])
        return Profile(
            user_id=user_id,
            everywhere=guild_id is None,
            whole=whole,
            games=games,
            chosen=chosen,
            history=history,
            rivals=rivals,
            latest=latest,
            now=now,
        )

    async def rivalry(
        self, one: int, other: int, guild_id: int | None, *, game: str | None = None
    ) -> Rivalry | None:
        """Return how two players stand against each other, ``None`` where they have not met.

        Args:
            one: the player from whose side it is told.
            other: the other one.
            guild_id: the server that it is about; ``None`` for all of them together.
            game: one game; ``None`` for all of them.

        """
        scope = EVERYWHERE if guild_id is None else guild_id
        async with self._store.read() as tx:
            rows = await profiles.head_to_head(tx, scope, one, other)
            games = [
                (row.game, Record(row.won, row.drawn, row.lost))
                for row in rows
                if game in {None, row.game}
            ]
            played = sum(record.games for _, record in games)
            if not played:
                return None
            games.sort(key=lambda found: (-found[1].games, found[0]))
            met = await profiles.meetings(tx, scope, one, other, MOST_MEETINGS, game=game)
            latest = [await _ended(tx, played, one, other) for played in met[:MOST_LATEST]]
            slugs = [slug for slug, _ in games]
            chances = await _chances(tx, scope, (one, other), slugs, self._clock())
        return Rivalry(
            one=one,
            other=other,
            everywhere=guild_id is None,
            game=game,
            games=tuple(games),
            sides=_sides(met, one, other, alone=len(games) == 1),
            only_last=MOST_MEETINGS if played > MOST_MEETINGS else None,
            streak=_streak([_against(played, one, other) for played in met]),
            latest=tuple(latest),
            expected=chances,
        )


async def _games(tx: Transaction, scope: int, user_id: int, now: datetime) -> tuple[Game, ...]:
    by_game: defaultdict[str, list[profiles.Record]] = defaultdict(list)
    for row in await profiles.records(tx, scope, user_id):
        if row.won + row.drawn + row.lost:
            by_game[row.game].append(row)
    found = []
    for slug, rows in by_game.items():
        moves, seconds = sum(row.moves for row in rows), sum(row.seconds for row in rows)
        sides = tuple((row.seat, Record(row.won, row.drawn, row.lost)) for row in rows)
        found.append(
            Game(
                slug=slug,
                record=Record.total(record for _, record in sides),
                sides=sides,
                pace=seconds / moves if moves else None,
                rated=await _rated(tx, scope, slug, user_id, now),
            )
        )
    return tuple(sorted(found, key=lambda game: (-game.record.games, game.slug)))


async def _rated(
    tx: Transaction, scope: int, slug: str, user_id: int, now: datetime
) -> Rated | None:
    standing = await leaderboards.own(tx, scope, slug, user_id)
    if standing is None:
        return None
    since = gate.since(now)
    if not standing.settled or standing.last_at < since:
        return Rated(standing, None, 0)
    many = await crowd.read(tx, scope, slug, crowd.day(since))
    place = await leaderboards.place(tx, scope, slug, standing, many, since=since)
    return Rated(standing, place, 0 if place is None else many.number)


def _chosen(games: Sequence[Game], wanted: str | None) -> Game | None:
    if wanted is None:
        return games[0]
    return next((game for game in games if game.slug == wanted), None)


async def _history(tx: Transaction, scope: int, game: Game, user_id: int) -> tuple[Moment, ...]:
    points = await profiles.history(tx, scope, game.slug, user_id, MOST_MOMENTS)
    settled = game.rated is not None and game.rated.standing.settled
    return tuple(
        Moment(
            at=point.at,
            skill=Skill(point.mu, point.sigma),
            provisional=not settled or point.games < gate.GAMES,
        )
        for point in points
    )


async def _rivals(tx: Transaction, scope: int, user_id: int) -> tuple[tuple[int, Record], ...]:
    by_rival: defaultdict[int, list[Record]] = defaultdict(list)
    for row in await profiles.rivals(tx, scope, user_id, MOST_RIVALS):
        by_rival[row.user_id].append(Record(row.won, row.drawn, row.lost))
    found = [(rival, Record.total(records)) for rival, records in by_rival.items()]
    found.sort(key=lambda pair: (-pair[1].games, pair[0]))
    return tuple(found[:MOST_RIVALS])


async def _ended(tx: Transaction, played: Played, user_id: int, other: int | None = None) -> Ended:
    """Return a match as a player tells it: against everybody, or against one of them."""
    shown = await boards.latest(tx, played.match_id)
    link = None
    if shown is not None:
        link = message_link(played.guild_id, shown.channel_id, shown.message_id)
    return Ended(
        match_id=played.match_id,
        game=played.game,
        outcome=_outcome(played, user_id) if other is None else _against(played, user_id, other),
        against=tuple(p.user_id for p in played.players if p.user_id != user_id),
        at=played.at,
        link=link,
    )


def _rank(played: Played, user_id: int) -> int:
    return next(place.rank for place in played.players if place.user_id == user_id)


def _outcome(played: Played, user_id: int) -> Outcome:
    """Return how a match ended for a player: who shares the first place has drawn."""
    rank = _rank(played, user_id)
    if rank != 1:
        return "lost"
    return "drawn" if sum(place.rank == 1 for place in played.players) > 1 else "won"


def _against(played: Played, one: int, other: int) -> Outcome:
    """Return how a match ended for one player against another."""
    mine, theirs = _rank(played, one), _rank(played, other)
    if mine == theirs:
        return "drawn"
    return "won" if mine < theirs else "lost"


def _streak(outcomes: Iterable[Outcome]) -> int:
    """Return how many of the newest outcomes are won in a row; below 0: lost."""
    run = 0
    for outcome in outcomes:
        step = {"won": 1, "drawn": 0, "lost": -1}[outcome]
        if step == 0 or step * run < 0:
            break
        run += step
    return run


def _sides(
    met: Iterable[Played], one: int, other: int, *, alone: bool
) -> tuple[tuple[str, int, Record], ...]:
    """Return what came of each side: of a game alone, else where the sides are unequal."""
    counted: defaultdict[tuple[str, int], list[Record]] = defaultdict(list)
    for played in met:
        game = registry.games().get(played.game)
        if game is None or not (alone or game.unequal_sides):
            continue
        seat = next(place.seat for place in played.players if place.user_id == one)
        outcome = _against(played, one, other)
        counted[played.game, seat].append(
            Record(outcome == "won", outcome == "drawn", outcome == "lost")
        )
    return tuple(
        (slug, seat, Record.total(records)) for (slug, seat), records in sorted(counted.items())
    )


async def _chances(
    tx: Transaction, scope: int, pair: tuple[int, int], games: Iterable[str], now: datetime
) -> tuple[tuple[str, int], ...]:
    found = []
    for slug in games:
        mine, theirs = [await leaderboards.own(tx, scope, slug, user_id) for user_id in pair]
        if mine is not None and theirs is not None:
            share = expected(gate.skill(mine, now), gate.skill(theirs, now))
            found.append((slug, round(100 * share)))
    return tuple(found)
