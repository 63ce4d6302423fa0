"""``/<game> rules`` and ``/<game> learn``."""

from __future__ import annotations

from typing import Annotated

from bot.core.interactions.commands import Option, Suggestions, game_command
from bot.core.interactions.layout import text_layout
from bot.core.interactions.reply import Reply
from bot.core.interactions.rule_text import quoted
from bot.features.lessons import buttons
from engine.phrase import lines, say, shortened, translated
from engine.registry import AnyGame


async def _rules(reply: Reply, typed: str, game: AnyGame | None) -> Suggestions:
    """Suggest rules by name or words."""
    assert game is not None
    wanted = typed.strip().lower()
    locale = await reply.locale(public=False)
    labels = {r.name: f"{r.name}: {translated(r.sentence, locale)}" for r in game.rules}
    return [(words, name) for name, words in labels.items() if wanted in words.lower()]


async def _lessons(reply: Reply, typed: str, game: AnyGame | None) -> Suggestions:
    """Suggest lessons by number or title."""
    assert game is not None
    locale = await reply.locale(public=False)
    wanted = typed.strip().lower()
    titles = [
        say("{number}: {title}", number=number, title=taught.title)
        for number, taught in enumerate(game.lessons, start=1)
    ]
    labels = [translated(shortened(title, 100), locale) for title in titles]
    return [(words, number) for number, words in enumerate(labels, 1) if wanted in words.lower()]


@game_command("rules", lambda game: say("Read the rules of {game}", game=game.title))
async def rules(
    reply: Reply,
    game: AnyGame,
    number: Annotated[
        str | None, Option(say("Rule to show, by document and number"), suggest=_rules)
    ] = None,
) -> None:
    """Show all rules of a game, or one."""
    if number is None:
        await reply.send(buttons.rules_page(game.slug))
        return
    wanted = number.strip().lower()
    found = [r for r in game.rules if wanted in {r.name.lower(), r.number.lower()}]
    if not found:
        words = say(
            "{game} has no rule “{name}”. It has: {names}.",
            game=game.title,
            name=number[:20],
            names=", ".join(rule.name for rule in game.rules),
        )
        await reply.send(text_layout(words))
        return
    source = {document.key: document.title for document in game.documents}
    parts = [lines((quoted(rule), f"-# {source[rule.document]}")) for rule in found]
    await reply.send(text_layout(lines(parts)))


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
        Option(say("Lesson (where you left off if empty)"), name="lesson", suggest=_lessons),
    ] = None,
) -> None:
    """Show a lesson, by default where this person left off."""
    layout, files = await buttons.lesson_page(reply, game.slug, number)
    await reply.send(layout, files=files)
