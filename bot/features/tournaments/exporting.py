"""Exports a tournament as the project's record, and as a FIDE report where the format allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.tournaments import record, trf_writing
from bot.features.tournaments.record import Record
from bot.features.tournaments.round_text import rounds_in_all
from engine.luck import commitment

if TYPE_CHECKING:
    from bot.features.tournaments.view import TournamentView


def files(view: TournamentView) -> dict[str, bytes]:
    """Return a tournament's files by name; they include the seed once it is public."""
    terms = view.tournament
    name = f"tournament-{terms.id}"
    record_ = Record(
        plan=view.plan,
        entrants=view.entrants,
        pairings=view.pairings,
        unequal_sides=view.unequal_sides,
        commitment=commitment(terms.seed) if terms.seed else "",
        seed=terms.seed.hex() if view.seed_revealed else "",
        title=terms.name,
    )
    found = {f"{name}.json": record.written(record_).encode()}
    if view.rounds and trf_writing.fits(view.plan, view.pairings):
        report = trf_writing.written(
            view.plan,
            view.entrants,
            view.pairings,
            title=terms.name,
            # Anyone here can see user ids, as mentions contain them.
            names={one.user_id: str(one.user_id) for one in view.entrants if one.user_id > 0},
            rounds=rounds_in_all(view),
        )
        found[f"{name}.trf"] = report.encode()
    return found
