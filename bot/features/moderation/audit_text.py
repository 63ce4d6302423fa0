"""The words of the audit log."""

from __future__ import annotations

from collections.abc import Sequence

from bot.core.i18n.mentions import mention, mention_all
from data.people.audit import Line
from engine import registry
from engine.phrase import Phrase, glued, lines, plural, say


def decision_line(line: Line) -> str:
    """Return a moderator's decision in one sentence."""
    detail = line.detail
    title = registry.games().get(detail.get("game", ""))
    facts = {
        "moderator": mention(line.user_id),
        "game": detail.get("game", "") if title is None else title.title,
        "reason": detail.get("reason") or say("no reason given"),
    }
    if line.action == "cleared":
        return say(
            "{moderator} closed challenge {number} ({game}) by {challenger}: {reason}",
            number=line.challenge_id,
            challenger=mention(detail["challenger"]),
            **facts,
        )
    if line.action == "barred":
        return say(
            "{moderator} barred {player} from rated play: {reason}",
            player=mention(detail["player"]),
            **facts,
        )
    if line.action == "admitted":
        return say(
            "{moderator} let {player} play rated again: {reason}",
            player=mention(detail["player"]),
            **facts,
        )
    facts |= {"match": f"#{line.match_id}", "players": mention_all(detail["players"])}
    if line.action == "voided":
        return say("{moderator} voided match {match} of {game}, {players}: {reason}", **facts)
    winners = detail["winners"]
    if len(winners) == len(detail["players"]):
        return say(
            "{moderator} ended match {match} of {game}, {players}, as a draw: {reason}", **facts
        )
    return say(
        "{moderator} ended match {match} of {game}, {players}, as won by {winners}: {reason}",
        winners=mention_all(winners),
        **facts,
    )


def leavers_line(leavers: Sequence[tuple[int, int]]) -> Phrase:
    """Return the players who left most matches early, and how many each."""
    return say(
        "-# Left early (before everyone had two turns) in the last seven days: {players}",
        players=lines((glued(mention(user), f" {number}") for user, number in leavers), " · "),
    )


def left_early(user_id: int, number: int) -> Phrase:
    """Return how many matches a player has left early."""
    return plural(
        "-# {player} left {n} match early here in the last seven days.",
        "-# {player} left {n} matches early here in the last seven days.",
        number,
        player=mention(user_id),
    )
