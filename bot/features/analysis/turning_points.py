"""The turning point of a match in words, once analysed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from ai.explanations import Cause
from bot.core.i18n.mentions import mention
from bot.features.analysis.explanations import sentence
from bot.features.analysis.report import from_json
from bot.features.analysis.text import in_words
from bot.play.matches import advice, fingerprints, results
from data.matches import match_log
from data.puzzles import analyses
from engine.phrase import lines
from engine.replay import replay
from engine.turns import turn_of, turns

if TYPE_CHECKING:
    from bot.play.matches.positions import MatchView
    from data.store.store import Store


async def turning_point(store: Store, view: MatchView) -> str:
    """Return what decided a match, and what would have been better.

    Empty if that is unknown or would be advice for another match, and for a match without a result.
    """
    if not results.judged(view):
        return ""
    async with store.read() as tx:
        stored = await analyses.of(tx, view.match.id)
        if stored is None:
            return ""
        log = [entry.notation for entry in await match_log.read(tx, view.match.id)]

    report = from_json(stored)
    # A losing blunder takes precedence over the winner's play. Players who gave up are skipped,
    # as computers played on for them.
    explained = [
        one
        for one in zip(view.match.players, report.explanations, strict=True)
        if one[0].gave_up is None
    ]
    if not explained:
        return ""
    player, explanation = next(
        (one for one in explained if one[1].cause is Cause.LOST_BLUNDER),
        next((one for one in explained if one[0].rank == 1), explained[0]),
    )
    decisive = next(
        (
            mistake
            for mistake in report.mistakes
            if explanation.cause is Cause.LOST_BLUNDER and mistake.ply == explanation.worst
        ),
        None,
    )

    def look() -> tuple[frozenset[int], tuple[int, ...], str]:
        played = tuple(replay(view.game, log, view.match.options, len(view.match.players)))
        reason = in_words(view.game, played[decisive.ply - 1].before, decisive) if decisive else ""
        return fingerprints.of_log(view.game, played), turns(view.game, played), reason

    found, starts, reason = await asyncio.to_thread(look)
    async with store.read() as tx:
        if await advice.is_closed(tx, found):
            return ""
    move = replace(explanation, worst=turn_of(starts, explanation.worst))
    return lines(filter(None, (sentence(mention(player.user_id), move), reason)))
