"""A game is one folder: a toy game is dropped in and played through every layer."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from engine import registry
from tests.end_to_end.harness import Environment, playable
from tests.routes import COMMANDS
from tests.toy import SLUG, dropped_in

ROOT = Path(__file__).parents[2]
SOURCES = {".py", ".js", ".html", ".css", ".svg", ".mako"}


@pytest.mark.usefixtures("toy_game")
async def test_a_toy_game_for_two_is_played_from_challenge_to_proof(env: Environment) -> None:
    board = await env.begin(SLUG, track="long")
    assert board.picture
    assert board.alt
    assert "long" in board.text.lower()
    end = await env.play_until(random.Random(34), lambda board: not playable(board))
    assert "won" in end.text
    assert "1 won" in (await env.carol.slash("/leaderboard", game=SLUG)).text
    assert "✓" in (await env.carol.slash("/match verify", number=1)).text
    rule = await env.carol.slash(f"/{SLUG} rules", number="2")
    assert registry.game(SLUG).rule("2").sentence in rule.text


@pytest.mark.usefixtures("toy_game")
async def test_a_match_of_another_game_refers_to_that_games_commands(env: Environment) -> None:
    await env.begin(SLUG)
    for line in ("/tablan board", "/tablan resign"):
        assert f"/{SLUG}" in (await env.ann.slash(line, match=1)).private
    assert f"/{SLUG}" in (await env.ann.slash("/tablan move", move="k1-l2", match=1)).text


async def test_commands_are_only_sent_to_discord_when_changed(empty_env: Environment) -> None:
    env = empty_env
    env.first_start = True
    await env.start()
    for _ in range(2):
        await env.restart()
    assert len(env.requests_to(COMMANDS)) == 1
    with dropped_in():
        await env.restart()
        assert len(env.requests_to(COMMANDS)) == 2
        lines = {command.line("en-US") for command in env.ann.slash_commands()}
        assert {f"/{SLUG} challenge", "/tablan challenge"} <= lines
        await env.stop()
    await env.start()
    assert len(env.requests_to(COMMANDS)) == 3


@pytest.mark.parametrize("folder", ["bot", "render", "data", "playground"])
@pytest.mark.parametrize("slug", sorted(registry.games()))
def test_no_source_outside_the_games_folders_names_a_game(folder: str, slug: str) -> None:
    # The project is named after its first game, and so are some of its visible files.
    known = (f"var/{slug}.db", f'prefix="{slug}-"')
    named = re.compile(rf"\b{slug}\b")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in SOURCES
        for line in path.read_text("utf-8").splitlines()
        if named.search(line) and not any(name in line for name in known)
    ]
    assert found == []
