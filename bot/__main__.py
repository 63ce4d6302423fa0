"""Starts the bot: ``python -m bot``. See ``.env.example`` for its settings.

Without a token it starts its own Discord on this machine, joins it and prints the address of a
chat page where anyone can play. ``--open`` opens that page in the browser.

On its own it runs everything in one process. ``gateway``, ``worker`` and ``web`` split the work among
any number of processes sharing one PostgreSQL database.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import structlog

from bot import full_version
from bot.app import CannotWork
from bot.core import config, logs
from bot.core.config import Config
from bot.features.owner.arguments import add_arguments
from data.sql.errors import BadAddress, Different, StoreError, TooNew
from engine import output

log: structlog.stdlib.BoundLogger = structlog.get_logger("bot")

_DO_NOT_RESTART: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until told to stop.

    Returns:
        0 after a clean shutdown, 1 when the bot cannot run now, 2 when a restart cannot help: the
        settings are wrong, the database is another application's or too new, or the program is wrong.

    """
    options = _parser().parse_args(arguments)
    try:
        settings = config.read()
    except config.BadSettings as error:
        form = config.log_format()
        logs.configure("INFO", form)
        return _end([*error.problems, "See .env.example."], _DO_NOT_RESTART, form)
    logs.configure(settings.log_level, settings.log_format, settings.secrets)
    status = 1
    try:
        return asyncio.run(_run(options, settings))
    except StoreError as error:
        reason = f"The database cannot be used: {error}"
        if isinstance(error, BadAddress | Different | TooNew):
            status = _DO_NOT_RESTART
    except CannotWork as error:
        reason = str(error)
        if not error.restart_helps:
            status = _DO_NOT_RESTART
    except OSError as error:
        if output.unread():
            return output.UNREAD
        reason = f"Cannot start: {error}"
    return _end([reason], status, settings.log_format)


def _end(reasons: Sequence[str], status: int, form: str) -> int:
    """Say why the program ends, to people or as a line of a log of JSON; return the exit status."""
    if form == "json":
        log.critical("the program ends", reason=" ".join(reasons), status=status)
    else:
        print(*reasons, sep="\n", file=sys.stderr)
    return status


async def _run(options: argparse.Namespace, settings: Config) -> int:
    if options.command in {None, "gateway", "web"}:
        # Nothing loaded at start-up is garbage. The roles that serve turn the collector back on.
        gc.disable()
    # Each command imports only what it needs: a worker runs without discord.py and the renderer.
    match options.command:
        case "ratings" | "backup" | "restore":
            from bot.app import maintenance  # noqa: PLC0415 -- see above

            match options.command:
                case "ratings":
                    await maintenance.recompute_ratings(settings)
                case "backup":
                    await maintenance.backup(settings, options.file)
                case _:
                    await maintenance.restore(settings, options.file)
        case "doctor":
            from bot.app import doctor  # noqa: PLC0415 -- see above

            return await doctor.run(settings)
        case "owner":
            from bot.app import owner  # noqa: PLC0415 -- see above

            return await owner.run(settings, options)
        case "worker":
            from bot.app import thinking  # noqa: PLC0415 -- see above

            await thinking.run(settings)
            log.info("stopped")
        case "web":
            from bot.app import web  # noqa: PLC0415 -- see above

            await web.run(settings)
            log.info("stopped")
        case role:
            from bot.app import gateway  # noqa: PLC0415 -- see above

            await gateway.run(
                settings,
                role=role,
                open_page=options.open,
                replace=role is not None and options.replace,
            )
            log.info("stopped")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot", description=__doc__)
    parser.add_argument("--version", action="version", version=full_version())
    parser.add_argument("--open", action="store_true", help="open the chat page in the browser")
    commands = parser.add_subparsers(dest="command", metavar="command")
    of_gateway = commands.add_parser(
        "gateway", help="connect to Discord: own some shards and answer there"
    )
    of_gateway.add_argument(
        "--replace", action="store_true", help="take over all shards from the running gateways"
    )
    commands.add_parser("worker", help="think: computers' moves, hints, analyses, ratings")
    commands.add_parser("web", help="serve the page in the browser, at WEB_ADDRESS for WEB_URL")
    commands.add_parser("doctor", help="check everything the bot needs, without changing anything")
    of_owner = commands.add_parser(
        "owner", help="give the running bot orders: block, announce, leave a server; read its log"
    )
    add_arguments(of_owner)
    to_file = commands.add_parser(
        "backup", help="back up the database, even while a bot is running"
    )
    to_file.add_argument("file", type=Path)
    from_file = commands.add_parser("restore", help="restore a backup, while no bot is running")
    from_file.add_argument(
        "file",
        type=Path,
        nargs="?",
        help="the backup (none if another tool restored it)",
    )
    of_ratings = commands.add_parser(
        "ratings", help="maintain the ratings, while no bot is running"
    )
    of_ratings.add_argument(
        "what", choices=["recompute"], help="recompute all ratings from the results"
    )
    return parser


if __name__ == "__main__":
    sys.exit(output.quietly(main))
