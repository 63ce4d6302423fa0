"""Games are discovered, never listed; recorded ones replay unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine.games
from engine import registry
from engine.errors import BadOption
from tests.contract.games import Case
from tests.contract.playthroughs import as_text, folder, parsed
from tests.toy import SLUG, dropped_in


def test_every_game_folder_is_found_and_nothing_else() -> None:
    home = Path(engine.games.__path__[0])
    folders = sorted(path.parent.name for path in home.glob("*/__init__.py"))
    assert sorted(registry.games()) == folders


def test_a_game_is_named_after_its_folder_in_plain_letters(case: Case) -> None:
    assert case.game.slug.isascii()
    assert case.game.slug.isalpha()
    assert case.game.slug.islower()
    assert type(case.game).__module__.split(".")[-2] == case.game.slug


def test_the_error_for_an_unknown_game_lists_the_known_ones() -> None:
    with pytest.raises(BadOption, match=r"no game “ludo”.*tablan"):
        registry.game("ludo")


def test_a_folder_dropped_in_is_a_game_until_it_is_removed() -> None:
    assert SLUG not in registry.games()
    with dropped_in() as game:
        assert registry.games()[SLUG] is game
    assert SLUG not in registry.games()


@pytest.mark.parametrize(
    ("name", "source", "error"),
    [
        ("empty", "", "engine/games/empty has no GAME"),
        ("double", "from engine.games.tablan import GAME", "two games are called tablan"),
    ],
)
def test_a_folder_without_a_game_or_with_anothers_name_is_an_error(
    tmp_path: Path, name: str, source: str, error: str
) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text(source)
    engine.games.__path__.append(str(tmp_path))
    try:
        with pytest.raises(TypeError, match=error):
            registry.games()
    finally:
        engine.games.__path__.remove(str(tmp_path))


def test_every_game_has_recorded_playthroughs_that_still_replay_unchanged(case: Case) -> None:
    paths = sorted(folder(case).glob("*.txt"))
    assert paths, "record one with: python -m tests.contract.playthroughs"
    for path in paths:
        text = path.read_text(encoding="utf-8")
        options, players, log = parsed(text)
        assert as_text(case.game, options, players, log) == text
        assert not text.endswith("unfinished\n")
