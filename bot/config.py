"""Every setting of the program. Read once, in ``bot/__main__.py``; nothing is read at import."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from yarl import URL


class Config(BaseSettings):
    """The environment and ``.env``, checked. Secrets do not show in its ``repr``."""

    model_config = SettingsConfigDict(
        env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True
    )

    discord_token: SecretStr | None = None
    """The bot's token. Without one the program starts a Discord of its own on this machine."""

    playground_url: str | None = None
    """The address of a playground that runs already, to join it instead of Discord. Loopback."""

    playground_port: int = Field(default=8080, ge=0, le=65535)
    """Where the program's own playground listens; 0 picks a free port."""

    playground_demo: bool = True
    """Whether the program's own playground begins with matches to look at, rather than empty."""

    database_url: SecretStr | None = None
    """SQLite or PostgreSQL. Without one: var/games.db, and a fresh database in the playground."""

    picture_width: int = Field(default=800, ge=400, le=2000)
    """The width of board pictures in pixels."""

    workers: int = Field(default=1, ge=1, le=64)
    """Processes that compute the moves of computer opponents: as many as there are cores to spare."""

    analyse_matches: bool = True
    """Whether finished matches are analysed in the background, which also finds puzzles."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """How much is logged."""

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
        # The bot's token is sent to this address, so it may never leave the machine.
        if value is not None and URL(value).host not in {"127.0.0.1", "::1", "localhost"}:
            raise ValueError("a playground runs on this machine only: use http://127.0.0.1:PORT")
        return value

    @property
    def in_playground(self) -> bool:
        """Whether the bot plays in a local Discord rather than in the real one."""
        return self.playground_url is not None or self.discord_token is None
