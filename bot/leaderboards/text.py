"""What a leaderboard says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bot.i18n.mentions import named, timestamp
from bot.i18n.slash import slash
from bot.ratings import ranking
from bot.ratings.skill import after_pause
from engine.phrase import capital, glued, lines, listed, plural, say

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence
    from datetime import datetime

    from bot.leaderboards.computers import Computer
    from bot.leaderboards.service import LeaderboardPage, Ranking
    from data.rating import Rating, SideRating
    from engine.phrase import Phrase
    from engine.registry import AnyGame

NOBODY: Final[frozenset[int]] = frozenset()
FIRST: Final = 3
"""How many of each game an overview shows."""


def heading(board: LeaderboardPage, game: AnyGame) -> Phrase:
    """Return the first lines of a leaderboard: what it is."""
    place = say("All servers") if board.everywhere else say("This server")
    return lines((say("### Leaderboard · {game}", game=game.title), glued("-# ", place)))


def board(
    board: LeaderboardPage,
    game: AnyGame,
    user_id: int,
    *,
    gone: Container[int] = NOBODY,
    computers: Sequence[Computer] = (),
) -> Phrase:
    """Return a page of the leaderboard of a game, as one of its readers sees it.

    Args:
        board: the page.
        game: the game.
        user_id: the reader, whose own line is there in any case.
        gone: who has left the server.
        computers: those that play this game, and how strong they are.

    """
    return lines(_board(board, game, user_id, gone, computers))


def _board(
    board: LeaderboardPage,
    game: AnyGame,
    user_id: int,
    gone: Container[int],
    computers: Sequence[Computer],
) -> Iterator[str]:
    if not board.ranked and not board.unranked:
        yield _empty(board, game)
    for place, rating in enumerate(board.ranked, start=board.first):
        yield ranked_line(place, rating, board.now, gone)
    if board.unranked:
        yield say("**Provisional**")
    for rating in board.unranked:
        yield unranked_line(rating, board.now, gone)
    if board.own is not None and not shows(board, user_id):
        yield "…"
        yield own_line(board.own, board.now)
    if computers:
        yield say("**Computers**")
        for computer in computers:
            yield computer_line(computer)
        yield from _measured(computers)
    if board.sides:
        yield glued("-# ", balance(board.sides, game))
    yield glued("-# ", rule())


def _empty(board: LeaderboardPage, game: AnyGame) -> Phrase:
    if board.page:
        return say("This page is empty by now.")
    start = glued("`", slash(game.slug, "challenge"), "`")
    if board.everywhere:
        return say("Nobody has finished a rated match yet. {command} begins one.", command=start)
    return say("Nobody has finished a rated match here yet. {command} begins one.", command=start)


def shows(board: LeaderboardPage, user_id: int) -> bool:
    """Return whether a player is on a page."""
    return any(rating.user_id == user_id for rating in (*board.ranked, *board.unranked))


def unrated(game: AnyGame) -> Phrase:
    """Return that the reader has no rank, since they have no rated match."""
    return say(
        "You have no rated match of {game} there yet. {command} begins one.",
        game=game.title,
        command=glued("`", slash(game.slug, "challenge"), "`"),
    )


def overview(
    boards: Mapping[AnyGame, LeaderboardPage], user_id: int, *, gone: Container[int] = NOBODY
) -> Phrase:
    """Return the first of each game, with the reader's own line, and the games without any.

    Args:
        boards: the first page of each game; at least one.
        user_id: the reader.
        gone: who has left the server.

    """
    return lines(_overview(boards, user_id, gone))


def _overview(
    boards: Mapping[AnyGame, LeaderboardPage], user_id: int, gone: Container[int]
) -> Iterator[str]:
    everywhere = next(iter(boards.values())).everywhere
    yield say("### Leaderboards")
    yield glued("-# ", say("All servers") if everywhere else say("This server"))
    played = {game: board for game, board in boards.items() if board.ranked or board.unranked}
    for game, board in played.items():
        yield glued("**", game.title, "**")
        first = board.ranked[:FIRST]
        for place, rating in enumerate(first, start=1):
            yield _short(rating, board.now, gone, place)
        if not first:
            yield say("Nobody is listed yet.")
        own = board.own
        if own is not None and all(rating.user_id != user_id for rating in first):
            yield _short(own.rating, board.now, NOBODY, own.rank)
    if not played:
        start = glued("`", slash(next(iter(boards)).slug, "challenge"), "`")
        if everywhere:
            yield say("Nobody has finished a rated match yet. {command} begins one.", command=start)
        else:
            yield say(
                "Nobody has finished a rated match here yet. {command} begins one.", command=start
            )
    elif len(played) < len(boards):
        others = listed(game.title for game in boards if game not in played)
        yield glued("-# ", say("Nobody is rated yet in {games}.", games=others))
    yield glued("-# ", rule())


def _short(rating: Rating, now: datetime, gone: Container[int], place: int | None = None) -> Phrase:
    before = "" if place is None else f"{place}. "
    return glued(before, named(rating.user_id, gone), f" · {figure(rating, now)}")


def rule() -> Phrase:
    """Return what it takes to be listed."""
    return say(
        "Listed is who has {games} rated games against {opponents} different opponents, the last "
        "of them within {days} days.",
        games=ranking.MIN_GAMES,
        opponents=ranking.MIN_OPPONENTS,
        days=ranking.MAX_PAUSE.days,
    )


def figure(rating: Rating, now: datetime) -> str:
    """Return a rating as people see it: ``1612 ± 74``, with a question mark while provisional."""
    skill = after_pause(rating, now)
    told = f"{skill.points} ± {skill.margin}"
    return told if rating.established else f"{told} ?"


def ranked_line(place: int, rating: Rating, now: datetime, gone: Container[int] = NOBODY) -> Phrase:
    """Return the line of a ranked player."""
    return say(
        # Translators: a line of a leaderboard; the last three are numbers of matches.
        "{place}. {player} · **{rating}** · {won} won · {drawn} drawn · {lost} lost",
        place=place,
        **_facts(rating, now, gone),
    )


def unranked_line(rating: Rating, now: datetime, gone: Container[int] = NOBODY) -> Phrase:
    """Return the line of an unranked player, with what a rank still takes."""
    return say(
        # Translators: a line of a leaderboard; lacking is what it takes to be listed.
        "{player} · {rating} · {won} won · {drawn} drawn · {lost} lost · lacks {lacking}",
        lacking=lacking(rating, now),
        **_facts(rating, now, gone),
    )


def _facts(rating: Rating, now: datetime, gone: Container[int]) -> dict[str, Any]:
    return {
        "player": named(rating.user_id, gone),
        "rating": figure(rating, now),
        "won": rating.won,
        "drawn": rating.drawn,
        "lost": rating.lost,
    }


def own_line(own: Ranking, now: datetime) -> Phrase:
    """Return the reader's own line, where the page does not show it."""
    if own.rank is None:
        return unranked_line(own.rating, now)
    return ranked_line(own.rank, own.rating, now)


def computer_line(computer: Computer) -> Phrase:
    """Return the line of a computer, whose strength was measured once, or set."""
    margin = f" ± {computer.margin}" if computer.margin else ""
    return glued(computer.name, f" · {computer.points}{margin}")


def _measured(computers: Sequence[Computer]) -> Iterator[Phrase]:
    """Yield what ratings of computers go by: one of them is set, the others measured against it."""
    for one in computers:
        if not one.margin:
            yield glued(
                "-# ",
                say(
                    "Measured against each other: {computer} is put at {points}. How they compare "
                    "with people is not known.",
                    computer=one.name,
                    points=one.points,
                ),
            )


def lacking(rating: Rating, now: datetime) -> Phrase:
    """Return what a player lacks to be listed."""
    lacks = []
    games, opponents = ranking.games_needed(rating), ranking.opponents_needed(rating)
    if games:
        lacks.append(plural("{n} more game", "{n} more games", games))
    if opponents:
        lacks.append(plural("{n} more opponent", "{n} more opponents", opponents))
    if not lacks or ranking.inactive(rating, now):
        when = timestamp(rating.last_at, "R")
        # Translators: part of a list of what a player lacks; when is such as "3 months ago".
        lacks.append(say("a recent game (the last was {when})", when=when))
    return listed(lacks)


def balance(sides: Sequence[SideRating], game: AnyGame) -> Phrase:
    """Return how often each side has won."""
    games = sides[0].games
    drawn = sides[0].drawn
    won = listed(
        # Translators: one side of a game and how many games it has won: "White 12".
        say("{side} {won}", side=capital(game.seat_names[side.seat]), won=side.won)
        for side in sides
    )
    return plural(
        "Sides in {n} rated game: won by {sides}, drawn {drawn}.",
        "Sides in {n} rated games: won by {sides}, drawn {drawn}.",
        games,
        sides=won,
        drawn=drawn,
    )
