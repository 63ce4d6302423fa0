"""How the result of a match counts: if it has really begun, its points in competitions, if it is rated.

A match that has hardly begun is void, up to a weekly limit. That counts turns, not moves: a turn whose
throw could not be used is one too. So no one can wait until a match goes badly and still leave it for
free.

Servers can turn ratings off, and moderators can exclude players. A match started under such a decision
stays unrated, as announced. One that started as rated stays rated, unless somebody who does not play in
it has excluded a player meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from bot.core.computers import COMPUTERS, is_practice
from bot.core.settings.service import of_server
from data.challenges.challenges import Challenge, State
from data.matches import absences, match_log, matches
from data.matches.match import Match
from data.people import exclusions
from data.store.store import Store, Transaction
from data.tournaments.values import How
from engine import registry
from engine.game import CHANCE
from engine.registry import AnyGame
from engine.replay import Played, replay

ADJUDICATED: Final = "adjudicated"
"""Marks a match ended with its round, in the column ``ending``."""
STOPPED: Final = "stopped"
"""Marks a match that someone ended with its round, before its time. It is never rated."""
_GIVEN_UP: Final = {"resigned", "forfeited", ADJUDICATED}
HARDLY_BEGUN: Final = 2
"""A match has hardly begun while any seat has had fewer turns than this."""
MAX_ABORTS: Final = 3
"""Early matches a player may leave in seven days; further ones count as lost."""


class Decided(NamedTuple):
    """The result of a game."""

    points: tuple[float, ...]
    """One per seat."""
    how: How


class Leaving(NamedTuple):
    """The consequences of leaving a match now."""

    hardly_begun: bool
    practice: bool
    before: int
    """The number of such early matches the player has left recently."""

    @property
    def void(self) -> bool:
        """Whether the match becomes void rather than lost for its leaver."""
        return self.hardly_begun and (self.practice or self.before < MAX_ABORTS)


async def leaving(tx: Transaction, match: Match, user_id: int, now: datetime) -> Leaving:
    """Return the consequences for a player of leaving a match now."""
    early, practice = await hardly_begun(tx, match), is_practice(match)
    before = await absences.count_aborts(tx, user_id, now) if early and not practice else 0
    return Leaving(early, practice, before)


async def hardly_begun(tx: Transaction, match: Match) -> bool:
    """Return whether any player has had fewer than two turns."""
    game, seats = registry.game(match.game), {player.seat for player in match.players}
    log = [entry.notation for entry in await match_log.read(tx, match.id)]
    return not all_had_turns(game, replay(game, log, match.options, len(seats)), seats)


def all_had_turns(game: AnyGame, played: Iterable[Played[Any, Any]], seats: set[int]) -> bool:
    """Return whether all seats have had two turns; replays no further than needed."""
    had: Counter[int] = Counter()
    for entry in played:
        turn = game.turn(entry.before)
        over = game.outcome(entry.after) is not None
        if turn is not None and (over or game.turn(entry.after) != turn):
            had[turn] += 1
            if all(had[seat] >= HARDLY_BEGUN for seat in seats):
                return True
    return False


async def decided(tx: Transaction, match: Match, seats: Sequence[int]) -> Decided:
    """Return the result of a game whose match has ended.

    A player who gives up a match that has hardly begun, or before moving, counts as absent: a
    forfeit, even if the match itself is void. A player paired but absent when it began is last.
    ``seats`` are the user ids in seat order, including absent players.
    """
    ranks = {player.user_id: player.rank for player in match.players}
    early = await hardly_begun(tx, match)
    if all(rank is not None for rank in ranks.values()):
        last = len(seats)
        places = tuple(ranks.get(user) or last for user in seats)
        if match.ending in _GIVEN_UP and (early or await _never_moved(tx, match)):
            return Decided(points_of_places(places), "forfeit")
        judged: How = "adjudicated" if match.ending in {ADJUDICATED, STOPPED} else "played"
        return Decided(points_of_places(places), judged)
    left = await absences.aborted_by(tx, match.id)
    if left and match.ending == "aborted":
        gave_up = {player.user_id for player in match.players if player.gave_up is not None}
        return without(seats, {*left, *gave_up, *(set(seats) - set(ranks))})
    return Decided((0.0,) * len(seats), "void")


async def _never_moved(tx: Transaction, match: Match) -> bool:
    counter = await choices(tx, match)
    lost = [player.seat for player in match.players if player.rank != 1]
    return bool(lost) and not any(counter[seat] for seat in lost)


async def choices(tx: Transaction, match: Match) -> Counter[int]:
    """Return how many moves each seat has chosen while its player was in the game.

    Forced moves are played automatically and don't count.
    """
    return chosen(match, [entry.notation for entry in await match_log.read(tx, match.id)])


def chosen(match: Match, log: Sequence[str]) -> Counter[int]:
    """Return the same counts from a log, which takes a while to replay."""
    game = registry.game(match.game)
    until = {player.seat: player.gave_up_ply for player in match.players}
    counter: Counter[int] = Counter()
    for entry in replay(game, log, match.options, len(match.players)):
        actor = game.actor(entry.before)
        if actor is CHANCE or game.only_move(entry.before) is not None:
            continue
        last = until.get(actor)
        if last is None or entry.ply <= last:
            counter[actor] += 1
    return counter


def without(seats: Sequence[int], absent: Collection[int]) -> Decided:
    """Return the result of a game in which some or all players were absent."""
    if len(absent) == len(seats):
        return Decided((0.0,) * len(seats), "forfeit")
    return Decided(points_of_places(tuple(1 + (user in absent) for user in seats)), "forfeit")


def points_of_places(places: tuple[int, ...]) -> tuple[float, ...]:
    """Return the points at a table: for each seat, the share of opponents beaten.

    A tie counts half. That gives 1, ½ and 0 at a table of two as well as of three. Of the places, by
    seat, 1 is the winner's; tied seats are equal.
    """
    others = len(places) - 1
    return tuple(
        (sum(other > mine for other in places) + (places.count(mine) - 1) / 2) / others
        for mine in places
    )


_DECIDED: Final = {None, "resigned", "forfeited"}
"""Endings that always count: `bot.play.matches.endings` records early ones as ``aborted``."""


@dataclass(frozen=True, slots=True)
class UnratedReason:
    """Why a match is not rated although it was meant to be."""

    server: bool = False
    """The server rates no matches."""
    people: tuple[int, ...] = ()
    """The excluded players. Also empty if the reason is no longer known."""


async def unrated_reason(
    tx: Transaction, guild_id: int | None, user_ids: Iterable[int]
) -> UnratedReason | None:
    """Return why players cannot play rated in a server now, ``None`` if they can.

    Outside servers, which have no moderators, everyone can.
    """
    if guild_id is None:
        return None
    if not (await of_server(tx, guild_id)).rated:
        return UnratedReason(server=True)
    excluded = await exclusions.filter_excluded(tx, guild_id, user_ids)
    return UnratedReason(people=excluded) if excluded else None


async def of_challenge(tx: Transaction, challenge: Challenge) -> UnratedReason | None:
    """Return why a challenge's match is not rated; ``None`` if it is, or was never to be.

    Decisions made after the match has started do not matter.
    """
    if challenge.unrated:
        return None
    people = [one.user_id for one in challenge.invited]
    if challenge.state is not State.STARTED or challenge.match_id is None:
        return await unrated_reason(tx, challenge.guild_id, people)
    match = await matches.get(tx, challenge.match_id)
    if match is None or not match.unrated:
        return None
    return await unrated_reason(tx, challenge.guild_id, people) or UnratedReason()


async def is_rated(tx: Transaction, match: Match) -> bool:
    """Return whether a finished match is rated.

    All players must be people, and nobody else may have excluded one of them. A match ended by its players or a
    moderator counts once everyone has had two turns. A match ended by the rules always counts, and
    so does a loss for leaving too many matches early. One that someone stopped together with its
    tournament round never counts.
    """
    if (
        match.unrated
        or match.ending == STOPPED
        or any(
            one.user_id in COMPUTERS or (one.user_id <= 0 and one.gave_up is None)
            for one in match.players
        )
    ):
        return False
    people = [player.user_id for player in match.players if player.user_id > 0]
    if match.guild_id is not None and await exclusions.filter_excluded(
        tx, match.guild_id, people, by_others=True
    ):
        return False
    return match.ending in _DECIDED or not await hardly_begun(tx, match)


_MAX_NAMED: Final = 20
"""The number of excluded players that a list names."""


class ExcludedPlayers(NamedTuple):
    """The players excluded from rated play in a server."""

    people: tuple[int, ...] = ()
    """The first of them, to name in a list."""
    more: int = 0
    """The number of others."""


async def unrated_reasons(
    store: Store, challenges: Iterable[Challenge]
) -> Mapping[int, UnratedReason]:
    """Return why matches are not rated, by challenge id; without those never to be rated."""
    wanted = [one for one in challenges if one.guild_id is not None and not one.unrated]
    if not wanted:
        return {}
    async with store.read() as tx:
        found = [(one.id, await of_challenge(tx, one)) for one in wanted]
    return {number: reason for number, reason in found if reason is not None}


async def excluded_players(store: Store, guild_id: int) -> ExcludedPlayers:
    """Return the players excluded from rated play in a server."""
    async with store.read() as tx:
        people = await exclusions.excluded_in(tx, guild_id, limit=_MAX_NAMED)
        more = await exclusions.count_excluded(tx, guild_id) - len(people)
    return ExcludedPlayers(people, more)
