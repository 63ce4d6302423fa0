"""The architecture, enforced by the import graph. Imports for type checking count too."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import grimp
import pytest
from grimp import ImportGraph

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")))

MAX_CIRCLE: Final = 2

LOOKS: Final = ("discord", "PIL")
"""Packages that only modules that talk to Discord or paint may reach."""
TALKING: Final = ("commands", "buttons", "views", "posts")
"""Name endings of such modules in a feature."""
INFRASTRUCTURE: Final = (
    "bot.interactions",
    "bot.permissions",
    "bot.delivery",
    "bot.pictures",
    "bot.posts",
)
"""What features build on; it may use Discord and pictures."""
WIRING: Final = "bot.wiring"
"""Builds the parts of the bot, so it reaches everything."""
OTHERS: Final = {
    "bot.__main__": "runs the bot",
    "bot.app": "builds every part",
    "bot.client": "is the Discord client",
    "bot.i18n.command_names": "translates commands the way that discord.py asks for it",
    "bot.i18n.extraction": "reads the texts of the commands from their tree",
    "bot.i18n.locales": "reads the language of a person or server from an interaction",
    "bot.monitoring.shards": "reads off the Discord client how its shards are",
    "bot.operations.discord_checks": "asks Discord what it knows of the bot",
    "bot.operations.doctor": "examines that along with the rest",
    "bot.shards.work": "begins and ends what is delivered and answered for a shard",
    "bot.roles.gateway": "connects to Discord",
    "bot.roles.local_discord": "runs a Discord of its own",
    "bot.roles.refusals": "asks Discord how many shards it recommends",
    "bot.matches.lookup": "finds the match that a command means, by who asks and what they can see",
}
"""Further modules that may reach both, and why."""


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    """Return the import graph of the program, discord.py and Pillow included."""
    packages = ("bot", "data", "engine", "ai", "render", "playground")
    return grimp.build_graph(*packages, include_external_packages=True, cache_dir=None)


def circles(graph: ImportGraph) -> set[frozenset[str]]:
    """Return the groups of modules that import each other, at least indirectly."""
    return {
        frozenset({module, *circle})
        for module in graph.modules
        if (circle := graph.find_upstream_modules(module) & graph.find_downstream_modules(module))
    }


def talks(module: str) -> bool:
    """Return whether a module may reach Discord or pictures."""
    return (
        not module.startswith("bot.")
        or module.endswith(TALKING)
        or module.startswith(tuple(f"{package}." for package in (*INFRASTRUCTURE, WIRING)))
        or module in {*INFRASTRUCTURE, *OTHERS}
    )


def reaching(graph: ImportGraph) -> dict[str, str]:
    """Return the modules that reach what their name does not allow, with the import chain."""
    return {
        module: " -> ".join(graph.find_shortest_chain(module, look) or ())
        for module in graph.modules
        for look in LOOKS
        if not talks(module) and graph.chain_exists(module, look)
    }


def test_no_import_circle_has_more_than_two_modules(graph: ImportGraph) -> None:
    assert not [sorted(circle) for circle in circles(graph) if len(circle) > MAX_CIRCLE]


def test_only_commands_buttons_and_views_reach_discord_or_pictures(graph: ImportGraph) -> None:
    """Move code that talks to a module named for it, or pass it as an argument."""
    assert not reaching(graph)


@pytest.mark.parametrize("module", OTHERS)
def test_every_exception_is_still_one(graph: ImportGraph, module: str) -> None:
    assert any(graph.chain_exists(module, look) for look in LOOKS), f"take {module} off the list"


def test_a_circle_and_a_module_that_reaches_discord_would_be_found() -> None:
    graph = ImportGraph()
    for module in ("bot.a.service", "bot.a.text", "bot.a.buttons", *LOOKS):
        graph.add_module(module)
    graph.add_import(importer="bot.a.service", imported="bot.a.text")
    graph.add_import(importer="bot.a.text", imported="bot.a.buttons")
    assert not circles(graph)
    assert not reaching(graph)
    graph.add_import(importer="bot.a.buttons", imported="bot.a.service")
    graph.add_import(importer="bot.a.buttons", imported="discord")
    assert circles(graph) == {frozenset({"bot.a.service", "bot.a.text", "bot.a.buttons"})}
    assert set(reaching(graph)) == {"bot.a.service", "bot.a.text"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_a_document_names_is_there(page: Path) -> None:
    named = set(
        re.findall(
            r"\b(?:ai|bench|bot|data|engine|playground|render|tests)/[\w/.-]*\w",
            page.read_text("utf-8"),
        )
    )
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
