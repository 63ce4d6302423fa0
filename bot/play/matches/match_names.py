"""What matches are called by the names of their players, where people cannot be mentioned.

A thread is named by its people, or by who won, then by its game and number; computers come last, as
a list of threads shows only the beginning. An entry of a menu adds the opponents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Final

from bot.core.computers import is_computer, is_person, place_of
from bot.core.i18n.mentions import mention
from bot.core.interactions.layout import say_in
from bot.play.matches import endings, match_text
from bot.play.matches.positions import Position
from data.matches.match import Match
from engine.phrase import Tongue, concat, lines, listed, plural, say

_MAX: Final = 100
"""Discord's limit, in characters."""
_SHORTER: Final = (32, 20, 12, 7)
"""Characters kept of each player's name, tried in turn while the name is too long."""


def of_thread(position: Position, people: Mapping[int, str], locale: Tongue) -> str:
    """Return the name of a match's thread; it has no players unless all ``people`` are known."""
    users = [player.user_id for player in position.match.players]
    if not set(filter(is_person, users)) <= people.keys():
        return say_in(locale, match_text.named(position), _MAX)
    names, name = _all(users, people), ""
    for most in _SHORTER:
        short = {user_id: _cut(one, most, locale) for user_id, one in names.items()}
        name = say_in(locale, title(position, short), 10 * _MAX)
        if len(name) <= _MAX:
            break
    return name[:_MAX]


def opponents(match: Match, user_id: int, people: Mapping[int, str]) -> str:
    """Return who a user plays against; nothing unless all ``people`` are known."""
    users = [one for one in in_order(match) if one != user_id]
    if not set(filter(is_person, users)) <= people.keys():
        return ""
    return listed(_together(users, _all(users, people)))


def _all(users: Iterable[int], people: Mapping[int, str]) -> dict[int, str]:
    """Return the names of people, computers and deleted players."""
    return {one: people[one] if is_person(one) else _of_nobody(one) for one in users}


def _of_nobody(user_id: int) -> str:
    if not is_computer(user_id):
        return mention(user_id)
    place = place_of(user_id)
    return say("Computer") if place == 1 else say("Computer {number}", number=place)


def _cut(name: str, limit: int, locale: Tongue) -> str:
    whole = say_in(locale, name, 10 * _MAX)
    return whole if len(whole) <= limit else f"{whole[: limit - 1].rstrip()}…"


def title(position: Position, names: Mapping[int, str]) -> str:
    """Return the whole name of a thread with players under the given names."""
    # The number tells the threads of one pair apart.
    game = concat(position.game.title, f" #{position.match.id}")
    won = _headline(position, names) if position.match.finished else ""
    if won:
        return lines((won, game), " · ")
    users = in_order(position.match)
    people = [names[user_id] for user_id in users if not is_computer(user_id)]
    parts = [reduce(_versus, people), game, *_together(filter(is_computer, users), names)]
    if position.match.finished:
        none = say("Draw") if match_text.judged(position) else say("No result")
        parts = [none, *parts]
    return lines(parts, " · ")


def in_order(match: Match) -> Sequence[int]:
    """Return a match's players as everything about it names them: by side, as they move.

    Computers come last. A list of threads would otherwise show many with the same beginning.
    """
    users = [player.user_id for player in match.players]
    return sorted(users, key=lambda user_id: not is_person(user_id))


def _together(users: Iterable[int], names: Mapping[int, str]) -> Sequence[str]:
    """Return the names of users; several computers are only counted, at the end."""
    known = list(users)
    shown = [names[user_id] for user_id in known if not is_computer(user_id)]
    number = len(known) - len(shown)
    if number < 2:
        return [names[user_id] for user_id in known]
    return [*shown, plural("{n} computer", "{n} computers", number)]


def _versus(one: str, other: str) -> str:
    # Translators: the players of a match in the name of its thread: "Ann vs Ben".
    return say("{one} vs {other}", one=one, other=other)


def _headline(position: Position, names: Mapping[int, str]) -> str:
    """Return who won in a few words that name all players; a game without a winner has none."""
    players = position.match.players
    absent = endings.forfeiter(position)
    if absent is not None:
        (winner,) = (player for player in players if player != absent)
        return say(
            # Translators: in the name of a thread: "Ann beat Ben by forfeit".
            "{player} beat {other} by forfeit",
            player=names[winner.user_id],
            other=names[absent.user_id],
        )
    winners = [names[player.user_id] for player in players if player.rank == 1]
    others = [player.user_id for player in players if player.rank != 1]
    if not winners or not others:
        return ""
    beaten = listed(_together(others, names))
    if len(winners) == 1:
        # Translators: in the name of a thread: "Ann beat Ben".
        return say("{player} beat {others}", player=winners[0], others=beaten)
    # Translators: in the name of a thread, where several share first place.
    return say("{players} ahead of {others}", players=listed(winners), others=beaten)
