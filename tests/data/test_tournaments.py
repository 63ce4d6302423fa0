"""Tournaments on both databases."""

from __future__ import annotations

from dataclasses import replace

from data import privacy
from data.matches import matches
from data.store.store import Store, Transaction
from data.tournaments import tournament_entrants, tournament_rounds, tournaments
from data.tournaments.tournament_rounds import Round
from data.tournaments.tournaments import State
from data.tournaments.values import Game, Pairing
from tests.data import people
from tests.data.people import (
    ANN,
    BEN,
    CAROL,
    DAN,
    NOW,
    SEED,
    SERVER,
    TOURNAMENT,
    after,
    new_tournament,
)


async def pair_round(tx: Transaction, number: int) -> None:
    """Pair a first round of one game and a bye."""
    found = [
        Pairing(1, 1, (ANN, BEN), (Game((BEN, ANN)),), "group 1"),
        Pairing(1, 2, (DAN,), (), "group 2"),
    ]
    await tournament_rounds.add(tx, Round(number, 1, NOW, after(90), after(30)), found)


async def test_terms_are_read_as_written(db: Store) -> None:
    terms = replace(
        TOURNAMENT, round_days=7, verdict="manager", max_players=8, role_id=5, monthly_day=31
    )
    async with db.write() as tx:
        found = await new_tournament(tx, terms=terms)
        assert await tournaments.get(tx, found.id) == found
    assert found.state is State.SIGN_UP
    assert {
        name: getattr(found, name) for name in ("plan", "round_days", "verdict", "role_id")
    } == {"plan": terms.plan, "round_days": 7, "verdict": "manager", "role_id": 5}
    assert "never to be seen" not in repr(found)


async def test_each_change_is_counted_and_announced(db: Store) -> None:
    received: list[int] = []
    db.listen(tournaments.CHANGED, received.append)
    async with db.write() as tx:
        found = await new_tournament(tx)
        changed = await tournaments.change(tx, found, state=State.RUNNING, round=1)
    assert (changed.state, changed.round, changed.version) == (State.RUNNING, 1, 1)
    assert received == [found.id]


async def test_players_enter_leave_and_are_replaced(db: Store) -> None:
    async with db.write() as tx:
        found = await new_tournament(tx, ANN, BEN, DAN)
        assert await tournament_entrants.remove(tx, found.id, DAN)
        assert await tournament_entrants.withdraw(tx, found.id, BEN, after=1, reason="absent")
        assert not await tournament_entrants.withdraw(tx, found.id, BEN, after=2, reason="left")
        reserve = tournaments.RESERVE
        await tournament_entrants.enter(
            tx, found.id, CAROL, strength=1.5, at=after(9), joined_round=reserve
        )
        assert await tournament_entrants.take_place(tx, found.id, CAROL, of=BEN, round_no=2)
        assert not await tournament_entrants.take_place(tx, found.id, CAROL, of=ANN, round_no=2)
        everyone = await tournament_entrants.of(tx, found.id)
        assert await tournaments.of_player(tx, BEN) == ()
        assert await tournaments.of_player(tx, ANN) == (found,)
    assert [(one.user_id, one.left_after, one.replaces) for one in everyone] == [
        (ANN, None, None),
        (BEN, 1, None),
        (CAROL, None, BEN),
    ]


async def test_a_round_keeps_its_pairings_seats_and_results(tx: Transaction) -> None:
    found = await new_tournament(tx, ANN, BEN, DAN)
    await pair_round(tx, found.id)
    number = await people.match(tx)
    first, bye = await tournament_rounds.pairings_of(tx, found.id)
    assert (first.players, first.stage, first.games[0].seats) == ((ANN, BEN), "group 1", (BEN, ANN))
    assert (bye.players, bye.games) == ((DAN,), ())
    assert not await tournament_rounds.is_game(tx, number)
    await tournament_rounds.set_match(tx, found.id, first, first.games[0], number)
    assert await tournament_rounds.is_game(tx, number)
    await tournament_rounds.add_games(tx, found.id, first, [(ANN, BEN)])
    await tournament_rounds.decide(
        tx, found.id, first, first.games[0], points=(0.5, 0.5), how="adjudicated"
    )
    first, _ = await tournament_rounds.pairings_of(tx, found.id)
    assert [(game.points, game.how) for game in first.games] == [
        ((0.5, 0.5), "adjudicated"),
        (None, "played"),
    ]
    (round_,) = await tournament_rounds.of(tx, found.id)
    await tournament_rounds.change(tx, replace(round_, ended_at=after(5), forced=True))
    (round_,) = await tournament_rounds.of(tx, found.id)
    assert (round_.ended_at, round_.forced) == (after(5), True)


async def test_a_result_not_yet_processed_is_found_while_the_tournament_runs(
    tx: Transaction,
) -> None:
    found = await new_tournament(tx, ANN, BEN, DAN)
    await pair_round(tx, found.id)
    number = await people.match(tx)
    first, _ = await tournament_rounds.pairings_of(tx, found.id)
    await tournament_rounds.set_match(tx, found.id, first, first.games[0], number)
    found = await tournaments.change(tx, found, state=State.RUNNING, round=1)
    assert await tournament_rounds.with_new_results(tx) == ()
    await matches.finish(tx, number, ranks={0: 1, 1: 2}, reason="", at=NOW)
    assert await tournament_rounds.with_new_results(tx) == (found.id,)
    await tournaments.change(tx, found, state=State.ADJOURNED)
    assert await tournament_rounds.with_new_results(tx) == ()


async def test_the_seed_is_public_once_the_tournament_and_all_its_matches_are_over(
    tx: Transaction,
) -> None:
    found = await new_tournament(tx, ANN, BEN, DAN)
    await pair_round(tx, found.id)
    number = await people.match(tx)
    assert await tournament_rounds.source_of(tx, number) is None
    first, _ = await tournament_rounds.pairings_of(tx, found.id)
    await tournament_rounds.set_match(tx, found.id, first, first.games[0], number)
    name = tournament_rounds.drawn_for(found.id, first, first.games[0])
    assert name == f"tournament {found.id}, round 1, table 1, game 1"
    told: list[bool] = []
    for state in (State.RUNNING, State.FINISHED, State.RUNNING, State.CANCELLED):
        if len(told) == 2:
            await matches.finish(tx, number, ranks={0: 1, 1: 2}, reason="", at=NOW)
        found = await tournaments.change(tx, found, state=state)
        source = await tournament_rounds.source_of(tx, number)
        assert source is not None
        assert source.seed == SEED
        assert repr(SEED) not in repr(source)
        told.append(source.revealed)
    assert told == [False, False, False, True]


async def test_prizes_are_the_first_three_places_of_finished_tournaments(tx: Transaction) -> None:
    for place in (1, 4, 2):
        found = await new_tournament(tx, ANN)
        await tournament_entrants.set_places(tx, found.id, [(ANN, place)])
        await tournaments.change(tx, found, state=State.FINISHED, ended_at=after(found.id))
    prizes = await tournaments.prizes(tx, SERVER, ANN, limit=5)
    assert [place for _, place in prizes] == [2, 1]
    assert await tournaments.prizes(tx, SERVER - 1, ANN, limit=5) == []


async def test_sign_up_order_survives_a_change_of_id(db: Store) -> None:
    async with db.write() as tx:
        found = await new_tournament(tx)
        for user in (DAN, ANN, BEN):
            await tournament_entrants.enter(tx, found.id, user, strength=1500.0, at=NOW)
        await tournament_entrants.remove(tx, found.id, ANN)
        await tournament_entrants.enter(tx, found.id, CAROL, strength=1500.0, at=NOW)
        before = await tournament_entrants.of(tx, found.id)
        assert [one.user_id for one in before] == [DAN, BEN, CAROL]
        await privacy.erase(tx, BEN, -2)
        entrants = await tournament_entrants.of(tx, found.id)
    assert [one.user_id for one in entrants] == [DAN, -2, CAROL]
    assert [one.number for one in entrants] == [one.number for one in before]


async def test_players_who_left_are_counted_only_once_a_tournament_has_ended(
    tx: Transaction,
) -> None:
    small, big, empty = [
        await new_tournament(tx, *users) for users in [(ANN,), (ANN, BEN, DAN), ()]
    ]
    reserve = tournaments.RESERVE
    await tournament_entrants.enter(
        tx, big.id, CAROL, strength=1500.0, at=NOW, joined_round=reserve
    )
    await tournament_entrants.withdraw(tx, big.id, BEN, after=1, reason="left")
    listed = [empty.id, big.id, small.id]
    assert await tournament_entrants.sizes(tx, listed, ()) == [0, 2, 1]
    assert await tournament_entrants.sizes(tx, listed, {big.id}) == [0, 3, 1]
    assert await tournament_entrants.sizes(tx, (), ()) == []


async def test_imported_tournaments_do_not_count_for_profiles(db: Store) -> None:
    terms = replace(TOURNAMENT, options={"rules": "bell"})
    async with db.write() as tx:
        for imported in (False, True):
            cup = await new_tournament(tx, ANN, terms=terms)
            await tournament_entrants.set_places(tx, cup.id, [(ANN, 1)])
            over = await tournaments.change(
                tx, cup, state=State.FINISHED, ended_at=NOW, imported=imported
            )
        assert (over.options, over.imported) == ({"rules": "bell"}, True)
        assert [won.imported for won, _ in await tournaments.prizes(tx, SERVER, ANN, limit=9)] == [
            False
        ]
        assert await tournaments.count_imported(tx, SERVER) == 1
        await tournaments.set_messages(tx, over.id, message_id=77)
        again = await tournaments.get(tx, over.id)
    assert again is not None
    assert (again.message_id, again.version) == (77, over.version)
