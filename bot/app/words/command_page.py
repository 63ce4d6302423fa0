"""Writes docs/commands.md from the commands themselves: ``make commands``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

from discord import app_commands

from bot.core.interactions.tree import offline_tree
from engine import registry

Made: TypeAlias = app_commands.Command[Any, ..., Any]

PAGE: Final = Path(__file__).parents[3] / "docs/commands.md"
_HEAD: Final = """# Commands

Most people need only `/play`. What can be done in a game is on its board, behind a button. This
page is made from the commands themselves by `make commands`; options in brackets can be left out.
"""
_GAME: Final = "<game>"
_ALONE: Final = "On their own"


def page() -> str:
    """Return the page, with every command and its options, in English."""
    sections: dict[str, list[str]] = defaultdict(list)
    for name, makes in _commands().items():
        title = f"/{name.partition(' ')[0]} …" if " " in name else _ALONE
        sections[title] += _entry(name, makes)
    return "\n".join(
        (_HEAD, *(_section(title, sections[title]) for title in sorted(sections, key=_order)))
    )


def _order(title: str) -> tuple[bool, str]:
    return (title != _ALONE, title)


def _section(title: str, entries: list[str]) -> str:
    about = ""
    if title.startswith(f"/{_GAME}"):
        games = ", ".join(f"`{slug}`" for slug in registry.games())
        about = f"`{_GAME}` is one of {games}. Examples are from the first.\n\n"
    return f"## {title}\n\n{about}" + "\n".join(entries) + "\n"


def _commands() -> dict[str, dict[str, Made]]:
    """Return the commands by name, each with one version for every game that has it."""
    found: dict[str, dict[str, Made]] = {}
    for command in offline_tree().walk_commands():
        if isinstance(command, app_commands.Command):
            first, _, rest = command.qualified_name.partition(" ")
            game = registry.games().get(first)
            name = f"{_GAME} {rest}" if game else command.qualified_name
            found.setdefault(name, {})[game.title if game else ""] = command
    return dict(sorted(found.items()))


def _entry(name: str, makes: dict[str, Made]) -> Iterator[str]:
    first = next(iter(makes.values()))
    only = _only(list(makes), name)
    yield f"* `/{name}`: {first.description}{only}"
    options: dict[str, list[str]] = defaultdict(list)
    described: dict[str, tuple[str, bool]] = {}
    for title, command in makes.items():
        for option in command.parameters:
            options[str(option.display_name)].append(title)
            described.setdefault(
                str(option.display_name), (str(option.description), option.required)
            )
    for option_name, (description, required) in described.items():
        shown = option_name if required else f"[{option_name}]"
        fewer = options[option_name] if len(options[option_name]) < len(makes) else []
        yield f"  * `{shown}`: {description}{_only(fewer, name)}"


def _only(titles: list[str], name: str) -> str:
    everywhere = not name.startswith(_GAME) or len(titles) in {0, len(registry.games())}
    return "" if everywhere else f" (only {', '.join(titles)})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
