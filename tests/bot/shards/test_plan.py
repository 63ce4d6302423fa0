"""Which shards a gateway takes as gateways come and go."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.shards import plan
from data.cluster.cluster import GATEWAY, WORKER, Cluster, Process, Shard
from data.cluster.lease import DEAD


@dataclass
class World:
    """Gateways that follow their plans in turn, with locks that cannot fail."""

    count: int
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
        for shard, dead in plan.free(self.cluster(), me, self.count):
            if dead is not None:
                self.gateways.pop(dead.id, None)
            self.shards[shard.number] = replace(shard, owner=me, wanted_by=None)
            moved += 1
        wanted = plan.wanted(self.cluster(), me, self.count)
        if wanted is not None:  # it connects at once, and the owner hands the shard over
            self.shards[wanted.number] = replace(wanted, owner=me, wanted_by=None)
            moved += 1
        return moved

    def held(self) -> dict[str, int]:
        """Return the number of shards per process."""
        owners = [shard.owner for shard in self.shards.values()]
        return {name: owners.count(name) for name in self.gateways}


def test_the_first_gateway_takes_everything_and_the_second_takes_half() -> None:
    world = World(4)
    world.join("a")
    assert world.settle() == 4
    world.join("b")
    assert world.settle() == 2
    assert world.held() == {"a": 2, "b": 2}


def test_workers_have_no_shards() -> None:
    world = World(3)
    world.join("w", role=WORKER)
    world.join("a")
    world.settle()
    assert world.held() == {"w": 0, "a": 3}


def test_a_silent_gateways_shards_are_divided_among_the_others() -> None:
    world = World(6)
    for name in "abc":
        world.join(name)
        world.settle()
    world.change("b", silent=DEAD + 1)
    world.settle()
    assert world.held() == {"a": 3, "c": 3}


def test_an_ending_gateway_gives_all_shards_away_unless_it_is_the_last() -> None:
    world = World(3)
    world.join("a")
    world.settle()
    world.change("a", draining=True)
    world.settle()
    assert world.held() == {"a": 3}
    world.join("b")
    world.settle()
    assert world.held() == {"a": 0, "b": 3}


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
@given(st.integers(1, 16), EVENTS)
def test_gateways_always_agree_and_share_evenly(count: int, events: list[tuple[str, int]]) -> None:
    world = World(count)
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
