"""Profiles of players and the rivalries of two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, NamedTuple, TypeAlias

from bot.core.hooks import milestones_of, places_of
from bot.core.scheduling.scheduler import WallClock
from bot.features.leaderboards.service import Standing, Title, read_standing, titles
from bot.play.matches.jobs import board_link
from bot.play.ratings.skill import after_pause, expected_score
from data.matches import matches
from data.matches.match import Match
from data.ratings import rating_changes, ratings, results, scores
from data.ratings.rating import EVERYWHERE, Rating, RatingChange, Result
from data.store.store import Store, Transaction
from engine import registry
from engine.phrase import Phrase

MAX_RIVALS: Final = 5
MAX_LATEST: Final = 5
MAX_LOOKED_AT: Final = 50
"""Latest matches searched for ones the reader may see."""
MAX_TITLES: Final = 5
MAX_POINTS: Final = 200
"""The maximum number of points in a chart of ratings."""
MAX_MEETINGS: Final = 100
"""Latest matches of two players that count for sides and streak."""


Outcome: TypeAlias = Literal["won", "drawn", "lost"]


class Score(NamedTuple):
    """Games won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self)

    @classmethod
    def total(cls, scores: Iterable[Score]) -> Score:
        """Return the sum of several scores."""
        return cls(*map(sum, zip(cls(), *scores, strict=True)))


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A finished match, from the view of one of its players."""

    match: Match
    outcome: Outcome
    """Against ``rival``, or else against all others."""
    opponents: tuple[int, ...]
    at: datetime
    link: str | None
    """The address of its final board."""
    winners: tuple[int, ...]
    """Those who came first."""
    rival: int | None = None
    """The opponent of a head to head."""


@dataclass(frozen=True, slots=True)
class GameProfile:
    """A player's record in one game."""

    slug: str
    sides: tuple[tuple[int, Score], ...]
    """By seat; only seats they have played."""
    seconds_per_move: float | None
    standing: Standing[Rating] | None
    """``None`` without a rated game."""

    @property
    def score(self) -> Score:
        """The score on all sides together."""
        return Score.total(score for _, score in self.sides)


@dataclass(frozen=True, slots=True)
class Profile:
    """A player's profile in one server, or over all of them."""

    user_id: int
    everywhere: bool
    whole: bool
    """Whether opponents are shown; across all servers, only players themselves see theirs."""
    games: tuple[GameProfile, ...]
    """Most played first."""
    chosen: GameProfile | None
    """The one shown in detail."""
    history: tuple[RatingChange, ...]
    """Of the chosen game, oldest first."""
    rivals: tuple[tuple[int, Score], ...]
    """The opponents met most."""
    latest: tuple[EndedMatch, ...]
    """Newest first."""
    titles: tuple[Title, ...] = ()
    """Seasons they won, newest first."""
    places: tuple[Phrase, ...] = ()
    """Lines about their places in tournaments and on ladders that its readers may see."""
    milestones: tuple[tuple[Match, Phrase], ...] = ()
    """Lines about single matches, newest first."""

    @property
    def people(self) -> frozenset[int]:
        """Everyone named in it."""
        opponents = (user_id for ended in self.latest for user_id in ended.opponents)
        return frozenset((self.user_id, *(user_id for user_id, _ in self.rivals), *opponents))


@dataclass(frozen=True, slots=True)
class Rivalry:
    """The matches of two players, from the view of the first."""

    one: int
    other: int
    everywhere: bool
    game: str | None
    """``None`` for all games together."""
    games: tuple[tuple[str, Score], ...]
    """Most played first."""
    sides: tuple[tuple[str, int, Score], ...]
    """By game and seat of the first player, counted over the latest of their matches."""
    only_last: int | None
    """How many matches ``sides`` covers; ``None`` for all of them."""
    streak: int
    """Matches in a row the first player came out ahead, up to now; negative for the other."""
    latest: tuple[EndedMatch, ...]
    """Newest first."""
    crowded: bool
    """Whether others played along in any of their latest matches."""
    expected: tuple[tuple[str, int], ...]
    """By game, the expected score of the first player in percent."""

    @property
    def people(self) -> frozenset[int]:
        """Everyone named in it."""
        opponents = (user_id for ended in self.latest for user_id in ended.opponents)
        return frozenset((self.one, self.other, *opponents))

    @property
    def score(self) -> Score:
        """The score of the first player."""
        return Score.total(score for _, score in self.games)


@dataclass(eq=False, repr=False)
class Profiles:
    """The profiles in a store."""

    store: Store
    clock: WallClock

    async def read(
        self,
        user_id: int,
        guild_id: int | None,
        *,
        game: str | None = None,
        whole: bool,
        seen: Callable[[int], bool] = lambda _: True,
    ) -> Profile | None:
        """Return a player's profile in a server or over all; ``None`` without a finished match.

        One game is detailed, by default the most played. Only a whole profile has opponents and
        single matches. ``seen`` says whether its readers can see a channel.
        """
        scope = guild_id or EVERYWHERE
        now = self.clock()
        async with self.store.read() as tx:
            games = await _games(tx, scope, user_id, now)
            if not games:
                return None
            chosen = games[0] if game is None else next((g for g in games if g.slug == game), None)
            history: tuple[RatingChange, ...] = ()
            if chosen is not None:
                history = await rating_changes.history(tx, scope, chosen.slug, user_id, MAX_POINTS)
            rivals = await _rivals(tx, scope, user_id) if whole else ()
            found = await results.latest(tx, scope, user_id, MAX_LATEST) if whole else ()
            latest = [await _ended(tx, one, user_id) for one in found]
            won: tuple[Title, ...] = ()
            places: list[Phrase] = []
            done: tuple[tuple[Match, Phrase], ...] = ()
            # Where people play elsewhere is their own affair.
            if whole or guild_id is not None:
                won = await titles(tx, guild_id, user_id, now=now, limit=MAX_TITLES)
                for lines_of in places_of:
                    places += await lines_of(tx, user_id, guild_id, seen)
                done = await _milestones(tx, user_id, guild_id)
        return Profile(
            user_id=user_id,
            everywhere=guild_id is None,
            whole=whole,
            games=games,
            chosen=chosen,
            history=history,
            rivals=rivals,
            latest=tuple(latest),
            titles=won,
            places=tuple(places),
            milestones=done,
        )

    async def milestones(
        self, user_id: int, guild_id: int | None
    ) -> tuple[tuple[Match, Phrase], ...]:
        """Return all milestones a player reached in a server or anywhere, newest first."""
        async with self.store.read() as tx:
            return await _milestones(tx, user_id, guild_id)

    async def earlier(
        self,
        known: Sequence[EndedMatch],
        user_id: int,
        guild_id: int | None,
        rival: int | None = None,
        *,
        game: str | None = None,
    ) -> tuple[EndedMatch, ...]:
        """Return a player's earlier matches, all or those with a rival, to replace hidden ones."""
        scope, numbers = guild_id or EVERYWHERE, {one.match.id for one in known}
        async with self.store.read() as tx:
            if rival is None:
                found = await results.latest(tx, scope, user_id, MAX_LOOKED_AT)
            else:
                found = await results.meetings(tx, scope, user_id, rival, MAX_LOOKED_AT, game=game)
            new = [result for result in found if result.match_id not in numbers]
            return tuple([await _ended(tx, result, user_id, rival) for result in new])

    async def rivalry(
        self, one: int, other: int, guild_id: int | None, *, game: str | None = None
    ) -> Rivalry | None:
        """Return a player's record against another, ``None`` if they have not met.

        It covers one server or all, and one game or all.
        """
        scope = guild_id or EVERYWHERE
        async with self.store.read() as tx:
            games = [
                (row.game, Score(row.won, row.drawn, row.lost))
                for row in await scores.head_to_head(tx, scope, one, other)
                if game in {None, row.game}
            ]
            if not games:
                return None
            games.sort(key=lambda found: (-found[1].games, found[0]))
            met = await results.meetings(tx, scope, one, other, MAX_MEETINGS, game=game)
            latest = [await _ended(tx, result, one, other) for result in met[:MAX_LATEST]]
            slugs = [slug for slug, _ in games]
            expected = await _expected(tx, scope, (one, other), slugs, self.clock())
        played = sum(score.games for _, score in games)
        return Rivalry(
            one=one,
            other=other,
            everywhere=guild_id is None,
            game=game,
            games=tuple(games),
            sides=_sides(met, one, other, alone=len(games) == 1),
            only_last=MAX_MEETINGS if played > MAX_MEETINGS else None,
            streak=_streak([_outcome(result, one, other) for result in met]),
            latest=tuple(latest),
            crowded=any(len(result.players) > 2 for result in met),
            expected=expected,
        )


async def _games(
    tx: Transaction, scope: int, user_id: int, now: datetime
) -> tuple[GameProfile, ...]:
    by_game: defaultdict[str, list[scores.SideScore]] = defaultdict(list)
    for row in await scores.of_player(tx, scope, user_id):
        by_game[row.game].append(row)
    found = []
    for slug, rows in by_game.items():
        moves = sum(row.moves for row in rows)
        found.append(
            GameProfile(
                slug=slug,
                sides=tuple((row.seat, Score(row.won, row.drawn, row.lost)) for row in rows),
                seconds_per_move=sum(row.seconds for row in rows) / moves if moves else None,
                standing=await read_standing(tx, scope, slug, user_id, now),
            )
        )
    return tuple(sorted(found, key=lambda game: (-game.score.games, game.slug)))


async def _rivals(tx: Transaction, scope: int, user_id: int) -> tuple[tuple[int, Score], ...]:
    by_rival: defaultdict[int, list[Score]] = defaultdict(list)
    for row in await scores.most_met(tx, scope, user_id, MAX_RIVALS):
        by_rival[row.rival_id].append(Score(row.won, row.drawn, row.lost))
    return tuple((rival, Score.total(found)) for rival, found in by_rival.items())


async def _milestones(
    tx: Transaction, user_id: int, guild_id: int | None
) -> tuple[tuple[Match, Phrase], ...]:
    return tuple([one for found in milestones_of for one in await found(tx, user_id, guild_id)])


async def _ended(
    tx: Transaction, result: Result, user_id: int, other: int | None = None
) -> EndedMatch:
    """Return a match from a player's view: against all others, or one of them."""
    match = await matches.get_existing(tx, result.match_id)
    return EndedMatch(
        match=match,
        outcome=_outcome(result, user_id, other),
        opponents=tuple(p.user_id for p in result.players if p.user_id != user_id),
        at=result.at,
        link=await board_link(tx, match),
        winners=tuple(p.user_id for p in result.players if p.rank == 1),
        rival=other,
    )


def _outcome(result: Result, user_id: int, other: int | None = None) -> Outcome:
    """Return a match's outcome for a player, against one opponent or all of them."""
    ranks = {player.user_id: player.rank for player in result.players}
    mine = ranks.pop(user_id)
    theirs = min(ranks.values()) if other is None else ranks[other]
    if mine == theirs:
        return "drawn"
    return "won" if mine < theirs else "lost"


def _streak(outcomes: Iterable[Outcome]) -> int:
    """Return how many of the newest outcomes in a row are wins; negative for losses."""
    run = 0
    for outcome in outcomes:
        step = {"won": 1, "drawn": 0, "lost": -1}[outcome]
        if step == 0 or step * run < 0:
            break
        run += step
    return run


def _sides(
    met: Sequence[Result], one: int, other: int, *, alone: bool
) -> tuple[tuple[str, int, Score], ...]:
    """Return scores by side: for a single game, or for games with unequal sides."""
    counted: defaultdict[tuple[str, int], list[Score]] = defaultdict(list)
    for result in met:
        game = registry.games().get(result.game)
        if game is None or not (alone or game.unequal_sides):
            continue
        seat = next(player.seat for player in result.players if player.user_id == one)
        outcome = _outcome(result, one, other)
        counted[result.game, seat].append(
            Score(outcome == "won", outcome == "drawn", outcome == "lost")
        )
    return tuple((slug, seat, Score.total(rows)) for (slug, seat), rows in sorted(counted.items()))


async def _expected(
    tx: Transaction, scope: int, pair: tuple[int, int], games: Iterable[str], now: datetime
) -> tuple[tuple[str, int], ...]:
    found = []
    for slug in games:
        mine, theirs = [await ratings.get(tx, slug, scope, user_id) for user_id in pair]
        if mine is not None and theirs is not None:
            score = expected_score(after_pause(mine, now), after_pause(theirs, now))
            found.append((slug, round(100 * score)))
    return tuple(found)
