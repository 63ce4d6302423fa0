"""Texts on tournaments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any, Final, NamedTuple

from bot.core.i18n.mentions import mention, message_link, slash, timestamp
from bot.core.interactions.layout import MAX_PINGED
from bot.features.tournaments import interests
from bot.features.tournaments.absentees import unmoved
from bot.features.tournaments.best_game import BestGame
from bot.features.tournaments.rules.pairing import is_stage, round_in_line, round_name
from bot.features.tournaments.view import TournamentView
from data.store.store import Transaction
from data.tournaments.tournaments import State, Tournament
from engine.phrase import Phrase, Tongue, concat, lines, listed, plural, say, translated
from engine.registry import title

NAMED: Final = 40
"""Maximum players named in a line."""


def where(tournament: Tournament) -> str:
    """Return a link to a tournament's announcement, or its channel."""
    if tournament.message_id is None:
        return f"<#{tournament.channel_id}>"
    return message_link(tournament.guild_id, tournament.channel_id, tournament.message_id)


def linked(tournament: Tournament) -> str:
    """Return a tournament's name, linked to its announcement once that is posted."""
    if tournament.message_id is None:
        return tournament.name
    return concat("[", tournament.name, "](", where(tournament), ")")


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


def match_words(match_id: int, link: str | None) -> Phrase:
    """Return the number of a match, linked to its board if there is one."""
    number = say("match #{number}", number=match_id)
    return number if link is None else concat("[", number, "](", link, ")")


def line(tournament: Tournament, players: int, rounds: int) -> Phrase:
    """Return a tournament as a line of a list: its players, and its rounds at most."""
    states = {
        State.SIGN_UP: say("open for sign-ups"),
        State.RUNNING: _round(tournament, tournament.round, rounds),
        State.ADJOURNED: say("adjourned"),
        State.FINISHED: say("over"),
        State.CANCELLED: say("cancelled"),
    }
    return lines(
        [
            concat("**", tournament.name, "** (", f"#{tournament.id}", ")"),
            title(tournament.game),
            states[tournament.state],
            plural("{n} player", "{n} players", players),
            where(tournament),
        ],
        " · ",
    )


def joined(view: TournamentView, user_id: int) -> Phrase:
    """Return the confirmation of a sign-up."""
    name = linked(view.tournament)
    if user_id in view.reserves and view.plan.single_elimination:
        return say(
            "**{tournament}** has started. You're on the waiting list in case a player is replaced.",
            tournament=name,
        )
    if user_id in view.reserves:
        return say(
            "**{tournament}** has started. You're on the waiting list and get the next free place.",
            tournament=name,
        )
    if view.tournament.state is State.SIGN_UP:
        return say("You're in **{tournament}**. I'll ping you when it starts.", tournament=name)
    return say(
        "You're in **{tournament}** from the next round. I'll ping you when it starts.",
        tournament=name,
    )


def word_set(view: TournamentView, word: str) -> Phrase:
    """Return the confirmation of a word for the throws."""
    facts = {"tournament": linked(view.tournament), "word": f"`{word}`"}
    if not word:
        return say("You add no word to the throws in **{tournament}**.", **facts)
    return say(
        "Your word {word} goes into the throws of each game you begin in **{tournament}** from now "
        "on. You can change it between games.",
        **facts,
    )


def leaving(view: TournamentView) -> Phrase:
    """Return what leaving does, as a question."""
    facts = {"tournament": view.tournament.name}
    if view.tournament.state is State.SIGN_UP:
        return say("Leave **{tournament}**?", **facts)
    return say(
        "Leave **{tournament}**? You play no further rounds. Your open games go on.", **facts
    )


def left(view: TournamentView) -> Phrase:
    """Return the confirmation of leaving."""
    name = linked(view.tournament)
    if view.tournament.state is State.SIGN_UP:
        return say("You've left **{tournament}**.", tournament=name)
    return say(
        "You've left **{tournament}**. Your open games go on: play them, or resign.",
        tournament=name,
    )


def created(tournament: Tournament, there: Tongue) -> Phrase:
    """Return the confirmation of creating a tournament, whose post is in the language ``there``."""
    facts = {"tournament": tournament.name, "channel": f"<#{tournament.channel_id}>"}
    if tournament.starts_at is None:
        return say(
            # Translators: manage is the label of a button, in the server's language.
            "**{tournament}** is open for sign-ups in {channel}. Start it there under "
            "**{manage}**, once enough are in.",
            manage=translated(say("Manage"), there),
            **facts,
        )
    return say("**{tournament}** is open for sign-ups in {channel}.", **facts)


def entry_line(view: TournamentView) -> Phrase:
    """Return a tournament's name as a heading."""
    return concat("### ", view.tournament.name)


_DIGITS: Final = 8
"""Digits shown of a seed."""
_NAMED: Final = 30
"""Maximum players named and pinged who share one of the top three places."""


def podium(view: TournamentView) -> Iterator[Phrase]:
    """Yield the lines of the podium."""
    yield concat("### ", say("{tournament} is over", tournament=view.tournament.name))
    yield from _places(view) or [
        say("Nobody won it."),
        say("-# A tournament that nobody played, or that everybody left, has no winner."),
    ]
    yield say("Thanks for playing!")


def celebration(view: TournamentView) -> Iterator[Phrase]:
    """Yield the lines that celebrate the winners in the channel, outside the tournament's thread."""
    yield plural(
        "### 🏆 {players} wins {tournament}",
        "### 🏆 {players} share first place in {tournament}",
        len(view.placed(1)),
        players=some_of(view.placed(1), _NAMED),
        tournament=linked(view.tournament),
    )
    yield from _places(view)


def _places(view: TournamentView) -> list[Phrase]:
    """Return who came first, second and third, as far as anybody did."""
    words = {
        1: say("🥇 **1st:** {players}", players=some_of(view.placed(1), _NAMED)),
        2: say("🥈 **2nd:** {players}", players=some_of(view.placed(2), _NAMED)),
        3: say("🥉 **3rd:** {players}", players=some_of(view.placed(3), _NAMED)),
    }
    return [line for place, line in words.items() if view.placed(place)]


def seed(tournament: Tournament) -> Phrase:
    """Return a tournament's seed, secret until it is over."""
    # Translators: the secret number behind the random draw, now public.
    return concat("-# ", say("Seed of the draw: {seed}", seed=f"`{tournament.seed.hex()}`"))


def short_seed(tournament: Tournament) -> Phrase:
    """Return the beginning of a tournament's seed, and where to see all of it."""
    digits = f"`{tournament.seed.hex()[:_DIGITS]}…`"
    # Translators: the secret number behind the random draw, now public. Pairings is a button.
    return concat("-# ", say("Seed of the draw: {seed} (whole under **Pairings**)", seed=digits))


def first_three(view: TournamentView) -> tuple[int, ...]:
    """Return the players named on the podium."""
    return tuple(user for place in (1, 2, 3) for user in view.placed(place)[:_NAMED])


def prize(tournament: Tournament, place: int) -> Phrase:
    """Return a place in a tournament as a line for profiles."""
    facts = {
        "tournament": tournament.name,
        "game": title(tournament.game),
        "when": timestamp(tournament.ended_at or tournament.created_at, "D"),
    }
    if place == 1:
        return say("Won **{tournament}** ({game}, {when})", **facts)
    if place == 2:
        return say("2nd in **{tournament}** ({game}, {when})", **facts)
    return say("3rd in **{tournament}** ({game}, {when})", **facts)


def occasion(
    tournament: Tournament, round_no: int, rounds: int, through: int | None = None
) -> Phrase:
    """Return what a match is a game of: a round of a tournament, linked, in small print.

    ``through`` is the player who goes on by winning it, if any.
    """
    parts = [linked(tournament), _round(tournament, round_no, rounds)]
    if through is not None and round_no == rounds:
        parts.append(say("{player} wins the tournament", player=mention(through)))
    elif through is not None:
        after = round_in_line(tournament.plan, round_no + 1, rounds)
        # Translators: who won a game of a knockout; round is "round 2", or "the final".
        parts.append(say("{player} goes on to {round}", player=mention(through), round=after))
    return concat("-# ", lines(parts, " · "))


def _round(tournament: Tournament, round_no: int, rounds: int) -> Phrase:
    """Return a round as a part of a line."""
    plan = tournament.plan
    heading = is_stage(plan, round_no, rounds)
    return (round_name if heading else round_in_line)(plan, round_no, rounds)


def best_game(found: BestGame, link: str | None) -> Phrase:
    """Return a line on the best game, linked to its final board if there is one."""
    return plural(
        "**Best game, by the analysis:** {players}, {match}. In {n} move, nobody gave away more "
        "than {percent} %.",
        "**Best game, by the analysis:** {players}, {match}. In {n} moves, nobody gave away more "
        "than {percent} %.",
        found.moves,
        players=lines(map(mention, found.players), " – "),
        match=match_words(found.match_id, link),
        percent=max(1, ceil(100 * found.lost)),
    )


class Note(NamedTuple):
    """A message, and the users it pings if their settings allow."""

    words: Phrase
    pings: tuple[int, ...] = ()


async def note(tx: Transaction, view: TournamentView, payload: Mapping[str, Any]) -> Note | None:
    """Return the note a job asks for; ``None`` if it no longer applies."""
    what, number, organiser = payload["note"], payload["round"], view.tournament.created_by
    told: Sequence[int] = ()
    if what == "warning":
        told = await unmoved(tx, view) if number == view.tournament.round else ()
    elif what == "absent":
        told = view.absent_in(number)
    elif what == "replaced":
        told = payload["out"], payload["new"]
    elif what == "role" or (what == "undecided" and not interests.interested(view, organiser)):
        told = (organiser,) if organiser > 0 else ()
    if what in {"warning", "absent"} and not told:
        return None
    return Note(_words(view, payload, told)[what], tuple(told[:MAX_PINGED]))


def _words(
    view: TournamentView, payload: Mapping[str, Any], told: Sequence[int]
) -> Mapping[str, Phrase]:
    """Return all notes; those to an organiser who is gone, or plays, address the managers."""
    facts = {
        "tournament": view.tournament.name,
        "round": round_in_line(view.plan, payload["round"], view.rounds_in_all),
        "players": some_of(told, MAX_PINGED),
        "organiser": mention(view.tournament.created_by),
        "person": mention(payload.get("by", 0)),
        "player": mention(payload.get("out", 0)),
        "new": mention(payload.get("new", 0)),
        "end": slash("server", "end"),
        "pair": slash("tournament", "pair"),
    }
    return {
        "warning": say(
            "{players}, your game in **{tournament}** is waiting for your move. If you don't make "
            "one, you lose it and are out of the tournament.",
            **facts,
        ),
        "absent": say(
            # Translators: round is "round 2", or "the final".
            "{players}, you didn't show up in {round} of **{tournament}**, so you're out.",
            **facts,
        ),
        "replaced": say(
            "{player}, {person} has given your place in **{tournament}** to {new}, from the next "
            "round on. Your open games go on.",
            **facts,
        ),
        "role": say(
            "{organiser}, the role that **{tournament}** was for has been deleted, so nobody can "
            "sign up. To open it to everyone, press **Manage** below the announcement.",
            **facts,
        )
        if told
        else say(
            "The role that **{tournament}** was for has been deleted, so nobody can sign up. "
            "Someone who manages the server can open it to everyone: press **Manage** below "
            "the announcement.",
            **facts,
        ),
        "undecided": say(
            "{organiser}, the round is over and some games are still open. Decide them with "
            "`{end}`, or type `{pair}` to call all of them drawn.",
            **facts,
        )
        if told
        else say(
            "The round is over and some games are still open. Someone who manages the server "
            "can decide them with `{end}`, or type `{pair}` to call all of them drawn.",
            **facts,
        ),
        "adjourned": say(
            "**{tournament}** is adjourned. Open games go on, the next round waits.", **facts
        ),
        "resumed": say("**{tournament}** goes on.", **facts),
        "cancelled": say(
            "**{tournament}** is cancelled. Games in progress go on as ordinary games.", **facts
        ),
        "forced": say(
            # Translators: round is "round 2", or "the final".
            "{person} ended {round} of **{tournament}**. Open games are unrated, and those "
            "that had hardly begun don't count.",
            **facts,
        ),
        "ended": say(
            "{person} ended **{tournament}** early. Open games go on as ordinary games.", **facts
        ),
    }
