"""Imports and exports records: the readable text of a match.

A record has seats instead of people: user ids are in it only on request, and never those of
players whose data was deleted. A match in progress keeps its seed secret.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.errors import BadImport, NoSuchMatch
from bot.i18n.slash import slash
from bot.matches.text import illegal
from bot.matches.verification import record_of
from bot.replays.service import replay_of_record
from data import challenges, imported_records, matches
from engine import record, registry
from engine.errors import BadRecord, IllegalMove, RulesError
from engine.phrase import Phrase, glued, say, shortened
from engine.verification import verify

if TYPE_CHECKING:
    from bot.replays.service import Replay
    from bot.scheduling.wall_clock import WallClock
    from data.store import Store
    from engine.record import Record

MAX_BYTES: Final = 64 * 1024
"""Maximum size of a record, five times that of the longest match so far."""
_MAX_NAMES: Final = 50
_MAX_WORDS: Final = 1000
"""Maximum length of a quotation from a bad record."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import."""

    number: int
    dropped: int
    """How many older records were dropped to make room."""
    luck: Phrase
    """What can be said of its throws."""


class ImportExport:
    """Imports and exports records of matches."""

    def __init__(self, store: Store, *, clock: WallClock) -> None:
        """Work on a store, with the time of day from ``clock``."""
        self._store = store
        self._clock = clock

    async def add(self, user_id: int, raw: bytes) -> Imported:
        """Check a record and keep it.

        Raises:
            BadImport: it cannot be read or played; the sentence says what is wrong and where.

        """
        imported, replay = _checked(_text(raw))
        written = record.write(imported, breaks=replay.turns)
        async with self._store.write() as tx:
            number, dropped = await imported_records.add(tx, user_id, written, self._clock())
        return Imported(number, dropped, _luck(imported))

    async def export(self, replay: Replay, *, people: bool) -> str:
        """Return a match or record as text, with the user ids of its players if asked for.

        Raises:
            NoSuchMatch: it has been dropped or deleted since.

        """
        number = replay.number
        async with self._store.read() as tx:
            if replay.imported:
                kept = await imported_records.get(tx, number)
                if kept is None:
                    raise NoSuchMatch(say("There is no record {name} any more.", name=replay.name))
                return kept.record
            match = await matches.get(tx, number)
            log = await matches.log(tx, number)
            origin = await challenges.of_match(tx, number)
        if match is None:
            raise NoSuchMatch(say("There is no match #{number}.", number=number))
        breaks = replay.turns if len(log) == replay.plies else ()
        return record.write(record_of(match, log, origin, people=people), breaks=breaks)

    async def luck(self, number: int) -> Phrase | None:
        """Return whether the throws of a record verify; ``None`` if it has been dropped."""
        async with self._store.read() as tx:
            kept = await imported_records.get(tx, number)
        return None if kept is None else _luck(record.read(kept.record))

    async def names(
        self, user_id: int, guild_id: int | None, *, over: bool = False
    ) -> list[tuple[str, str]]:
        """Return the names and labels of a player's records, and matches in a server or all.

        ``over`` omits those that have not ended.
        """
        async with self._store.read() as tx:
            played = await matches.of_player(
                tx, user_id, guild_id=guild_id, open_only=False, limit=_MAX_NAMES
            )
            kept = await imported_records.of_player(tx, user_id)
        found = [
            (str(match.id), f"#{match.id} {registry.game(match.game).title}")
            for match in played
            if match.finished or not over
        ]
        for one in kept:
            imported = record.read(one.record)
            if imported.ranks or not over:
                title = registry.game(imported.game).title
                found.append((f"i{one.id}", f"i{one.id} {title} {one.at.date().isoformat()}"))
        return found


def too_large() -> BadImport:
    """Return the refusal of a record that is too long."""
    return BadImport(
        say(
            "A record may have {most} KB at most. A whole match needs less.",
            most=MAX_BYTES // 1024,
        )
    )


def _text(raw: bytes) -> str:
    if len(raw) > MAX_BYTES:
        raise too_large()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadImport(
            say("This is not a text in UTF-8. A record is a plain text file.")
        ) from error
    if not text.strip():
        raise BadImport(
            say(
                "There is nothing in it. `{command}` gives you a record.",
                command=slash("match", "export"),
            )
        )
    if "\0" in text:
        raise BadImport(say("This is not a text. A record is a plain text file."))
    return text


def _checked(text: str) -> tuple[Record, Replay]:
    """Return the record in a text, played to its end; raise BadImport if it cannot be."""
    try:
        imported = record.read(text)
        if len(imported.log) > record.MAX_ENTRIES:
            raise BadImport(say("The log has more than {most} entries.", most=record.MAX_ENTRIES))
        if record.most_throws(imported.log) > record.MAX_THROWS:
            raise BadImport(
                say("The log has more than {most} throws in a row.", most=record.MAX_THROWS)
            )
        game = registry.game(imported.game)
        number = len(imported.seats)
        seats = game.seats(number) if number in game.players else ()
        if tuple(game.seat_names[seat] for seat in seats) != imported.seats:
            raise BadImport(
                say(
                    "{game} is not played by “{seats}”.",
                    game=game.title,
                    seats=" ".join(imported.seats)[:100],
                )
            )
        if imported.rules_version != game.rules_version:
            raise BadImport(
                say(
                    "The record follows version {theirs} of the rules of {game}; "
                    "I know version {ours}.",
                    theirs=imported.rules_version,
                    game=game.title,
                    ours=game.rules_version,
                )
            )
        return imported, replay_of_record("i0", imported)
    except BadRecord as error:
        raise BadImport(_where(text, error)) from error
    except RulesError as error:
        raise BadImport(shortened(error.sentence, _MAX_WORDS)) from error


def _where(text: str, error: BadRecord) -> Phrase:
    """Return the error of a record with its line and the broken rule, if any."""
    cause = error.__cause__
    why: str = shortened(error.sentence, _MAX_WORDS)
    if isinstance(cause, IllegalMove):
        why = say(
            "{why}\n{rule}",
            why=why,
            rule=illegal(cause.rule, cause.sentence, cause.squares),
        )
    line = None if error.ply is None else record.line_of(text, error.ply)
    if line is None:
        return say("This is not a record that I can read. {why}", why=why)
    return say("This record cannot be played. Line {line}: {why}", line=line, why=why)


def _luck(imported: Record) -> Phrase:
    if not registry.game(imported.game).has_luck:
        findings = verify(imported)
        return glued("⚠ ", findings[0]) if findings else say("✓ There are no throws in this game.")
    if imported.seed is None:
        return say("Its seed is not in it, so nobody can tell whether its luck was fair.")
    findings = verify(imported)
    if findings:
        return say("⚠ Its luck does not verify: {finding}", finding=findings[0])
    return say(
        "✓ Its luck verifies: every throw follows from its seed, and the seed fits its fingerprint."
    )
