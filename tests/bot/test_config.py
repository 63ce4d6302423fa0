"""The configuration comes from the environment and from nowhere else."""

from __future__ import annotations

import ast
import itertools
import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.config import Config

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the machine's own settings and any .env out of these tests."""
    monkeypatch.chdir(tmp_path)
    for name in Config.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


def example() -> dict[str, tuple[str, str]]:
    """Return name -> (value, comment) of .env.example; a comment may go on in indented lines."""
    found = {}
    comment: list[str] = []
    for line in (ROOT / ".env.example").read_text().splitlines():
        if line.startswith("#   "):
            continue
        if line.startswith("# "):
            comment.append(line[2:])
        elif match := re.fullmatch(r"([A-Z_]+)=(.*)", line):
            found[match[1]] = (match[2], " ".join(comment))
            comment = []
        else:
            comment = []
    return found


def documented() -> dict[str, str]:
    """Return name -> the docstring below each field of Settings."""
    tree = ast.parse((ROOT / "bot" / "config.py").read_text())
    body = next(n for n in tree.body if isinstance(n, ast.ClassDef)).body
    texts = {}
    for field, after in itertools.pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr):
            assert isinstance(field.target, ast.Name)
            assert isinstance(after.value, ast.Constant)
            texts[field.target.id.upper()] = " ".join(str(after.value.value).split())
    return texts


def test_the_example_has_every_setting_with_its_default_and_its_explanation() -> None:
    settings = Config()
    assert list(example()) == [name.upper() for name in Config.model_fields]
    assert {name: comment for name, (_, comment) in example().items()} == documented()
    for name, (value, _) in example().items():
        default = getattr(settings, name.lower())
        assert value == ("" if default is None else str(default)), name


def test_the_example_as_it_stands_is_a_valid_configuration() -> None:
    assert Config(_env_file=ROOT / ".env.example") == Config()


def test_without_a_token_the_bot_plays_in_a_discord_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert Config().in_playground
    monkeypatch.setenv("DISCORD_TOKEN", "abc")
    assert not Config().in_playground


def test_an_empty_line_leaves_every_setting_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Config()
    for name in Config.model_fields:
        monkeypatch.setenv(name.upper(), "")
    assert Config() == usual


def test_the_case_of_a_word_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "debug")
    monkeypatch.setenv("LOG_FORMAT", "JSON")
    assert (Config().log_level, Config().log_format) == ("DEBUG", "json")


def test_the_token_goes_to_no_address_off_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYGROUND_URL", "http://example.com:80")
    with pytest.raises(ValidationError, match="this machine only"):
        Config()


def test_secrets_do_not_show_in_the_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "very-secret-token")
    monkeypatch.setenv("DATABASE_URL", "postgresql+asyncpg://me:hidden-word@db/games")
    shown = repr(Config()) + str(Config())
    assert "very-secret-token" not in shown
    assert "hidden-word" not in shown
