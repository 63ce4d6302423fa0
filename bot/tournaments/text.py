"""Texts on tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.i18n.mentions import mention, timestamp
from bot.matches.story import options_line
from bot.matches.text import message_link
from bot.scheduling import time_text
from bot.tournaments.model import FINAL, GROUP, Format
from bot.tournaments.pairing import total_rounds
from data.tournaments import State
from engine import registry
from engine.luck import fingerprint
from engine.phrase import Phrase, glued, lines, listed, plural, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bot.tournaments.model import Plan
    from bot.tournaments.reading import Played
    from bot.tournaments.view import TournamentView
    from data.tournament_rounds import Game, Pairing
    from data.tournaments import Terms, Tournament

NAMED: Final = 40
"""Maximum players named in a line."""
_SEALED: Final = 8
"""Digits of the seed's fingerprint in an announcement; the exported record has all of them."""


def format_words(plan: Plan) -> Phrase:
    """Return a format in a few words."""
    if plan.seats > 2:
        if plan.format is Format.SWISS:
            return say("Swiss system at tables of {number}", number=plan.seats)
        return say("round robin at tables of {number}", number=plan.seats)
    if plan.format is Format.SWISS:
        kind = say("Swiss system")
    elif plan.format is Format.KNOCKOUT:
        kind = say("double knockout") if plan.lives > 1 else say("knockout")
    else:
        kind = say("double round robin") if plan.cycles > 1 else say("round robin")
    more = []
    if plan.groups > 1:
        more.append(plural("{n} group and a final", "{n} groups and a final", plan.groups))
    if plan.best_of > 1:
        more.append(say("best of {number}", number=plan.best_of))
    if plan.both_sides:
        more.append(say("both sides"))
    return lines([kind, *more], ", ")


def title(game: str) -> str:
    """Return the title of a game."""
    return registry.game(game).title


def where(tournament: Tournament) -> str:
    """Return a link to a tournament's announcement, or its channel."""
    if tournament.message_id is None:
        return f"<#{tournament.channel_id}>"
    return message_link(tournament.guild_id, tournament.channel_id, tournament.message_id)


def announcement(seen: TournamentView) -> Phrase:
    """Return a tournament's first message."""
    return lines(_announcement(seen))


def _announcement(seen: TournamentView) -> Iterator[str]:
    terms = seen.tournament
    yield glued("### ", terms.name)
    yield _rules(terms, seen.plan)
    if terms.imported:
        yield say("Played elsewhere, and imported from a file.")
    conditions = lines(_conditions(terms), " · ")
    if conditions:
        yield conditions
    yield _standing(seen)
    if seen.named:
        yield _entrants(seen)
    if seen.reserves and terms.state.open:
        yield say("Waiting for a place: {players}", players=some_of(seen.reserves))
    if not terms.seed:
        pass  # the draw's seed is unknown
    elif terms.state is State.FINISHED:
        # Translators: the secret number behind the random draw, now public.
        yield glued("-# ", say("Seed of the draw: {seed}", seed=f"`{terms.seed.hex()}`"))
    else:
        # Translators: sealed before anyone signs up; number is like "#12", fingerprint like "8f3a…".
        yield glued(
            "-# ",
            say(
                "Fair draw, sealed: {number} · {fingerprint}",
                number=f"#{terms.id}",
                fingerprint=f"{fingerprint(terms.seed)[:_SEALED]}…",
            ),
        )


def _rules(terms: Tournament, plan: Plan) -> Phrase:
    game = registry.game(terms.game)
    parts = [
        game.title,
        *filter(None, [options_line(game, game.settle(terms.options))]),
        format_words(plan),
    ]
    if not terms.imported:
        parts.append(time_text.time_control(terms.days, terms.bank))
    if terms.round_days is not None:
        parts.append(plural("{n} day per round", "{n} days per round", terms.round_days))
    if terms.casual:
        parts.append(say("unrated"))
    if terms.monthly:
        parts.append(say("every month"))
    return lines(parts, " · ")


def _conditions(terms: Terms) -> Iterator[str]:
    if terms.least_rating is not None:
        yield say("rating from {least}", least=terms.least_rating)
    if terms.most_rating is not None:
        yield say("rating up to {most}", most=terms.most_rating)
    if terms.established:
        yield say("no provisional ratings")
    if terms.role_id is not None:
        yield say("for {role}", role=f"<@&{terms.role_id}>")


def _standing(seen: TournamentView) -> Phrase:
    terms = seen.tournament
    if terms.state is State.SIGN_UP:
        return _start(terms)
    if terms.state is State.FINISHED:
        first = [one.user_id for one in seen.everyone if one.place == 1]
        return say("**Won by {players}.**", players=some_of(first))
    if terms.state is State.RUNNING and terms.round:
        return glued(heading(seen, terms.round), ".")
    return {
        State.RUNNING: say("**It has started.** The first round is being paired."),
        State.ADJOURNED: say("**Adjourned.** It goes on later."),
        State.CANCELLED: say("**Cancelled.**"),
    }[terms.state]


def _start(terms: Tournament) -> Phrase:
    if terms.starts_at is None and terms.made_by <= 0:
        return say("**Sign up to play.** Someone who manages the server starts it.")
    if terms.starts_at is None:
        return say("**Sign up to play.** {organiser} starts it.", organiser=mention(terms.made_by))
    return say(
        "**Sign up to play.** It starts {distance}, {moment}.",
        distance=timestamp(terms.starts_at, "R"),
        moment=timestamp(terms.starts_at),
    )


def _entrants(seen: TournamentView) -> Phrase:
    return plural(
        "**{n} player:** {players}",
        "**{n} players:** {players}",
        len(seen.named),
        players=some_of(seen.named),
    )


def some_of(users: Sequence[int], most: int = NAMED) -> Phrase:
    """Name the first of several players, and count the rest."""
    people = [mention(user) for user in users[:most]]
    if (rest := len(users) - most) > 0:
        people.append(plural("{n} more", "{n} more", rest))
    return listed(people)


def rounds_in_all(seen: TournamentView) -> int:
    """Return the number of rounds, at most."""
    began = sum(one.joined_round == 1 and one.left_after != 0 for one in seen.everyone)
    return max(seen.tournament.round, total_rounds(seen.plan, began))


def heading(seen: TournamentView, number: int) -> Phrase:
    """Return the heading of a round."""
    return say("**Round {round} of {rounds}**", round=number, rounds=rounds_in_all(seen))


def figure(points: float) -> str:
    """Format points: 2½, or 1.33 at tables of four."""
    whole, rest = divmod(round(points, 6), 1)
    if rest == 0:
        return str(int(whole))
    if rest == 0.5:
        return f"{int(whole) or ''}½"
    return f"{points:.2f}"


def stage_words(stage: str) -> str:
    """Return a stage in words; empty if a tournament has only one."""
    if stage == FINAL:
        # Translators: the last stage of a tournament.
        return say("Final")
    if stage.startswith(GROUP):
        return say("Group {number}", number=stage.removeprefix(GROUP))
    return stage


def pairing(found: Pairing, links: Mapping[int, str]) -> Phrase:
    """Return a table of a round: players, board, and the result once known.

    Args:
        found: the table.
        links: the addresses of boards, by match, where there are any.

    """
    number = glued("**", str(found.table), ".** ")
    stage = stage_words(found.stage)
    label = glued(number, stage, ": ") if stage else number
    if len(found.players) == 1:
        # Translators: a player without an opponent in this round of a tournament.
        return glued(label, say("{player} has a bye", player=mention(found.players[0])))
    people = lines((mention(user) for user in found.players), " – ")
    return lines([glued(label, people), *(_game(one, found, links) for one in found.games)], " · ")


def _game(game: Game, found: Pairing, links: Mapping[int, str]) -> Phrase:
    if game.points is not None:
        by_user = dict(zip(game.seats, game.points, strict=True))
        score = "–".join(figure(by_user[user]) for user in found.players)
        if game.how == "forfeit":
            # Translators: a result without a game, such as "1–0 (forfeit)".
            result = say("{score} (forfeit)", score=score)
        elif game.how == "adjudicated":
            result = say("{score} (decided at the end of the round)", score=score)
        elif game.how == "void":
            result = say("no result")
        else:
            result = glued(score)
        return glued("**", result, "**")
    if game.match_id is None:
        return say("about to begin")
    link = links.get(game.match_id)
    number = say("match #{number}", number=game.match_id)
    return number if link is None else glued("[", number, "](", link, ")")


def progress(seen: TournamentView, number: int) -> Phrase:
    """Return how many of a round's games are decided, and when it ends."""
    games = [game for one in seen.of_round(number) for game in one.games]
    decided = sum(game.points is not None for game in games)
    parts = [
        plural(
            "{decided} of {n} game decided",
            "{decided} of {n} games decided",
            len(games),
            decided=decided,
        )
    ]
    round_ = next(one for one in seen.rounds if one.round == number)
    if round_.ends_at is not None and decided < len(games):
        parts.append(say("ends {moment}", moment=timestamp(round_.ends_at)))
    return glued("-# ", lines(parts, " · "))


def absentees(seen: TournamentView, number: int) -> Iterator[Phrase]:
    """Yield a line on the players withdrawn as absent in a round, if any."""
    gone = [
        one.user_id for one in seen.everyone if one.left_after == number and one.why == "absent"
    ]
    if gone:
        yield say(
            "{players} didn't show up, so the next rounds go on without them.",
            players=some_of(gone),
        )


def own_games(seen: TournamentView, user_id: int, links: Mapping[int, str]) -> Iterator[Phrase]:
    """Yield the rounds of one player."""
    for found in seen.tables:
        if user_id in found.players:
            yield glued(say("Round {round}", round=found.round), " · ", pairing(found, links))


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


def joined(seen: TournamentView, user_id: int) -> Phrase:
    """Return the confirmation of a sign-up."""
    name = seen.tournament.name
    if user_id in seen.reserves:
        return say(
            "**{tournament}** has started. You're on the waiting list and get the next free place.",
            tournament=name,
        )
    if seen.tournament.state is State.SIGN_UP:
        return say("You're in **{tournament}**.", tournament=name)
    return say("You're in **{tournament}** from the next round.", tournament=name)


def left(seen: TournamentView) -> Phrase:
    """Return the confirmation of leaving."""
    name = seen.tournament.name
    if seen.tournament.state is State.SIGN_UP:
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


def imported(tournament: Tournament, played: Played) -> Iterator[Phrase]:
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


def entry_line(seen: TournamentView) -> Phrase:
    """Return a tournament's name as a heading."""
    return glued("### ", seen.tournament.name)
