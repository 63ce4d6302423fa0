"""The words of leaderboards."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

from ai import ratings as measurements
from bot.core.computers import LEVELS
from bot.core.i18n.mentions import computer, named, timestamp
from bot.core.i18n.slash import slash
from bot.features.leaderboards.service import LeaderboardPage
from bot.play.ratings import changes
from bot.play.ratings.skill import after_pause
from data.ratings.rating import Rating, SideRating
from engine.phrase import Phrase, capital, glued, lines, listed, plural, say
from engine.registry import AnyGame

NOBODY: Final[frozenset[int]] = frozenset()
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
"""Mark players without a rank, in the text as in the picture."""
FIRST: Final = 3
"""Players of each game shown in an overview."""


def scope(*, everywhere: bool) -> Phrase:
    """Return the name of the scope shown."""
    return say("All servers") if everywhere else say("This server")


def begin(slug: str) -> Phrase:
    """Return the command that starts a match of a game."""
    return glued("`", slash(slug, "challenge"), "`")


def heading(board: LeaderboardPage, game: AnyGame) -> Phrase:
    """Return the title of a leaderboard."""
    title = say("### Leaderboard · {game}", game=game.title)
    return lines((title, glued("-# ", scope(everywhere=board.everywhere))))


def board(
    board: LeaderboardPage, game: AnyGame, user_id: int, *, departed: Container[int] = NOBODY
) -> Iterator[str]:
    """Yield the lines of a page for one reader; their own rank is always included."""
    if not board.ranked and not board.unranked:
        empty = board.page.number > 0
        yield say("This page is empty now.") if empty else _empty(begin(game.slug), board)
    for place, rating in enumerate(board.ranked, start=board.page.start + 1):
        yield line(rating, board.now, place, departed=departed)
    if board.unranked:
        yield say("**Provisional**")
    for letter, rating in zip(LETTERS, board.unranked, strict=False):
        yield glued(f"{letter}. ", line(rating, board.now, departed=departed))
    if board.own is not None and not shows(board, user_id):
        yield "…"
        yield line(board.own.rating, board.now, board.own.rank)
    yield from _computers(computers(game.slug))
    if board.sides:
        yield glued("-# ", balance(board.sides, game))
    yield _rule()


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
            yield glued("-# ", words)


def shows(board: LeaderboardPage, user_id: int) -> bool:
    """Return whether a player is on a page."""
    return any(rating.user_id == user_id for rating in (*board.ranked, *board.unranked))


def unrated(game: AnyGame) -> Phrase:
    """Return that the reader has no rated match yet."""
    return say(
        "You have no rated {game} games yet. Start one with {command}.",
        game=game.title,
        command=begin(game.slug),
    )


def overview(
    boards: Mapping[AnyGame, LeaderboardPage], user_id: int, *, departed: Container[int] = NOBODY
) -> Iterator[str]:
    """Yield the top players and the reader for each game, from each first page."""
    first_board = next(iter(boards.values()))
    yield say("### Leaderboards")
    yield glued("-# ", scope(everywhere=first_board.everywhere))
    played = {game: board for game, board in boards.items() if board.ranked or board.unranked}
    for game, board in played.items():
        yield glued("**", game.title, "**")
        first = board.ranked[:FIRST]
        for place, rating in enumerate(first, start=1):
            yield _short(rating, board.now, departed, place)
        if not first:
            yield say("Nobody is ranked yet.")
        own = board.own
        if own is not None and all(rating.user_id != user_id for rating in first):
            yield _short(own.rating, board.now, NOBODY, own.rank)
    if not played:
        yield _empty(glued("`", slash("play"), "`"), first_board)
    elif len(played) < len(boards):
        others = listed(game.title for game in boards if game not in played)
        yield glued("-# ", say("Nobody is rated in {games} yet.", games=others))
    yield _rule()


def _empty(start: str, board: LeaderboardPage) -> Phrase:
    if board.everywhere:
        return say("No rated games yet. Start one with {command}.", command=start)
    return say("No rated games here yet. Start one with {command}.", command=start)


def _short(rating: Rating, now: datetime, departed: Container[int], place: int | None) -> Phrase:
    before = "" if place is None else f"{place}. "
    return glued(before, named(rating.user_id, departed), f" · {figure(rating, now)}")


def _rule() -> Phrase:
    words = say(
        "To be ranked: {games} rated games, {opponents} opponents, one game in the last {days} "
        "days.",
        games=changes.MIN_GAMES,
        opponents=changes.MIN_OPPONENTS,
        days=changes.MAX_PAUSE.days,
    )
    return glued("-# ", words)


def figure(rating: Rating, now: datetime) -> str:
    """Return a rating for display: ``1612 ± 74``, with a question mark while provisional."""
    skill = after_pause(rating, now)
    value = f"{skill.points} ± {skill.margin}"
    return value if rating.established else f"{value} ?"


def line(
    rating: Rating, now: datetime, place: int | None = None, *, departed: Container[int] = NOBODY
) -> Phrase:
    """Return a player's line; without a place, it says what they lack for a rank."""
    facts: dict[str, Any] = {
        "player": named(rating.user_id, departed),
        "rating": figure(rating, now),
        "won": rating.won,
        "drawn": rating.drawn,
        "lost": rating.lost,
    }
    if place is not None:
        return say(
            # Translators: a line of a leaderboard; the last three are numbers of matches.
            "{place}. {player} · **{rating}** · {won} won · {drawn} drawn · {lost} lost",
            place=place,
            **facts,
        )
    return say(
        # Translators: a line of a leaderboard; lacking is what a ranking still takes: "2 more games".
        "{player} · {rating} · {won} won · {drawn} drawn · {lost} lost · {lacking} to go",
        lacking=missing_for_rank(rating, now),
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
    return glued(name, f" · {strength.points}{margin}")


def missing_for_rank(rating: Rating, now: datetime) -> Phrase:
    """Return what a player still needs for a rank."""
    lacks = []
    if games := max(0, changes.MIN_GAMES - rating.games):
        lacks.append(plural("{n} more game", "{n} more games", games))
    if opponents := max(0, changes.MIN_OPPONENTS - rating.opponents):
        lacks.append(plural("{n} more opponent", "{n} more opponents", opponents))
    if not lacks or changes.inactive(rating, now):
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
