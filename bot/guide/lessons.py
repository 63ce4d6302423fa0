"""Lessons: what each shows, and the feedback on each reply. Knows no Discord library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import Refusal
from bot.matches.text import illegal, quoted
from engine import registry
from engine.lesson import begin, mark
from engine.phrase import glued, lines, say

if TYPE_CHECKING:
    from engine.lesson import Marked
    from engine.scene import Scene


@dataclass(frozen=True, slots=True)
class LessonPost:
    """One message of a course of lessons."""

    slug: str
    number: int
    """Which lesson, counted from 1."""
    words: str
    scene: Scene
    replies: tuple[str, ...]
    """The moves to choose from; empty once the right one was found."""
    following: int | None
    """The lesson that comes next, once this one is done."""

    @property
    def filename(self) -> str:
        """The name of the picture."""
        done = "" if self.replies else "-done"
        return f"lesson-{self.slug}-{self.number}{done}.png"


def lesson(slug: str, number: int, chosen: int | None = None) -> LessonPost:
    """Return a lesson, counted from 1, or the feedback on a reply to it, counted from 0.

    Raises:
        Refusal: no such game, lesson or reply; perhaps of another version.

    """
    game = registry.games().get(slug)
    if game is None or not 1 <= number <= len(game.lessons):
        raise Refusal(say("This lesson does not exist any more. `/help` shows what there is."))
    taught = game.lessons[number - 1]
    heading = say(
        "### {game}, lesson {number} of {all}: {title}",
        game=game.title,
        number=number,
        all=len(game.lessons),
        title=taught.title,
    )
    moves = tuple(reply.move for reply in taught.replies)
    words, replies, following = [heading, taught.task], moves, None
    if chosen is None:
        scene = game.scene(begin(game, taught))
    elif chosen < len(moves):
        marked = mark(game, taught, taught.replies[chosen])
        scene = game.scene(marked.state, marked.last)
        words.append(_verdict(marked, moves[chosen]))
        if marked.kind == "right":
            replies = ()
            following = number + 1 if number < len(game.lessons) else None
            if following is None:
                words.append(
                    say(
                        "**That was the last lesson.** `/{slug} challenge` begins a match, and "
                        "`/{slug} rules` has every rule.",
                        slug=slug,
                    )
                )
    else:
        raise Refusal(say("This lesson has changed. `/help` shows where to begin it again."))
    return LessonPost(slug, number, lines(words), scene, replies, following)


def _verdict(marked: Marked, move: str) -> str:
    if marked.kind == "right":
        verdict = say("✅ **{move}**: {words}", move=move, words=marked.words)
        return lines([verdict, glued("> ", quoted(marked.rule))])
    if marked.kind == "wrong":
        return say("❌ **{move}**: {words} Try another one.", move=move, words=marked.words)
    refused = illegal(marked.rule, marked.words, ())
    return say("❌ **{move}**: {words}\nTry another one.", move=move, words=refused)
