"""One-off notes posted about a tournament, and who they ping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from bot.core.i18n.mentions import mention, mention_all
from bot.core.i18n.slash import slash
from bot.core.interactions.layout import MAX_PINGED
from bot.features.tournaments import interests, playing
from bot.features.tournaments.text import some_of
from bot.features.tournaments.view import TournamentView
from data.store.store import Transaction
from engine.phrase import Phrase, say


class Note(NamedTuple):
    """A message, and the users it pings if their settings allow."""

    words: Phrase
    pings: tuple[int, ...] = ()


async def note(tx: Transaction, view: TournamentView, payload: Mapping[str, Any]) -> Note | None:
    """Return the note a job asks for; ``None`` if it no longer applies."""
    what = payload["note"]
    if what == "warning":
        late = await playing.unmoved(tx, view)
        current = payload["round"] == view.tournament.round
        return _warning(view, late) if late and current else None
    if what in _TELLING:
        return _TELLING[what](view, payload)
    return Note(_words(view, payload)[what])


def _words(view: TournamentView, payload: Mapping[str, Any]) -> Mapping[str, Phrase]:
    """Return the notes that ping nobody."""
    facts = {"tournament": view.tournament.name}
    person = mention(payload.get("by", 0))
    return {
        "adjourned": say(
            "**{tournament}** is adjourned. Open games go on, the next round waits.", **facts
        ),
        "resumed": say("**{tournament}** goes on.", **facts),
        "cancelled": say(
            "**{tournament}** is cancelled. Games in progress go on as ordinary games.", **facts
        ),
        "forced": say(
            "{person} ended round {round} of **{tournament}**. Open games are unrated, and those "
            "that had hardly begun don't count.",
            person=person,
            round=payload["round"],
            **facts,
        ),
        "ended": say(
            "{person} ended **{tournament}** early. Open games go on as ordinary games.",
            person=person,
            **facts,
        ),
    }


def _warning(view: TournamentView, late: tuple[int, ...]) -> Note:
    words = say(
        "{players}, your game in **{tournament}** is waiting for your move. If you don't make "
        "one, you lose it and are out of the tournament.",
        players=some_of(late, MAX_PINGED),
        tournament=view.tournament.name,
    )
    return Note(words, late[:MAX_PINGED])


def _role_deleted(view: TournamentView, _: Mapping[str, Any]) -> Note:
    organiser, name = view.tournament.created_by, view.tournament.name
    if organiser <= 0:
        return Note(
            say(
                "The role that **{tournament}** was for has been deleted, so nobody can sign up. "
                "Someone who manages the server can open it to everyone: press **Manage** below "
                "the announcement.",
                tournament=name,
            )
        )
    words = say(
        "{organiser}, the role that **{tournament}** was for has been deleted, so nobody can sign "
        "up. To open it to everyone, press **Manage** below the announcement.",
        organiser=mention(organiser),
        tournament=name,
    )
    return Note(words, (organiser,))


def _absent(view: TournamentView, payload: Mapping[str, Any]) -> Note | None:
    """Tell the players who are out because they did not show up in a round."""
    number = payload["round"]
    out = [
        one.user_id
        for one in view.everyone
        if one.left_after == number and one.leave_reason == "absent"
    ]
    if not out:
        return None
    words = say(
        "{players}, you didn't show up in round {round} of **{tournament}**, so you're out.",
        players=some_of(out, MAX_PINGED),
        round=number,
        tournament=view.tournament.name,
    )
    return Note(words, tuple(out[:MAX_PINGED]))


def _replaced(view: TournamentView, payload: Mapping[str, Any]) -> Note:
    out, new = payload["out"], payload["new"]
    words = say(
        "{player}, {person} has given your place in **{tournament}** to {new}, from the next round "
        "on. Your open games go on.",
        player=mention(out),
        person=mention(payload["by"]),
        new=mention(new),
        tournament=view.tournament.name,
    )
    return Note(words, (out, new))


def _undecided(view: TournamentView, _: Mapping[str, Any]) -> Note:
    organiser = view.tournament.created_by
    if organiser <= 0 or interests.interested(view, organiser):
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


_TELLING: Final[Mapping[str, Callable[[TournamentView, Mapping[str, Any]], Note | None]]] = {
    "undecided": _undecided,
    "role": _role_deleted,
    "absent": _absent,
    "replaced": _replaced,
}
"""The notes that ping somebody, besides warnings."""
