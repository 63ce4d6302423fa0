"""Organisers and managers who play: nobody decides a tournament that they could win by it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.core.errors import NotAllowed
from bot.features.moderation.service import Moderation, Moderator
from bot.features.tournaments import interests
from bot.features.tournaments.interests import Person
from bot.features.tournaments.text import Note, note
from bot.play.matches.match_text import reason
from bot.play.matches.scoring import is_rated
from data.tournaments import tournaments
from data.tournaments.tournaments import State
from data.tournaments.values import Format, Plan
from tests.bot.conftest import GUILD
from tests.bot.features.tournaments.club import MANAGER, ORGANISER, Cups

FOUR = (11, 22, 33, 44)
ALL = Plan(Format.ROUND_ROBIN)
CUP = Plan(Format.KNOCKOUT)
ONLY_ORGANISER = Person(ORGANISER, manages_server=False)


def managing(user_id: int) -> Person:
    """Return a player who may manage the server."""
    return Person(user_id, manages_server=True)


async def notes(club: Cups, number: int, what: str) -> list[Note]:
    """Return a tournament's pending notes of a kind."""
    view = await club.view(number)
    asked = [one.payload for one in await club.posts(number) if one.payload.get("note") == what]
    async with club.store.read() as tx:
        found = [await note(tx, view, payload) for payload in asked]
    return [one for one in found if one is not None]


async def test_an_organiser_needs_manage_server_to_end_a_round_or_the_tournament(
    club: Cups,
) -> None:
    number = await club.begin(*FOUR)
    with pytest.raises(NotAllowed, match=r"need the permission \*\*Manage Server"):
        await club.tournaments.pair(number, GUILD, 2, by=ONLY_ORGANISER)
    with pytest.raises(NotAllowed, match=r"need the permission \*\*Manage Server"):
        await club.tournaments.end(number, GUILD, by=ONLY_ORGANISER)
    await club.tournaments.adjourn(number, GUILD, by=ONLY_ORGANISER)
    signing_up = await club.open(11, 22)
    await club.tournaments.end(signing_up, GUILD, by=ONLY_ORGANISER)
    assert (await club.view(signing_up)).tournament.state is State.CANCELLED


async def test_whoever_neither_organises_nor_manages_changes_nothing(club: Cups) -> None:
    number = await club.begin(*FOUR)
    stranger = Person(77, manages_server=False)
    for act in (
        club.tournaments.pair(number, GUILD, 2, by=stranger),
        club.tournaments.adjourn(number, GUILD, by=stranger),
        club.tournaments.end(number, GUILD, by=stranger),
    ):
        with pytest.raises(NotAllowed, match="Only the organiser"):
            await act


async def test_a_player_ends_no_round_and_no_tournament_even_as_manager(club: Cups) -> None:
    number = await club.begin(*FOUR)
    for game in await club.open_games(number):
        await club.move_in(game)
    with pytest.raises(NotAllowed, match="someone else who manages the server"):
        await club.tournaments.pair(number, GUILD, 2, by=managing(11))
    with pytest.raises(NotAllowed, match="someone else who manages the server"):
        await club.tournaments.end(number, GUILD, by=managing(11))
    await club.run()
    assert len(await club.open_games(number)) == 2


async def test_leaving_keeps_the_points_so_it_does_not_make_neutral(club: Cups) -> None:
    number = await club.begin(*FOUR)
    await club.play_round(number)
    await club.entrants.leave(number, GUILD, 11)
    for game in await club.open_games(number):
        if 11 in game.seats:
            with pytest.raises(NotAllowed, match="finish or resign your game"):
                await club.tournaments.end(number, GUILD, by=managing(11))
            await club.matches.resign(game.match_id or 0, 11)
    await club.steps.take(number)
    with pytest.raises(NotAllowed, match="someone else"):
        await club.tournaments.pair(number, GUILD, 3, by=managing(11))


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
    async with club.store.read() as tx:
        assert not await tournaments.prizes(tx, GUILD, 11, limit=10)


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
    assert reason(await club.matches.view(begun.match_id or 0)) == "the round was ended by hand"
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


async def test_a_round_over_on_its_date_is_rated(club: Cups) -> None:
    number = await club.begin(*FOUR, round_days=7)
    begun, _ = await club.open_games(number)
    await club.move_in(begun)
    await club.later(days=7)
    async with club.store.read() as tx:
        assert await is_rated(tx, await club.match_of(begun))


async def test_a_player_replaces_nobody_and_an_organiser_no_one_who_has_not_left(
    club: Cups,
) -> None:
    number = await club.begin(*FOUR, plan=ALL)
    await club.entrants.join(number, GUILD, 55, ())
    with pytest.raises(NotAllowed, match="someone else who manages the server"):
        await club.entrants.replace(number, GUILD, 22, 55, by=managing(11))
    with pytest.raises(NotAllowed, match="someone else who manages the server"):
        await club.entrants.replace(number, GUILD, 22, 55, by=managing(55))
    with pytest.raises(NotAllowed, match="hasn't left"):
        await club.entrants.replace(number, GUILD, 22, 55, by=ONLY_ORGANISER)
    await club.entrants.leave(number, GUILD, 22)
    await club.entrants.replace(number, GUILD, 22, 55, by=ONLY_ORGANISER)
    (told,) = await notes(club, number, "replaced")
    assert told.pings == (22, 55)
    assert f"<@22>, <@{ORGANISER}> has given your place" in told.words


async def test_players_who_are_out_as_absent_are_told(club: Cups) -> None:
    number = await club.begin(*FOUR, round_days=7)
    await club.later(days=7)
    out = {one.user_id for one in (await club.view(number)).everyone if one.leave_reason}
    assert len(out) == 2
    (told,) = await notes(club, number, "absent")
    assert set(told.pings) == out
    assert "you're out" in told.words


async def test_a_player_knocked_out_of_a_cup_is_neutral(club: Cups) -> None:
    number = await club.begin(*FOUR, plan=CUP)
    await club.play_round(number)
    (final,) = await club.open_games(number)
    (out, *_) = set(FOUR) - set(final.seats)
    with pytest.raises(NotAllowed):
        await club.tournaments.pair(number, GUILD, 3, by=managing(final.seats[0]))
    await club.tournaments.pair(number, GUILD, 3, by=managing(out))
    await club.run()
    assert (await club.view(number)).tournament.state is State.FINISHED


async def test_a_player_does_not_put_off_the_end_of_a_round(club: Cups) -> None:
    number = await club.begin(*FOUR, round_days=7)
    with pytest.raises(NotAllowed, match="someone else"):
        await club.tournaments.adjourn(number, GUILD, by=managing(11))
    await club.tournaments.adjourn(number, GUILD, by=MANAGER)


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


async def test_an_organiser_who_plays_starts_nothing_before_the_announced_time(club: Cups) -> None:
    number = await club.open(11, 22, starts_at=club.clock() + timedelta(days=3))
    await club.entrants.join(number, GUILD, ORGANISER, ())
    view = await club.view(number)
    with pytest.raises(NotAllowed, match="someone else"):
        interests.check_starts(view, MANAGER, club.clock())
    interests.check_starts(view, managing(99_000), club.clock())
    club.wait(days=3)
    interests.check_starts(view, MANAGER, club.clock())
    by_hand = await club.view(await club.open(11, 22))
    interests.check_starts(by_hand, ONLY_ORGANISER, club.clock())
