"""A tournament that is being set up: its choices, their limits, and where it waits to be posted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from pydantic import TypeAdapter

from bot.core import hourly_limits, move_times
from bot.core.errors import BadInput, NotAllowed, Refusal
from bot.core.i18n.mentions import slash
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.server_settings import ServerSettings
from bot.features.tournaments.rules.pairing import MAX_ENTRANTS
from bot.play.matches import time_controls
from data import locks, time_per_move
from data.sql import key_values
from data.store.store import Store, Transaction
from data.tournaments.tournaments import Terms
from data.tournaments.values import Format, Plan
from engine import registry
from engine.phrase import Phrase, say

KEPT: Final = timedelta(days=1)
"""How long a draft waits to be posted."""
MAX_DRAFTS: Final = 30
"""Maximum drafts a user begins per hour."""

Group: TypeAlias = Literal["time", "size", "ratings"]
"""What one form asks for."""


class Number(NamedTuple):
    """A number to type, or nothing."""

    group: Group
    label: Phrase
    least: int
    most: int


NUMBERS: Final[Mapping[str, Number]] = {
    "bank": Number("time", say("Or days in a time bank"), 1, move_times.MAX_DAYS),
    "round_days": Number("time", say("Days until a round ends"), 1, 90),
    "starts_in": Number("time", say("Days until it starts"), 1, 60),
    "rounds": Number("size", say("Rounds of a Swiss"), 1, 30),
    "players": Number("size", say("Players at a table"), 2, 8),
    "groups": Number("size", say("Groups of a round robin"), 2, 32),
    "best_of": Number("size", say("Games per knockout match (odd)"), 1, 9),
    "most": Number("size", say("Maximum number of players"), 2, MAX_ENTRANTS),
    "least_rating": Number("ratings", say("Lowest rating allowed"), 0, 4000),
    "most_rating": Number("ratings", say("Highest rating allowed"), 0, 4000),
}

DEFAULT_TIME: Final = "default"
"""Stands for the server's time per move, or its time bank."""

Switch: TypeAlias = Literal["both_sides", "casual", "monthly", "established"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The choices so far. A number of ``None`` is the default."""

    game: str
    name: str
    format: str
    unfolded: bool = False
    """Whether everything that can be chosen is shown."""
    options: dict[str, str] = field(default_factory=dict)
    verdict: Literal["draw", "computer", "manager"] = "draw"
    role: int | None = None
    both_sides: bool = False
    casual: bool = False
    monthly: bool = False
    established: bool = False
    per_move: timedelta | None = None
    bank: int | None = None
    round_days: int | None = None
    starts_in: int | None = None
    rounds: int | None = None
    players: int | None = None
    groups: int | None = None
    best_of: int | None = None
    most: int | None = None
    least_rating: int | None = None
    most_rating: int | None = None


_STORED: Final = TypeAdapter(Draft)


def with_format(draft: Draft, chosen: str) -> Draft:
    """Return a draft in another format, without what only the previous one had."""
    kind = Format(chosen.removeprefix("double-"))
    return replace(
        draft,
        format=chosen,
        rounds=draft.rounds if kind is Format.SWISS else None,
        groups=draft.groups if kind is Format.ROUND_ROBIN else None,
        best_of=draft.best_of if kind is Format.KNOCKOUT else None,
    )


def with_option(draft: Draft, name: str, value: str) -> Draft:
    """Return a draft with an option of its game; a set of rules replaces the options chosen before.

    Raises:
        BadOption: the game has no such option or value.
    """
    game = registry.game(draft.game)
    presets = any(option.name == name and option.presets for option in game.options)
    options = {**({} if presets else draft.options), name: value}
    game.settle(options)
    return replace(draft, options=options)


def with_numbers(draft: Draft, typed: Mapping[str, str]) -> Draft:
    """Return a draft with typed numbers; an empty text is the default.

    Raises:
        BadInput: a text is no number within its limits.
    """
    read: dict[str, Any] = {}
    for name, text in typed.items():
        known, words = NUMBERS.get(name), text.strip()
        if known is None:
            continue
        if words and not (words.isdecimal() and len(words) <= 5):
            raise _wrong(known)
        read[name] = int(words) if words else None
        if words and not known.least <= int(words) <= known.most:
            raise _wrong(known)
    return replace(draft, **read)


def with_time(draft: Draft, value: str) -> Draft:
    """Return a draft with a chosen time per move, `DEFAULT_TIME` for the server's.

    Raises:
        ValueError: there is no such time.
    """
    return replace(draft, per_move=None if value == DEFAULT_TIME else move_times.read(value))


def _wrong(known: Number) -> BadInput:
    return BadInput(
        say(
            "{label}: type a number from {least} to {most}, or leave it empty.",
            label=known.label,
            least=known.least,
            most=known.most,
        )
    )


class Place(NamedTuple):
    """Where a tournament is to be, and who makes it."""

    guild_id: int
    channel_id: int
    user_id: int
    manages_server: bool
    settings: ServerSettings


def terms(draft: Draft, place: Place, now: datetime) -> Terms:
    """Return the terms of a tournament as drafted.

    Raises:
        BadInput: the choices don't go together, or the game isn't for that many players.
        NotAllowed: they need a permission.
        Refusal: both a time per move and a time bank are chosen.
    """
    if draft.monthly and draft.starts_in is None:
        raise BadInput(say("For a monthly tournament, set the days until it starts."))
    least, most = draft.least_rating, draft.most_rating
    if least is not None and most is not None and least > most:
        raise BadInput(say("The lowest rating is above the highest."))
    if draft.verdict == "manager" and not place.manages_server:
        raise NotAllowed(
            say(
                "To decide games yourself, you need the permission **Manage Server**. Choose that "
                "open games are drawn or that the computer judges them."
            )
        )
    plan = _plan(draft)
    if draft.most is not None and draft.most < plan.smallest:
        raise BadInput(
            say("A table needs {number} players. Let at least that many in.", number=plan.smallest)
        )
    time = time_controls.chosen(place.settings, draft.per_move, draft.bank)
    starts_at = None if draft.starts_in is None else now + timedelta(days=draft.starts_in)
    return Terms(
        guild_id=place.guild_id,
        channel_id=place.channel_id,
        name=draft.name,
        game=draft.game,
        plan=plan,
        created_by=place.user_id,
        bank=time.bank,
        round_days=draft.round_days,
        verdict=draft.verdict,
        unrated=draft.casual,
        max_players=draft.most or MAX_ENTRANTS,
        min_rating=least,
        max_rating=most,
        established=draft.established,
        role_id=None if draft.role == place.guild_id else draft.role,  # the role of everyone
        starts_at=starts_at,
        monthly_day=starts_at.day if draft.monthly and starts_at is not None else None,
        options=draft.options,
        **time_per_move.columns(time.per_move),
    )


def _plan(draft: Draft) -> Plan:
    game = registry.game(draft.game)
    seats = draft.players or game.players[0]
    if seats not in game.players:
        raise BadInput(
            say("{game} can't be played at tables of {number}.", game=game.title, number=seats)
        )
    kind = Format(draft.format.removeprefix("double-"))
    double = draft.format.startswith("double-")
    try:
        return Plan(
            kind,
            seats=seats,
            smallest=min(2 if seats <= 3 else seats - 1, seats),
            rounds=draft.rounds if kind is Format.SWISS or seats > 2 else None,
            cycles=2 if double and kind is Format.ROUND_ROBIN else 1,
            lives=2 if double and kind is Format.KNOCKOUT else 1,
            groups=draft.groups or 1,
            best_of=draft.best_of or 1,
            both_sides=draft.both_sides,
        )
    except ValueError as error:
        raise BadInput(
            say(
                "These options don't go together. Groups are for a round robin, a best of several "
                "(an odd number) for a knockout, and both need two players at a table."
            )
        ) from error


_PREFIX: Final = "tournament-draft:"
_FIRST_ID: Final = 22
"""By how many bits Discord's ids are shifted: before them, they are milliseconds."""


def _key(draft_id: int) -> str:
    return f"{_PREFIX}{draft_id:020}"


async def take(tx: Transaction, draft_id: int) -> None:
    """Remove a draft as it is posted.

    Raises:
        Refusal: it is gone, or has been posted.
    """
    await locks.lock_id(tx, draft_id)
    await _read(tx, draft_id)
    await key_values.remove(tx, _key(draft_id))


async def _read(tx: Transaction, draft_id: int) -> Draft:
    stored = await key_values.get(tx, _key(draft_id))
    if stored is None:
        raise Refusal(say("This draft is gone. Start a new one with {create}.", create=_CREATE))
    return _STORED.validate_json(stored)


_CREATE: Final = slash("tournament", "create")


@dataclass(eq=False, repr=False)
class Drafts:
    """The drafts in a store, by the ids of the interactions that began them.

    They hold nothing about who makes them: only that person sees the message with their ids.
    """

    store: Store
    clock: WallClock

    async def begin(self, draft_id: int, user_id: int, draft: Draft) -> None:
        """Store a draft, and forget old ones.

        Raises:
            TooMany: more than `MAX_DRAFTS` within an hour.
        """
        await hourly_limits.take(self.store, user_id, "tournament-draft", self.clock(), MAX_DRAFTS)
        old = draft_id - (int(KEPT.total_seconds() * 1000) << _FIRST_ID)
        async with self.store.write() as tx:
            await key_values.remove_between(tx, _PREFIX, _key(max(old, 0)))
            await key_values.set(tx, _key(draft_id), _STORED.dump_json(draft).decode())

    async def get(self, draft_id: int) -> Draft:
        """Return a draft.

        Raises:
            Refusal: it is gone, or has been posted.
        """
        return await self.store.run_read(lambda tx: _read(tx, draft_id))

    async def change(
        self, draft_id: int, change: Callable[[Draft], Draft], check: Callable[[Draft], object]
    ) -> Draft:
        """Change a draft, and return it.

        Raises:
            Refusal: it is gone, or what ``change`` and ``check`` raise; then nothing changes.
        """
        async with self.store.write() as tx:
            await locks.lock_id(tx, draft_id)
            changed = change(await _read(tx, draft_id))
            check(changed)
            await key_values.set(tx, _key(draft_id), _STORED.dump_json(changed).decode())
        return changed

    async def discard(self, draft_id: int) -> None:
        """Remove a draft, if it still exists."""
        async with self.store.write() as tx:
            await key_values.remove(tx, _key(draft_id))


def fields_of(group: Group) -> Iterable[tuple[str, Number]]:
    """Return the numbers of a group by name."""
    return [(name, one) for name, one in NUMBERS.items() if one.group == group]
