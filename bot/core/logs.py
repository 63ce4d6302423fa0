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
import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Any

import structlog
from structlog.typing import EventDict, Processor

from bot import full_version

_OURS = ("ai", "bot", "data", "engine", "playground", "render")
"""The only loggers that follow DEBUG: libraries log whole requests there, with moves and texts."""
# Alembic logs its name at INFO: never useful here.
_NOISY = {
    "alembic": logging.WARNING,
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
    root.setLevel("INFO" if level == "DEBUG" else level)
    for ours in _OURS:
        logging.getLogger(ours).setLevel(level)
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
    sys.excepthook = _uncaught
    threading.excepthook = lambda failed: _uncaught(
        failed.exc_type, failed.exc_value, failed.exc_traceback
    )


def _uncaught(
    kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
) -> None:
    """Log what nothing has caught as one line, like everything else, and without secrets."""
    if error is None or issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error or kind(), trace)
    else:
        structlog.get_logger("bot").critical("uncaught error", exc_info=(kind, error, trace))


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
