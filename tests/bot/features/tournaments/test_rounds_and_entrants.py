"""No-shows, leavers, blocks, resignations, and players who must not play rated games."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.core.errors import Refusal, TooMany, Unwelcome
from bot.core.interactions import layout
from bot.features.moderation.service import Moderation, Moderator
from bot.features.tournaments import text, transitions
from bot.features.tournaments.chart_views import of_post
from bot.features.tournaments.entrants import Strength, check_conditions
from bot.features.tournaments.layout_views import announcement
from bot.features.tournaments.service import clean_name
from bot.features.tournaments.text import note, podium
from bot.play.matches.erasure import Erasure
from bot.play.matches.positions import Position
from bot.play.matches.scoring import is_rated
from data import computer_tasks
from data.computer_tasks import Kind, Task
from data.people import exclusions
from data.puzzles import analyses
from data.tournaments import tournaments
from data.tournaments.tournaments import DELETED_ROLE, RESERVE, State, Terms
from data.tournaments.values import Format, Game, Plan
from render.charts import Bracket
from tests.bot.conftest import CHANNEL, GUILD
from tests.bot.features.tournaments.club import (
    MANAGER,
    ORGANISER,
    Cups,
    paired,
    points_of,
)

FOUR = (11, 22, 33, 44)
ALL = Plan(Format.ROUND_ROBIN)
TERMS = Terms(
    guild_id=GUILD, channel_id=CHANNEL, name="Cup", game="tablut", plan=ALL, created_by=99, days=3
)


async def late(club: Cups, number: int) -> set[int]:
    """Finish one of the first round's two games; return the players of the other."""
    game, other = await club.open_games(number)
    await club.win(game, game.seats[0])
    await club.run()
    return set(other.seats)


async def test_a_round_with_a_deadline_does_not_wait_for_no_shows(club: Cups) -> None:
    number = await club.begin(*FOUR, round_days=7)
    two = await late(club, number)
    await club.later(days=6)
    assert (await club.view(number)).tournament.round == 1
    await club.later(days=1)
    view = await club.view(number)
    assert view.tournament.round == 2
    (absent,) = [one for one in view.everyone if one.leave_reason == "absent"]
    assert absent.user_id in two
    assert absent.left_after == 1
    game = next(g for one in view.of_round(1) for g in one.games if set(g.seats) == two)
    assert game.how == "forfeit"
    assert points_of(game)[absent.user_id] == 0
    assert absent.user_id not in paired(view, 2)
    told = await club.read(note, view, {"note": "absent", "round": 1})
    assert told is not None
    assert told.pings == (absent.user_id,)
    assert "you're out" in told.words
    assert "absent" in await club.asked_for(number)


async def test_players_who_have_not_moved_are_pinged_before_the_deadline_within_discords_limit(
    club: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert layout.MAX_PINGED == 100
    monkeypatch.setattr(text, "MAX_PINGED", 10)
    number = await club.begin(*range(1, 25), days=4)
    await club.later(days=2, hours=23)
    assert "warning" not in await club.asked_for(number)
    await club.later(hours=1)
    assert "warning" in await club.asked_for(number)
    told = await club.read(note, await club.view(number), {"note": "warning", "round": 1})
    assert told is not None
    assert len(told.pings) == told.words.count("<@") == 10
    assert "and 2 more, your game in **Winter Cup** is waiting" in told.words


async def test_a_game_in_progress_when_the_round_ends_is_drawn(club: Cups) -> None:
    number = await club.begin(*FOUR, round_days=7)
    for game in await club.open_games(number):
        await club.move_in(game)
    await club.later(days=7)
    view = await club.view(number)
    assert [game.how for one in view.of_round(1) for game in one.games] == ["adjudicated"] * 2
    assert all(one.points(user) == 0.5 for one in view.pairings[:2] for user in one.players)
    assert not any(one.leave_reason for one in view.everyone)
    match = await club.match_of(view.of_round(1)[0].games[0])
    assert (match.ending, match.reason) == ("adjudicated", "the round was over")
    assert await club.read(is_rated, match)


async def test_a_round_the_organiser_decides_waits_for_all_decisions(club: Cups) -> None:
    number = await club.begin(*FOUR, round_days=7, verdict="manager")
    first, other = await club.open_games(number)
    await club.move_in(first)
    await club.later(days=7)
    assert "undecided" in await club.asked_for(number)
    assert [game.match_id for game in await club.open_games(number)] == [first.match_id]
    assert await club.ended(other.match_id or 0)
    await club.later(days=7)
    assert (await club.view(number)).tournament.round == 1
    await club.tournaments.pair(number, GUILD, 2, by=MANAGER)
    await club.run()
    assert (await club.view(number)).tournament.round == 2


async def test_a_question_from_before_the_current_round_changes_nothing(club: Cups) -> None:
    """Confirming twice would end the next round before anyone could move."""
    number, cups = await club.open(*FOUR), club.tournaments
    await cups.start(number, GUILD)
    for question in (
        cups.end(number, GUILD, by=MANAGER, asked_at=0),
        club.entrants.leave(number, GUILD, 11, asked_at=0),
    ):
        with pytest.raises(Refusal, match="has started since you were asked"):
            await question
    await club.run()
    await cups.pair(number, GUILD, 2, by=MANAGER)
    await club.run()
    with pytest.raises(Refusal, match="Round 1 is already over"):
        await cups.pair(number, GUILD, 2, by=MANAGER)
    for asked_at in (0, 1, 2):
        for act in (cups.adjourn, cups.end):
            with pytest.raises(Refusal, match="Round 2 has started since you were asked"):
                await act(number, GUILD, by=MANAGER, asked_at=asked_at)
    found = (await club.view(number)).tournament
    assert (found.state, found.round) == (State.RUNNING, 2)


async def test_a_reserve_takes_the_place_of_a_no_show(club: Cups) -> None:
    number = await club.begin(*FOUR, plan=ALL, round_days=7)
    waiting = await club.entrants.join(number, GUILD, 55, ())
    assert waiting.reserves == (55,)
    assert 55 not in waiting.present
    await late(club, number)
    await club.later(days=7)
    view = await club.view(number)
    absent = next(one.user_id for one in view.everyone if one.leave_reason == "absent")
    new = view.of(55)
    assert new is not None
    assert (new.replaces, new.joined_round) == (absent, 2)
    assert 55 in paired(view, 2)


async def test_a_no_show_whom_the_organiser_has_replaced_gets_no_second_reserve(club: Cups) -> None:
    number = await club.begin(11, 22, 33, plan=ALL, round_days=7)
    for reserve in (55, 66):
        await club.entrants.join(number, GUILD, reserve, ())
    (game,) = await club.open_games(number)
    absent = game.seats[0]  # has the first move
    await club.entrants.replace(number, GUILD, absent, 55, by=MANAGER)
    await club.later(days=7)
    view = await club.view(number)
    assert view.tournament.round == 2
    assert [one.user_id for one in view.everyone if one.replaces == absent] == [55]
    assert view.reserves == (66,)


async def test_the_organiser_can_replace_a_player_only_by_a_reserve(club: Cups) -> None:
    number = await club.begin(*FOUR, plan=ALL)
    with pytest.raises(Refusal, match="must sign up first"):
        await club.entrants.replace(number, GUILD, 22, 55, by=MANAGER)
    for _ in range(2):
        view = await club.entrants.join(number, GUILD, 55, ())
        assert [one.joined_round for one in view.everyone if one.user_id == 55] == [RESERVE]
        await club.entrants.leave(number, GUILD, 55)
        assert (await club.view(number)).of(55) is None
    await club.entrants.join(number, GUILD, 55, ())
    with pytest.raises(Refusal, match="isn't in this tournament"):
        await club.entrants.replace(number, GUILD, 66, 55, by=MANAGER)
    await club.entrants.replace(number, GUILD, 22, 55, by=MANAGER)
    await club.entrants.join(number, GUILD, 66, ())
    with pytest.raises(Refusal, match="has already been replaced"):
        await club.entrants.replace(number, GUILD, 22, 66, by=MANAGER)
    await club.play_round(number)
    players = await club.paired(number, 2)
    assert players == {11, 33, 44, 55}


async def test_a_swiss_goes_on_with_those_who_come_and_without_those_who_go(club: Cups) -> None:
    number = await club.begin(*FOUR)
    await club.entrants.join(number, GUILD, 55, ())
    await club.entrants.leave(number, GUILD, 22)
    club.gone.add(33)
    assert len(await club.open_games(number)) == 2, "both finish their games"
    await club.play_round(number)
    view = await club.view(number)
    assert paired(view, 2) == {11, 44, 55}
    assert [(one.left_after, one.leave_reason) for one in view.everyone] == [
        (None, None), (1, "left"), (1, "gone"), (None, None), (None, None),
    ]  # fmt: skip
    with pytest.raises(Refusal, match="gone on without you"):
        await club.entrants.join(number, GUILD, 22, ())


async def test_deleted_players_leave_all_tournaments_and_their_opponents_win(club: Cups) -> None:
    number = await club.begin(*FOUR)
    signing_up = await club.open(11, 22)
    privacy = Erasure(
        club.store, club.matches, club.settings, clock=club.clock, hold=lambda _: _no_hold()
    )
    await privacy.erase(22)
    await club.run()
    assert (await club.view(signing_up)).present == (11,)
    view = await club.view(number)
    assert 22 not in {one.user_id for one in view.everyone}
    (stranger,) = [one for one in view.everyone if one.user_id < 0]
    assert stranger.left_after == 1
    await club.play_round(number)
    view = await club.view(number)
    assert view.tournament.round == 2
    lost = [one for one in view.of_round(1) if stranger.user_id in one.players]
    game = lost[0].games[0]
    assert points_of(game)[stranger.user_id] == 0
    assert stranger.user_id not in paired(view, 2)


def _no_hold() -> nullcontext[None]:  # no boards are shown here
    return nullcontext()


@pytest.mark.parametrize("both", [False, True])
async def test_blocking_ones_opponent_forfeits_the_game(club: Cups, *, both: bool) -> None:
    number = await club.open(11, 22)
    async with club.store.write() as tx:
        await exclusions.block(tx, 11, 22, club.clock())
        if both:
            await exclusions.block(tx, 22, 11, club.clock())
    await club.start_tournament(number)
    view = await club.view(number)
    game = view.of_round(1)[0].games[0]
    points = points_of(game)
    assert game.how == "forfeit"
    assert points == {11: 0, 22: 0 if both else 1}
    assert game.match_id is None
    assert not any(one.leave_reason for one in view.everyone)


async def test_players_who_take_no_challenges_cannot_enter_and_are_not_paired(club: Cups) -> None:
    number = await club.open(11, 22)
    none = {"challenges": False}
    await club.settings.change_player(33, none)
    with pytest.raises(Unwelcome, match="turned challenges off"):
        await club.entrants.join(number, GUILD, 33, ())
    await club.settings.change_player(22, none)
    club.forget()
    await club.start_tournament(number)
    game = (await club.view(number)).of_round(1)[0].games[0]
    assert points_of(game) == {11: 1, 22: 0}
    assert not [one for one in (await club.view(number)).everyone if one.leave_reason]


async def keep_out(club: Cups, user: int, *, blocking: bool, lift: bool = False) -> None:
    """Keep a player from every game: by blocking all others, or by turning challenges off."""
    if not blocking:
        await club.settings.change_player(user, {"challenges": lift})
        club.forget()
        return
    async with club.store.write() as tx:
        for other in set(FOUR) - {user}:
            if lift:
                await exclusions.unblock(tx, user, other)
            else:
                await exclusions.block(tx, user, other, club.clock())


@pytest.mark.parametrize("blocking", [True, False])
@pytest.mark.parametrize(("rounds", "left"), [(1, (None, None)), (2, (2, "absent"))])
async def test_nothing_tells_a_block_from_challenges_turned_off(
    club: Cups, rounds: int, left: tuple[int | None, str | None], *, blocking: bool
) -> None:
    number = await club.open(*FOUR, plan=ALL)
    await keep_out(club, 11, blocking=blocking)
    await club.start_tournament(number)
    assert len(await club.open_games(number)) == 1
    if rounds == 1:
        await keep_out(club, 11, blocking=blocking, lift=True)
    await club.play_round(number)
    assert {user for one in (await club.view(number)).current for user in one.players} == {*FOUR}
    await club.play_to_the_end(number)
    view = await club.view(number)
    entrant = view.of(11)
    assert entrant is not None
    assert (entrant.left_after, entrant.leave_reason) == left
    games = [game.how for one in view.pairings for game in one.games if 11 in one.players]
    assert games == (["forfeit", "played", "played"] if rounds == 1 else ["forfeit"] * 3)


async def test_a_player_who_resigns_every_game_is_last(club: Cups) -> None:
    number = await club.begin(*FOUR, plan=ALL)
    while (await club.view(number)).tournament.state is State.RUNNING:
        for game in await club.open_games(number):
            await club.win(game, max(game.seats))
        await club.run()
    places = {one.user_id: one.place for one in (await club.view(number)).everyone}
    assert places == {44: 1, 33: 2, 22: 3, 11: None}


async def test_resigning_at_once_counts_as_a_no_show(club: Cups) -> None:
    number = await club.begin(*FOUR)
    game, other = await club.open_games(number)
    quitter = game.seats[1]
    await club.matches.resign(game.match_id or 0, quitter)
    await club.win(other, other.seats[0])
    await club.run()
    view = await club.view(number)
    first = next(g for one in view.of_round(1) for g in one.games if quitter in g.seats)
    assert (first.how, first.points) == ("forfeit", (1.0, 0.0))
    entrant = view.of(quitter)
    assert entrant is not None
    assert entrant.leave_reason == "absent"


async def test_players_excluded_from_rated_play_play_unrated_games(club: Cups) -> None:
    async with club.store.write() as tx:
        await exclusions.exclude(tx, GUILD, 22, by=ORGANISER, at=club.clock())
    number = await club.begin(*FOUR)
    unrated = {
        frozenset(game.seats): (await club.match_of(game)).unrated
        for game in await club.open_games(number)
    }
    assert {22 in seats: one for seats, one in unrated.items()} == {True: True, False: False}


async def test_a_voided_game_counts_for_neither_player(club: Cups) -> None:
    number = await club.begin(*FOUR)
    game, other = await club.open_games(number)
    moderation = Moderation(club.store, club.matches, clock=club.clock)
    await moderation.void(game.match_id or 0, Moderator(ORGANISER, GUILD, "a bet"))
    await club.win(other, other.seats[0])
    await club.run()
    view = await club.view(number)
    voided = next(g for one in view.of_round(1) for g in one.games if g.match_id == game.match_id)
    assert voided.how == "void"
    assert view.tournament.round == 2
    assert not any(one.leave_reason for one in view.everyone)


async def test_an_adjourned_round_resumes_with_the_same_time_left(club: Cups) -> None:
    number = await club.begin(*FOUR, round_days=7)
    club.wait(days=5)
    await club.tournaments.adjourn(number, GUILD, by=MANAGER)
    for game in await club.open_games(number):
        await club.win(game, game.seats[0])
    await club.later(days=30)
    view = await club.view(number)
    assert (view.tournament.state, view.tournament.round) == (State.ADJOURNED, 1)
    assert len(await club.open_games(number)) == 2
    await club.tournaments.start(number, GUILD)
    view = await club.view(number)
    assert view.round is not None
    assert view.round.ends_at is not None
    assert (view.round.ends_at - club.clock()).days == 2
    await club.run()
    assert (await club.view(number)).tournament.round == 2


async def test_a_tournament_without_results_is_cancelled_and_its_games_continue(club: Cups) -> None:
    number = await club.begin(*FOUR)
    game, _ = await club.open_games(number)
    await club.tournaments.end(number, GUILD, by=MANAGER)
    assert (await club.view(number)).tournament.state is State.CANCELLED
    await club.win(game, game.seats[0])
    await club.run()
    assert await club.ended(game.match_id or 0)


async def test_a_tournament_starts_by_itself_if_enough_have_signed_up(club: Cups) -> None:
    starts_at = club.clock() + timedelta(days=3)
    number = await club.open(11, 22, starts_at=starts_at)
    other = await club.open(33, starts_at=starts_at)
    await club.later(days=3, seconds=1)
    assert (await club.view(number)).tournament.state is State.RUNNING
    assert (await club.view(other)).tournament.state is State.CANCELLED


async def test_a_monthly_tournament_is_followed_by_the_next(club: Cups) -> None:
    starts_at = club.clock() + timedelta(days=3)
    number = await club.open(
        11,
        22,
        game="tablan",
        options={"rules": "bell"},
        starts_at=starts_at,
        monthly_day=starts_at.day,
    )
    async with club.store.write() as tx:
        await tournaments.set_messages(tx, number, message_id=1, thread_id=None)
    await club.later(days=3, seconds=1)
    await club.play_to_the_end(number)
    following, _ = await club.tournaments.of_server(GUILD)
    assert following.state is State.SIGN_UP
    assert following.starts_at == starts_at.replace(month=starts_at.month + 1)
    assert following.options == {"rules": "bell"}
    assert following.seed != (await club.view(number)).tournament.seed
    await club.tournaments.end(following.id, GUILD, by=MANAGER)
    assert len(await club.tournaments.of_server(GUILD, open_only=True)) == 0


def test_a_monthly_tournament_from_the_31st_stays_on_the_last_day_of_each_month() -> None:
    moment, days = datetime(2026, 11, 30, 18, tzinfo=UTC), []
    for _ in range(5):
        moment = transitions.month_later(moment, 31)
        days.append((moment.year, moment.month, moment.day, moment.hour))
    assert days == [
        (2026, 12, 31, 18), (2027, 1, 31, 18), (2027, 2, 28, 18), (2027, 3, 31, 18), (2027, 4, 30, 18),
    ]  # fmt: skip


async def test_the_bracket_of_a_knockout_without_a_winner_crowns_nobody(club: Cups) -> None:
    number = await club.begin(*FOUR, plan=Plan(Format.KNOCKOUT), round_days=7)
    for _ in range(3):
        await club.later(days=7)
    view = await club.view(number)
    assert view.tournament.state is State.FINISHED
    assert "Nobody won it." in list(podium(view))
    bracket = of_post(view, {})
    assert isinstance(bracket, Bracket)
    assert [slot.won for pair in bracket.columns[-1] for slot in pair] == [False, False]


async def test_a_tournament_that_everybody_abandons_has_no_winner(club: Cups) -> None:
    number = await club.begin(*FOUR, plan=ALL, round_days=7)
    for _ in range(3):
        await club.later(days=7)
    view = await club.view(number)
    assert view.tournament.state is State.FINISHED
    assert {one.place for one in view.everyone} == {None}
    assert "Nobody won it." in list(podium(view))
    assert text.first_three(view) == ()
    assert "without a winner" in announcement(view)
    async with club.store.read() as tx:
        for user in FOUR:
            assert not await tournaments.prizes(tx, GUILD, user, limit=10)


@pytest.mark.parametrize(
    ("terms", "roles", "known", "refusal"),
    [
        ({"min_rating": 1600}, (), (1599, False), r"from 1600\. Yours is 1599"),
        ({"min_rating": 1600}, (), (1600, False), None),
        ({"max_rating": 1400}, (), (1401, False), r"up to 1400\. Yours is 1401"),
        ({"max_rating": 1400}, (), (1400, False), None),
        ({"established": True}, (), (1500, False), "provisional"),
        ({"established": True}, (), (1500, True), None),
        ({"role_id": 7}, {6}, (1500, False), "<@&7>"),
        ({"role_id": 7}, {6, 7}, (1500, False), None),
        ({"role_id": DELETED_ROLE}, {6}, (1500, False), "has been deleted"),
    ],
)  # fmt: skip
def test_only_players_who_meet_the_conditions_can_enter(
    terms: dict[str, Any], roles: Collection[int], known: tuple[int, bool], refusal: str | None
) -> None:
    with nullcontext() if refusal is None else pytest.raises(Refusal, match=refusal):
        check_conditions(replace(TERMS, **terms), roles, Strength(*known))


async def test_a_tournament_has_a_name_and_its_organiser_no_more_than_two(club: Cups) -> None:
    with pytest.raises(Refusal, match="Give the tournament a name"):
        await club.tournaments.create(replace(TERMS, name="**__**"))
    with pytest.raises(Refusal, match="from 1600"):
        await club.entrants.join(await club.open(min_rating=1600), GUILD, 11, ())
    number = await club.begin(*FOUR, days=1, bank=7, plan=ALL, max_players=500)
    assert (await club.view(number)).tournament.max_players == 100, (
        "more would need too many rounds"
    )
    match = await club.match_of((await club.open_games(number))[0])
    assert (match.days, match.bank) == (1, 7)
    assert match.clock is not None
    assert match.clock.due_at == club.clock() + timedelta(days=7)
    with pytest.raises(TooMany, match="already run 2"):
        await club.open()


async def test_a_tournament_is_full_at_its_limit_and_can_be_entered_only_once(club: Cups) -> None:
    number = await club.open(11, 22, max_players=2)
    with pytest.raises(TooMany, match="full"):
        await club.entrants.join(number, GUILD, 33, ())
    with pytest.raises(Refusal, match="already in"):
        await club.entrants.join(number, GUILD, 22, ())
    await club.entrants.leave(number, GUILD, 22)
    await club.entrants.join(number, GUILD, 33, ())
    with pytest.raises(Refusal, match="not in"):
        await club.entrants.leave(number, GUILD, 22)


async def test_a_tournament_needs_two_players_and_starts_only_once(club: Cups) -> None:
    number = await club.open(11)
    with pytest.raises(Refusal, match="At least 2 players"):
        await club.tournaments.start(number, GUILD)
    await club.entrants.join(number, GUILD, 22, ())
    await club.tournaments.start(number, GUILD)
    with pytest.raises(Refusal, match="already under way"):
        await club.tournaments.start(number, GUILD)
    with pytest.raises(Refusal, match="no such tournament"):
        await club.tournaments.start(number, GUILD + 1)


async def test_joining_and_leaving_repeatedly_is_limited(club: Cups) -> None:
    number = await club.open(11)
    for _ in range(20):
        await club.entrants.join(number, GUILD, 22, ())
        await club.entrants.leave(number, GUILD, 22)
    with pytest.raises(TooMany, match="limit of 20 an hour"):
        await club.entrants.join(number, GUILD, 22, ())


@pytest.mark.parametrize(
    ("expected", "points"),
    [(0.81, 1.0), (0.79, 0.5), (0.21, 0.5), (0.19, 0.0), (None, 0.5)],
)
async def test_a_computer_judges_open_games_and_calls_unclear_ones_drawn(
    club: Cups, expected: float | None, points: float
) -> None:
    number, game, position = await awaiting_verdict(club)
    assert position.to_move is not None
    assert len(await club.open_games(number)) == 1
    async with club.store.write() as tx:
        assert await computer_tasks.task_exists(
            tx, Kind.HINT, f"{position.match.id}:{position.version}"
        )
        if expected is None:
            await computer_tasks.remove(tx, Kind.HINT, f"{position.match.id}:{position.version}")
        else:
            said = {"move": "", "expected": expected, "second": None}
            await analyses.add_hint(tx, position.match.id, position.version, said, counted=False)
    await club.later(seconds=30)
    decided = (await club.view(number)).of_round(1)[0].games[0]
    assert decided.how == "adjudicated"
    mine = points_of(decided)
    assert mine[position.to_move.user_id] == points
    assert (await club.match_of(game)).hints == 0


async def awaiting_verdict(club: Cups) -> tuple[int, Game, Position]:
    """End a round whose only game is under way, so that a computer is asked to judge it."""
    number = await club.begin(11, 22, round_days=7, verdict="computer")
    (game,) = await club.open_games(number)
    position = await club.move_in(game)
    await club.later(days=7)
    return number, game, position


async def busy_practice(club: Cups, claims: int) -> Task | None:
    """Let ten people in practice always wait for the computer; return the first other task."""
    for _ in range(claims):
        async with club.store.write() as tx:
            for user in range(101, 111):
                await computer_tasks.put(tx, Kind.MOVE, f"{user}", requester=(GUILD, user))
            task = await computer_tasks.claim(tx, [Kind.MOVE, Kind.HINT], 10)
            assert task is not None
            if task.kind is not Kind.MOVE:
                return task
            await computer_tasks.finish(tx, task)
    return None


async def test_a_verdict_gets_its_turn_among_ten_busy_practice_matches(club: Cups) -> None:
    _, game, _ = await awaiting_verdict(club)
    assert await busy_practice(club, 25) is None, "players come first at first"
    await club.later(seconds=30)
    task = await busy_practice(club, 12)
    assert task is not None
    assert (task.kind, task.match_id) == (Kind.HINT, game.match_id)


@pytest.mark.parametrize(("busy", "hours"), [(False, 0.49), (True, 23.9)])
async def test_a_round_waits_half_an_hour_for_computers_or_a_day_while_they_are_at_work(
    club: Cups, hours: float, *, busy: bool
) -> None:
    number, _, _ = await awaiting_verdict(club)
    if busy:
        async with club.store.write() as tx:
            await computer_tasks.put(tx, Kind.MOVE, "1", requester=(GUILD, 101))
            assert await computer_tasks.claim(tx, [Kind.MOVE], 60)
    await club.later(hours=hours)
    assert len(await club.open_games(number)) == 1
    await club.later(hours=hours / 10)
    assert (await club.view(number)).of_round(1)[0].games[0].points == (0.5, 0.5)


async def test_at_a_table_of_three_two_no_shows_lose_to_the_third(club: Cups) -> None:
    plan = Plan(Format.SWISS, seats=3, rounds=2)
    number = await club.begin(11, 22, 33, plan=plan, game="thaayam")
    (game,) = await club.open_games(number)
    assert game.match_id is not None
    late, gone, here = (await club.match_of(game)).players
    await club.matches.lose(game.match_id, late.seat, "forfeited", by=None)
    await club.matches.resign(game.match_id, gone.user_id, "left")
    await club.run()
    view = await club.view(number)
    decided = view.of_round(1)[0].games[0]
    points = points_of(decided)
    assert decided.how == "forfeit"
    assert points[here.user_id] == 1
    assert max(points[late.user_id], points[gone.user_id]) < 1
    absent = {one.user_id for one in view.everyone if one.leave_reason == "absent"}
    assert absent == {late.user_id, gone.user_id}


async def test_a_table_of_three_plays_on_without_a_player_who_left_the_server(club: Cups) -> None:
    plan = Plan(Format.SWISS, seats=3, smallest=2, rounds=1)
    number = await club.open(11, 22, 33, plan=plan, game="thaayam")
    await club.tournaments.start(number, GUILD)
    await club.steps.take(number)  # pairs
    club.gone.add(22)
    await club.run()
    (game,) = await club.open_games(number)
    assert {player.user_id for player in (await club.match_of(game)).players} == {11, 33}
    await club.win(game, 33)
    await club.run()
    decided = (await club.view(number)).of_round(1)[0].games[0]
    points = points_of(decided)
    assert points == {33: 1.0, 11: 0.5, 22: 0.0}


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("**Winter**  `Cup` <@&1>\n# 2", "Winter Cup @&1 # 2"),
        ("Win at https://evil.example/now", "Win at https: //evil.example /now"),
        ("discord.gg/evil 2025/26", "discord.gg /evil 2025/26"),
        ("Cup \u202egnihton\u200b", "Cup gnihton"),
        ("\u3164\u2800", ""),
        ("Cup\ufe0f\uffa0 of <@1509654160998400007>", "Cup\ufe0f of @"),
        ("\u200b\u2060 \u200d", ""),
        ("Familie 👩\u200d👧", "Familie 👩\u200d👧"),
        ("x" * 100, "x" * 60),
    ],
)
def test_a_tournaments_name_is_shown_as_typed_without_links(typed: str, text: str) -> None:
    assert clean_name(typed) == text
