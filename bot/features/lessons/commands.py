"""``/<game> rules`` and ``learn``: pages of the rules, and lessons with a button for each reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Final

from bot.core.errors import Refusal
from bot.core.interactions.commands import Option, Suggestions, fitting, game_command
from bot.core.interactions.components import Component, rows, text_display
from bot.core.interactions.controls import Button
from bot.core.interactions.layout import Layout, Page, illegal, pictured, quoted, text_layout
from bot.core.interactions.reply import Reply
from bot.play.boards.board_text import behind_more
from bot.play.controls.lookup import visible
from bot.play.controls.more_buttons import back_to_more
from bot.play.matches.positions import Position
from bot.play.pictures.rendering import Renderer, private_style
from data.people import stored_settings
from data.store.store import Store
from engine import registry
from engine.marking import Marked, begin, mark
from engine.overlay import overlaid
from engine.phrase import concat, lines, say
from engine.registry import AnyGame

_MAX_GAMES: Final = 25
_LEARN: Final = say(
    "### Learn a game\nHow the pieces move, then a few small questions. You can stop and go on any time."
)
_AT_THE_END: Final[list[Callable[[str], list[Component]]]] = []


async def _suggest_rules(reply: Reply, typed: str, game: AnyGame | None) -> Suggestions:
    assert game is not None
    labels = [(concat(rule.name, ": ", rule.sentence), rule.name) for rule in game.rules]
    return await fitting(reply, typed, labels)


async def _suggest_lessons(reply: Reply, typed: str, game: AnyGame | None) -> Suggestions:
    assert game is not None
    titles = [
        (say("{number}: {title}", number=number, title=taught.title), number)
        for number, taught in enumerate(game.lessons, start=1)
    ]
    return await fitting(reply, typed, titles)


@game_command("rules", lambda game: say("Read the rules of {game}", game=game.title))
async def rules(
    reply: Reply,
    game: AnyGame,
    number: Annotated[
        str | None, Option(say("Rule to show, by document and number"), suggest=_suggest_rules)
    ] = None,
) -> None:
    """Show all rules of a game, or one."""
    if number is None:
        await reply.send(_rules_page(game.slug))
        return
    wanted = number.strip().lower()
    found = [r for r in game.rules if wanted in {r.name.lower(), r.number.lower()}]
    source = {document.key: document.title for document in game.documents}
    words = lines(lines((quoted(rule), f"-# {source[rule.document]}")) for rule in found)
    if not found:
        words = say(
            "{game} has no rule “{name}”. It has: {names}.",
            game=game.title,
            name=number[:20],
            names=", ".join(rule.name for rule in game.rules),
        )
    await reply.send(text_layout(words))


@game_command(
    "learn",
    lambda game: say("Learn {game} in a few minutes", game=game.title),
    when=lambda game: bool(game.lessons),
)
async def learn(
    reply: Reply,
    game: AnyGame,
    number: Annotated[
        int | None,
        Option(
            say("Lesson (where you left off if empty)"), name="lesson", suggest=_suggest_lessons
        ),
    ] = None,
) -> None:
    """Show a lesson, by default where this person left off."""
    await reply.send(await _lesson_page(reply, game.slug, number))


class RulesButton(Button, prefix="rules"):
    """Turns to a page of a game's rules."""

    game: str
    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the previous one."""
        await reply.replace(_rules_page(self.game, self.page))


class MatchRulesButton(Button, prefix="rules-of"):
    """Turns to a page of the rules of a match's game."""

    match_id: int
    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the previous one, with a way back to the match."""
        position = await visible(reply, self.match_id)
        pages = rules_pages(position.game, options=position.match.options)
        turn = partial(MatchRulesButton, self.match_id)
        await reply.replace(_page(pages, self.page, turn, back_to_more(self.match_id)))


@behind_more(order=70)
def _rules_button(position: Position, _: int) -> Component:
    return MatchRulesButton(position.match.id, 0).component(say("Rules"))


@behind_more(order=71)
def _lessons_button(position: Position, _: int) -> Component | None:
    game = position.game
    return LessonButton(game.slug, 0).component(say("Lessons")) if game.lessons else None


class LessonListButton(Button, prefix="lessons"):
    """Leads from a lesson back to the choice of a game to learn."""

    async def press(self, reply: Reply) -> None:
        """Show the choice."""
        await reply.show_privately(lesson_list())


def lesson_list() -> Layout:
    """Return the choice of a game to learn."""
    games = [game for game in registry.games().values() if game.lessons][:_MAX_GAMES]
    return text_layout(_LEARN, *(LessonButton(one.slug, 0).component(one.title) for one in games))


class LessonButton(Button, prefix="l"):
    """Opens a page of lessons, 0 for the one where its reader left off; or answers it."""

    game: str
    number: int
    choice: int | None = None

    async def press(self, reply: Reply) -> None:
        """Show the page or feedback, in place of a private message or in a new one."""
        number = self.number or None
        await reply.show_privately(await _lesson_page(reply, self.game, number, self.choice))


def after_lessons(make: Callable[[str], list[Component]]) -> Callable[[str], list[Component]]:
    """Register a function that makes buttons below the last lesson from the game's slug."""
    _AT_THE_END.append(make)
    return make


def _rules_page(slug: str, wanted: int = 0) -> Layout:
    """Return a page of a game's rules."""
    return _page(rules_pages(registry.game(slug)), wanted, partial(RulesButton, slug))


def _page(
    pages: Sequence[str], wanted: int, turn: Callable[[int], Button], *more: Component
) -> Layout:
    """Return a page of rules; ``turn`` returns the button to another one."""
    page = Page.of(wanted, total=len(pages), size=1)
    return text_layout(pages[page.number], *page.buttons(turn), *more)


async def _lesson_page(
    reply: Reply, slug: str, number: int | None, chosen: int | None = None
) -> Layout:
    """Return a page of lessons, or the feedback on a reply, and remember it as this person's place.

    The page is counted from 1, ``None`` for where they left off; the chosen reply from 0. Raise
    Refusal if there is no such game, page or reply (any more).
    """
    game, store = registry.games().get(slug), reply.get(Store)
    total = 0 if game is None else len(game.lessons)
    if number is None:
        async with store.read() as tx:
            reached = await stored_settings.lesson_page(tx, reply.user_id, slug)
        number = reached if 1 <= reached <= total else 1
    if game is None or not 1 <= number <= total:
        raise Refusal(say("There's no such lesson. `/help` lists them all."))
    taught = game.lessons[number - 1]
    # Translators: the current step of a lesson: "3 of 8".
    step = concat("-# ", say("{number} of {all}", number=number, all=total))
    title = lines((say("### {game}: {title}", game=game.title, title=taught.title), step))
    words = [taught.task]
    scene = overlaid(game.scene(begin(game, taught)), taught.marks)
    done, last = not taught.replies, number == total
    if chosen is not None:
        if chosen >= len(taught.replies):
            raise Refusal(say("This lesson has changed. Start it again with `/help`."))
        marked = mark(game, taught, taught.replies[chosen])
        scene = overlaid(game.scene(marked.state, marked.last), marked.marks)
        words.append(_verdict(marked, taught.replies[chosen].label))
        done = marked.kind == "right"
    if done and last:
        words.append(say("**That's all you need.** Ready for a game?"))
    async with store.write() as tx:
        await stored_settings.put_lesson_page(tx, reply.user_id, slug, number + (done and last))
    png = await reply.get(Renderer).picture(scene, await private_style(reply, reply.home))
    filename = f"lesson-{slug}-{number}{'' if chosen is None else f'-{chosen}'}.png"
    buttons = [
        LessonButton(slug, number, index).component(one.label)
        for index, one in enumerate(() if done else taught.replies)
    ]
    if done and last:
        buttons += [button for make in _AT_THE_END for button in make(slug)]
        buttons.append(LessonButton(slug, 1).component(say("Start over")))
        buttons.append(LessonListButton().component(say("Back")))
    elif done:
        buttons.append(LessonButton(slug, number + 1).component(say("Next"), style="primary"))
    if not (done and last):
        before = LessonButton(slug, number - 1) if number > 1 else LessonListButton()
        buttons.append(before.component(say("Back")))
    shown = pictured(filename, png, scene.alt)
    # What is asked and answered stands beside the buttons: chats show the end of a message.
    return Layout(text_display(title), shown, text_display(lines(words)), *rows(buttons))


def rules_pages(
    game: AnyGame, limit: int = 2600, *, options: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """Return a game's rules as pages of at most ``limit`` characters in English.

    With the options of a match, only those that it is played by. Each document begins a page.
    The limit leaves room for longer languages.
    """
    pages: list[str] = []
    page = [say("### The rules of {game}", game=game.title), game.summary]
    played = [one for one in game.documents if options is None or one.applies(options)]
    for document in played:
        if document is not played[0]:
            pages.append(lines(page))
            page = []
        page.append(f"**{document.title}**")
        headings = dict(document.headings)
        for rule in game.rules:
            if rule.document != document.key:
                continue
            line = concat(f"**{rule.name}** ", rule.sentence)
            if heading := headings.get(rule.number):
                line = lines([concat("### ", heading), line])
            if len("\n".join(page)) + 1 + len(line) > limit:
                pages.append(lines(page))
                page = []
            page.append(line)
    return (*pages, lines(page))


def _verdict(marked: Marked, move: str) -> str:
    if marked.kind == "right":
        verdict = say("✅ **{move}**: {words}", move=move, words=marked.words)
        return lines([verdict, concat("> ", quoted(marked.rule))])
    if marked.kind == "wrong":
        return say("❌ **{move}**: {words} Try another one.", move=move, words=marked.words)
    refused = illegal(marked.rule, marked.words, ())
    return say("❌ **{move}**: {words}\nTry another one.", move=move, words=refused)
