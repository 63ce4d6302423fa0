"""The results of matches in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.core.i18n.mentions import mention, mention_all
from bot.core.interactions.rendering import MAX_ALT
from bot.play.matches import endings
from bot.play.matches.positions import MatchView
from engine.game import Outcome
from engine.phrase import glued, lines, listed, say, shortened
from engine.scene import Scene


def result(view: MatchView) -> str:
    """Return the result of a match in one sentence that names all its players."""
    ranked = sorted(view.match.players, key=lambda player: player.rank or 0)
    cause = reason(view)
    if not ranked or ranked[0].rank is None:
        return _void(view)
    if ranked[-1].rank == 1:
        players = mention_all(player.user_id for player in ranked)
        return say("**A draw** between {players}: {reason}.", players=players, reason=cause)
    winners = [player for player in ranked if player.rank == 1]
    others = [player for player in ranked if player.rank != 1]
    names = listed(glued(view.seat_names[p.seat], " (", mention(p.user_id), ")") for p in winners)
    against = mention_all(player.user_id for player in others)
    if len(winners) == 1:
        return say(
            "**{winner} won** against {others}: {reason}.",
            winner=names,
            others=against,
            reason=cause,
        )
    return say(
        "**{winners} share first place**, ahead of {others}: {reason}.",
        winners=names,
        others=against,
        reason=cause,
    )


def outcome(view: MatchView) -> Outcome | None:
    """Return how a finished match ended, ``None`` if just as its board says."""
    if not (view.match.finished and view.current):
        return None
    ranks = tuple(player.rank for player in view.match.players if player.rank is not None)
    if len(ranks) < len(view.match.players) or 1 not in ranks:
        # A record need not say how it ended if its moves do.
        by_rules = view.outcome is not None and view.match.ending is None
        return None if by_rules else Outcome((), reason(view))
    if view.outcome is not None and view.outcome.ranks == ranks:
        return None
    return Outcome(ranks, reason(view))


def pictured(
    view: MatchView, last: Sequence[tuple[Any, Any]], chosen: tuple[str, ...] = ()
) -> Scene:
    """Return the picture of a match, with its result if it is over; see `Game.scene`."""
    ended = outcome(view)
    scene = view.game.scene(view.state, last, chosen, over=view.to_move is None, result=ended)
    if ended is None or not ended.void:
        return scene
    # Nobody won, which no position shows.
    over = say("The match is over: {reason}.", reason=ended.reason or say("it was ended"))
    # Translators: over is "The match is over", a sentence; a description of the position follows.
    alt = say("{over} {position}", over=over, position=scene.alt)
    return replace(scene, alt=shortened(alt, MAX_ALT), text=lines((over, scene.text)))


def judged(view: MatchView) -> bool:
    """Return whether a match has a result to analyse."""
    return all(player.rank is not None for player in view.match.players)


def headline(view: MatchView, names: Mapping[int, str]) -> str:
    """Return who won in a few words, using the given names."""
    players = view.match.players
    winners = [names[player.user_id] for player in players if player.rank == 1]
    if not winners:
        return say("No result")
    if len(winners) == len(players):
        return say("Draw")
    if len(winners) == 1:
        return say("{player} won", player=winners[0])
    return say("{players} share first place", players=listed(winners))


def reason(view: MatchView) -> str:
    """Return why a match ended, in a few words that complete a sentence."""
    # The store keeps English text. Reasons that follow from the rules or the kind of ending
    # can be translated.
    by_rules = view.outcome
    if by_rules is not None and view.match.ending is None:
        return _with_stand_in(view, by_rules)
    ender = None if view.match.ended_by is None else view.player_of(view.match.ended_by)
    if view.match.ending == "resigned" and ender is not None:
        return say("{seat} resigned", seat=view.seat_names[ender.seat])
    if view.match.ending == "agreed":
        return say("draw agreed")
    return endings.known_reason(view) or view.match.reason or ""


def _with_stand_in(view: MatchView, ended: Outcome) -> str:
    """Return why a game ended; if a computer came first, also for whom it played."""
    players = zip(view.match.players, ended.ranks, strict=True)
    first = [player for player, rank in players if rank == 1 and player.gave_up is not None]
    if not first:
        return ended.reason
    return say(
        # Translators: reason is like "South has borne off all four pieces"; seats like "South".
        "{reason} (a computer played for {seats})",
        reason=ended.reason,
        seats=listed(view.seat_names[player.seat] for player in first),
    )


def _void(view: MatchView) -> str:
    """Return the sentence for a match without a result."""
    if not view.match.finished:
        return ""
    return say(
        "**No result** between {players}: {reason}. Nothing is counted.",
        players=mention_all(player.user_id for player in view.match.players),
        reason=reason(view) or say("it was ended"),
    )
