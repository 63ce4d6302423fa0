"""Secrets never appear in a log."""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Iterator

import pytest
import structlog

from bot import full_version
from bot.core import logs


@pytest.fixture(autouse=True)
def own_logging() -> Iterator[None]:
    """Restore the process's logging after each test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    hooks = sys.excepthook, threading.excepthook
    yield
    root.handlers[:], root.level = handlers, level
    for ours in logs._OURS:
        logging.getLogger(ours).setLevel(logging.NOTSET)
    sys.excepthook, threading.excepthook = hooks
    structlog.reset_defaults()


def test_a_log_line_is_one_json_object_with_its_fields(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("INFO", "json")
    structlog.get_logger("bot.test").info("posted", match=5)
    line = json.loads(capsys.readouterr().err)
    assert (line["event"], line["match"], line["level"]) == ("posted", 5, "info")
    assert line["logger"] == "bot.test"


def test_each_log_line_has_the_version_and_its_context(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure("INFO", "json")
    with structlog.contextvars.bound_contextvars(request=12, shard=0, match=5):
        structlog.get_logger("bot.test").info("posted")
        logging.getLogger("discord.http").warning("slow")
    ours, theirs = map(json.loads, capsys.readouterr().err.splitlines())
    for line in (ours, theirs):
        assert (line["version"], line["request"], line["shard"], line["match"]) == (
            full_version(),
            12,
            0,
            5,
        )


def test_libraries_log_through_the_same_handler(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("INFO", "json")
    logging.getLogger("discord.client").warning("slow %s", "gateway")
    assert json.loads(capsys.readouterr().err)["event"] == "slow gateway"


@pytest.mark.parametrize("form", ["console", "json"])
def test_the_token_appears_in_no_log_line_or_traceback(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("DEBUG", form, ["the-token"])
    log = structlog.get_logger("bot.test")
    log.info("login with the-token", header="Bot the-token")
    try:
        int("the-token")
    except ValueError:
        log.exception("failed")
        logging.getLogger("discord.http").exception("failed with the-token")
    written = capsys.readouterr().err
    assert "failed" in written
    assert "the-token" not in written


def test_interaction_tokens_are_removed_from_logged_urls(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logs.configure("INFO", "console")
    logging.getLogger("discord.webhook").warning(
        "POST https://discord.com/api/v10/interactions/12/aW50ZXJhY3Rpb24.x-y/callback and "
        "/webhooks/34/c2VjcmV0/messages/@original"
    )
    written = capsys.readouterr().err
    assert "/interactions/12/" in written
    assert "aW50ZXJhY3Rpb24" not in written
    assert "c2VjcmV0" not in written


@pytest.mark.parametrize("form", ["console", "json"])
def test_what_nothing_catches_is_logged_without_secrets(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("INFO", form, ["the-token"])
    try:
        int("the-token")
    except ValueError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    failing = threading.Thread(target=int, args=["the-token"])
    failing.start()
    failing.join()
    written = capsys.readouterr().err
    assert "the-token" not in written
    assert written.count("uncaught error") == 2
    assert written.count("invalid literal") == 2
    if form == "json":
        assert all(json.loads(line)["level"] == "critical" for line in written.splitlines())


def test_only_our_own_loggers_follow_debug(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("DEBUG", "json")
    for name in ("bot.app.client", "data.store", "discord.http", "sqlalchemy.engine", "aiohttp"):
        structlog.get_logger(name).debug("payload")
        logging.getLogger(name).debug("payload")
    told = [json.loads(line)["logger"] for line in capsys.readouterr().err.splitlines()]
    assert told == ["bot.app.client", "bot.app.client", "data.store", "data.store"]
