"""Finds settings that do not exist: most are typos, and would be silently ignored.

``.env`` is ours alone, so every unknown name there is a mistake. All programs share the
environment, so a name there counts as a mistake only if it is one letter off one of our longer
names: DATABSE_URL is, DISCORD_WEBHOOK and PATH are not.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from dotenv import dotenv_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_LONG: Final = 8
"""Minimum length of a setting whose near misses are reported: WORKER may be any program's."""
_CLOSE: Final = 0.7
"""Minimum likeness of a name to be suggested."""


def unknown(known: Iterable[str], environment: Mapping[str, str], file: Path) -> list[str]:
    """Return one sentence for each unknown name.

    Args:
        known: the names of all settings, in capitals.
        environment: this process's variables.
        file: ``.env``; it may be missing.

    """
    names = tuple(known)
    given = dotenv_values(file, interpolate=False) if file.is_file() else {}
    problems = [
        f"{name} in .env is not a setting.{_suggestion(name, names)}"
        for name in given
        if name.upper() not in names
    ]
    slips = ((name, _slip(name.upper(), names)) for name in environment)
    problems += [
        f"{name} is not a setting. Did you mean {meant}?" for name, meant in slips if meant
    ]
    return problems


def _suggestion(name: str, names: tuple[str, ...]) -> str:
    nearest = max(names, key=lambda one: _likeness(name.upper(), one))
    found = _likeness(name.upper(), nearest) >= _CLOSE
    return f" Did you mean {nearest}?" if found else " Remove it."


def _slip(name: str, names: tuple[str, ...]) -> str | None:
    """Return the setting that was meant, if one letter is wrong, missing, added or moved."""
    if name in names:
        return None
    alike = (one for one in names if len(one) >= _LONG and abs(len(name) - len(one)) <= 1)
    # One wrong letter in n leaves a likeness of 1 - 1/n.
    return next((one for one in alike if _likeness(name, one) > 1 - 1 / len(one) - 1e-9), None)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()
