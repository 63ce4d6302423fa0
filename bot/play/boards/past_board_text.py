"""Contents of board messages of earlier turns, which have no controls."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot.play.boards.board_text import board
from bot.play.matches import story
from engine.phrase import glued, say

if TYPE_CHECKING:
    from bot.play.boards.board_text import BoardPost
    from bot.play.matches.positions import MatchView
    from engine.phrase import Phrase


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
