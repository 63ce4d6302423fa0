"""Games are discovered, never listed."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine.games
from engine import registry
from engine.errors import BadOption
from tests.contract.games import Case
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


def test_a_folder_without_a_game_is_an_error_naming_it(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "__init__.py").write_text("")
    engine.games.__path__.append(str(tmp_path))
    try:
        with pytest.raises(TypeError, match="engine/games/empty has no GAME"):
            registry.games()
    finally:
        engine.games.__path__.remove(str(tmp_path))


def test_two_games_with_one_name_are_an_error_naming_it(tmp_path: Path) -> None:
    (tmp_path / "double").mkdir()
    (tmp_path / "double" / "__init__.py").write_text("from engine.games.tablan import GAME")
    engine.games.__path__.append(str(tmp_path))
    try:
        with pytest.raises(TypeError, match="two games are called tablan"):
            registry.games()
    finally:
        engine.games.__path__.remove(str(tmp_path))
