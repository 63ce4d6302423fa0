"""Texts on the current turn: whose it is, until when, and how to play it."""

from __future__ import annotations

from bot.core.computers import is_person
from bot.core.i18n.mentions import mention, timestamp
from bot.core.i18n.slash import slash
from bot.play.matches import results
from bot.play.matches.positions import MatchView
from bot.play.matches.stand_ins import playing
from bot.play.time_controls import time_bank, time_text
from data.matches.clocks import MatchClock
from engine.phrase import Phrase, glued, lines, plural, say


def prompt(view: MatchView) -> str:
    """Return whose turn it is, or how the match ended."""
    mover = view.to_move
    if mover is not None:
        player, seat = mention(mover.user_id), view.seat_names[mover.seat]
        if view.stands_in(mover):
            return say("Computer (**{seat}**) is thinking …", seat=seat)
        if view.called is None:
            return say("{player} (**{seat}**) is thinking …", player=player, seat=seat)
        return say("{player}, your turn (**{seat}**).", player=player, seat=seat)
    ended = results.result(view)
    if view.match.hints:
        hints = plural("With {n} hint.", "With {n} hints.", view.match.hints)
        return lines((ended, hints), " ")
    return ended


def prompt_for(view: MatchView, user_id: int) -> str:
    """Return the prompt for a single reader, without a mention of them."""
    if view.called is None or view.called.user_id != user_id:
        return prompt(view)
    return say("Your turn (**{seat}**).", seat=view.seat_names[view.called.seat])


def footer(view: MatchView) -> str:
    """Return the small print of a board: the time limit and how to move, or how to check throws."""
    small = _footer(view)
    if not view.match.eased:
        return small
    eased = say("-# The computer played below its level here, so this game isn't counted.")
    return lines(filter(None, (eased, small)))


def _footer(view: MatchView) -> str:
    slug, number = view.game.slug, view.match.id
    if view.to_move is None:
        if not view.game.has_luck:
            return ""
        return say(
            "-# Check the throws: {command} {number}",
            command=slash("match", "verify"),
            number=number,
        )
    turn = say(
        "-# Move {n} · or type {move} · {rules}",
        n=view.move,
        move=slash(slug, "move"),
        rules=slash(slug, "rules"),
    )
    clock = view.match.clock
    if clock is None or not view.current:
        return turn
    return lines([deadline(clock), *_time_bank(view, clock), turn])


def _time_bank(view: MatchView, clock: MatchClock) -> list[Phrase]:
    """Return the players' time banks, without that of the player to move; or their game time."""
    match = view.match
    if not time_bank.has_stock(match):
        return []
    parts: list[Phrase] = [
        say("Time left for the whole game")
        if match.bank is None
        else plural(
            "Time bank, +{n} day per move",
            "Time bank, +{n} days per move",
            match.days or 0,
        )
    ]
    parts += [
        say(
            "{player}: {time}",
            player=mention(player.user_id),
            time=time_text.span(time_bank.bank_left(match, player)),
        )
        for player in playing(match)
        if (match.bank is None or player.user_id != clock.user_id) and is_person(player.user_id)
    ]
    return [glued("-# ", lines(parts, " · "))]


def deadline(clock: MatchClock) -> str:
    """Return the time limit of the player to move, as a line of a board."""
    if clock.is_paused and clock.next_at is not None:
        return say(
            "-# {player} is away until {day}. The clock is paused.",
            player=mention(clock.user_id),
            day=timestamp(clock.next_at, "D"),
        )
    if clock.due_at is None:
        return ""
    return say(
        "-# Move by {moment} ({distance})",
        moment=timestamp(clock.due_at, "f"),
        distance=timestamp(clock.due_at, "R"),
    )
