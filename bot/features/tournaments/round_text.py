"""Texts on rounds of tournaments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.core.i18n.mentions import mention, timestamp
from bot.features.tournaments.model import FINAL, GROUP
from bot.features.tournaments.pairing import total_rounds
from bot.features.tournaments.text import some_of
from bot.features.tournaments.view import TournamentView
from bot.play.matches.luck import throws
from data.tournaments import tournament_rounds
from data.tournaments.tournament_rounds import Game, Pairing
from engine.phrase import Phrase, glued, lines, plural, say


def rounds_in_all(view: TournamentView) -> int:
    """Return the number of rounds, at most."""
    began = sum(one.joined_round == 1 and one.left_after != 0 for one in view.everyone)
    return max(view.tournament.round, total_rounds(view.plan, began))


def heading(view: TournamentView, number: int) -> Phrase:
    """Return the heading of a round."""
    return say("**Round {round} of {rounds}**", round=number, rounds=rounds_in_all(view))


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


def pairing(pairing: Pairing, links: Mapping[int, str]) -> Phrase:
    """Return a table of a round: players, board, and the result once known.

    Args:
        pairing: the table.
        links: the addresses of boards, by match, where there are any.

    """
    number = glued("**", str(pairing.table), ".** ")
    stage = stage_words(pairing.stage)
    label = glued(number, stage, ": ") if stage else number
    if len(pairing.players) == 1:
        # Translators: a player without an opponent in this round of a tournament.
        return glued(label, say("{player} has a bye", player=mention(pairing.players[0])))
    people = lines((mention(user) for user in pairing.players), " – ")
    return lines(
        [glued(label, people), *(_game(one, pairing, links) for one in pairing.games)], " · "
    )


def _game(game: Game, pairing: Pairing, links: Mapping[int, str]) -> Phrase:
    if game.points is not None:
        by_user = dict(zip(game.seats, game.points, strict=True))
        score = "–".join(figure(by_user[user]) for user in pairing.players)
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
    return glued("-# ", lines(parts, " · "))


def sealed(view: TournamentView, number: int) -> Iterator[Phrase]:
    """Yield what the throws of a round's games are made of, besides the players' words."""
    if view.game.has_luck and view.tournament.seed:
        yield from throws(tournament_rounds.of_round(view.id, number), view.tournament.seed)


def absentees(view: TournamentView, number: int) -> Iterator[Phrase]:
    """Yield a line on the players withdrawn as absent in a round, if any."""
    gone = [
        one.user_id
        for one in view.everyone
        if one.left_after == number and one.leave_reason == "absent"
    ]
    if gone:
        yield say(
            "{players} didn't show up, so the next rounds go on without them.",
            players=some_of(gone),
        )


def own_game(found: Pairing, links: Mapping[int, str]) -> Phrase:
    """Return a round of one player."""
    return glued(say("Round {round}", round=found.round), " · ", pairing(found, links))
