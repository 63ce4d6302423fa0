"""Which shards a gateway takes as gateways come and go."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.shards import plan
from data.cluster.cluster import GATEWAY, WORKER, Cluster, Process, Shard
from data.cluster.lease import DEAD, UNLOCKED


@dataclass
class World:
    """Gateways that follow their plans in turn, with locks that cannot fail."""

    count: int
    waiting: frozenset[int] = frozenset()
    """The shards that nobody gets connected; all others connect at once."""
    gateways: dict[str, Process] = field(default_factory=dict)
    shards: dict[int, Shard] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.shards = {n: Shard(n, 0, None, None, connected=False) for n in range(self.count)}

    def join(self, name: str, *, replaces: bool = False, role: str = GATEWAY) -> None:
        """Start a process, younger than those already running."""
        self.gateways = {n: replace(p, age=p.age + 1) for n, p in self.gateways.items()}
        self.gateways[name] = Process(name, role, 0.0, 0.0, draining=False, replaces=replaces)

    def change(self, name: str, **changed: float) -> None:
        """Mark a process as silent or draining."""
        self.gateways[name] = replace(self.gateways[name], **changed)  # type: ignore[arg-type]

    def cluster(self) -> Cluster:
        """Return the state every gateway sees."""
        return Cluster(tuple(self.gateways.values()), tuple(self.shards.values()))

    def settle(self) -> int:
        """Let all act until nothing changes; return how many shards changed hands."""
        moved = 0
        for _ in range(20 * self.count + 20):
            before = dict(self.shards)
            for name, process in list(self.gateways.items()):
                if process.role == GATEWAY and process.silent == 0:
                    moved += self._act(name)
            if self.shards == before:
                return moved
        raise AssertionError("they never agree")

    def _act(self, me: str) -> int:
        moved = 0
        mine = {one.number for one in self.shards.values() if one.owner == me}
        for number in plan.left(self.cluster(), me, self.count, self.waiting & mine):
            self.shards[number] = replace(self.shards[number], owner=None)
        for shard, dead in plan.free(self.cluster(), me, self.count):
            if dead is not None:
                self.gateways.pop(dead.id, None)
            self.shards[shard.number] = replace(shard, owner=me, wanted_by=None)
            moved += 1
        wanted = plan.wanted(self.cluster(), me, self.count)
        if wanted is not None and wanted.number in self.waiting:
            self.shards[wanted.number] = replace(wanted, wanted_by=me)
        elif wanted is not None:  # it connects at once, and the owner hands the shard over
            self.shards[wanted.number] = replace(wanted, owner=me, wanted_by=None)
            moved += 1
        return moved

    def held(self) -> dict[str, int]:
        """Return the number of shards per process."""
        owners = [shard.owner for shard in self.shards.values()]
        return {name: owners.count(name) for name in self.gateways}


def test_workers_have_no_shards() -> None:
    world = World(3)
    world.join("w", role=WORKER)
    world.join("a")
    world.settle()
    assert world.held() == {"w": 0, "a": 3}


def test_a_replacement_takes_everything_and_the_others_take_over_if_it_dies() -> None:
    world = World(4)
    world.join("a")
    world.join("b")
    world.settle()
    world.join("c", replaces=True)
    world.settle()
    assert world.held() == {"a": 0, "b": 0, "c": 4}
    world.change("c", silent=DEAD + 1)
    world.settle()
    assert world.held() == {"a": 2, "b": 2}


def test_shards_wanted_by_a_dead_gateway_go_to_the_next() -> None:
    world = World(2)
    world.join("a")
    world.settle()
    world.shards[1] = replace(world.shards[1], wanted_by="gone")
    world.join("b")
    world.settle()
    assert world.held() == {"a": 1, "b": 1}


def test_a_gateway_already_connected_takes_a_dead_ones_shard_first() -> None:
    world = World(3)
    for name in "abc":
        world.join(name)
        world.settle()
    (shard,) = (one for one in world.shards.values() if one.owner == "a")
    world.shards[shard.number] = replace(shard, wanted_by="c", connected=True)
    world.change("a", silent=DEAD + 1)
    assert plan.free(world.cluster(), "b", 3) == []
    ((taken, owner),) = plan.free(world.cluster(), "c", 3)
    assert (taken.number, owner) == (shard.number, world.gateways["a"])
    world.change("c", silent=DEAD + 1)
    assert shard.number in [one.number for one, _ in plan.free(world.cluster(), "b", 3)]


def test_who_joins_while_the_first_still_connects_gets_what_is_left_to_connect() -> None:
    world = World(16, waiting=frozenset(range(3, 16)))
    world.join("a")
    world.settle()
    world.join("b")
    assert world.settle() == 8, "each changes hands once"
    assert {number for number, one in world.shards.items() if one.owner == "b"} == {*range(8, 16)}


def test_of_shards_that_nobody_wants_none_is_left() -> None:
    world = World(4, waiting=frozenset(range(4)))
    world.join("a")
    world.settle()
    world.join("b")  # it may never get as far as wanting one
    assert plan.left(world.cluster(), "a", 4, world.waiting) == ()
    world.shards[0] = replace(world.shards[0], wanted_by="b")
    assert plan.left(world.cluster(), "a", 4, world.waiting) == [0, 3]
    world.change("b", silent=DEAD + 1)
    assert plan.left(world.cluster(), "a", 4, world.waiting) == ()


def test_shards_beyond_the_agreed_number_have_no_owner() -> None:
    world = World(2)
    world.shards[7] = Shard(7, 3, "long gone", None, connected=False)
    world.join("a")
    world.settle()
    assert world.shards[7].owner == "long gone"


EVENTS = st.lists(
    st.tuples(st.sampled_from(["join", "replace", "silence", "drain"]), st.integers(0, 20)),
    max_size=12,
)


@settings(deadline=None)  # a busy machine is slow
@given(st.integers(1, 16), st.frozensets(st.integers(0, 15)), EVENTS)
def test_gateways_always_agree_and_share_evenly(
    count: int, waiting: frozenset[int], events: list[tuple[str, int]]
) -> None:
    world = World(count, waiting)
    world.join("first")
    for number, (what, which) in enumerate(events):
        known = [name for name, one in world.gateways.items() if one.silent == 0]
        chosen = known[which % len(known)]
        if what in {"join", "replace"}:
            world.join(f"{number}", replaces=what == "replace")
        elif what == "drain":
            world.change(chosen, draining=True)
        elif len(known) > 1:
            world.change(chosen, silent=DEAD + 1)
        world.settle()
        assert all(shard.owner in world.gateways for shard in world.shards.values())
        assert all(world.gateways[s.owner or ""].silent == 0 for s in world.shards.values())
        shares = plan.shares(world.cluster(), count)
        assert {name: world.held()[name] for name in shares} == dict(shares)
        having = [share for share in shares.values() if share]
        assert max(having) - min(having) <= 1


def gateway(name: str, *, silent: float = 0.0, age: float = 0.0, **changed: bool) -> Process:
    """Return a gateway."""
    return replace(Process(name, GATEWAY, silent, age, draining=False, replaces=False), **changed)  # type: ignore[arg-type]


def shard(
    number: int, owner: str | None = None, taker: str | None = None, *, connected: bool = False
) -> Shard:
    """Return a shard."""
    return Shard(number, 1, owner, taker, connected=connected)


OLD, ME, OTHER = gateway("old", age=9.0), gateway("me", age=5.0), gateway("other", age=1.0)
BARELY = replace(OLD, silent=UNLOCKED)
SILENT = replace(OLD, silent=UNLOCKED + 0.1)


@pytest.mark.parametrize(
    ("processes", "shards", "count", "numbers"),
    [
        ((ME,), [shard(0), shard(1)], 2, [0, 1]),
        ((ME,), [shard(1), shard(0)], 1, [0]),
        ((OTHER,), [shard(0), shard(1)], 2, []),  # who is not there takes nothing
        ((OLD, ME), [shard(0), shard(1), shard(2)], 3, [0]),  # only a share
        ((ME, OTHER), [shard(0, "me"), shard(1), shard(2)], 3, [1]),  # less what there is
        ((ME, OTHER), [shard(0, "me"), shard(1), shard(2, "me")], 3, []),
        ((ME, OTHER), [shard(0), shard(1), shard(2, "me")], 2, [0]),  # one of this count only
        ((BARELY, ME), [shard(0, "old"), shard(1, "old")], 2, []),
        ((SILENT, ME), [shard(0, "old"), shard(1, "old")], 2, [0, 1]),
        # What it was to take over, and is connected to, comes first and counts.
        ((SILENT, ME, OTHER), [shard(0), shard(1, "old", "me", connected=True)], 2, [1]),
        (
            (SILENT, ME, OTHER),
            [shard(0), shard(1), shard(2), shard(3, "old", "me", connected=True)],
            4,
            [3, 0],
        ),
        ((SILENT, ME, OTHER), [shard(0, "old", "other", connected=True), shard(1)], 2, [1]),
        ((SILENT, ME, OTHER), [shard(0, "old", "other"), shard(1)], 2, [0]),
        (
            (SILENT, ME, replace(OTHER, silent=UNLOCKED)),
            [shard(0, "old", "other", connected=True)],
            1,
            [],
        ),
        (
            (SILENT, ME, replace(OTHER, silent=6.0)),
            [shard(0, "old", "other", connected=True)],
            1,
            [0],
        ),
    ],
)
def test_free_shards(
    processes: tuple[Process, ...], shards: list[Shard], count: int, numbers: list[int]
) -> None:
    cluster = Cluster(processes, tuple(shards))
    found = plan.free(cluster, "me", count)
    assert [one.number for one, _ in found] == numbers
    assert all(owner == cluster.process(one.owner) for one, owner in found)


ALL_OLD = [shard(0, "old"), shard(1, "old"), shard(2, "old")]


@pytest.mark.parametrize(
    ("processes", "shards", "count", "number"),
    [
        ((OLD, ME), ALL_OLD, 3, 2),  # the last, which its owner connects last
        ((OLD, ME), ALL_OLD[::-1], 3, 2),
        ((OLD, ME), ALL_OLD, 2, 1),
        ((OLD, ME), ALL_OLD[:1], 1, None),  # there is nothing to share
        ((OLD, ME), [shard(0, "old"), shard(1, "me"), shard(2, "old")], 3, None),
        ((OLD, ME), [shard(0, "old"), shard(1, "old"), shard(2, "me")], 2, 1),
        ((OLD, ME), [shard(0, "old", "me"), *ALL_OLD[1:]], 3, None),  # one at a time
        ((OLD, ME), [shard(0, "old"), shard(1, "old"), shard(2, "old", "me")], 2, 1),
        ((OLD, ME, OTHER), [*ALL_OLD[:2], shard(2, "old", "other")], 3, 1),
        ((OLD, ME, replace(OTHER, silent=DEAD)), [*ALL_OLD[:2], shard(2, "old", "other")], 3, 1),
        ((OLD, ME, replace(OTHER, silent=9.0)), [*ALL_OLD[:2], shard(2, "old", "other")], 3, 2),
        ((OLD, ME), [shard(0), *ALL_OLD[1:]], 3, None),  # free ones are taken otherwise
        ((OLD, ME), [shard(0), *ALL_OLD[1:], shard(3, "old")], 4, 3),
        ((OLD, ME), [*ALL_OLD, shard(3)], 4, 2),
        ((OLD, ME, OTHER), [*ALL_OLD[:2], shard(2, "me")], 3, None),  # it is another's turn
        ((SILENT, ME), ALL_OLD, 3, None),
        ((OLD, OTHER), ALL_OLD, 3, None),  # who is not there wants nothing
        ((replace(OLD, draining=True), ME), [shard(0, "old"), shard(1, "me")], 2, 0),
        ((OLD, replace(ME, replaces=True)), [shard(0, "old"), shard(1, "me")], 2, 0),
    ],
)
def test_which_shard_is_wanted_next(
    processes: tuple[Process, ...], shards: list[Shard], count: int, number: int | None
) -> None:
    found = plan.wanted(Cluster(processes, tuple(shards)), "me", count)
    assert (None if found is None else found.number) == number


def test_only_processes_without_shards_that_are_silent_for_long_are_dismissed() -> None:
    gone, lately = gateway("gone", silent=20.1), gateway("lately", silent=20.0)
    worker = replace(gone, id="worker", role=WORKER)
    cluster = Cluster((ME, gone, lately, replace(gone, id="owner"), worker), (shard(0, "owner"),))
    assert plan.silent(cluster, GATEWAY) == (gone,)
    assert plan.silent(cluster, WORKER) == (worker,)


def test_shares_of_nobody_are_none() -> None:
    assert plan.shares(Cluster((SILENT,), ()), 3) == {}
    assert plan.shares(Cluster((BARELY, ME), ()), 3) == {"old": 2, "me": 1}
