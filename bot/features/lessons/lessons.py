"""Pages of lessons, the feedback on each reply, and players' progress."""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.errors import Refusal
from bot.core.interactions.layout import illegal, quoted
from engine import registry
from engine.marking import Marked, begin, mark
from engine.overlay import overlaid
from engine.phrase import glued, lines, say
from engine.registry import AnyGame
from engine.scene import Scene


@dataclass(frozen=True, slots=True)
class LessonPost:
    """A page of a course, or the feedback on a reply."""

    slug: str
    number: int
    """The page of the course, counted from 1."""
    total: int
    words: str
    scene: Scene
    replies: tuple[str, ...]
    """The moves to choose from; empty if there is nothing (more) to find."""
    chosen: int | None = None
    """The reply that this answers, counted from 0."""

    @property
    def filename(self) -> str:
        """The name of the picture."""
        chosen = "" if self.chosen is None else f"-{self.chosen}"
        return f"lesson-{self.slug}-{self.number}{chosen}.png"

    @property
    def done(self) -> bool:
        """Whether nothing is left to find."""
        return not self.replies

    @property
    def last(self) -> bool:
        """Whether this is the course's last page."""
        return self.number == self.total


def lesson(slug: str, number: int, chosen: int | None = None) -> LessonPost:
    """Return a page of a course, counted from 1, or the feedback on a reply to it, from 0.

    Raises Refusal if there is none (any more).
    """
    game = registry.games().get(slug)
    if game is None or not 1 <= number <= len(game.lessons):
        raise Refusal(say("There's no such lesson. `/help` lists them all."))
    taught, total = game.lessons[number - 1], len(game.lessons)
    words = [
        say("### {game}: {title}", game=game.title, title=taught.title),
        taught.task,
    ]
    moves = tuple(reply.move for reply in taught.replies)
    replies, scene = moves, overlaid(game.scene(begin(game, taught)), taught.marks)
    if chosen is not None:
        if not 0 <= chosen < len(moves):
            raise Refusal(say("This lesson has changed. Start it again with `/help`."))
        marked = mark(game, taught, taught.replies[chosen])
        scene = overlaid(game.scene(marked.state, marked.last), marked.marks)
        words.append(_verdict(marked, moves[chosen]))
        if marked.kind == "right":
            replies = ()
    if number == total and not replies:
        words.append(say("**That's all you need.** Ready for a game?"))
    # Translators: the current step of a lesson: "3 of 8".
    words.append(glued("-# ", say("{number} of {all}", number=number, all=total)))
    return LessonPost(slug, number, total, lines(words), scene, replies, chosen)


def rules_pages(game: AnyGame, limit: int = 2600) -> tuple[str, ...]:
    """Return a game's rules as pages of at most ``limit`` characters in English.

    The limit leaves room for longer languages.
    """
    pages: list[str] = []
    page = [say("### The rules of {game}", game=game.title), game.summary]
    for document in game.documents:
        page.append(f"**{document.title}**")
        for rule in game.rules:
            if rule.document != document.key:
                continue
            line = glued(f"**{rule.name}** ", rule.sentence)
            if len("\n".join(page)) + 1 + len(line) > limit:
                pages.append(lines(page))
                page = []
            page.append(line)
    return (*pages, lines(page))


def resumed(slug: str, reached: int) -> int:
    """Return the page to resume at: where a player left off, or the first after finishing."""
    game = registry.games().get(slug)
    return reached if game is not None and 1 <= reached <= len(game.lessons) else 1


def _verdict(marked: Marked, move: str) -> str:
    if marked.kind == "right":
        verdict = say("✅ **{move}**: {words}", move=move, words=marked.words)
        return lines([verdict, glued("> ", quoted(marked.rule))])
    if marked.kind == "wrong":
        return say("❌ **{move}**: {words} Try another one.", move=move, words=marked.words)
    refused = illegal(marked.rule, marked.words, ())
    return say("❌ **{move}**: {words}\nTry another one.", move=move, words=refused)
