"""Discord's limits on command definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from playground.commands import APP_HANDLER, DISCORD_LAUNCHES, ENTRY_POINT
from playground.errors import JSON
from playground.limits.problems import Path, Problems
from playground.locales import LOCALES

_MAX_COMMANDS: Final = {1: 100, 2: 15, 3: 15, 4: 1}
_ALLOWED: Final = frozenset("-_'")
_KEYS: Final = frozenset(
    {
        "id",
        "name",
        "name_localizations",
        "description",
        "description_localizations",
        "options",
        "default_member_permissions",
        "dm_permission",
        "integration_types",
        "contexts",
        "type",
        "nsfw",
        "handler",
    }
)
_OPTION_KEYS: Final = frozenset(
    {
        "type",
        "name",
        "name_localizations",
        "description",
        "description_localizations",
        "required",
        "choices",
        "options",
        "channel_types",
        "min_value",
        "max_value",
        "min_length",
        "max_length",
        "autocomplete",
    }
)
_DEVANAGARI_OR_THAI: Final = re.compile(r"[\u0900-\u097f\u0e00-\u0e7f]")


def fit_name(name: str) -> bool:
    """Return whether a name is valid for a slash command or option."""
    return (
        1 <= len(name) <= 32
        and name == name.lower()
        and all(
            c.isalpha() or c.isnumeric() or c in _ALLOWED or _DEVANAGARI_OR_THAI.match(c)
            for c in name
        )
    )


def check_commands(problems: Problems, definitions: Any, *, in_server: bool = False) -> None:
    """Check all commands of a scope."""
    if not isinstance(definitions, list):
        problems.add((), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
        return
    seen: set[tuple[int, str]] = set()
    counts: dict[int, int] = {}
    for index, command in enumerate(definitions):
        check_command(problems, command, (index,))
        key = (command.get("type", 1), str(command.get("name")))
        if in_server and key[0] == ENTRY_POINT:
            problems.add((index, "type"), "BASE_TYPE_CHOICES", "Value must be one of (1, 2, 3).")
        counts[key[0]] = counts.get(key[0], 0) + 1
        if key in seen:
            problems.add(
                (index,),
                "APPLICATION_COMMANDS_DUPLICATE_NAME",
                "Application command names must be unique",
            )
        seen.add(key)
    for kind, count in counts.items():
        if count > _MAX_COMMANDS.get(kind, 0):
            problems.add(
                (),
                "APPLICATION_COMMANDS_MAX",
                f"There are {count} commands of type {kind}; {_MAX_COMMANDS.get(kind, 0)} are allowed.",
            )


def check_command(problems: Problems, command: Any, path: Path = ()) -> None:
    """Check a command."""
    if not problems.is_object(path, command):
        return
    problems.keys(path, command, _KEYS)
    kind = command.get("type", 1)
    if kind == 1:
        _check_words(problems, path, command)
        _check_options(problems, path, command.get("options"), depth=0)
        size = _size(command)
        if size > 8000:
            problems.add(
                path,
                "APPLICATION_COMMAND_TOO_LARGE",
                f"Command exceeds maximum size (8000): it has {size}",
            )
        return
    problems.text((*path, "name"), command.get("name"), 32, shortest=1, required=True)
    for locale, name in (command.get("name_localizations") or {}).items():
        problems.text((*path, "name_localizations", locale), name, 32, shortest=1)
    if kind == ENTRY_POINT:
        problems.text((*path, "description"), command.get("description"), 100)
        if command.get("handler") not in {None, APP_HANDLER, DISCORD_LAUNCHES}:
            problems.add((*path, "handler"), "BASE_TYPE_CHOICES", "Value must be one of (1, 2).")
    for key in ("options",) if kind == ENTRY_POINT else ("description", "options"):
        if command.get(key):
            problems.add(
                (*path, key),
                "APPLICATION_COMMAND_CONTEXT_MENU_FIELD",
                f"A context menu command has no {key}.",
            )


def _check_words(problems: Problems, path: Path, thing: JSON) -> None:
    """Check the names and descriptions of a command or option, in all languages."""
    names: dict[Path, Any] = {("name",): thing.get("name")}
    for locale, name in (thing.get("name_localizations") or {}).items():
        names["name_localizations", locale] = name
    for key, name in names.items():
        if problems.text((*path, *key), name, 32, shortest=1, required=True) and not fit_name(
            str(name)
        ):
            problems.add(
                (*path, *key), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid"
            )
    problems.text((*path, "description"), thing.get("description"), 100, shortest=1, required=True)
    for table in ("name_localizations", "description_localizations"):
        for locale, words in (thing.get(table) or {}).items():
            if locale not in LOCALES:
                problems.add(
                    (*path, table, locale), "BASE_TYPE_CHOICES", "Discord has no such locale."
                )
            if table.startswith("desc"):
                problems.text((*path, table, locale), words, 100, shortest=1)


def _check_options(problems: Problems, path: Path, options: Any, *, depth: int) -> None:
    if options is None:
        return
    here = (*path, "options")
    if not problems.count(here, options, 25):
        return
    seen: set[str] = set()
    optional = False
    nested = {o.get("type") in {1, 2} for o in options}
    if len(nested) > 1:
        problems.add(
            (*here, len(options) - 1),
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all others",
        )
    for index, option in enumerate(options):
        spot = (*here, index)
        problems.keys(spot, option, _OPTION_KEYS)
        _check_words(problems, spot, option)
        if option.get("name") in seen:
            problems.add(
                spot, "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", "Option name must be unique"
            )
        seen.add(str(option.get("name")))
        kind = option.get("type")
        if kind in {1, 2}:
            _check_nested(problems, spot, option, depth=depth)
            continue
        if kind not in range(3, 12):
            problems.add((*spot, "type"), "BASE_TYPE_CHOICES", "Value must be between 1 and 11.")
        if optional and option.get("required"):
            problems.add(
                spot,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional = optional or not option.get("required")
        _check_choices(problems, spot, option)


def _check_nested(problems: Problems, path: Path, option: JSON, *, depth: int) -> None:
    if (option["type"] == 2 and depth > 0) or depth > 1:
        problems.add(
            (*path, "type"),
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Groups cannot be nested",
        )
    _check_options(problems, path, option.get("options"), depth=depth + 1)


def _check_choices(problems: Problems, path: Path, option: JSON) -> None:
    choices = option.get("choices")
    if not choices:
        return
    if option.get("autocomplete"):
        problems.add(
            path,
            "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES",
            "An option with autocomplete has no choices of its own",
        )
    if not problems.count((*path, "choices"), choices, 25):
        return
    seen: set[str] = set()
    for index, choice in enumerate(choices):
        spot = (*path, "choices", index)
        problems.text((*spot, "name"), choice.get("name"), 100, shortest=1, required=True)
        if isinstance(choice.get("value"), str):
            problems.text((*spot, "value"), choice["value"], 100)
        if choice.get("name") in seen:
            problems.add(
                (*spot, "name"),
                "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS",
                "Choice name already exists",
            )
        seen.add(str(choice.get("name")))


def _size(thing: JSON) -> int:
    """Count characters as Discord does: names, descriptions and values, in the longest language."""
    return sum(_sizes(thing))


def _sizes(thing: JSON) -> Iterator[int]:
    for key in ("name", "description"):
        words = [thing.get(key) or "", *(thing.get(f"{key}_localizations") or {}).values()]
        yield max(len(str(w)) for w in words)
    value = thing.get("value")
    if isinstance(value, str):
        yield len(value)
    for key in ("options", "choices"):
        for inner in thing.get(key) or ():
            yield from _sizes(inner)
