"""Contents of a board message: words, picture, choices and pings. Imports no Discord library.

Players are only mentioned, never named: Discord shows each reader the name they know.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from bot.i18n.mentions import mention, timestamp
from bot.i18n.slash import slash
from bot.leaderboards import change_text
from bot.matches import results, story
from bot.matches.computers import is_person
from bot.matches.positions import was_choice
from bot.matches.stand_ins import playing
from bot.practice import text as practice_text
from bot.scheduling import time_bank, time_text
from engine.deed import Worth
from engine.menu import MOST, choices, offered
from engine.phrase import glued, lines, plural, say, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.matches.positions import MatchView
    from bot.ratings.changes import RatingChanges
    from data.clocks import MatchClock
    from engine.menu import Choice
    from engine.phrase import Phrase
    from engine.registry import AnyGame
    from engine.scene import Scene

STEP_MARK = "|"
"""Separates the steps of a move in a custom id; no notation uses it."""

MAX_ALT = 1024
"""Discord's limit on the length of an image description, in characters."""


@dataclass(frozen=True, slots=True)
class Option:
    """One entry in a board's menu."""

    label: str
    value: str
    """All steps chosen so far and by this entry, joined by `STEP_MARK`."""
    description: str
    """A few more words on it, or empty."""
    opens: bool = False
    """Whether choosing it leads to a further choice."""
    worth: Worth = Worth.PLAIN


@dataclass(frozen=True, slots=True)
class BoardPost:
    """One board message."""

    match_id: int
    ply: int
    """The match version shown, unique among all turns of the match."""
    chosen: tuple[str, ...]
    heading: str
    scene: Scene
    story: tuple[str, ...]
    """What happened since the last board, one line each."""
    prompt: str
    footer: str
    menu: tuple[Option, ...]
    """Empty if there is nothing to choose: an earlier turn, a finished match."""
    pings: tuple[int, ...]
    """The users pinged."""
    over: bool
    """Whether it shows the result of the match."""
    judged: bool = False
    """Whether the match has a result to analyse."""
    missed: bool = False
    """Whether the picture leaves out something since the last turn of the player to move."""
    running: bool = False
    """Whether it shows the current turn of an ongoing match, with the actions that allows."""


def board(view: MatchView, *, chosen: tuple[str, ...] = (), controls: bool = True) -> BoardPost:
    """Return the message for a match at a ply.

    Args:
        view: the match.
        chosen: the steps of the next move chosen so far.
        controls: whether moves can be chosen in this message.

    """
    plain = _PLAIN.get(view)
    if plain is None:
        plain = _PLAIN[view] = _plain(view)
    menu = _menu(view, chosen) if chosen and controls else ()
    if menu:
        return replace(
            plain,
            chosen=chosen,
            scene=_scene(view, chosen),
            prompt=view.game.begun(view.state, chosen).question,
            menu=menu,
            running=False,
        )
    return plain if controls and not chosen else replace(plain, menu=())


def _plain(view: MatchView) -> BoardPost:
    """Return the message for a match when no step of the next move is chosen."""
    return BoardPost(
        match_id=view.match.id,
        ply=view.version,
        chosen=(),
        heading=story.heading(view),
        scene=_scene(view, ()),
        story=story.story(view),
        prompt=prompt(view),
        footer=_footer(view),
        menu=_menu(view, ()),
        pings=() if view.called is None else (view.called.user_id,),
        over=view.to_move is None,
        judged=results.judged(view),
        missed=missed(view),
        running=view.to_move is not None,
    )


_PLAIN: WeakKeyDictionary[MatchView, BoardPost] = WeakKeyDictionary()
"""Messages of views still in memory: a press on a board usually needs the same board again."""


def missed(view: MatchView) -> bool:
    """Return whether the player to move has missed more than a board shows.

    A board shows the last mover's turn. There is more if several others have moved since the
    player's own last decision, or if that turn was too long to show in full.
    """
    mover = view.called
    if mover is None:
        return False
    others: list[Any] = []
    for played in reversed(view.tail):
        actor = view.game.actor(played.before)
        if not was_choice(view.game, played):
            continue
        if actor == mover.seat:
            break
        others.append(actor)
    return len(set(others)) > 1 or len(others) > story.MAX_LINES


def _scene(view: MatchView, chosen: tuple[str, ...]) -> Scene:
    last = [(played.before, played.move) for played in view.last_turn]
    scene = view.game.scene(view.state, last, chosen, over=view.to_move is None)
    if view.to_move is None and view.outcome is None:
        # Ended by its players, so the position does not show it.
        over = say("The match is over: {reason}.", reason=results.reason(view))
        # Translators: over is "The match is over", a sentence; a description of the position follows.
        alt = say("{over} {position}", over=over, position=scene.alt)
        return replace(scene, alt=shortened(alt, MAX_ALT), text=lines((over, scene.text)))
    return scene


def with_ratings(post: BoardPost, rating_changes: RatingChanges | None) -> BoardPost:
    """Return the final board of a match with its rating changes, if it is rated."""
    if rating_changes is None:
        return post
    return replace(post, prompt=lines((post.prompt, change_text.changes_line(rating_changes))))


def with_turning_point(post: BoardPost, sentence: str) -> BoardPost:
    """Return the final board of a match with its turning point, if known."""
    return replace(post, prompt=lines((post.prompt, sentence))) if sentence else post


def answered(view: MatchView, reply: Any | None) -> BoardPost:
    """Return the message for an earlier turn: no controls, no pings, and the reply to it.

    Args:
        view: the match at that turn.
        reply: the log entry that followed, or ``None``.

    """
    note: str = ""
    if reply is not None:
        note = glued("↳ ", story.entry_line(view, reply))
    elif not view.match.finished:
        pass  # another message shows the same turn
    elif view.match.ending in {None, "resigned"}:
        note = say("↳ The match was given up here.")
    else:
        note = say("↳ The match ended here.")
    # Keep the picture that of an ongoing match.
    if view.match.finished:
        view = replace(view, match=replace(view.match, finished_at=None))
    bare = board(view, controls=False)
    story_lines = (*bare.story, note) if note else bare.story
    return replace(
        bare, story=story_lines, prompt="", footer="", pings=(), over=False, running=False
    )


def taken_back(view: MatchView, version: int) -> BoardPost:
    """Return the message for a turn that no longer exists because its move was taken back.

    Args:
        view: the match in its current state.
        version: the version shown in the message.

    """
    alt = say("An earlier board, from before a move was taken back.")
    return _gone(view, version, alt, say("↳ The last move was taken back."))


def lost(view: MatchView, version: int) -> BoardPost:
    """Return the message for a turn missing from the backup the bot was restored from.

    Args:
        view: the match in its current state.
        version: the version shown in the message.

    """
    alt = say("An earlier board. Its turn was lost.")
    return _gone(view, version, alt, say("↳ This turn was lost: I was restored from a backup."))


def _gone(view: MatchView, version: int, alt: Phrase, note: Phrase) -> BoardPost:
    scene = replace(view.game.scene(view.state), alt=alt)
    bare = board(view, controls=False)
    return replace(
        bare,
        ply=version,
        scene=scene,
        story=(note,),
        prompt="",
        footer="",
        pings=(),
        over=False,
        running=False,
    )


def prompt(view: MatchView) -> str:
    """Return whose turn it is, or how the match ended."""
    mover = view.to_move
    if mover is not None:
        player, seat = mention(mover.user_id), view.seat_names[mover.seat]
        if view.stands_in(mover):
            return say("Computer (**{seat}**) is thinking …", seat=seat)
        if view.called is None:
            return say("{player} (**{seat}**) is thinking …", player=player, seat=seat)
        return say("{player}, your turn (**{seat}**).", player=player, seat=seat)
    ended = results.result(view)
    if view.match.hints:
        return lines((ended, practice_text.hints_taken(view.match.hints)), " ")
    return ended


def prompt_for(view: MatchView, user_id: int) -> str:
    """Return the prompt for a single reader, without a mention of them."""
    if view.called is None or view.called.user_id != user_id:
        return prompt(view)
    return say("Your turn (**{seat}**).", seat=view.seat_names[view.called.seat])


def _menu(view: MatchView, chosen: tuple[str, ...]) -> tuple[Option, ...]:
    return () if view.called is None else options(view.game, view.state, chosen)


def options(
    game: AnyGame, state: Any, chosen: tuple[str, ...], *, advised: bool = True
) -> tuple[Option, ...]:
    """Return the moves in a position, or the next steps of those that begin as chosen.

    ``advised`` adds which ones win and which are risky.
    """
    return tuple(map(_option, choices(game, state, chosen, advised=advised)))


def candidates(view: MatchView, notations: Iterable[str]) -> tuple[Option, ...]:
    """Return the moves that typed text may mean, as many as fit a menu."""
    moves = [view.game.read(view.state, notation) for notation in notations]
    return tuple(map(_option, offered(view.game, view.state, moves)[:MOST]))


def _option(choice: Choice[Any]) -> Option:
    value = STEP_MARK.join(choice.steps)
    opens = choice.move is None
    return Option(choice.label, value, choice.note, opens, choice.worth)


def _footer(view: MatchView) -> str:
    slug, number = view.game.slug, view.match.id
    if view.to_move is None:
        if not view.game.has_luck:
            return ""
        return say(
            "-# Check the throws: {command} {number}",
            command=slash("match", "verify"),
            number=number,
        )
    turn = say(
        "-# Move {n} · or type {move} · {rules}",
        n=view.move,
        move=slash(slug, "move"),
        rules=slash(slug, "rules"),
    )
    clock = view.match.clock
    if clock is None or not view.current:
        return turn
    return lines([deadline(clock), *_time_bank(view, clock), turn])


def _time_bank(view: MatchView, clock: MatchClock) -> list[Phrase]:
    """Return the other players' time banks, if the match uses them."""
    match = view.match
    if match.bank is None or match.days is None:
        return []
    parts = [
        plural(
            "Time bank, +{n} day per move",
            "Time bank, +{n} days per move",
            match.days,
        )
    ]
    parts += [
        say(
            "{player}: {time}",
            player=mention(player.user_id),
            time=time_text.span(time_bank.stock_of(match, player)),
        )
        for player in playing(match)
        if player.user_id != clock.user_id and is_person(player.user_id)
    ]
    return [glued("-# ", lines(parts, " · "))]


def deadline(clock: MatchClock) -> str:
    """Return the time limit of the player to move, as a line of a board."""
    if clock.is_paused and clock.next_at is not None:
        return say(
            "-# {player} is away until {day}. The clock is paused.",
            player=mention(clock.user_id),
            day=timestamp(clock.next_at, "D"),
        )
    if clock.due_at is None:
        return ""
    return say(
        "-# Move by {moment} ({distance})",
        moment=timestamp(clock.due_at, "f"),
        distance=timestamp(clock.due_at, "R"),
    )
