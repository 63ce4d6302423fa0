"""The words of ``/play``: the game, how long it takes, and the choices. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from bot.core.i18n.mentions import mention
from bot.core.i18n.slash import slash
from engine.phrase import glued, lines, listed, plural, say
from engine.registry import AnyGame


def panel(game: AnyGame, opponent: int | None, *, alone: bool) -> str:
    """Return the words above the controls.

    Args:
        game: the chosen one.
        opponent: the person to challenge, if already decided.
        alone: whether no other person can read this, so only the computer can be played.

    """
    return lines(_panel(game, opponent, alone=alone))


def _panel(game: AnyGame, opponent: int | None, *, alone: bool) -> Iterator[str]:
    if opponent is not None:
        yield say("### Challenge {player} to {game}", player=mention(opponent), game=game.title)
    else:
        yield glued("### ", game.title)
    yield game.summary
    yield glued("-# ", _players(game), " · ", _length(game))
    if alone:
        yield glued(
            "-# ",
            say("To play a friend, use {play} on a server you share.", play=slash("play")),
        )


def short(game: AnyGame) -> str:
    """Return a game's number of players and length, for a menu entry."""
    return lines((_players(game), _length(game)), " · ")


def _players(game: AnyGame) -> str:
    numbers = listed([str(number) for number in game.players], either=True)
    return say("{numbers} players", numbers=numbers)


def _length(game: AnyGame) -> str:
    return plural("about {n} turn each", "about {n} turns each", game.usual_turns)


def posted(opponents: list[int]) -> str:
    """Return the words that replace a challenger's controls."""
    if not opponents:
        return say("Your challenge is posted. The first to accept plays.")
    return say(
        "Your challenge to {players} is posted.",
        players=listed([mention(one) for one in opponents]),
    )
