"""What the tournament use cases ask to be posted; `bot.features.tournaments.posts` says what it says."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final, Literal, TypeAlias, get_args

from data import posts
from data.matches.match import Match
from data.store.store import Transaction
from data.tournaments import tournament_rounds
from data.tournaments.tournaments import Tournament

ANNOUNCEMENT: Final = "tournament"
"""The tournament's first message."""
ROUND: Final = "tournament_round"
"""The post of a round."""
PODIUM: Final = "tournament_podium"
"""The final result, later with the best game."""
NOTE: Final = "tournament_note"
"""A one-off note."""
LOST: Final = "tournament_lost"
"""Tells the organiser that the channel is gone."""
KINDS: Final = (ANNOUNCEMENT, ROUND, PODIUM, NOTE)
"""Kinds of posts in the tournament's channel or thread, which come in their order."""

_BETWEEN_BOARDS: Final = timedelta(seconds=5)
"""How long the post of a round waits for more boards to link to."""

Note: TypeAlias = Literal[
    "warning",
    "undecided",
    "absent",
    "replaced",
    "forced",
    "ended",
    "role",
    "adjourned",
    "resumed",
    "cancelled",
]
_NOTES: Final = get_args(Note)


async def show(tx: Transaction, tournament: Tournament, at: datetime) -> None:
    """Post or update the announcement."""
    await posts.want(tx, ANNOUNCEMENT, tournament.id, at=at, guild_id=tournament.guild_id)


async def show_round(tx: Transaction, tournament: Tournament, round_no: int, at: datetime) -> None:
    """Post or update the post of a round."""
    guild = tournament.guild_id
    await posts.want(tx, ROUND, tournament.id, part=round_no, at=at, guild_id=guild)


async def show_link(tx: Transaction, match: Match, at: datetime) -> None:
    """Have the post of a round link to the first board of one of its games.

    Boards follow each other, so once it is posted, it waits for the next ones.
    """
    found = await tournament_rounds.round_of(tx, match.id)
    if found is None:
        return
    post = await posts.find(tx, ROUND, found[0], part=found[1])
    posted = post is not None and post.message_id is not None
    later = at + _BETWEEN_BOARDS if posted else None
    guild = match.guild_id
    await posts.want(tx, ROUND, found[0], part=found[1], at=at, guild_id=guild, not_before=later)


async def show_podium(tx: Transaction, tournament: Tournament, at: datetime) -> None:
    """Post the final result."""
    await posts.want(tx, PODIUM, tournament.id, at=at, guild_id=tournament.guild_id)


async def note(
    tx: Transaction, tournament: Tournament, what: Note, at: datetime, **users: Any
) -> None:
    """Post a one-off note about the current round or the whole tournament, naming some users."""
    await posts.want(
        tx,
        NOTE,
        tournament.id,
        # Each change has its own version.
        part=tournament.version * len(_NOTES) + _NOTES.index(what),
        at=at,
        guild_id=tournament.guild_id,
        payload={"note": what, "round": tournament.round, **users},
    )
