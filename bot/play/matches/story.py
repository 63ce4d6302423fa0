"""The story of a match: the game, its players and rules, and what happened.

Players are only mentioned, never named: Discord shows each reader the name they know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from bot.core.i18n.mentions import mention
from bot.play.matches import stand_ins
from bot.play.matches.positions import MatchView
from engine.game import CHANCE, Option
from engine.phrase import capital, glued, lines, plural, say
from engine.registry import AnyGame

MAX_LINES = 6
"""Maximum lines a board tells of a turn."""


def heading(view: MatchView) -> str:
    """Return the heading of a board: the game, the seats, the options."""
    match = view.match
    names = view.seat_names
    seats = [glued(names[p.seat], " ", mention(p.user_id)) for p in match.players]
    parts = [options_line(view.game, match.options), view.game.stage(view.state)]
    if view.practice:
        parts.append(say("unrated practice"))
    elif match.casual:
        parts.append(say("unrated"))
    small = lines(filter(None, parts), " · ")
    title = say("### {game} · match #{number}", game=view.game.title, number=match.id)
    rest = [glued("-# ", capital(small))] if small else []
    return lines((title, lines(seats, " · "), *stand_ins.replacement_lines(view), *rest))


def options_line(game: AnyGame, options: Mapping[str, str]) -> str:
    """Return in one line the options that set this match apart, if any."""
    return _options_line(game, tuple(options.items()))


@lru_cache(maxsize=256)
def _options_line(game: AnyGame, chosen: tuple[tuple[str, str], ...]) -> str:
    options = dict(chosen)
    usual = game.settle({o.name: options[o.name] for o in game.options if o.presets})
    parts = (
        option_words(option, options[option.name])
        for option in game.options
        if option.presets or options[option.name] != usual[option.name]
    )
    return lines(parts, " · ")


def option_words(option: Option, value: str) -> str:
    """Return an option and its value in words."""
    if value == "true":
        return capital(option.summary)
    # Stored values are plain text; the game has them as translatable phrases.
    known = next((known for known in option.values if known == value), value)
    return say("{option}: {value}", option=capital(option.name), value=capital(known))


def story(view: MatchView) -> tuple[str, ...]:
    """Return what happened in the last turn, one line each."""
    turn = view.last_turn
    if len(turn) <= MAX_LINES:
        return tuple(entry_line(view, played) for played in turn)
    parts = _without_idle_throws(view, turn)
    if len(parts) > MAX_LINES:
        parts = [entry_line(view, p) for p in turn if not _thrown(view, p) or p is turn[-1]]
        earlier = len(parts) - MAX_LINES + 1
        if earlier > 1:
            before = plural("… {n} move, and then:", "… {n} moves, and then:", earlier)
            parts = [before, *parts[earlier:]]
    return tuple(parts)


def _without_idle_throws(view: MatchView, turn: Sequence[Any]) -> list[str]:
    """Return a line for each entry, and for throws in a row only the last."""
    parts: list[str] = []
    untold = 0
    for played, following in zip(turn, [*turn[1:], None], strict=True):
        if following is not None and _thrown(view, played) and _thrown(view, following):
            untold += 1
            continue
        if untold:
            parts.append(
                plural("… {n} throw later:", "… {n} throws later:", untold)
                if parts
                else plural("After {n} throw:", "After {n} throws:", untold)
            )
            untold = 0
        parts.append(entry_line(view, played))
    return parts


def _thrown(view: MatchView, played: Any) -> bool:
    return view.game.actor(played.before) is CHANCE


def entry_line(view: MatchView, played: Any) -> str:
    """Return an entry of the log as a line, with the seat that played it."""
    actor = view.game.actor(played.before)
    sentence = view.game.tell(played.before, played.move)
    if actor is CHANCE:
        # Translators: throw is a sentence without its full stop; it starts with a capital.
        return say("{throw}.", throw=sentence)
    side = capital(view.game.side(played.before, actor))
    if view.game.only_move(played.before) is not None:
        # Translators: a side, and its move, which was its only legal one.
        return say("**{side}**: {move} (only move).", side=side, move=sentence)
    # Translators: a side, and its move: "White: e1 to l2".
    return say("**{side}**: {move}.", side=side, move=sentence)
