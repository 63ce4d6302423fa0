"""Structured logs to standard error, without secrets.

Each line has the program's version and, if something a person did led to it, the number of that
interaction as ``request``, its ``shard`` and ``match``.

The program logs through structlog, discord.py and SQLAlchemy through the standard library; both
end in one handler. It cuts interaction tokens from anything that looks like a webhook or
interaction address, and the secrets given to `configure` wherever they appear, tracebacks included.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterable
from typing import Any

import structlog
from structlog.typing import EventDict, Processor

from bot import full_version

# discord.py logs every heartbeat at DEBUG, Alembic its name at INFO: never useful here.
_NOISY = {
    "alembic": logging.WARNING,
    "asyncio": logging.INFO,
    "discord.client": logging.WARNING,
    "discord.gateway": logging.WARNING,
}
"""The minimum level of loggers that say too much."""
_ADDRESS = re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w.\-]+")


def configure(level: str, form: str, secrets: Iterable[str] = ()) -> None:
    """Send all logs of the process, from a level on, to standard error, without any of the secrets.

    ``form`` is ``console`` or ``json``.
    """
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        _with_version,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    renderer: Processor = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        _Redacting(
            secrets,
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for noisy, least in _NOISY.items():
        logging.getLogger(noisy).setLevel(max(least, root.level))
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def _with_version(_: object, __: str, event: EventDict) -> EventDict:
    event["version"] = full_version()
    return event


class _Redacting(structlog.stdlib.ProcessorFormatter):
    def __init__(self, secrets: Iterable[str], **options: Any) -> None:
        super().__init__(**options)
        self._secrets = [secret for secret in secrets if secret]

    def format(self, record: logging.LogRecord) -> str:
        line = _ADDRESS.sub(r"\1…", super().format(record))
        for secret in self._secrets:
            line = line.replace(secret, "…")
        return line
