"""Contents of a board message, now or for an earlier turn. Imports no Discord library.

Players are only mentioned, never named: Discord shows each reader the name they know.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from bot.play.boards.move_menu import Option, options
from bot.play.boards.turn_text import footer, prompt
from bot.play.matches import results, story
from bot.play.matches.positions import MatchView, was_choice
from engine.phrase import Phrase, glued, lines, say
from engine.scene import Scene


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
            prompt=view.game.steps_label(view.state, chosen).question,
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
        footer=footer(view),
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
    return results.pictured(view, last, chosen)


def with_words(post: BoardPost, words: str) -> BoardPost:
    """Return a board with words below its prompt, if there are any."""
    return replace(post, prompt=lines((post.prompt, words))) if words else post


def _menu(view: MatchView, chosen: tuple[str, ...]) -> tuple[Option, ...]:
    return () if view.called is None else options(view.game, view.state, chosen)


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
