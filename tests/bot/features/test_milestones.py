"""Milestones: what counts, that it is the first or the best, and the effect of voids."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from bot.core.computers import computers
from bot.features.analysis.computing import longest_chains
from bot.features.milestones import service
from bot.features.milestones.service import MIN_CHAIN, rule_set
from bot.play.matches.scoring import MAX_ABORTS
from bot.play.ratings.service import rate
from data.matches import matches
from data.matches.match import matches as matches_table
from data.ratings import milestones, results, scores
from data.ratings.milestones import CHAIN, COMEBACK, COMPUTER, WIN, Milestone
from data.ratings.rating import EVERYWHERE
from data.store.store import Store
from engine import registry
from engine.game import CHANCE
from engine.move_label import Worth
from engine.replay import replay
from tests.bot.conftest import ANN as ANN_HERE
from tests.bot.conftest import BEN as BEN_HERE
from tests.bot.conftest import Club
from tests.bot.play.ratings import season as running
from tests.bot.play.ratings.season import on_sqlite, played, voided
from tests.data.people import ANN, BEN, CAROL, NOW, SERVER


async def ended(
    db: Store,
    people: Sequence[int],
    ranks: Sequence[int],
    *,
    game: str = "nim",
    ending: str | None = None,
) -> int:
    """Store a finished match; return its number."""
    async with db.write() as tx:
        number = await played(
            tx, people, ranks, game=game, at=NOW + timedelta(hours=1), ending=ending
        )
        await service.ended(tx, await matches.get_existing(tx, number), NOW)
    return number


async def new(db: Store, number: int) -> list[tuple[int, str, int]]:
    """Return a match's milestones: whose, which kind and how much."""
    async with db.read() as tx:
        found = await milestones.of_match(tx, number)
    return [(milestone.user_id, milestone.kind, milestone.amount) for milestone in found]


async def of(db: Store, user_id: int) -> list[tuple[str, int]]:
    """Return a player's milestones with their matches."""
    async with db.read() as tx:
        found = await milestones.of_player(tx, user_id)
        shown = await service.reached(tx, user_id, None)
    return [(milestone.kind, match.id) for milestone, (match, _) in zip(found, shown, strict=True)]


async def analysed(
    db: Store,
    number: int,
    *,
    chains: dict[int, int] | None = None,
    worst: float = 0.5,
    last: float = 1.0,
) -> None:
    """Store an analysis in which the first player's chance sank to this at worst."""
    async with db.write() as tx:
        match = await matches.get(tx, number)
        assert match is not None
        values = [[0.5, 0.5], [worst, 1 - worst], [last, 1 - last]]
        await service.analysed(tx, match, chains or {}, values)


async def test_only_the_first_win_is_a_milestone_and_it_remains(db: Store) -> None:
    first = await ended(db, [ANN, BEN], [1, 2])
    second = await ended(db, [ANN, CAROL], [1, 2])
    third = await ended(db, [BEN, ANN], [1, 2])
    assert await new(db, first) == [(ANN, WIN, 0)]
    assert await new(db, second) == []
    assert await new(db, third) == [(BEN, WIN, 0)]
    assert await new(db, first) == [(ANN, WIN, 0)], "recording it again changes nothing"
    assert await of(db, ANN) == [(WIN, first)]
    assert await of(db, CAROL) == []


async def test_voiding_a_match_removes_its_milestone_and_the_next_win_gets_it(db: Store) -> None:
    first = await ended(db, [ANN, BEN], [1, 2])
    second = await ended(db, [ANN, CAROL], [1, 2])
    await voided(db, first)
    assert await new(db, first) == []
    assert await of(db, ANN) == [(WIN, second)]
    third = await ended(db, [ANN, BEN], [1, 2])
    assert await new(db, third) == [], "a later win is not a first win"


@on_sqlite
async def test_a_draw_or_a_shared_place_is_no_win(db: Store) -> None:
    assert await new(db, await ended(db, [ANN, BEN], [1, 1])) == []
    assert await new(db, await ended(db, [ANN, BEN, CAROL], [1, 1, 3])) == []


async def test_a_win_because_the_other_left_at_once_is_no_milestone(club: Club) -> None:
    for _ in range(MAX_ABORTS + 1):  # the last of them counts as a loss
        position = await club.start()
        await club.matches.resign(position.match.id, BEN_HERE)
    assert (await club.matches.position(position.match.id)).match.ending == "resigned"
    assert await of(club.store, ANN_HERE) == []
    position = await club.play_a_while(await club.start())
    await club.matches.resign(position.match.id, BEN_HERE)
    assert await of(club.store, ANN_HERE) == [(WIN, position.match.id)]


def test_each_rule_set_has_its_own_milestones() -> None:
    tablan = registry.game("tablan")
    walker, bell = (tablan.settle({"rules": rules}) for rules in ("walker", "bell"))
    assert (rule_set("tablan", walker), rule_set("tablan", bell)) == ("walker", "bell")
    assert rule_set("tablut", registry.game("tablut").settle()) == ""
    assert rule_set("gone", {}) == ""


@on_sqlite
async def test_only_a_longer_chain_is_a_personal_best(db: Store) -> None:
    lengths = [MIN_CHAIN - 1, MIN_CHAIN, MIN_CHAIN, MIN_CHAIN + 2, MIN_CHAIN + 1]
    numbers = []
    for length in lengths:
        numbers.append(await ended(db, [BEN, ANN], [1, 1]))
        await analysed(db, numbers[-1], chains={1: length})
    told = [await new(db, number) for number in numbers]
    assert told == [[], [(ANN, CHAIN, 3)], [], [(ANN, CHAIN, 5)], []]
    assert await of(db, ANN) == [(CHAIN, numbers[3])]
    await voided(db, numbers[3])
    assert await of(db, ANN) == [(CHAIN, numbers[4])]


@on_sqlite
async def test_a_comeback_from_five_percent_is_a_milestone_unless_won_on_time(db: Store) -> None:
    assert await new(db, await ended(db, [ANN, BEN], [1, 2])) == [(ANN, WIN, 0)]
    async with db.write() as tx:
        slow = await played(tx, [ANN, BEN], [1, 2], at=NOW, ending="forfeited")
        given = await played(tx, [ANN, BEN], [1, 2], at=NOW, ending="resigned")
    await analysed(db, slow, worst=0.01)
    assert await new(db, slow) == []
    await analysed(db, given, worst=0.01, last=0.4)
    assert await new(db, given) == [], "nobody gives a comeback away by resigning a won game"
    close = await ended(db, [ANN, BEN], [1, 2])
    await analysed(db, close, worst=0.051)
    assert await new(db, close) == []
    turned = await ended(db, [ANN, BEN], [1, 2])
    await analysed(db, turned, worst=0.05)
    assert await new(db, turned) == [(ANN, COMEBACK, 5)]
    again = await ended(db, [ANN, BEN], [1, 2])
    await analysed(db, again, worst=0.02)
    assert await new(db, again) == [], "rare, and announced once"
    lost = await ended(db, [BEN, ANN], [2, 1])
    await analysed(db, lost, worst=0.01)
    assert await of(db, BEN) == []


@on_sqlite
async def test_the_analysis_of_a_match_voided_meanwhile_adds_no_milestone(db: Store) -> None:
    number = await ended(db, [ANN, BEN], [1, 2])
    await voided(db, number)
    await analysed(db, number, chains={0: 9}, worst=0.01)
    assert await of(db, ANN) == []


@on_sqlite
async def test_beating_the_strongest_computer_without_help_is_a_milestone(db: Store) -> None:
    (weak,), (strong,) = computers(4, 1), computers(5, 1)
    assert await new(db, await ended(db, [ANN, weak], [1, 2])) == []
    assert await new(db, await ended(db, [ANN, strong], [2, 1])) == []
    async with db.write() as tx:
        helped = await played(tx, [ANN, strong], [1, 2])
        matches_ = matches_table
        await tx.run(matches_.update().where(matches_.c.id == helped).values(hints=1))
        await service.ended(tx, await matches.get_existing(tx, helped), NOW)
    assert await new(db, helped) == []
    assert await new(db, await ended(db, [ANN, strong], [1, 2])) == [(ANN, COMPUTER, 0)]
    assert [kind for kind, _ in await of(db, ANN)] == [COMPUTER]


@on_sqlite
async def test_a_win_against_a_computer_that_played_below_its_level_counts_nowhere(
    db: Store,
) -> None:
    (strong,) = computers(5, 1)
    async with db.write() as tx:
        number = await running.ended(tx, [ANN, strong], [1, 2])
        await matches.ease(tx, number)
        assert not await rate(tx, await matches.get_existing(tx, number), NOW)
        await service.ended(tx, await matches.get_existing(tx, number), NOW)
    assert await new(db, number) == []
    async with db.read() as tx:
        for scope in (EVERYWHERE, SERVER):
            assert await scores.of_player(tx, scope, ANN) == ()
            assert await scores.head_to_head(tx, scope, ANN, strong) == ()
            assert await results.latest(tx, scope, ANN, 10) == ()
    assert await new(db, await ended(db, [ANN, strong], [1, 2])) == [(ANN, COMPUTER, 0)]


async def test_a_players_milestones_are_found_by_game_and_rule_set(db: Store) -> None:
    numbers = [await ended(db, [ANN, BEN], [1, 2]) for _ in range(3)]
    async with db.write() as tx:
        stored = [await results.of_match(tx, number) for number in numbers]
        ids = [one.id for one in stored if one is not None]
        await milestones.put(
            tx,
            [
                Milestone(ANN, WIN, "tablan", "walker", ids[1]),
                Milestone(ANN, WIN, "tablan", "bell", ids[0]),
                Milestone(ANN, WIN, "tablan", "bell", ids[2]),
                Milestone(ANN, CHAIN, "tablan", "", ids[1], 4),
                Milestone(ANN, CHAIN, "tablan", "", ids[2], 4),
            ],
        )
    async with db.read() as tx:
        found = await milestones.of_player(tx, ANN)
    assert {(one.kind, one.rules, one.result_id) for one in found} == {
        (WIN, "", ids[0]),
        (WIN, "bell", ids[0]),
        (WIN, "walker", ids[1]),
        (CHAIN, "", ids[1]),
    }
    assert [one.result_id for one in found] == sorted(
        (one.result_id for one in found), reverse=True
    )


def test_a_capture_chain_ends_with_a_quiet_move_or_another_player() -> None:
    game = registry.game("tablut")
    options = game.settle()
    log: list[str] = []
    state, taken = game.initial(options), []
    # The first available capture, or else the first move.
    for _ in range(60):
        legal = game.legal_moves(state)
        if not legal or game.outcome(state) is not None:
            break
        move = next(
            (one for one in legal if game.move_label(state, one).worth is Worth.TAKES), legal[0]
        )
        actor = game.actor(state)
        assert actor is not CHANCE
        if game.move_label(state, move).worth is Worth.TAKES:
            taken.append(int(actor))
        log.append(game.write(move))
        state = game.after(state, move)
    assert taken, "something was captured"
    entries = tuple(replay(game, log, options))
    assert longest_chains(game, entries, {}) == dict.fromkeys(taken, 1)
    assert longest_chains(game, entries, dict.fromkeys((0, 1), 0)) == {}
