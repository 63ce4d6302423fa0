"""The configuration comes only from the environment."""

from __future__ import annotations

import ast
import itertools
import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.core.config import SECRETS, BadSettings, Config, read

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the machine's own settings and any .env out of these tests."""
    monkeypatch.chdir(tmp_path)
    for name in Config.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


def example() -> dict[str, tuple[str, str]]:
    """Return name -> (value, comment) of .env.example; a comment may continue in indented lines."""
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
    tree = ast.parse((ROOT / "bot" / "core" / "config.py").read_text())
    body = next(
        n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == Config.__name__
    ).body
    texts = {}
    for field, after in itertools.pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr):
            assert isinstance(field.target, ast.Name)
            assert isinstance(after.value, ast.Constant)
            texts[field.target.id.upper()] = " ".join(str(after.value.value).split())
    return texts


def test_the_example_file_has_every_setting_with_its_default_and_explanation() -> None:
    settings = Config()
    assert list(example()) == [name.upper() for name in Config.model_fields]
    assert {name: comment for name, (_, comment) in example().items()} == documented()
    for name, (value, _) in example().items():
        default = getattr(settings, name.lower())
        assert value == ("" if default is None else str(default)), name


def test_the_example_file_is_a_valid_configuration_unchanged() -> None:
    assert Config(_env_file=ROOT / ".env.example") == Config()


def test_without_a_token_the_bot_runs_in_its_own_discord(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert Config().in_playground
    monkeypatch.setenv("DISCORD_TOKEN", "abc")
    assert not Config().in_playground


def test_an_empty_value_leaves_a_setting_at_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Config()
    for name in Config.model_fields:
        monkeypatch.setenv(name.upper(), "")
    assert Config() == usual


def test_the_case_of_a_word_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "debug")
    monkeypatch.setenv("LOG_FORMAT", "JSON")
    assert (Config().log_level, Config().log_format) == ("DEBUG", "json")


def test_the_token_is_never_sent_to_a_foreign_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYGROUND_URL", "http://example.com:80")
    with pytest.raises(ValidationError, match="this machine only"):
        Config()


def test_secrets_are_hidden_in_the_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "very-secret-token")
    monkeypatch.setenv("DATABASE_URL", "postgresql+asyncpg://me:hidden-word@db/games")
    text = repr(Config()) + str(Config())
    assert "very-secret-token" not in text
    assert "hidden-word" not in text


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_can_come_from_a_file(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("  sqlite:///kept.db\n")
    monkeypatch.setenv(f"{name}_file".upper(), str(tmp_path / "secret"))
    settings = read()
    assert getattr(settings, name).get_secret_value() == "sqlite:///kept.db"
    assert settings.secrets == ["sqlite:///kept.db"]
    assert "kept.db" not in repr(settings)


@pytest.mark.parametrize("name", [secret.upper() for secret in SECRETS])
def test_a_secret_given_twice_is_an_error(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("sqlite:///hidden-word.db")
    monkeypatch.setenv(f"{name}_FILE", str(tmp_path / "secret"))
    monkeypatch.setenv(name, "sqlite:///hidden-word.db")
    with pytest.raises(BadSettings) as error:
        read()
    assert error.value.problems == [f"{name} and {name}_FILE are both set: keep one of them"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "No such file"),
        (b"  \n", "is empty"),
        (b"\xff\xfe", "not a text file"),
        (b"hidden-word\nold-hidden-word\n", "has several lines"),
        ("hidden-word\u200b".encode(), "characters that nobody sees"),
    ],
)
def test_a_secret_file_without_a_usable_secret_is_named(
    content: bytes | None, why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "secret").write_bytes(content)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(tmp_path / "secret"))
    with pytest.raises(BadSettings, match=why) as error:
        read()
    (problem,) = error.value.problems
    assert problem.startswith(f"DISCORD_TOKEN_FILE: {tmp_path / 'secret'}")
    assert "hidden-word" not in problem


@pytest.mark.parametrize("name", ["DISCORD_TOKEN", "DISCORD_CLIENT_SECRET", "DATABASE_URL"])
def test_a_secret_of_several_lines_is_refused_before_it_is_sent(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, " hidden-word ")
    assert read().secrets == ["hidden-word"]
    monkeypatch.setenv(name, "hidden-word\nold-hidden-word")
    with pytest.raises(BadSettings) as error:
        read()
    assert error.value.problems == [
        f"{name} has several lines, or characters that nobody sees: keep one line"
    ]


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("PICTURE_WIDTH", "use a whole number from 400 to 2000"),
        ("SHARDS", "use a whole number from 1 to 16000"),
        ("PLAYGROUND_DEMO", "use True or False"),
        ("LOG_LEVEL", "use 'DEBUG', 'INFO', 'WARNING' or 'ERROR'"),
        ("LOG_FORMAT", "use 'console' or 'json'"),
        ("MONITORING_ADDRESS", "use a port such as 9464, or HOST:PORT"),
        (
            "PLAYGROUND_URL",
            "a playground runs on this machine only: use http://127.0.0.1:PORT",
        ),
    ],
)
@pytest.mark.parametrize("value", ["http://[", "-1", "1.5", "ü€", "9" * 30])
def test_whatever_is_wrong_with_a_setting_it_says_what_to_write(
    name: str, advice: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSettings) as error:
        read()
    assert error.value.problems == [f"{name}: {advice}"]


def test_an_invalid_setting_is_named_without_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PICTURE_WIDTH", "hidden-word")
    monkeypatch.setenv("LOG_LEVEL", "chatty")
    with pytest.raises(BadSettings) as error:
        read()
    assert [problem.split(":")[0] for problem in error.value.problems] == [
        "PICTURE_WIDTH",
        "LOG_LEVEL",
    ]
    assert "hidden-word" not in str(error.value)


def test_an_unknown_name_in_the_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=debug\nPICTUR_WIDTH=900\nCOLOUR=\n")
    with pytest.raises(BadSettings) as error:
        read()
    assert error.value.problems == [
        "PICTUR_WIDTH in .env is not a setting. Did you mean PICTURE_WIDTH?",
        "COLOUR in .env is not a setting. Remove it.",
    ]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("DATABSE_URL", "DATABASE_URL"),
        ("DATABASE_URI", "DATABASE_URL"),
        ("DISCORD_TOKENS", "DISCORD_TOKEN"),
        ("DICSORD_TOKEN", "DISCORD_TOKEN"),
        ("log_levl", "LOG_LEVEL"),
    ],
)
def test_a_misspelt_environment_variable_is_an_error(
    wrong: str, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(wrong, "hidden-word")
    with pytest.raises(BadSettings) as error:
        read()
    assert error.value.problems == [f"{wrong} is not a setting. Did you mean {right}?"]


@pytest.mark.parametrize(
    "name", ["PATH", "WORKER", "DISCORD_WEBHOOK", "LOG_FILE", "DATABASE", "TEST_DATABASE_URL"]
)
def test_other_programs_variables_are_ignored(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "theirs")
    read()


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("9464", "127.0.0.1:9464"),
        (":9464", "127.0.0.1:9464"),
        ("0.0.0.0:9464", "0.0.0.0:9464"),
        ("[::1]:9464", "[::1]:9464"),
    ],
)
def test_monitoring_listens_on_loopback_unless_an_address_is_set(
    given: str, meant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONITORING_ADDRESS", given)
    assert read().monitoring_address == meant


@pytest.mark.parametrize("given", ["localhost", "here:http", "127.0.0.1:70000"])
def test_monitoring_needs_a_port(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONITORING_ADDRESS", given)
    with pytest.raises(BadSettings, match="use a port"):
        read()
