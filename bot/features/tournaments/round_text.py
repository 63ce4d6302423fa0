"""Texts on rounds of tournaments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from bot.core.i18n.mentions import mention, timestamp
from bot.features.tournaments.rules.pairing import is_stage, round_in_line
from bot.features.tournaments.rules.roster import Roster
from bot.features.tournaments.rules.standings import Standing
from bot.features.tournaments.rules.tie_breaks import EXPLAINED, NAMES, figure
from bot.features.tournaments.text import NAMED, match_words, some_of
from bot.features.tournaments.view import TournamentView
from bot.play.matches.luck import throws
from data.tournaments import tournament_rounds
from data.tournaments.values import FINAL, GROUP, Format, Game, Pairing
from engine.phrase import Phrase, concat, lines, plural, say


def heading(view: TournamentView, number: int) -> Phrase:
    """Return the heading of a round."""
    if is_stage(view.plan, number, view.rounds_in_all):
        return concat("**", view.round_name(number), "**")
    return say("**Round {round} of {rounds}**", round=number, rounds=view.rounds_in_all)


def stage_words(stage: str) -> str:
    """Return a stage in words; empty if a tournament has only one."""
    if stage == FINAL:
        # Translators: the last stage of a tournament.
        return say("Final")
    if stage.startswith(GROUP):
        return say("Group {number}", number=stage.removeprefix(GROUP))
    return stage


def pairing(pairing: Pairing, links: Mapping[int, str]) -> Phrase:
    """Return a table of a round: players, board (by match, see ``links``), and the result."""
    number = concat("**", str(pairing.table), ".** ")
    stage = stage_words(pairing.stage)
    label = concat(number, stage, ": ") if stage else number
    if len(pairing.players) == 1:
        # Translators: a player without an opponent in this round of a tournament.
        return concat(
            label, say("{player} has a bye: no game this round", player=mention(pairing.players[0]))
        )
    users = _by_side(pairing)
    people = lines((mention(user) for user in users), " – ")
    # Several games have no room for links to what is over.
    over = links if len(pairing.games) == 1 else {}
    games = [_game(one, users, over if one.ended else links) for one in pairing.games]
    return lines([concat(label, people), *games], " · ")


def _by_side(pairing: Pairing) -> Sequence[int]:
    """Return the players of a table as their boards and threads name them: by side in the first game."""
    first = pairing.games[0].seats if pairing.games else ()
    return first if {*first} == {*pairing.players} else pairing.players


def _game(game: Game, users: Sequence[int], links: Mapping[int, str]) -> Phrase:
    link = None if game.match_id is None else links.get(game.match_id)
    if game.points is not None:
        by_user = dict(zip(game.seats, game.points, strict=True))
        score = "–".join(figure(by_user[user]) for user in users)
        if game.how == "forfeit":
            # Translators: a result without a game, such as "1–0 (forfeit)".
            result = say("{score} (forfeit)", score=score)
        elif game.how == "adjudicated":
            result = say("{score} (decided at the end of the round)", score=score)
        elif game.how == "void":
            result = say("no result")
        else:
            result = concat(score)
        return concat("**", result if link is None else concat("[", result, "](", link, ")"), "**")
    if game.match_id is None:
        return say("about to begin")
    return match_words(game.match_id, link)


def progress(view: TournamentView, number: int) -> Phrase:
    """Return how many of a round's games are decided, and when it ends."""
    games = [game for one in view.of_round(number) for game in one.games]
    decided = sum(game.points is not None for game in games)
    parts = [
        plural(
            "{decided} of {n} game decided",
            "{decided} of {n} games decided",
            len(games),
            decided=decided,
        )
    ]
    round_ = next(one for one in view.rounds if one.round == number)
    if round_.ends_at is not None and decided < len(games):
        parts.append(say("ends {moment}", moment=timestamp(round_.ends_at)))
    return concat("-# ", lines(parts, " · "))


def sealed(view: TournamentView, number: int) -> Iterator[Phrase]:
    """Yield what the throws of a round's games are made of, besides the players' words."""
    if view.game.has_luck and view.tournament.seed:
        yield from throws(tournament_rounds.of_round(view.id, number), view.tournament.seed)


def absentees(view: TournamentView, number: int) -> Iterator[Phrase]:
    """Yield a line on the players withdrawn as absent in a round, if any."""
    if gone := view.absent_in(number):
        yield say(
            "{players} didn't show up, so the next rounds go on without them.",
            players=some_of(gone),
        )


def own_game(view: TournamentView, found: Pairing, links: Mapping[int, str]) -> Phrase:
    """Return a round of one player."""
    return concat(view.round_name(found.round), " · ", pairing(found, links))


_TIED: Final = "\u00a0"
"""A space at which no line breaks."""
SHOWN: Final = 10
"""How many places a post names: as many as its picture has lines."""


def standing(one: Standing, *, knockout: bool, shared: bool, tied: bool = True) -> Phrase:
    """Return a line of the standings, with the reason for the place below it.

    Only those ``tied`` on points show their tie-breaks.
    """
    parts = [concat("**", str(one.rank), ".** ", mention(one.user_id))]
    if one.left:
        parts.append(say("left"))
    if not knockout:
        parts.append(concat("**", points(one.points), "**"))
    parts.append(
        # Translators: a player's results in a tournament.
        say(
            "{won} won · {drawn} drawn · {lost} lost",
            won=one.wins,
            drawn=one.draws,
            lost=one.losses,
        )
    )
    if byes := one.byes - one.forfeits:
        parts.append(plural("{n} bye", "{n} byes", byes))
    if one.forfeits:
        parts.append(plural("{n} win by forfeit", "{n} wins by forfeit", one.forfeits))
    small = [concat(NAMES[kind], " ", figure(value)) for kind, value in one.tie_breaks if tied]
    if one.reason is not None and shared:
        small.append(one.reason)
    elif one.reason is not None:
        # Translators: reason is something like "head to head" or "more points".
        small.append(say("ahead of the next: {reason}", reason=one.reason))
    return lines([lines(parts, " · "), *([concat("-# ", lines(small, " · "))] if small else [])])


def standing_lines(
    view: TournamentView, standings: Sequence[Standing], shown: Iterable[Standing]
) -> Iterator[Phrase]:
    """Yield the lines of those of the standings that are shown."""
    if view.plan.single_elimination:
        yield from (_knockout_line(view, one) for one in shown)
        return
    shared = {one.user_id for one, after in pairwise(standings) if one.rank == after.rank}
    level = _tied(standings)
    for one in shown:
        yield standing(
            one,
            knockout=view.plan.format is Format.KNOCKOUT,
            shared=one.user_id in shared,
            tied=one.user_id in level,
        )


def _knockout_line(view: TournamentView, one: Standing) -> Phrase:
    """Return a line of the standings of a knockout: who is still in it, or how far they came."""
    parts = [concat("**", str(one.rank), ".** ", mention(one.user_id))]
    last = max(
        (pairing.round for pairing in view.pairings if one.user_id in pairing.players), default=0
    )
    if one.left:
        parts.append(say("left"))
    elif one.rank == 1 and view.tournament.state.open:
        # Translators: a player who has not been knocked out yet.
        parts.append(say("still in"))
    elif one.rank > 1:
        # Translators: how far a player came in a knockout; round is "round 2", or "the final".
        parts.append(
            say("out in {round}", round=round_in_line(view.plan, last, view.rounds_in_all))
        )
    line = lines(parts, " · ")
    alone = one.rank == 1 and not view.present and one.reason is not None
    return lines([line, concat("-# ", one.reason or "")]) if alone else line


def _tied(standings: Sequence[Standing]) -> set[int]:
    """Return the users who have as many points as somebody else."""
    by_points = Counter(one.points for one in standings)
    return {one.user_id for one in standings if by_points[one.points] > 1}


def points(number: float) -> Phrase:
    """Return points in words."""
    count = 1 if 0 < number <= 1 else 2
    return plural("{points} point", "{points} points", count, points=figure(number))


def explained(standings: Sequence[Standing]) -> Iterator[Phrase]:
    """Explain the tie-breaks that the standings show."""
    level = _tied(standings)
    shown = (one for one in standings if one.user_id in level)
    kinds = dict.fromkeys(kind for one in shown for kind, _ in one.tie_breaks)
    for kind in kinds:
        yield concat("-# ", EXPLAINED[kind])


def cross_table(view: TournamentView, standings: Sequence[Standing]) -> str:
    """Return a plain-text cross table, by place; empty if it would be too wide."""
    if not 2 < len(standings) <= 16 or view.plan.seats > 2 or view.plan.format is Format.KNOCKOUT:
        return ""
    users = [one.user_id for one in standings]
    cells: dict[tuple[int, int], list[str]] = {}
    for one in view.pairings:
        if len(one.players) == 2 and not one.open:
            for me, other in (one.players, one.players[::-1]):
                if me in users and other in users:
                    at = (users.index(me), users.index(other))
                    cells.setdefault(at, []).append(figure(one.points(me)))
    width = max((len("".join(cell)) for cell in cells.values()), default=1)
    width = max(width, len(str(len(users))))
    head = "   " + " ".join(str(n).rjust(width) for n in range(1, len(users) + 1))
    rows = [
        f"{row + 1:2} "
        + " ".join(
            ("×" if row == column else "".join(cells.get((row, column), ["·"]))).rjust(width)
            for column in range(len(users))
        )
        for row in range(len(users))
    ]
    return "\n".join(["```", head, *rows, "```"])


def seeds(view: TournamentView, *, numbered: bool) -> Phrase:
    """Return the people in a knockout bracket, by seed, with the numbers it may call them by."""
    roster = Roster(view.entrants, view.tournament.seed)
    there = [place for place in roster.places if roster.began(place)][:NAMED]
    people = (
        concat(f"#{number} " if numbered else "", mention(roster.latest(place).user_id))
        for number, place in enumerate(there, 1)
    )
    # Translators: the players in a knockout bracket, perhaps with the numbers next to them there.
    return say("In the bracket: {players}", players=lines(people, " · "))


def places(standings: Sequence[Standing], sign: str = "") -> Phrase:
    """Return the top places with their points; with a sign, the key to a picture's numbers."""
    people = (
        concat(number, mention(one.user_id), _TIED, "**", figure(one.points), "**")
        for line, one in enumerate(standings[:SHOWN], 1)
        for number in [f"{sign}{line} " if sign else f"{one.rank}. "]
    )
    # Translators: in posts, and to explain the numbers next to players in a tournament's table.
    return say("Standings: {players}", players=lines(people, " · "))
