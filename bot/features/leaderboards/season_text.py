"""The words of seasons."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from bot.core.i18n.mentions import mention_all, named, timestamp
from bot.features.leaderboards.service import Placed, SeasonPage, Title
from bot.features.leaderboards.text import LETTERS, NOBODY, begin
from bot.play.ratings.seasons import MIN_GAMES, MIN_OPPONENTS, MIN_RANKED, Season
from bot.play.ratings.skill import Skill
from data.ratings.rating import SeasonRating
from engine import registry
from engine.phrase import Phrase, glued, lines, listed, plural, say
from engine.registry import AnyGame


def name(season: Season) -> Phrase:
    """Return the name of a season."""
    # Translators: the name of a season, a quarter of a year: "2026 Q3".
    return say("{year} Q{quarter}", year=season.year, quarter=season.quarter)


def heading(board: SeasonPage, game: AnyGame) -> Phrase:
    """Return the title of a season's table, and when the season ends."""
    title = say("### Season {season} · {game}", season=name(board.season), game=game.title)
    ends = timestamp(board.season.end, "R")
    small = say("ended {when}", when=ends) if board.over else say("ends {when}", when=ends)
    return lines((title, glued("-# ", say("This server"), " · ", small)))


def table(
    board: SeasonPage, game: AnyGame, reader: int, *, departed: Container[int] = NOBODY
) -> Iterator[str]:
    """Yield the lines of a page for one reader; their own is always included."""
    if board.champions:
        yield _champions(board.champions, departed)
    if not board.placed:
        yield _empty(board, game)
    unranked = 0
    for one in board.placed:
        if one.place is not None:
            yield _line(one, departed=departed)
            continue
        if not unranked:
            yield say("**No place yet**") if not board.over else say("**Without a place**")
        yield glued(f"{LETTERS[unranked]}. ", _line(one, departed=departed, over=board.over))
        unranked += 1
    if board.own is not None and not shows(board, reader):
        yield "…"
        yield _line(board.own, over=board.over)
    yield _rule(board)


def shows(board: SeasonPage, user_id: int) -> bool:
    """Return whether a player is on a page."""
    return any(one.rating.user_id == user_id for one in board.placed)


def absent(game: AnyGame, *, over: bool) -> Phrase:
    """Return that the reader is not in the table of a season."""
    if over:
        return say("You have no rated {game} games in that season.", game=game.title)
    return say(
        "You have no rated {game} games here this season. Start one with {command}.",
        game=game.title,
        command=begin(game.slug),
    )


def title(won: Title) -> Phrase:
    """Return a won season as a line of a profile."""
    known = registry.games().get(won.game)
    game = won.game if known is None else known.title
    # Translators: a line of a profile; season is like "2026 Q3".
    return say("Champion of **{game}**, {season}", game=game, season=name(won.season))


def _champions(champions: tuple[int, ...], departed: Container[int]) -> Phrase:
    if len(champions) == 1:
        return say("**Champion:** {player}", player=named(champions[0], departed))
    return say("**Champions:** {players}", players=mention_all(champions, departed))


def _empty(board: SeasonPage, game: AnyGame) -> Phrase:
    if board.page.number > 0:
        return say("This page is empty now.")
    if board.over:
        return say("No rated games that season.")
    return say(
        "No rated games this season yet. Start one with {command}.", command=begin(game.slug)
    )


def figure(rating: SeasonRating) -> str:
    """Return a season rating for display, with a question mark without a place."""
    skill = Skill(rating.mu, rating.sigma)
    value = f"{rating.points} ± {skill.margin}"
    return value if rating.ranked else f"{value} ?"


def _line(one: Placed, *, departed: Container[int] = NOBODY, over: bool = False) -> Phrase:
    rating = one.rating
    facts: dict[str, Any] = {
        "player": named(rating.user_id, departed),
        "rating": figure(rating),
        "won": rating.won,
        "drawn": rating.drawn,
        "lost": rating.lost,
    }
    if one.place is not None:
        return say(
            "{place}. {player} · **{rating}** · {won} won · {drawn} drawn · {lost} lost",
            place=one.place,
            **facts,
        )
    if over:
        return say(
            # Translators: a line of a season's table; the last three are numbers of matches.
            "{player} · {rating} · {won} won · {drawn} drawn · {lost} lost",
            **facts,
        )
    return say(
        "{player} · {rating} · {won} won · {drawn} drawn · {lost} lost · {lacking} to go",
        lacking=_missing_for_place(rating),
        **facts,
    )


def _missing_for_place(rating: SeasonRating) -> Phrase:
    lacks = []
    if games := max(0, MIN_GAMES - rating.games):
        lacks.append(plural("{n} more game", "{n} more games", games))
    if opponents := max(0, MIN_OPPONENTS - rating.opponents):
        lacks.append(plural("{n} more opponent", "{n} more opponents", opponents))
    return listed(lacks)


def _rule(board: SeasonPage) -> Phrase:
    place = say(
        "To get a place: {games} rated games, {opponents} opponents in the season.",
        games=MIN_GAMES,
        opponents=MIN_OPPONENTS,
    )
    if board.over and board.champions:
        return glued("-# ", place)
    least = say(
        "The season has a champion once {players} players have a place.", players=MIN_RANKED
    )
    return glued("-# ", lines((place, least), " "))
