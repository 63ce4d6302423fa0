"""The words of leaderboards."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from ai import ratings as measurements
from bot.core.computers import LEVELS
from bot.core.i18n.mentions import computer, mention, mention_all, slash, timestamp
from bot.features.leaderboards.service import AnyStanding, LeaderboardPage, Title
from bot.play.ratings import seasons, skill
from bot.play.ratings.seasons import Season
from data.ratings.rating import Rating, SideRating
from engine import registry
from engine.phrase import Phrase, capital, concat, lines, listed, plural, say
from engine.registry import AnyGame

NOBODY: Final[frozenset[int]] = frozenset()
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
"""Mark players without a rank, in the text as in the picture."""
FIRST: Final = 3
"""Players of each game shown in an overview."""


def signs(shown: Iterable[AnyStanding]) -> Iterator[Phrase]:
    """Explain the signs of the ratings shown, of those that are there, by one of them."""
    ratings = sorted(shown, key=lambda one: one.provisional)
    if not ratings:
        return
    points, margin = ratings[0].skill.points, ratings[0].skill.margin
    example = {
        "rating": f"{points} ± {margin}",
        "least": points - margin,
        "most": points + margin,
    }
    if ratings[-1].provisional:
        yield say(
            "-# {rating}: most likely from {least} to {most}. With a question mark: a first guess, "
            "after few games.",
            **example,
        )
    else:
        yield say("-# {rating}: most likely from {least} to {most}.", **example)


def scope(*, everywhere: bool) -> Phrase:
    """Return the name of the scope shown."""
    return say("All servers") if everywhere else say("This server")


def begin(slug: str) -> Phrase:
    """Return the command that starts a match of a game."""
    return concat("`", slash(slug, "challenge"), "`")


def season_name(season: Season) -> Phrase:
    """Return the name of a season."""
    # Translators: the name of a season, a quarter of a year: "2026 Q3".
    return say("{year} Q{quarter}", year=season.year, quarter=season.quarter)


def season_title(won: Title) -> Phrase:
    """Return a won season as a line of a profile."""
    game = registry.title(won.game)
    # Translators: a line of a profile; season is like "2026 Q3".
    return say("Champion of **{game}**, {season}", game=game, season=season_name(won.season))


def heading(board: LeaderboardPage, game: AnyGame) -> Phrase:
    """Return the title of a leaderboard, and when its season ends."""
    if board.season is None:
        title = say("### Leaderboard · {game}", game=game.title)
        return lines((title, concat("-# ", scope(everywhere=board.everywhere))))
    title = say("### Season {season} · {game}", season=season_name(board.season), game=game.title)
    ends = timestamp(board.season.end, "R")
    small = say("ended {when}", when=ends) if board.over else say("ends {when}", when=ends)
    return lines((title, concat("-# ", say("This server"), " · ", small)))


def table(
    board: LeaderboardPage, game: AnyGame, reader: int, *, departed: Container[int] = NOBODY
) -> Iterator[str]:
    """Yield the lines of a page for one reader; their own is always included."""
    yield from _champions(board.champions, departed)
    if not board.standings:
        yield _empty(begin(game.slug), board)
    ranked = [one for one in board.standings if one.rank is not None]
    unranked = board.standings[len(ranked) :]
    for one in ranked:
        yield line(one, departed=departed)
    if unranked and board.season is None:
        yield say("**Provisional**")
    elif unranked:
        yield say("**Without a place**") if board.over else say("**No place yet**")
    for letter, one in zip(LETTERS, unranked, strict=False):
        yield concat(f"{letter}. ", line(one, departed=departed, over=board.over))
    if board.own is not None and not board.shows(reader):
        yield "…"
        yield line(board.own, over=board.over)
    if board.season is None:
        yield from _computers(computers(game.slug))
        if board.sides:
            yield concat("-# ", balance(board.sides, game))
        yield from _rule((*board.standings, *([board.own] if board.own else [])))
    else:
        yield _season_rule(board)


def _champions(champions: Sequence[int], departed: Container[int]) -> Iterator[Phrase]:
    if len(champions) == 1:
        yield say("**Champion:** {player}", player=mention(champions[0], departed))
    elif champions:
        yield say("**Champions:** {players}", players=mention_all(champions, departed))


def _computers(measured: Sequence[tuple[str, measurements.Rating]]) -> Iterator[Phrase]:
    if measured:
        yield say("**Computers**")
    for name, strength in measured:
        yield computer_line(name, strength)
    for name, strength in measured:
        if not strength.margin:
            words = say(
                "Computer ratings are relative ({computer} = {points}).",
                computer=name,
                points=strength.points,
            )
            yield concat("-# ", words)


def absent(game: AnyGame, season: Season | None, *, over: bool) -> Phrase:
    """Return that the reader has no rated match yet, or none in a season."""
    if over:
        return say("You have no rated {game} games in that season.", game=game.title)
    facts = {"game": game.title, "command": begin(game.slug)}
    if season is not None:
        return say(
            "You have no rated {game} games here this season. Start one with {command}.", **facts
        )
    return say("You have no rated {game} games yet. Start one with {command}.", **facts)


def overview(
    boards: Mapping[AnyGame, LeaderboardPage], user_id: int, *, departed: Container[int] = NOBODY
) -> Iterator[str]:
    """Yield the top players and the reader for each game, from each first page."""
    first_board = next(iter(boards.values()))
    yield say("### Leaderboards")
    yield concat("-# ", scope(everywhere=first_board.everywhere))
    played = {game: board for game, board in boards.items() if board.standings}
    for game, board in played.items():
        yield concat("**", game.title, "**")
        first = best(board)
        yield from (_short(one, departed) for one in first)
        if not first:
            yield say("Nobody is ranked yet.")
        if board.own is not None and all(one.rating.user_id != user_id for one in first):
            yield _short(board.own, NOBODY)
    if not played:
        yield _empty(concat("`", slash("play"), "`"), first_board)
    elif len(played) < len(boards):
        others = listed(game.title for game in boards if game not in played)
        yield concat("-# ", say("Nobody is rated in {games} yet.", games=others))
    mine = (board.own for board in played.values() if board.own is not None)
    yield from _rule((*mine, *(one for board in played.values() for one in best(board))))


def best(board: LeaderboardPage) -> Sequence[AnyStanding]:
    """Return the players of a first page that an overview shows."""
    return [one for one in board.standings[:FIRST] if one.rank is not None]


def _empty(start: str, board: LeaderboardPage) -> Phrase:
    if board.page.number > 0:
        return say("This page is empty now.")
    if board.over:
        return say("No rated games that season.")
    if board.season is not None:
        return say("No rated games this season yet. Start one with {command}.", command=start)
    if board.everywhere:
        return say("No rated games yet. Start one with {command}.", command=start)
    return say("No rated games here yet. Start one with {command}.", command=start)


def _short(one: AnyStanding, departed: Container[int]) -> Phrase:
    before = "" if one.rank is None else f"{one.rank}. "
    return concat(before, mention(one.rating.user_id, departed), f" · {figure(one)}")


def _rule(shown: Iterable[AnyStanding]) -> Iterator[Phrase]:
    words = say(
        "To be ranked: {games} rated games, {opponents} opponents, one game in the last {days} "
        "days.",
        games=skill.MIN_GAMES,
        opponents=skill.MIN_OPPONENTS,
        days=skill.MAX_PAUSE.days,
    )
    yield concat("-# ", words)
    yield from signs(shown)


def _season_rule(board: LeaderboardPage) -> Phrase:
    place = say(
        "To get a place: {games} rated games, {opponents} opponents in the season.",
        games=seasons.MIN_GAMES,
        opponents=seasons.MIN_OPPONENTS,
    )
    if board.champions:
        return concat("-# ", place)
    least = say(
        "The season has a champion once {players} players have a place.", players=seasons.MIN_RANKED
    )
    return concat("-# ", lines((place, least), " "))


def figure(one: AnyStanding) -> str:
    """Return a rating for display: ``1612 ± 74``, with a question mark while provisional."""
    value = f"{one.skill.points} ± {one.skill.margin}"
    return f"{value} ?" if one.provisional else value


def line(one: AnyStanding, *, departed: Container[int] = NOBODY, over: bool = False) -> Phrase:
    """Return a player's line; without a rank, it says what they lack for one unless it is over."""
    rating = one.rating
    facts: dict[str, Any] = {
        "player": mention(rating.user_id, departed),
        "rating": figure(one),
        "won": rating.won,
        "drawn": rating.drawn,
        "lost": rating.lost,
    }
    if one.rank is not None:
        return say(
            # Translators: a line of a leaderboard; the last three are numbers of matches.
            "{place}. {player} · **{rating}** · {won} won · {drawn} drawn · {lost} lost",
            place=one.rank,
            **facts,
        )
    if over:
        return say(
            # Translators: a line of a season's table; the last three are numbers of matches.
            "{player} · {rating} · {won} won · {drawn} drawn · {lost} lost",
            **facts,
        )
    return say(
        # Translators: a line of a leaderboard; lacking is what a ranking still takes: "2 more games".
        "{player} · {rating} · {won} won · {drawn} drawn · {lost} lost · {lacking} to go",
        lacking=missing_for_rank(one),
        **facts,
    )


@cache
def computers(slug: str) -> tuple[tuple[str, measurements.Rating], ...]:
    """Return a game's computer opponents with their measured ratings, strongest first."""
    rated = measurements.measured(slug)
    levels = [level for level in reversed(LEVELS) if str(level) in rated]
    return tuple((computer(level), rated[str(level)]) for level in levels)


def computer_line(name: str, strength: measurements.Rating) -> Phrase:
    """Return a computer's line; the level that sets the scale has no margin."""
    margin = f" ± {strength.margin}" if strength.margin else ""
    return concat(name, f" · {strength.points}{margin}")


def missing_for_rank(one: AnyStanding) -> Phrase:
    """Return what a player still needs for a rank."""
    rating, least = one.rating, skill if isinstance(one.rating, Rating) else seasons
    lacks = []
    if games := max(0, least.MIN_GAMES - rating.games):
        lacks.append(plural("{n} more game", "{n} more games", games))
    if opponents := max(0, least.MIN_OPPONENTS - rating.opponents):
        lacks.append(plural("{n} more opponent", "{n} more opponents", opponents))
    if isinstance(rating, Rating) and (one.idle or not lacks):
        when = timestamp(rating.last_at, "R")
        # Translators: an item in a list of what a player still needs; when is like "3 months ago".
        lacks.append(say("a recent game (last one {when})", when=when))
    return listed(lacks)


def balance(sides: Sequence[SideRating], game: AnyGame) -> Phrase:
    """Return how often each side has won."""
    won = listed(
        # Translators: a side in a game, and the number of games it has won: "White 12".
        say("{side} {won}", side=capital(game.seat_names[side.seat]), won=side.won)
        for side in sides
    )
    return plural(
        "Wins by side in {n} rated game: {sides}, {drawn} drawn.",
        "Wins by side in {n} rated games: {sides}, {drawn} drawn.",
        sides[0].games,
        sides=won,
        drawn=sides[0].drawn,
    )
