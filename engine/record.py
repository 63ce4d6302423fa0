"""A game as text that anyone can read and replay: headers, then the numbered log.

docs/record.md describes the format. `read` is strict, and `write` reproduces a record that was
read. `engine.verification` recomputes its luck.
"""

from __future__ import annotations

import itertools
import json
import re
import textwrap
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.errors import BadRecord
from engine.headers import (
    GaveUp,
    day,
    drawn_of,
    gave_up_of,
    hexadecimal,
    number,
    order_of,
    pairs,
    ranks_of,
    seats_of,
    version,
    words_of,
)
from engine.luck import FINGERPRINT, SEED_BYTES
from engine.phrase import say, shortened
from engine.plain_text import one_line

FORMAT: Final = "1"
MAX_ENTRIES: Final = 4000
"""More than any match: the longest, random play for four, take about 500 and at most 800.

Code that accepts other people's records should refuse longer ones, as every entry is replayed.
"""
MAX_THROWS: Final = 300
"""More throws than ever fall in a row.

A player waiting for one throw of sixteen takes longer only once in 200 million times. Code that
accepts other people's records should refuse more, as a text lists a seat's throws.
"""

_WIDTH: Final = 79
_QUOTED: Final = 80
"""How much of a faulty text is quoted."""
_LONGEST: Final = 80
"""Maximum length of an entry: no game writes half as much."""
_HEADER: Final = re.compile(r'\[([A-Z][A-Za-z]*) (".*")\]')
_ENTRY: Final = re.compile(r"[!-~]+")
_DIGEST: Final = re.compile(rf"[0-9a-f]{{{FINGERPRINT}}}|[0-9a-f]{{64}}")
_SEED: Final = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}")
_REQUIRED: Final = ("Record", "Game", "RulesVersion", "Match", "Seats")
_COMMENT: Final = re.compile(r"\{[^{}]*\}")
_GAP: Final = re.compile(r"\n[ \t]*\n")
_OPTIONAL: Final = (
    *("Started", "Ended", "Takebacks", "Challenge", "Order", "Drawn", "Commitment", "Seed"),
    *("TournamentCommitment", "TournamentSeed"),
)
_ONCE: Final = (*_REQUIRED, *_OPTIONAL, "Result", "Reason")
_REPEATED: Final = ("Option", "Id", "GaveUp", "Word")


@dataclass(frozen=True, slots=True)
class Record:
    """One game, finished or not. Seats go by their names, in turn order."""

    game: str
    rules_version: int
    match: str
    """The name of the match."""
    seats: tuple[str, ...]
    """The seats taken; people's names are not part of a record."""
    log: tuple[str, ...]
    """Throws and moves in notation, from the first."""
    options: tuple[tuple[str, str], ...] = ()
    """Names and values of the options."""
    ids: tuple[tuple[str, str], ...] = ()
    """Seats and their players, as identifiers from the place where they played."""
    challenge: str = ""
    """The number of the challenge, part of every draw; empty without luck."""
    order: tuple[str, ...] = ()
    """All seats in the order in which their players enter a draw; empty without luck."""
    words: tuple[tuple[str, str], ...] = ()
    """Seats and the words their players added to every draw, where they added one."""
    drawn: tuple[str, ...] = ()
    """The seats drawn among their players, in turn order; the others were chosen."""
    commitment: str | None = None
    """The SHA-256 of the seed in hexadecimal, or as many of its digits as a challenge shows."""
    seed: bytes | None = field(default=None, repr=False)
    """Only set once it has been revealed."""
    tournament_commitment: str | None = None
    """The SHA-256 of the tournament's seed, from which this match's derives; ``None`` outside."""
    tournament_seed: bytes | None = field(default=None, repr=False)
    """Only set once it has been revealed."""
    ranks: tuple[int, ...] = ()
    """The result, a rank per seat; empty while in progress."""
    reason: str = ""
    """Why it ended."""
    started: str = ""
    """The start day, as ``2026-11-20``, in UTC."""
    ended: str = ""
    """The end day."""
    takebacks: int = 0
    """How many decisions were taken back; they are not in the log."""
    gave_up: tuple[GaveUp, ...] = ()
    """The seats given up while others played on, in that order."""


def write(record: Record, *, breaks: Collection[int] = ()) -> str:
    """Return a record as text.

    Args:
        record: the record.
        breaks: the entries, counted from 1, that begin a new line: those that begin a turn are
            pleasant to read. By default the log fills the lines.
    """
    headers = [
        ("Record", FORMAT),
        ("Game", record.game),
        ("RulesVersion", str(record.rules_version)),
        ("Match", record.match),
        *(("Option", f"{name}={value}") for name, value in record.options),
        ("Seats", " ".join(record.seats)),
        *(("Id", f"{seat}={identifier}") for seat, identifier in record.ids),
    ]
    if record.started:
        headers.append(("Started", record.started))
    if record.ended:
        headers.append(("Ended", record.ended))
    if record.takebacks:
        headers.append(("Takebacks", str(record.takebacks)))
    headers += [("GaveUp", f"{seat}={ply} {how}") for seat, ply, how in record.gave_up]
    headers += _draws(record)
    if record.ranks:
        ranks = zip(record.seats, record.ranks, strict=True)
        headers.append(("Result", " ".join(f"{seat}:{rank}" for seat, rank in ranks)))
        headers.append(("Reason", record.reason))
    lines = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in headers]
    return "\n".join([*lines, "", *_written_log(record.log, breaks)]) + "\n"


def _draws(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the headers on what the draws are made of."""
    if record.challenge:
        yield "Challenge", record.challenge
    if record.order:
        yield "Order", " ".join(record.order)
    for seat, word in record.words:
        yield "Word", f"{seat}={word}"
    if record.drawn:
        yield "Drawn", " ".join(record.drawn)
    if record.commitment is not None:
        yield "Commitment", record.commitment
    if record.seed is not None:
        yield "Seed", record.seed.hex()
    if record.tournament_commitment is not None:
        yield "TournamentCommitment", record.tournament_commitment
    if record.tournament_seed is not None:
        yield "TournamentSeed", record.tournament_seed.hex()


def most_throws(log: Sequence[str]) -> int:
    """Return the length of the longest run of throws in a log."""
    runs = itertools.groupby(log, key=lambda entry: entry.startswith("*"))
    return max((len(list(run)) for thrown, run in runs if thrown), default=0)


def _written_log(log: Sequence[str], breaks: Collection[int]) -> Iterator[str]:
    starts = sorted({1, *breaks})
    for start, following in zip(starts, [*starts[1:], len(log) + 1], strict=True):
        part = enumerate(log[start - 1 : following - 1], start)
        text = " ".join(f"{ply}. {entry}" for ply, entry in part)
        yield from textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def read(text: str) -> Record:
    """Return the record in a text, its form checked but not its moves.

    Raises:
        BadRecord: the text is not a record; the sentence says where and why.

    """
    head, body = _parts(text)
    once: dict[str, str] = {}
    repeated: dict[str, list[str]] = {name: [] for name in _REPEATED}
    for name, value in _headers(head):
        if name in repeated:
            repeated[name].append(value)
        elif name not in _ONCE:
            # Translators: a header is a line of a record, such as [Game "tablut"].
            message = say(
                "There is no header “{header}” in records of format {format}.",
                header=name,
                format=FORMAT,
            )
            raise BadRecord(message)
        elif name in once:
            raise BadRecord(say("The header “{header}” appears twice.", header=name))
        else:
            once[name] = value
    for name in _REQUIRED:
        if name not in once:
            raise BadRecord(say("The header “{header}” is missing.", header=name))
    if once["Record"] != FORMAT:
        message = say(
            "This is a record of format {format}, not of {known}.",
            format=once["Record"],
            known=FORMAT,
        )
        raise BadRecord(message)
    seats, log = seats_of(once["Seats"]), tuple(_log(body))
    of_all = "TournamentCommitment"
    return Record(
        game=once["Game"],
        rules_version=version(once["RulesVersion"]),
        match=once["Match"],
        seats=seats,
        log=log,
        options=pairs("Option", repeated["Option"]),
        ids=pairs("Id", repeated["Id"], seats),
        challenge=once.get("Challenge", ""),
        order=order_of(once.get("Order"), seats),
        words=words_of(repeated["Word"], seats),
        drawn=drawn_of(once.get("Drawn"), seats),
        commitment=hexadecimal("Commitment", once.get("Commitment"), _DIGEST),
        seed=_seed("Seed", once),
        tournament_commitment=hexadecimal(of_all, once.get(of_all), _DIGEST),
        tournament_seed=_seed("TournamentSeed", once),
        ranks=ranks_of(once, seats),
        reason=one_line(once.get("Reason", "")),
        started=day("Started", once),
        ended=day("Ended", once),
        takebacks=number(once.get("Takebacks")),
        gave_up=gave_up_of(repeated["GaveUp"], seats, len(log)),
    )


def _seed(header: str, once: dict[str, str]) -> bytes | None:
    digits = hexadecimal(header, once.get(header), _SEED)
    return None if digits is None else bytes.fromhex(digits)


def line_of(text: str, ply: int) -> int | None:
    """Return the line of a text, counted from 1, that has an entry of the log."""
    whole = _plain(text)
    _, body = _parts(text)
    found = re.search(rf"(?<!\S){ply}\.(?=\s)", _blanked(body))
    if found is None:
        return None
    return whole.count("\n", 0, len(whole.rstrip()) - len(body) + found.start()) + 1


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _parts(text: str) -> tuple[str, str]:
    """Return the headers and the log, as they stand in the text."""
    head, *body = _GAP.split(_plain(text).strip(), maxsplit=1)
    return head, body[0] if body else ""


def _blanked(body: str) -> str:
    """Return a log with comments replaced by blanks, every other character in its place."""
    return _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), body)


def _headers(head: str) -> Iterator[tuple[str, str]]:
    for line in head.split("\n"):
        header = _HEADER.fullmatch(line.strip())
        try:
            value = json.loads(header[2]) if header else None
            str(value).encode()  # rejects an unpaired surrogate, written as an escape
        except (json.JSONDecodeError, UnicodeEncodeError):
            value = None
        if header is None or not isinstance(value, str):
            message = say(
                "“{line}” is not a header: it should look like {example}.",
                line=shortened(line, _QUOTED),
                example='[Game "tablut"]',
            )
            raise BadRecord(message)
        yield header[1], value


def _log(body: str) -> Iterator[str]:
    words = _blanked(body).split()
    for ply, start in enumerate(range(0, len(words), 2), start=1):
        number, entry = words[start], "".join(words[start + 1 : start + 2])
        if number != f"{ply}.":
            message = say(
                "The log has “{found}” where “{expected}” belongs.",
                expected=f"{ply}.",
                found=shortened(number, _QUOTED),
            )
            raise BadRecord(message, ply)
        if not _ENTRY.fullmatch(entry):
            raise BadRecord(say("Entry {n} of the log is missing.", n=ply), ply)
        if len(entry) > _LONGEST:
            raise BadRecord(say("Entry {n} of the log is too long to be a move.", n=ply), ply)
        yield entry
