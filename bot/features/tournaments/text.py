"""Texts on tournaments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.core.i18n.mentions import mention, message_link
from bot.core.i18n.slash import slash
from bot.features.tournaments.checking import Checked
from bot.features.tournaments.view import TournamentView
from data.tournaments.tournaments import State, Tournament
from engine import registry
from engine.phrase import Phrase, glued, lines, listed, plural, say

NAMED: Final = 40
"""Maximum players named in a line."""


def title(game: str) -> str:
    """Return the title of a game."""
    return registry.game(game).title


def where(tournament: Tournament) -> str:
    """Return a link to a tournament's announcement, or its channel."""
    if tournament.message_id is None:
        return f"<#{tournament.channel_id}>"
    return message_link(tournament.guild_id, tournament.channel_id, tournament.message_id)


def channel_gone(tournament: Tournament) -> Phrase:
    """Tell an organiser that the channel of a tournament was deleted."""
    facts = {"tournament": tournament.name, "start": slash("tournament", "start")}
    if tournament.monthly:
        return say(
            "The channel of **{tournament}** was deleted, so it stops repeating every month. "
            "Nothing is lost. To go on, type `{start}` in another channel of that server.",
            **facts,
        )
    return say(
        "The channel of **{tournament}** was deleted, so the tournament is adjourned. "
        "Nothing is lost. To go on, type `{start}` in another channel of that server.",
        **facts,
    )


def some_of(users: Sequence[int], limit: int = NAMED) -> Phrase:
    """Name the first of several players, and count the rest."""
    people = [mention(user) for user in users[:limit]]
    if (rest := len(users) - limit) > 0:
        people.append(plural("{n} more", "{n} more", rest))
    return listed(people)


def line(tournament: Tournament, players: int) -> Phrase:
    """Return a tournament as a line of a list."""
    states = {
        State.SIGN_UP: say("open for sign-ups"),
        State.RUNNING: say("round {round}", round=tournament.round),
        State.ADJOURNED: say("adjourned"),
        State.FINISHED: say("over"),
        State.CANCELLED: say("cancelled"),
    }
    return lines(
        [
            glued("**", tournament.name, "** (", f"#{tournament.id}", ")"),
            title(tournament.game),
            states[tournament.state],
            plural("{n} player", "{n} players", players),
            where(tournament),
        ],
        " · ",
    )


def joined(view: TournamentView, user_id: int) -> Phrase:
    """Return the confirmation of a sign-up."""
    name = view.tournament.name
    if user_id in view.reserves:
        return say(
            "**{tournament}** has started. You're on the waiting list and get the next free place.",
            tournament=name,
        )
    if view.tournament.state is State.SIGN_UP:
        return say("You're in **{tournament}**.", tournament=name)
    return say("You're in **{tournament}** from the next round.", tournament=name)


def word_set(view: TournamentView, word: str) -> Phrase:
    """Return the confirmation of a word for the throws."""
    facts = {"tournament": view.tournament.name, "word": f"`{word}`"}
    if not word:
        return say("You add no word to the throws in **{tournament}**.", **facts)
    return say(
        "Your word {word} goes into the throws of each game you begin in **{tournament}** from now "
        "on. You can change it between games.",
        **facts,
    )


def left(view: TournamentView) -> Phrase:
    """Return the confirmation of leaving."""
    name = view.tournament.name
    if view.tournament.state is State.SIGN_UP:
        return say("You've left **{tournament}**.", tournament=name)
    return say(
        "You've left **{tournament}**. Your open games go on: play them, or resign.",
        tournament=name,
    )


def created(tournament: Tournament) -> Phrase:
    """Return the confirmation of creating a tournament."""
    return say(
        "**{tournament}** is open for sign-ups. Its announcement appears in {channel}.",
        tournament=tournament.name,
        channel=f"<#{tournament.channel_id}>",
    )


def imported(tournament: Tournament, played: Checked) -> Iterator[Phrase]:
    """Yield the confirmation of an import."""
    yield plural(
        "Imported **{tournament}** with {n} player. Rounds: {rounds}. See it in {channel}.",
        "Imported **{tournament}** with {n} players. Rounds: {rounds}. See it in {channel}.",
        len(played.entrants),
        tournament=tournament.name,
        rounds=tournament.round,
        channel=f"<#{tournament.channel_id}>",
    )
    if played.verified:
        yield say("Every round's pairings match its seed.")
    elif played.wrong is not None:
        yield say(
            "Round {round} doesn't match its seed. It was paired by hand, or changed.",
            round=played.wrong,
        )
    elif played.seed:
        yield say("Its pairings weren't checked against its seed, as that takes too long.")


def entry_line(view: TournamentView) -> Phrase:
    """Return a tournament's name as a heading."""
    return glued("### ", view.tournament.name)
