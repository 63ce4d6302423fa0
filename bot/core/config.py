"""All program settings, read once in ``bot/__main__.py``; nothing is read at import.

Settings that do not exist are reported: most are typos, and would be silently ignored.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from difflib import SequenceMatcher, get_close_matches
from pathlib import Path
from typing import Any, Final, Literal

from dotenv import dotenv_values
from pydantic import (
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict
from yarl import URL

SECRETS: Final = ("discord_token", "discord_client_secret", "database_url")
"""Settings that are never shown. Each can also come from a file, as ``<name>_file``."""


class BadSettings(Exception):
    """The settings cannot be used."""

    def __init__(self, problems: list[str]) -> None:
        """Keep the problems, one sentence each, without any of the given values."""
        super().__init__(*problems)
        self.problems = problems


class Config(BaseSettings):
    """The environment and ``.env``, validated. Secrets do not show in its ``repr``."""

    model_config = SettingsConfigDict(
        env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True
    )

    discord_token: SecretStr | None = None
    """The bot's token. Without one, the program starts its own Discord on this machine."""

    discord_token_file: Path | None = None
    """File holding the token, instead of DISCORD_TOKEN: a Docker or systemd secret."""

    discord_client_secret: SecretStr | None = None
    """The application's client secret, from the OAuth2 page of the developer portal. With it and WEB_URL,
    the board also opens inside Discord, as an Activity."""

    discord_client_secret_file: Path | None = None
    """File holding the client secret, instead of DISCORD_CLIENT_SECRET."""

    playground_url: str | None = None
    """Address of a running playground to join instead of Discord. Loopback only."""

    playground_port: int = Field(default=8080, ge=0, le=65535)
    """Port of the program's own playground; 0 picks a free one."""

    playground_demo: bool = True
    """Whether the program's own playground starts with sample matches rather than empty."""

    database_url: SecretStr | None = None
    """SQLite or PostgreSQL. Default: var/games.db, or a fresh database in the playground."""

    database_url_file: Path | None = None
    """File holding the database address, instead of DATABASE_URL."""

    shards: int | None = Field(default=None, ge=1, le=16_000)
    """Total number of connections to Discord. By default, Discord decides."""

    picture_width: int = Field(default=800, ge=400, le=2000)
    """Width of board pictures in pixels."""

    workers: int = Field(default=1, ge=1, le=64)
    """Processes that compute the moves of computer opponents: one per spare core."""

    analyse_matches: bool = True
    """Whether finished matches are analysed in the background, which also finds puzzles."""

    monitoring_address: str | None = None
    """HOST:PORT, or a PORT on this machine only, for /live, /ready and /metrics; off by default."""

    monitoring_hosts: str = ""
    """Names by which clients reach it, separated by commas; addresses and localhost always work."""

    backup_folder: Path | None = None
    """Folder of the backups, whose newest file's age is then a metric."""

    web_url: str | None = None
    """Public address of the page to play in the browser, such as https://play.example.org; off by
    default, and on in the program's own playground."""

    web_address: str = "127.0.0.1:8081"
    """HOST:PORT, or a PORT on this machine only, where that page is served: to a reverse proxy.
    Gateways leave that to `python -m bot web`."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """Minimum level to log."""

    log_format: Literal["console", "json"] = "console"
    """Lines for people, or one JSON object a line for machines."""

    @field_validator("log_level", "log_format", mode="before")
    @classmethod
    def _in_any_case(cls, value: object, info: ValidationInfo) -> object:
        if not isinstance(value, str):
            return value
        return value.upper() if info.field_name == "log_level" else value.lower()

    @field_validator("playground_url")
    @classmethod
    def _only_loopback(cls, value: str | None) -> str | None:
        # The bot's token is sent to this address, so it must never leave the machine.
        if value is not None and _host(value) not in {"127.0.0.1", "::1", "localhost"}:
            raise ValueError("a playground runs on this machine only: use http://127.0.0.1:PORT")
        return value

    @field_validator("web_url")
    @classmethod
    def _only_an_origin(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            url = URL(value)
        except ValueError as error:
            raise ValueError("use an address such as https://play.example.org") from error
        local = url.host in {"127.0.0.1", "::1", "localhost"}
        if url.scheme != "https" and not (local and url.scheme == "http"):
            raise ValueError(
                "use https, as sessions would be stolen without: https://play.example.org"
            )
        if url.host is None or url.path not in {"", "/"} or url.query or url.fragment or url.user:
            raise ValueError("use an address without a path, such as https://play.example.org")
        return str(url.origin())

    @field_validator("monitoring_address", "web_address")
    @classmethod
    def _host_and_port(cls, value: str | None) -> str | None:
        if value is None:
            return None
        host, _, port = value.rpartition(":")
        if not port.isascii() or not port.isdigit() or int(port) > 65535:
            raise ValueError("use a port such as 9464, or HOST:PORT")
        return f"{host or '127.0.0.1'}:{port}"

    @model_validator(mode="before")
    @classmethod
    def _secrets_by_file(cls, given: dict[str, Any]) -> dict[str, Any]:
        read = dict(given)
        for name in SECRETS:
            if path := given.get(f"{name}_file"):
                if given.get(name):
                    raise ValueError(
                        f"{name.upper()} and {name.upper()}_FILE are both set: keep one of them"
                    )
                read[name] = _secret(Path(path), f"{name.upper()}_FILE")
            elif isinstance(secret := given.get(name), str):
                read[name] = _one_line(secret, name.upper())
        return read

    @property
    def in_playground(self) -> bool:
        """Whether the bot plays in a local Discord rather than the real one."""
        return self.playground_url is not None or self.discord_token is None

    @property
    def page(self) -> tuple[str, str] | None:
        """The public address of the page, and where the process that serves it does; ``None`` if it is off."""
        if self.web_url is not None:
            return self.web_url, self.web_address
        own = self.playground_url is None and self.discord_token is None
        return ("http://127.0.0.1:0", "127.0.0.1:0") if own else None

    @property
    def hosts(self) -> frozenset[str]:
        """The names by which this process's monitoring is reached, in lower case."""
        address = (self.monitoring_address or "").rpartition(":")[0]
        named = (*self.monitoring_hosts.split(","), address)
        return frozenset(name.strip().lower() for name in named) - {""}

    @property
    def secrets(self) -> list[str]:
        """Values that must never be shown or logged."""
        given = [getattr(self, name) for name in SECRETS]
        return [secret.get_secret_value() for secret in given if secret is not None]


def read() -> Config:
    """Read all settings. Raises BadSettings if a setting is invalid or unknown."""
    try:
        problems = unknown(
            [name.upper() for name in Config.model_fields], os.environ, Path(".env").absolute()
        )
        settings = Config()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not a text file"
        # Not chained: the error may contain what is in the file.
        raise BadSettings([f".env cannot be read: {reason}."]) from None
    except ValidationError as error:
        for problem in error.errors(include_input=False, include_url=False):
            name = "_".join(str(part) for part in problem["loc"]).upper()
            problems.append(": ".join(filter(None, (name, _advice(name.lower(), problem)))))
    if problems:
        raise BadSettings(problems)
    return settings


def _advice(name: str, problem: ErrorDetails) -> str:
    """Return what a setting can be, in place of pydantic's words about its types."""
    field = Config.model_fields.get(name)
    if field is None or problem["type"] == "value_error":
        return problem["msg"].removeprefix("Value error, ")
    if problem["type"].startswith("bool"):
        return "use True or False"
    bounds = {
        kind: getattr(one, kind)
        for one in field.metadata
        for kind in ("ge", "le")
        if hasattr(one, kind)
    }
    if bounds:
        return f"use a whole number from {bounds['ge']} to {bounds['le']}"
    return (
        f"use {problem['ctx']['expected']}"
        if "expected" in problem.get("ctx", {})
        else problem["msg"]
    )


def log_format() -> str:
    """Return the format of log lines, ``console`` or ``json``, however wrong other settings are."""
    sources: list[Mapping[str, str | None]] = [os.environ]
    with suppress(OSError, UnicodeDecodeError):
        sources.append(dotenv_values(".env", interpolate=False))
    for source in sources:
        for name, value in source.items():
            if name.upper() == "LOG_FORMAT" and value:
                return "json" if value.lower() == "json" else "console"
    return "console"


def _host(address: str) -> str | None:
    with suppress(ValueError):  # not chained: it says nothing of what to do
        return URL(address).host
    return None


def _secret(path: Path, name: str) -> str:
    try:
        secret = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not a text file"
        # Not chained: the error may contain what is in the file.
        raise ValueError(f"{name}: {path} cannot be read: {reason}") from None
    if not secret:
        raise ValueError(f"{name}: {path} is empty")
    return _one_line(secret, f"{name}: {path}")


def _one_line(secret: str, place: str) -> str:
    """Return a secret without spaces around it; raise ValueError if it could be in no request."""
    if not secret.strip().isprintable():
        raise ValueError(
            f"{place} has several lines, or characters that nobody sees: keep one line"
        )
    return secret.strip()


_LONG: Final = 8
"""Minimum length of a setting whose near misses are reported: WORKER may be any program's."""
_CLOSE: Final = 0.7
"""Minimum likeness of a name to be suggested."""


def unknown(known: Iterable[str], environment: Mapping[str, str], file: Path) -> list[str]:
    """Return one sentence for each unknown name among variables and in a ``.env`` that may be missing.

    The ``known`` names of all settings are in capitals.
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
    nearest = get_close_matches(name.upper(), names, n=1, cutoff=_CLOSE)
    return f" Did you mean {nearest[0]}?" if nearest else " Remove it."


def _slip(name: str, names: tuple[str, ...]) -> str | None:
    """Return the setting that was meant, if one letter is wrong, missing, added or moved."""
    if name in names:
        return None
    alike = (one for one in names if len(one) >= _LONG and abs(len(name) - len(one)) <= 1)
    # One wrong letter in n leaves a likeness of 1 - 1/n.
    likeness = {one: SequenceMatcher(None, name, one).ratio() for one in alike}
    return next((one for one in likeness if likeness[one] > 1 - 1 / len(one) - 1e-9), None)
