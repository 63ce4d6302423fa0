"""The architecture, enforced by the import graph. Imports for type checking count too."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

import grimp
import pytest
from grimp import ImportGraph

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")))

LOOKS: Final = ("discord", "PIL")
"""Packages that only modules that talk to Discord or paint may reach."""
TALKING: Final = ("commands", "buttons", "views", "posts")
"""Name endings of such modules in a feature."""
INFRASTRUCTURE: Final = (
    "bot.core.interactions",
    "bot.core.permissions",
    "bot.core.posts",
    "bot.core.requests",
    "bot.play.delivery",
    "bot.play.pictures",
)
"""What features build on; it may use Discord and pictures."""
OTHERS: Final = {
    "bot.app.words.command_page": "reads the commands from their tree",
    "bot.__main__": "runs the bot",
    "bot.app.app": "builds every part",
    "bot.app.client": "is the Discord client",
    "bot.app.words.extraction": "reads the texts of the commands from their tree",
    "bot.core.i18n.locales": "reads the language of a person or server from an interaction",
    "bot.app.doctor": "asks Discord what it knows of the bot",
    "bot.app.shard_figures": "asks Discord how many connections are left today",
    "bot.app.shard_work": "begins and ends what is delivered and answered for a shard",
    "bot.app.gateway": "connects to Discord",
    "bot.app.page_checks": "goes to the page as people do",
    "bot.app.web": "serves the page as a gateway would",
    "bot.app.owner": "asks Discord for the names of servers",
    "bot.app.demo": "runs a Discord of its own",
    "bot.features.web.activity": "asks Discord who has opened the page inside it",
    "bot.features.web.activity_routes": "shows them what they have opened",
    "bot.features.web.guard": "tells people on the page why not, as buttons do in Discord",
    "bot.features.web.match_routes": "shows matches on the page",
    "bot.features.web.news_routes": "shows matches on the page",
    "bot.features.web.share_routes": "shows games to whoever has a link",
    "bot.features.web.server": "serves the colours of pictures",
    "bot.play.controls.lookup": "finds the match that a command means, by who asks and what they can see",
}
"""Further modules that may reach both, and why."""


SENDERS: Final = {
    "bot/core/posts/poster.py": "posts",
    "bot/play/delivery/transport.py": "boards",
    "bot/play/delivery/places.py": "the threads of boards",
    "bot/core/interactions/reply.py": "answers to interactions",
    "bot/core/interactions/registration.py": "registers commands",
    "bot/features/web/page_views.py": "public answers to presses on the page",
    "bot/app/client.py": "asks whether Discord is there",
}
"""The modules that change something in Discord, and what."""
CHANGES: Final = {
    *("send", "edit", "delete", "forward", "publish", "purge", "pin", "unpin", "delete_messages"),
    *("add_reaction", "remove_reaction", "clear_reactions", "clear_reaction", "typing"),
    *("add_files", "remove_attachments", "create_thread", "create_dm", "create_webhook"),
    *("send_message", "edit_message", "delete_message", "send_modal", "defer", "launch_activity"),
    *("edit_original_response", "delete_original_response"),
}
"""Names of discord.py's methods that send, edit or delete messages, or whatever else people see."""
READS: Final = {
    *("application_info", "get_bot_gateway", "get_global_commands", "get_member", "get_user"),
    *("get_guild", "get_all_guild_channels"),
    "Route",
}
"""What may be asked of ``discord.http`` or a client's ``http`` anywhere."""
OURS: Final = {
    *("reply", "self.reply", "self._reply"),  # a `Reply`
    *("self.transport", "self.requests", "transports[-1]"),  # delivery
    "self.alerts",
    *("catalogue", "template"),  # translations
}
"""What else has methods of such names."""


def changes_in_discord(source: str) -> set[str]:
    """Return what in a source changes something in Discord, called or passed on."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value)
            raw = owner.rpartition(".")[2] == "http" and node.attr not in READS
            if raw or (node.attr in CHANGES and owner not in OURS):
                found.add(f"{owner}.{node.attr}")
    return found


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


def folders(graph: ImportGraph, package: str) -> dict[str, set[str]]:
    """Return the folders of a package, each with those that it imports from.

    A folder may use the one it lies in, and the other way round.
    """
    found = dict[str, set[str]]()
    for module in graph.modules:
        folder = module.rpartition(".")[0]
        if module.startswith(f"{package}.") and folder != package:
            imported = {
                one.rpartition(".")[0] for one in graph.find_modules_directly_imported_by(module)
            }
            found.setdefault(folder, set()).update(
                one
                for one in imported
                if one.startswith(f"{package}.")
                and not one.startswith(f"{folder}.")
                and not folder.startswith(f"{one}.")
                and one != folder
            )
    return found


def circular(folders: dict[str, set[str]]) -> list[str]:
    """Return the folders that lead back to themselves."""

    def reached(start: str) -> set[str]:
        seen, left = set[str](), [start]
        while left:
            for one in folders.get(left.pop(), set()) - seen:
                seen.add(one)
                left.append(one)
        return seen

    return sorted(folder for folder in folders if folder in reached(folder))


def talks(module: str) -> bool:
    """Return whether a module may reach Discord or pictures."""
    return (
        not module.startswith("bot.")
        or module.endswith(TALKING)
        or module.startswith(tuple(f"{package}." for package in INFRASTRUCTURE))
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


def test_modules_do_not_import_each_other_in_circles(graph: ImportGraph) -> None:
    assert not [sorted(circle) for circle in circles(graph)]


def test_no_test_takes_anything_from_another_test() -> None:
    taken = re.compile(
        r"^(?:from|import) tests\S*\btest_|^from tests\S* import .*\btest_", re.MULTILINE
    )
    tests = sorted((ROOT / "tests").rglob("*.py"))
    assert not [path for path in tests if taken.search(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("package", ["bot", "data"])
def test_folders_do_not_import_each_other_in_circles(graph: ImportGraph, package: str) -> None:
    assert circular(folders(graph, package)) == []


def test_a_circle_of_folders_would_be_found() -> None:
    graph = ImportGraph()
    for module in ("bot.a.x", "bot.b.y", "bot.c.z", "bot.a.inner.w"):
        graph.add_module(module)
    graph.add_import(importer="bot.a.x", imported="bot.b.y")
    graph.add_import(importer="bot.b.y", imported="bot.c.z")
    graph.add_import(importer="bot.a.inner.w", imported="bot.a.x")
    assert circular(folders(graph, "bot")) == []
    graph.add_import(importer="bot.c.z", imported="bot.a.x")
    assert circular(folders(graph, "bot")) == ["bot.a", "bot.b", "bot.c"]


def test_only_commands_buttons_and_views_reach_discord_or_pictures(graph: ImportGraph) -> None:
    """Move code that talks to a module named for it, or pass it as an argument."""
    assert not reaching(graph)


@pytest.mark.parametrize("module", OTHERS)
def test_every_exception_is_still_one(graph: ImportGraph, module: str) -> None:
    assert any(graph.chain_exists(module, look) for look in LOOKS), f"take {module} off the list"


def test_only_the_poster_and_what_answers_change_anything_in_discord() -> None:
    """Declare a `PostKind` instead, or answer through a `Reply`."""
    changing = {
        str(file.relative_to(ROOT)): found
        for file in sorted((ROOT / "bot").rglob("*.py"))
        if (found := changes_in_discord(file.read_text("utf-8")))
    }
    assert {name: found for name, found in changing.items() if name not in SENDERS} == {}
    assert SENDERS.keys() - changing.keys() == set(), "take these off the list"


@pytest.mark.parametrize(
    "line",
    [
        "await channel.send(view=view)",
        "await message.edit(view=view)",
        "await client.get_partial_messageable(1).get_partial_message(2).delete()",
        "change = partial(message.edit, view=view)",
        "await client.create_dm(user)",
        "await client.http.edit_channel(1, name='x')",
        "await http.send_message(1, params=params)",
        "await self._client.http.request(route)",
        "await interaction.response.send_message('x')",
        "await interaction.followup.send('x')",
        "await self.interaction.edit_original_response(view=view)",
    ],
)
def test_a_request_that_changes_something_in_discord_would_be_found(line: str) -> None:
    assert changes_in_discord(f"async def f():\n    {line}")


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
