"""One-off notes posted about a tournament, and who they ping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bot.i18n.mentions import mention_all
from bot.i18n.slash import slash
from bot.interactions.layout import MAX_PINGED
from bot.tournaments import playing
from bot.tournaments.text import some_of
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.tournaments.view import TournamentView
    from data.store import Transaction
    from engine.phrase import Phrase


class Note(NamedTuple):
    """A message, and the users it pings if their settings allow."""

    words: Phrase
    pings: tuple[int, ...] = ()


async def note(tx: Transaction, view: TournamentView, payload: Mapping[str, Any]) -> Note | None:
    """Return the note a job asks for; ``None`` if it no longer applies."""
    if payload["note"] == "warning":
        late = await playing.unmoved(tx, view)
        current = payload["round"] == view.tournament.round
        return _warning(view, late) if late and current else None
    if payload["note"] == "undecided":
        return _undecided(view)
    name = view.tournament.name
    return Note(
        {
            "adjourned": say(
                "**{tournament}** is adjourned. Open games go on, the next round waits.",
                tournament=name,
            ),
            "resumed": say("**{tournament}** goes on.", tournament=name),
            "cancelled": say(
                "**{tournament}** is cancelled. Games in progress go on as ordinary games.",
                tournament=name,
            ),
        }[payload["note"]]
    )


def _warning(view: TournamentView, late: tuple[int, ...]) -> Note:
    words = say(
        "{players}, your game in **{tournament}** is waiting for your move. If you don't make "
        "one, you lose it and are out of the tournament.",
        players=some_of(late, MAX_PINGED),
        tournament=view.tournament.name,
    )
    return Note(words, late[:MAX_PINGED])


def _undecided(view: TournamentView) -> Note:
    organiser = view.tournament.created_by
    if organiser <= 0:
        return Note(
            say(
                "The round is over and some games are still open. Someone who manages the server "
                "can decide them with `{end}`, or type `{pair}` to call all of them drawn.",
                end=slash("server", "end"),
                pair=slash("tournament", "pair"),
            )
        )
    words = say(
        "{organiser}, the round is over and some games are still open. Decide them with `{end}`, or "
        "type `{pair}` to call all of them drawn.",
        organiser=mention_all([organiser]),
        end=slash("server", "end"),
        pair=slash("tournament", "pair"),
    )
    return Note(words, (organiser,))
