"""Organisers and managers who play: nobody decides a tournament that they could win by it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from bot.core.errors import NotAllowed
from bot.features.moderation.service import Moderation, Moderator
from bot.features.tournaments import interests
from bot.features.tournaments.interests import Person
from bot.features.tournaments.text import Note, note
from bot.features.tournaments.view import TournamentView
from bot.play.matches.match_text import reason
from bot.play.matches.scoring import is_rated
from data.tournaments import tournaments
from data.tournaments.tournament_rounds import Round
from data.tournaments.tournaments import RESERVE, Entry, State, Tournament
from data.tournaments.values import FINAL, Format, Game, Pairing, Plan
from tests.bot.conftest import CHANNEL, GUILD
from tests.bot.features.tournaments.club import MANAGER, ORGANISER, Cups
from tests.bot.features.tournaments.rules.field import met

NOW = datetime(2026, 1, 5, tzinfo=UTC)
FOUR = (11, 22, 33, 44)
ALL = Plan(Format.ROUND_ROBIN)
CUP = Plan(Format.KNOCKOUT)
ONLY_ORGANISER = Person(ORGANISER, manages_server=False)


def managing(user_id: int) -> Person:
    """Return a player who may manage the server."""
    return Person(user_id, manages_server=True)


def a_view(
    *pairings: Pairing,
    plan: Plan = ALL,
    state: State = State.RUNNING,
    left: Collection[int] = (),
    replaced: Mapping[int, int] | None = None,
    **terms: Any,
) -> TournamentView:
    """Return a tournament of the four, with 55 waiting or in the place of another."""
    heirs = replaced or {}
    tournament = Tournament(
        guild_id=GUILD, channel_id=CHANNEL, name="Winter Cup", game="tablut", plan=plan, days=3,
        created_by=ORGANISER, id=1, thread_id=None, message_id=None, state=state, seed=b"a seed",
        created_at=NOW, ended_at=None, round=max((one.round for one in pairings), default=0),
        next_at=None, version=1, **terms,
    )  # fmt: skip
    everyone = tuple(
        Entry(
            user, 100.0 - user, 1 if user != 55 else 2 if heirs else RESERVE,
            1 if user in left else None, heirs.get(user),
            tournament_id=1, number=number, joined_at=NOW,
        )
        for number, user in enumerate((*FOUR, 55), 1)
    )  # fmt: skip
    rounds = tuple(Round(1, n, NOW, None, None) for n in sorted({one.round for one in pairings}))
    return TournamentView(tournament, everyone, rounds, pairings)


def going_on(number: int, table: int, *players: int) -> Pairing:
    """Return a pairing whose game goes on."""
    return Pairing(number, table, players, (Game(players),))


BEGUN = going_on(1, 1, 11, 44), going_on(1, 2, 22, 33)
OVER = met(1, 1, 11, 44, 1), met(1, 2, 22, 33, 1)
IN_FINAL = (*OVER, replace(going_on(2, 1, 11, 22), stage=FINAL))
SIGN_UP = a_view(state=State.SIGN_UP, starts_at=NOW + timedelta(days=3))
STRANGER = Person(77, manages_server=False)
START = partial(interests.check_starts, now=NOW)
PLAYS = "someone else who manages the server"
LEAVE = "finish or resign your game"
NEEDED = r"need the permission \*\*Manage Server"


def replaces(view: TournamentView, by: Person) -> None:
    """Check that a user may give the place of 22 to another."""
    interests.check_replaces(view, by, 22)


@pytest.mark.parametrize(
    ("check", "view", "by", "refusal"),
    [
        *((one, a_view(*BEGUN), STRANGER, "Only the organiser") for one in (
            START, replaces, interests.check_ends_round, interests.check_ends, interests.check_adjourns)),
        # A player does not begin early, as that would keep others from entering.
        (START, SIGN_UP, managing(11), PLAYS),
        (START, SIGN_UP, managing(ORGANISER), None),
        (partial(interests.check_starts, now=NOW + timedelta(days=3)), SIGN_UP, managing(11), None),
        (START, a_view(state=State.SIGN_UP), managing(11), None),
        (START, replace(SIGN_UP, tournament=replace(SIGN_UP.tournament, state=State.ADJOURNED)),
         managing(11), None),
        # Results are for neutral managers.
        (interests.check_ends_round, a_view(*BEGUN), ONLY_ORGANISER, NEEDED),
        (interests.check_ends_round, a_view(*BEGUN), MANAGER, None),
        (interests.check_ends_round, a_view(*BEGUN), managing(11), PLAYS),
        (interests.check_ends_round, a_view(*OVER, left=[11]), managing(11), PLAYS),
        (interests.check_ends_round, a_view(*OVER), managing(55), PLAYS),
        (replaces, a_view(*OVER), ONLY_ORGANISER, "hasn't left"),
        (replaces, a_view(*OVER), MANAGER, None),
        (replaces, a_view(*OVER, left=[22]), ONLY_ORGANISER, None),
        (replaces, a_view(*OVER), managing(11), PLAYS),
        # Before the first round, ending it is cancelling it.
        (interests.check_ends, SIGN_UP, ONLY_ORGANISER, None),
        (interests.check_ends, SIGN_UP, managing(11), None),
        (interests.check_ends, a_view(*OVER), ONLY_ORGANISER, NEEDED),
        (interests.check_ends, a_view(*OVER), MANAGER, None),
        (interests.check_ends, a_view(*OVER), managing(11), LEAVE),
        (interests.check_ends, a_view(*OVER), managing(55), LEAVE),
        (interests.check_ends, a_view(*BEGUN, left=[11]), managing(11), LEAVE),
        (interests.check_ends, a_view(*OVER, left=[11]), managing(11), None),
        # A player does not put off the end of a round that decides their game.
        (interests.check_adjourns, a_view(*BEGUN, round_days=7), managing(11), PLAYS),
        (interests.check_adjourns, a_view(*OVER, round_days=7), managing(11), None),
        (interests.check_adjourns, a_view(*BEGUN), managing(11), None),
        (interests.check_adjourns, a_view(*BEGUN, round_days=7), ONLY_ORGANISER, None),
    ],
)  # fmt: skip
def test_nobody_decides_what_they_could_win_by(
    check: Callable[[TournamentView, Person], None],
    view: TournamentView,
    by: Person,
    refusal: str | None,
) -> None:
    with nullcontext() if refusal is None else pytest.raises(NotAllowed, match=refusal):
        check(view, by)


@pytest.mark.parametrize(
    ("view", "contenders"),
    [
        (a_view(state=State.SIGN_UP), set()),
        (a_view(*OVER), {*FOUR, 55}),
        (a_view(*OVER, left=[22]), {*FOUR, 55}),
        (a_view(*OVER, state=State.FINISHED), set()),
        (a_view(*OVER, left=[44], replaced={55: 44}), {11, 22, 33, 55}),
        (a_view(*IN_FINAL, plan=Plan(Format.ROUND_ROBIN, groups=2)), {11, 22, 55}),
        (a_view(*BEGUN, plan=CUP), {*FOUR, 55}),
        (a_view(*OVER, plan=CUP), {11, 22, 55}),
        (a_view(*OVER, plan=CUP, left=[22]), {11, 55}),
        (a_view(*OVER, plan=replace(CUP, lives=2)), {*FOUR, 55}),
        (a_view(*OVER, met(2, 1, 33, 44, 1), plan=replace(CUP, lives=2)), {11, 22, 33, 55}),
    ],
    ids=range(11),
)
def test_who_could_still_win(view: TournamentView, contenders: set[int]) -> None:
    everyone = {*FOUR, 55, ORGANISER}
    assert {user for user in everyone if interests.contends(view, user)} == contenders


async def notes(club: Cups, number: int, what: str) -> list[Note]:
    """Return a tournament's pending notes of a kind."""
    view = await club.view(number)
    asked = [one.payload for one in await club.posts(number) if one.payload.get("note") == what]
    async with club.store.read() as tx:
        found = [await note(tx, view, payload) for payload in asked]
    return [one for one in found if one is not None]


async def test_use_cases_ask_who_acts(club: Cups) -> None:
    number = await club.begin(*FOUR)
    for act in (
        club.tournaments.pair(number, GUILD, 2, by=STRANGER),
        club.tournaments.adjourn(number, GUILD, by=STRANGER),
        club.tournaments.end(number, GUILD, by=STRANGER),
        club.tournaments.open_to_all(number, GUILD, by=STRANGER),
    ):
        with pytest.raises(NotAllowed, match="Only the organiser"):
            await act
    assert (await club.view(number)).tournament.state is State.RUNNING


async def test_a_player_whose_place_is_given_away_is_told(club: Cups) -> None:
    number = await club.begin(*FOUR, plan=ALL)
    await club.entrants.join(number, GUILD, 55, ())
    with pytest.raises(NotAllowed, match="hasn't left"):
        await club.entrants.replace(number, GUILD, 22, 55, by=ONLY_ORGANISER)
    await club.entrants.leave(number, GUILD, 22)
    await club.entrants.replace(number, GUILD, 22, 55, by=ONLY_ORGANISER)
    (told,) = await notes(club, number, "replaced")
    assert told.pings == (22, 55)
    assert f"<@22>, <@{ORGANISER}> has given your place" in told.words


async def test_a_servers_only_manager_can_leave_and_cancel_but_not_win(club: Cups) -> None:
    number = await club.begin(*FOUR)
    await club.play_round(number)
    for game in await club.open_games(number):
        await club.win(game, min(game.seats))
    await club.entrants.leave(number, GUILD, 11)
    await club.steps.take(number)
    await club.tournaments.end(number, GUILD, by=managing(11))
    view = await club.view(number)
    assert view.tournament.state is State.CANCELLED
    assert not await club.read(tournaments.prizes, GUILD, 11, limit=10)


async def test_a_round_ended_early_rates_nothing_and_says_who_ended_it(club: Cups) -> None:
    number = await club.begin(*FOUR)
    begun, other = await club.open_games(number)
    await club.move_in(begun)
    await club.tournaments.pair(number, GUILD, 2, by=MANAGER)
    await club.run()
    view = await club.view(number)
    games = {g.match_id: g for one in view.of_round(1) for g in one.games}
    assert games[begun.match_id].how == "adjudicated"
    assert games[begun.match_id].points == (0.5, 0.5)
    assert games[other.match_id].how == "void"
    assert not any(one.leave_reason for one in view.everyone)
    async with club.store.read() as tx:
        for game in (begun, other):
            assert not await is_rated(tx, await club.match_of(game))
    assert reason(await club.matches.position(begun.match_id or 0)) == "the round was ended by hand"
    (told,) = await notes(club, number, "forced")
    assert told.words.startswith(f"<@{ORGANISER}> ended round 1")


async def test_ending_every_round_in_moments_wins_nothing(club: Cups) -> None:
    number = await club.begin(*FOUR)
    for stage in (2, 3, 4):
        await club.tournaments.pair(number, GUILD, stage, by=MANAGER)
        await club.run()
    view = await club.view(number)
    assert view.tournament.state is State.FINISHED
    assert {one.place for one in view.everyone} == {None}
    assert not any(one.leave_reason for one in view.everyone)


async def test_a_drawn_encounter_gets_no_game_that_the_rounds_end_would_forfeit(club: Cups) -> None:
    number = await club.begin(11, 22, plan=CUP, round_days=7)
    (game,) = await club.open_games(number)
    await club.move_in(game)
    await club.later(days=7)
    view = await club.view(number)
    assert [(one.how, one.points) for one in view.pairings[0].games] == [
        ("adjudicated", (0.5, 0.5))
    ]
    assert view.tournament.state is State.FINISHED


async def test_a_player_decides_none_of_the_tournaments_games_as_moderator(club: Cups) -> None:
    number = await club.begin(*FOUR)
    moderation = Moderation(club.store, club.matches, clock=club.clock)
    games = await club.open_games(number)
    (rivals,) = [game for game in games if 11 not in game.seats]
    for decide in (
        moderation.end(rivals.match_id or 0, rivals.seats, Moderator(11, GUILD, "")),
        moderation.void(rivals.match_id or 0, Moderator(11, GUILD, "")),
    ):
        with pytest.raises(NotAllowed, match="You play in"):
            await decide
    await moderation.end(rivals.match_id or 0, rivals.seats, Moderator(ORGANISER, GUILD, ""))
    assert await club.ended(rivals.match_id or 0)


async def test_an_organiser_who_plays_is_not_asked_to_decide(club: Cups) -> None:
    number = await club.open(*FOUR, round_days=7, verdict="manager")
    await club.entrants.join(number, GUILD, ORGANISER, ())
    await club.start_tournament(number)
    for game in await club.open_games(number):
        await club.move_in(game)
    await club.later(days=7)
    (told,) = await notes(club, number, "undecided")
    assert told.pings == ()
    assert "Someone who manages the server" in told.words
