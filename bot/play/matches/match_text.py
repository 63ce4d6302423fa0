"""A match in words: the game, its players and rules, what happened, its result.

Players are only mentioned, never named: Discord shows each reader the name they know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import groupby, takewhile
from operator import attrgetter
from typing import Any, NamedTuple

from bot.core.computers import is_person
from bot.core.i18n.mentions import duration, mention, mention_all
from bot.core.interactions.layout import MAX_ALT
from bot.play.matches import computer_players, endings
from bot.play.matches.positions import Position
from engine.game import CHANCE, Option, Outcome
from engine.phrase import Phrase, capital, concat, lines, listed, plural, say, shortened
from engine.registry import AnyGame
from engine.scene import Scene

MAX_LINES = 6
"""Maximum lines a board tells of a turn."""


def named(position: Position) -> Phrase:
    """Return what a match is called: its game and its number."""
    return say("{game} · match #{number}", game=position.game.title, number=position.match.id)


def heading(position: Position) -> str:
    """Return the heading of a board: the game, the seats, the options."""
    match = position.match
    names = position.seat_names
    seats = [concat(names[p.seat], " ", mention(p.user_id)) for p in match.players]
    parts = [options_line(position.game, match.options), position.game.stage(position.state)]
    if position.practice:
        parts.append(say("unrated practice"))
    elif match.unrated:
        parts.append(say("unrated"))
    small = lines(filter(None, parts), " · ")
    title = concat("### ", named(position))
    rest = [concat("-# ", capital(small))] if small else []
    return lines((title, lines(seats, " · "), *computer_players.replacement_lines(position), *rest))


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


def story(position: Position) -> tuple[str, ...]:
    """Return what happened in the last turn, one line each.

    If it was long, the first of the throws that nobody could use are only counted, or all throws
    but those since the last move left out.
    """
    turn = position.last_turn
    parts = _told(position, turn)
    if len(parts) > MAX_LINES:
        parts = _without_first_throws(parts)
    if len(parts) > MAX_LINES:
        parts = _mostly_moves(position, turn)
    return tuple(part.text for part in parts)


def _mostly_moves(position: Position, turn: Sequence[Any]) -> list[_Line]:
    """Return the last moves of a long turn, and the throws since: why it is whose turn now."""
    moves = [played for played in turn if not _thrown(position, played)]
    since = list(takewhile(partial(_thrown, position), reversed(turn)))[::-1]
    ending = _told(position, since)[-(MAX_LINES // 2) :]
    room = MAX_LINES - len(ending)
    if len(moves) <= room:
        return _told(position, moves) + ending
    earlier = len(moves) - room + 1
    before = plural("… {n} move, and then:", "… {n} moves, and then:", earlier)
    return [_Line(before, thrown=False), *_told(position, moves[earlier:]), *ending]


def told(position: Position, entries: Sequence[Any]) -> list[str]:
    """Return the lines that tell entries of the log in full."""
    return [line.text for line in _told(position, entries)]


class _Line(NamedTuple):
    """A line of a story, and whether it tells of throws."""

    text: str
    thrown: bool


def _told(position: Position, entries: Sequence[Any]) -> list[_Line]:
    """Return the lines that tell entries in full; the first only move says who played it."""
    game, parts, forced = position.game, list[_Line](), False
    for thrown, group in groupby(entries, partial(_thrown, position)):
        if thrown:
            throws = [(played.before, played.move) for played in group]
            moved = throws[-1][0] is not entries[-1].before
            sentences = game.tell_throws(throws, moved=moved)
            parts += (_Line(_sentence(one), thrown=True) for one in sentences)
            continue
        for played in group:
            parts.append(_Line(entry_line(position, played, brief=forced), thrown=False))
            forced = forced or _was_forced(position, played)
    return parts


def _without_first_throws(whole: Sequence[_Line]) -> list[_Line]:
    """Return a story with as few throws left untold as room demands.

    Of throws in a row the last is always told.
    """
    parts: list[_Line] = []
    room = MAX_LINES - len(whole)
    for thrown, group in groupby(whole, attrgetter("thrown")):
        entries = list(group)
        untold = min(len(entries) - 1, 1 - room) if thrown and room < 0 else 0
        if untold > 1:
            room += untold - 1  # one line says how many
            if parts:
                before = plural("… {n} throw later:", "… {n} throws later:", untold)
            else:
                before = plural("After {n} throw:", "After {n} throws:", untold)
            entries = [_Line(before, thrown=True), *entries[untold:]]
        parts += entries
    return parts


def _was_forced(position: Position, played: Any) -> bool:
    """Return whether the bot played a person's only move."""
    actor = position.game.actor(played.before)
    if actor is CHANCE or position.game.only_move(played.before) is None:
        return False
    return is_person(position.player_at(actor).user_id)


def _thrown(position: Position, played: Any) -> bool:
    return position.game.actor(played.before) is CHANCE


def _sentence(throw: str) -> str:
    # Translators: throw is a sentence without its full stop; it starts with a capital.
    return say("{throw}.", throw=throw)


def entry_line(position: Position, played: Any, *, brief: bool = False) -> str:
    """Return an entry of the log as a line, with the seat that played it.

    Where it is ``brief``, a line before has said that the bot plays an only move.
    """
    actor = position.game.actor(played.before)
    sentence = position.game.tell(played.before, played.move)
    if actor is CHANCE:
        return _sentence(sentence)
    side = capital(position.game.side(played.before, actor))
    if _was_forced(position, played):
        if brief:
            # Translators: a side, and its only legal move.
            return say("**{side}**: {move} (only move).", side=side, move=sentence)
        # Translators: a side, and its only legal move, which the bot played for it.
        return say("**{side}**: {move} (only move, so I played it).", side=side, move=sentence)
    # Translators: a side, and its move: "White: e1 to l2".
    return say("**{side}**: {move}.", side=side, move=sentence)


def result(position: Position) -> str:
    """Return the result of a match in one sentence that names all its players."""
    ranked = sorted(position.match.players, key=lambda player: player.rank or 0)
    cause = reason(position)
    if not ranked or ranked[0].rank is None:
        return _void(position)
    if ranked[-1].rank == 1:
        players = mention_all(player.user_id for player in ranked)
        return say("**A draw** between {players}: {reason}.", players=players, reason=cause)
    winners = [player for player in ranked if player.rank == 1]
    others = [player for player in ranked if player.rank != 1]
    names = listed(
        concat(position.seat_names[p.seat], " (", mention(p.user_id), ")") for p in winners
    )
    facts = {"others": mention_all(player.user_id for player in others), "reason": cause}
    if len(winners) == 1:
        return say("**{winner} won** against {others}: {reason}.", winner=names, **facts)
    return say(
        "**{winners} share first place**, ahead of {others}: {reason}.", winners=names, **facts
    )


def outcome(position: Position) -> Outcome | None:
    """Return how a finished match ended, ``None`` if just as its board says."""
    if not (position.match.finished and position.current):
        return None
    ranks = tuple(player.rank for player in position.match.players if player.rank is not None)
    if len(ranks) < len(position.match.players) or 1 not in ranks:
        # A record need not say how it ended if its moves do.
        by_rules = position.outcome is not None and position.match.ending is None
        return None if by_rules else Outcome((), reason(position))
    if position.outcome is not None and position.outcome.ranks == ranks:
        return None
    return Outcome(ranks, reason(position))


def pictured(
    position: Position, last: Sequence[tuple[Any, Any]], chosen: tuple[str, ...] = ()
) -> Scene:
    """Return the picture of a match, with its result if it is over; see `Game.scene`."""
    ended = outcome(position)
    scene = position.game.scene(
        position.state, last, chosen, over=position.to_move is None, result=ended
    )
    if ended is None or not ended.void:
        return scene
    # Nobody won, which no position shows.
    over = say("The match is over: {reason}.", reason=ended.reason or say("it was ended"))
    # Translators: over is "The match is over", a sentence; a description of the position follows.
    alt = say("{over} {position}", over=over, position=scene.alt)
    return replace(scene, alt=shortened(alt, MAX_ALT), text=lines((over, scene.text)))


def judged(position: Position) -> bool:
    """Return whether a match has a result to analyse."""
    return all(player.rank is not None for player in position.match.players)


def ended(position: Position) -> str:
    """Return how a finished match ended, and how long it was."""
    match, ending = position.match, result(position)
    if match.finished_at is None or not judged(position):
        return ending
    length = plural(
        "{n} move in {time}.",
        "{n} moves in {time}.",
        position.move,
        time=duration((match.finished_at - match.created_at).total_seconds()),
    )
    if all(player.rank == 1 for player in match.players):
        return lines((ending, length), " ")
    return concat("🏆 ", lines((ending, length), " "))


def reason(position: Position) -> str:
    """Return why a match ended, in a few words that complete a sentence."""
    # The store keeps English text. Reasons that follow from the rules or the kind of ending
    # can be translated.
    by_rules = position.outcome
    if by_rules is not None and position.match.ending is None:
        return _with_stand_in(position, by_rules)
    ender = None if position.match.ended_by is None else position.player_of(position.match.ended_by)
    if position.match.ending == "resigned" and ender is not None:
        return say("{seat} resigned", seat=position.seat_names[ender.seat])
    if position.match.ending == "agreed":
        return say("draw agreed")
    return endings.known_reason(position) or position.match.reason or ""


def _with_stand_in(position: Position, ended: Outcome) -> str:
    """Return why a game ended; if a computer came first, also for whom it played."""
    players = zip(position.match.players, ended.ranks, strict=True)
    first = [player for player, rank in players if rank == 1 and player.gave_up is not None]
    if not first:
        return ended.reason
    return say(
        # Translators: reason is like "South has borne off all four pieces"; seats like "South".
        "{reason} (a computer played for {seats})",
        reason=ended.reason,
        seats=listed(position.seat_names[player.seat] for player in first),
    )


def _void(position: Position) -> str:
    if not position.match.finished:
        return ""
    absent = endings.forfeiter(position)
    if absent is not None:
        (winner,) = (player for player in position.match.players if player != absent)
        return say(
            "**{winner} won by forfeit** against {other}: {reason}. This game isn't rated.",
            winner=concat(position.seat_names[winner.seat], " (", mention(winner.user_id), ")"),
            other=mention(absent.user_id),
            reason=reason(position),
        )
    return say(
        "**No result** between {players}: {reason}. This game isn't rated.",
        players=mention_all(player.user_id for player in position.match.players),
        reason=reason(position) or say("it was ended"),
    )
