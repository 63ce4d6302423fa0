"""Transactions that change a tournament: by its own steps, or by its players and organisers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.core.errors import Refusal
from bot.features.tournaments.view import TournamentView, read_view
from data.store.store import Store, Transaction
from data.tournaments import tournament_entrants, tournament_rounds, tournaments
from engine.phrase import say


class ConcurrentChange(Exception):
    """Another process or user changed the tournament first."""


@asynccontextmanager
async def changing(store: Store, view: TournamentView) -> AsyncIterator[Transaction]:
    """Open a transaction to change a tournament.

    Raises:
        ConcurrentChange: it is no longer as seen.

    """
    async with store.write() as tx:
        tournament = await tournaments.lock(tx, view.id)
        if tournament is None or tournament.version != view.tournament.version:
            raise ConcurrentChange
        yield tx


@asynccontextmanager
async def changing_open(
    store: Store, tournament_id: int, guild_id: int | None, seen: TournamentView | None = None
) -> AsyncIterator[tuple[Transaction, TournamentView]]:
    """Open a transaction to change an open tournament of a server.

    Args:
        store: holds it.
        tournament_id: its number.
        guild_id: the server.
        seen: the tournament as just read, which is yielded if it has not changed since.

    Raises:
        Refusal: there is no such tournament, or it is over.

    """
    # Read first, as a large tournament takes long and the transaction blocks others.
    view = seen or await store.run_read(lambda tx: read_view(tx, tournament_id))
    async with store.write() as tx:
        view = None if view is None else await _locked(tx, view)
        if view is None or view.tournament.guild_id != guild_id:
            raise Refusal(say("There's no such tournament on this server."))
        if not view.tournament.state.open:
            raise Refusal(say("This tournament is over."))
        yield tx, view


async def _locked(tx: Transaction, view: TournamentView) -> TournamentView | None:
    """Lock a tournament; read it again only if it has changed."""
    locked = await tournaments.lock(tx, view.id)
    if locked is not None and locked.version == view.tournament.version:
        return replace(view, tournament=locked)
    return await read_view(tx, view.id)


def check_stage(view: TournamentView, asked_at: int | None) -> None:
    """Raise Refusal if a tournament has come further since the user was asked to confirm."""
    if asked_at in {None, view.stage}:
        return
    if not view.tournament.round:
        raise Refusal(
            say(
                "**{tournament}** has started since you were asked, so nothing was changed. "
                "Try again if you still want to.",
                tournament=view.tournament.name,
            )
        )
    raise Refusal(
        say(
            "Round {round} has begun since you were asked, so nothing was changed. "
            "Try again if you still want to.",
            round=view.tournament.round,
        )
    )


async def fresh(tx: Transaction, view: TournamentView) -> TournamentView:
    """Return a tournament as a transaction has changed it, except for its pairings."""
    tournament = await tournaments.get(tx, view.id)
    assert tournament is not None
    return replace(
        view,
        tournament=tournament,
        everyone=await tournament_entrants.of(tx, view.id),
        rounds=await tournament_rounds.of(tx, view.id),
    )
