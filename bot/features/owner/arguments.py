"""The words of the owner's commands: the same in the terminal, ``python -m bot owner ...``, and in a message."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NoReturn

from data.people.owner_orders import Order
from engine.plain_text import one_line

MAX_TEXT: Final = 200
"""Characters of an announcement or a reason."""
MAX_PRESENCE: Final = 128
"""Characters that Discord takes in a status."""
MAX_ANNOUNCED: Final = timedelta(days=30)
_ID: Final = re.compile(r"<@!?(\d{15,19})>|(\d{15,19})")
_LASTING: Final = re.compile(r"(\d{1,4})\s*([mhd])")
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days"}
_FORMS: Final = ("%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M")
_UNTIL: Final = "Say until when: 90m, 2h, 3d, or 2030-12-31 04:00 in UTC. At most 30 days."

USAGE: Final = """\
servers                          size and activity of each server
totals                           servers, players, matches and moves
blocks                           who is blocked
log                              orders and what came of them
announce [TEXT] --until 2h       show a line on boards and at /play
announce --off                   take it back
presence [TEXT]                  the bot's status, or none
block user|server ID --yes       keep off the bot everywhere
unblock ID
leave ID --yes                   leave a server
delete ID --yes                  delete a user's data
With --reason TEXT, the log says why. Who is blocked reads it."""


class BadCommand(Exception):
    """A command cannot be read; its text says what to type."""


class MessageParser(argparse.ArgumentParser):
    """Reads a command from a message: errors are raised, and nothing is printed."""

    def __init__(self, **rest: Any) -> None:
        """Offer no ``--help``, which would be printed."""
        super().__init__(**{**rest, "add_help": False})

    def error(self, message: str) -> NoReturn:
        """Raise BadCommand."""
        raise BadCommand(f"{message}\n\n{USAGE}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add all commands and their options to a parser."""
    whats = parser.add_subparsers(dest="what", metavar="what", required=True)
    for name, about in (
        ("servers", "size and activity of each server"),
        ("totals", "servers, players, matches and moves"),
        ("blocks", "who is blocked"),
        ("log", "orders and what came of them"),
    ):
        listing = whats.add_parser(name, help=about)
        listing.add_argument("--page", type=int, default=0, help="a page of it, counted from 1")
    announce = whats.add_parser("announce", help="show a line on boards and at /play")
    announce.add_argument("text", nargs="*", help="one about maintenance if empty")
    announce.add_argument("--until", nargs="+", help="such as 2h, or 2030-12-31 04:00 in UTC")
    announce.add_argument("--off", action="store_true", help="take it back")
    presence = whats.add_parser("presence", help="the text in the bot's status")
    presence.add_argument("text", nargs="*", help="none if empty")
    unblock = whats.add_parser("unblock", help="let a blocked user or server back in")
    block = whats.add_parser("block", help="keep a user or server off the bot everywhere")
    block.add_argument("kind", choices=["user", "server"])
    leave = whats.add_parser("leave", help="leave a server")
    erase = whats.add_parser("delete", help="delete a user's data, as /privacy delete does")
    for one in (block, unblock, leave, erase):
        one.add_argument("id", help="the number of the user or server in Discord")
        one.add_argument("--reason", nargs="+", default=[], help="for the log and the blocked")
    for one in (block, leave, erase):
        one.add_argument(
            "--yes", action="store_true", help="do it, rather than say what it would do"
        )


def order_in(options: argparse.Namespace, now: datetime, **given: Any) -> Order | None:
    """Return the order that a command gives, ``None`` if it only asks; ``given`` says who gives it.

    Raises BadCommand.
    """
    detail: dict[str, Any] = {}
    person_id = guild_id = None
    match options.what:
        case "announce":
            if not options.off:
                until = _moment(" ".join(options.until or ()), now)
                text = _text(options.text, MAX_TEXT)
                if "<@" in text or "@everyone" in text or "@here" in text:
                    raise BadCommand("An announcement notifies no one: leave out the mentions.")
                detail = {"text": text, "until": until.isoformat()}
        case "presence":
            detail = {"text": _text(options.text, MAX_PRESENCE)}
        case "block" | "unblock" | "leave" | "delete":
            number = _id(options.id)
            if options.what == "leave" or getattr(options, "kind", "") == "server":
                guild_id = number
            else:
                person_id = number
            detail = {"reason": _text(options.reason, MAX_TEXT)}
        case _:
            return None
    return Order(
        id=0,
        at=now,
        user_id=given["user_id"],
        what=options.what,
        person_id=person_id,
        guild_id=guild_id,
        detail={name: value for name, value in (detail | given["detail"]).items() if value},
        due_at=now,
    )


def _id(typed: str) -> int:
    found = _ID.fullmatch(typed)
    number = 0 if found is None else int(found[1] or found[2])
    if not 0 < number < 2**63:
        raise BadCommand(
            f"{typed[:40]!r} is no id. With Developer Mode on in Discord, Copy User ID or Copy "
            "Server ID gives it."
        )
    return number


def _text(words: Sequence[str], most: int) -> str:
    text = one_line(" ".join(words))
    if len(text) > most:
        raise BadCommand(f"That has {len(text)} characters. The limit is {most}.")
    return text


def _moment(typed: str, now: datetime) -> datetime:
    if lasting := _LASTING.fullmatch(typed):
        moment = now + timedelta(**{_UNITS[lasting[2]]: int(lasting[1])})
    else:
        moment = now
        for form in _FORMS:
            try:
                moment = datetime.strptime(typed, form).replace(tzinfo=UTC)
            except ValueError:
                continue
    if not now < moment <= now + MAX_ANNOUNCED:
        raise BadCommand(_UNTIL)
    return moment
