"""What a leaderboard says. Knows no Discord library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ratings import gate
from bot.words.names import timestamp, who
from engine.phrase import capital, glued, lines, listed, plural, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from bot.ratings.boards import Board, Own, Sided
    from data.leaderboards import Standing
    from engine.phrase import Phrase
    from engine.registry import AnyGame


def board(board: Board, game: AnyGame, user_id: int) -> Phrase:
    """Return a page of the leaderboard of a game, as one of its readers sees it."""
    return lines(_board(board, game, user_id))


def _board(board: Board, game: AnyGame, user_id: int) -> Iterator[str]:
    yield say("### Leaderboard · {game}", game=game.title)
    yield glued("-# ", say("All servers") if board.everywhere else say("This server"))
    if not board.listed and not board.waiting:
        if board.page:
            yield say("This page is empty by now.")
        elif board.everywhere:
            yield say("Nobody has finished a rated match yet.")
        else:
            yield say("Nobody has finished a rated match here yet.")
    for place, standing in enumerate(board.listed, start=board.first):
        yield listed_line(place, standing, board.now)
    if board.waiting:
        yield say("**Provisional**")
    for standing in board.waiting:
        yield waiting_line(standing, board.now)
    if board.own is not None and not _shown(board, user_id):
        yield own_line(board.own, board.now)
    if board.sides:
        yield glued("-# ", balance(board.sides, game))
    yield glued("-# ", rule())


def _shown(board: Board, user_id: int) -> bool:
    return any(standing.user_id == user_id for standing in (*board.listed, *board.waiting))


def rule() -> Phrase:
    """Return what it takes to be listed."""
    return say(
        "Listed is who has {games} rated games against {opponents} different opponents, the last "
        "of them within {days} days.",
        games=gate.GAMES,
        opponents=gate.OPPONENTS,
        days=gate.LATELY.days,
    )


def figure(standing: Standing, now: datetime) -> str:
    """Return a rating as people see it: ``1612 ± 74``, with a question mark while provisional."""
    skill = gate.skill(standing, now)
    mark = "" if standing.settled else "?"
    return f"{skill.points}{mark} ± {skill.margin}"


def listed_line(place: int, standing: Standing, now: datetime) -> Phrase:
    """Return the line of a player who is listed."""
    return say(
        # Translators: a line of a leaderboard; the last three are numbers of matches.
        "{place}. {player} · **{rating}** · {won} won · {drawn} drawn · {lost} lost",
        place=place,
        player=who(standing.user_id),
        rating=figure(standing, now),
        won=standing.won,
        drawn=standing.drawn,
        lost=standing.lost,
    )


def waiting_line(standing: Standing, now: datetime) -> Phrase:
    """Return the line of a player who is not listed, with what is lacking."""
    return say(
        # Translators: a line of a leaderboard; lacking is what it takes to be listed.
        "{player} · {rating} · {won} won · {drawn} drawn · {lost} lost · lacks {lacking}",
        player=who(standing.user_id),
        rating=figure(standing, now),
        won=standing.won,
        drawn=standing.drawn,
        lost=standing.lost,
        lacking=lacking(standing, now),
    )


def own_line(own: Own, now: datetime) -> Phrase:
    """Return the reader's own line, where the page does not show it."""
    if own.place is None:
        line = waiting_line(own.standing, now)
    else:
        line = listed_line(own.place, own.standing, now)
    # Translators: the reader's own line in the leaderboard.
    return say("You: {standing}", standing=line)


def lacking(standing: Standing, now: datetime) -> Phrase:
    """Return what a player lacks to be listed."""
    lacks = []
    games, opponents = gate.games_lacking(standing), gate.opponents_lacking(standing)
    if games:
        lacks.append(plural("{n} more game", "{n} more games", games))
    if opponents:
        lacks.append(plural("{n} more opponent", "{n} more opponents", opponents))
    if not lacks or gate.idle(standing, now):
        when = timestamp(standing.last_at, "R")
        # Translators: part of a list of what a player lacks; when is such as "3 months ago".
        lacks.append(say("a recent game (the last was {when})", when=when))
    return listed(lacks)


def balance(sides: Sequence[Sided], game: AnyGame) -> Phrase:
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
