"""Random matches that end in every way, and their results as the log and the decisions say.

`Ended.ranks` is worked out here from the rules and from what was decided, by nothing of the bot's:
it is what everything the bot says is compared with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Final

from bot.core.computers import computers, is_computer
from bot.features.moderation.service import Moderation, Moderator
from bot.play.matches import endings
from bot.play.matches.luck import follow, log_entries, luck_of
from bot.play.matches.positions import Position
from bot.play.ratings.recomputing import recompute_outdated
from data.challenges.challenges import Invitation
from data.matches import match_log
from data.matches.match import Entry
from engine import registry
from engine.game import CHANCE, Seat
from tests.bot.conftest import CHANNEL, GUILD, Club
from tests.moves import end

MODERATOR: Final = Moderator(99, GUILD, "they agreed elsewhere")
ENDINGS: Final = (
    "rules",
    "resigned",
    "forfeited",
    "left",
    "one gave up",
    "two gave up",
    "hardly begun",
    "aborted",
    "agreed",
    "agreed by the rest",
    "adjudicated",
    "won by a moderator",
    "shared by a moderator",
    "voided while played",
    "voided afterwards",
)
TABLES: Final = {
    slug: [
        (players, options)
        for players in game.players
        for options in ({}, *({o.name: v} for o in game.options for v in o.values))
    ]
    for slug, game in registry.games().items()
}
"""By game, every number of players, with the usual options and with each single one."""


@dataclass(frozen=True)
class Ended:
    """A match that has ended, and what was decided in it."""

    number: int
    how: str
    users: tuple[int, ...]
    """In turn order."""
    log: tuple[str, ...]
    options: dict[str, str]
    game: str
    gave_up: tuple[int, ...] = ()
    """In this order."""
    first: tuple[int, ...] | None = None
    """Those who came first by a decision; ``None`` if the board decides."""
    void: bool = False

    @cached_property
    def ranks(self) -> dict[int, int] | None:
        """The final rank of each player; ``None`` if the match has no result."""
        if self.void:
            return None
        stayed = [user for user in self.users if user not in self.gave_up]
        if self.first is not None:
            rough = {user: int(user not in self.first) for user in stayed}
        else:
            rough = self._by_the_rules(stayed)
        order = sorted(set(rough.values()))
        ranks = {user: order.index(rank) + 1 for user, rank in rough.items()}
        for user in reversed(self.gave_up):
            ranks[user] = max(ranks.values(), default=0) + 1
        return ranks

    @property
    def winners(self) -> frozenset[int] | None:
        """Those who came first; ``None`` if the match has no result."""
        ranks = self.ranks
        return None if ranks is None else frozenset(u for u, rank in ranks.items() if rank == 1)

    @property
    def people(self) -> tuple[int, ...]:
        """The players who are no computers."""
        return tuple(user for user in self.users if not is_computer(user))

    def outcome(self, user: int) -> str:
        """Return won, drawn or lost."""
        assert self.winners is not None
        if user not in self.winners:
            return "lost"
        return "won" if len(self.winners) == 1 else "drawn"

    def _by_the_rules(self, stayed: Sequence[int]) -> dict[int, int]:
        if len(stayed) == 1:
            return {stayed[0]: 1}
        game = registry.game(self.game)
        state: Any = game.initial(self.options, len(self.users))
        for notation in self.log:
            state = game.after(state, game.read(state, notation))
        outcome = game.outcome(state)
        assert outcome is not None, (self.number, self.how)
        ranks = dict(zip(self.users, outcome.ranks, strict=True))
        return {user: ranks[user] for user in stayed}


@dataclass
class Table(Club):
    """Plays random matches to their ends, without any Discord."""

    dice: Random = field(default_factory=lambda: Random(1))
    over: list[Ended] = field(default_factory=list)
    pause: int = 8
    """Days between two matches, so that limits of a week play no part."""
    told: Callable[[], Awaitable[object]] | None = None
    """Waits until everybody has been told of a result, before it is voided."""

    def seed(self, length: int) -> bytes:
        """Return a predictable seed."""
        self.seeds += 1
        return hashlib.sha256(f"seed {self.seeds}".encode()).digest()[:length]

    async def start_match(
        self, slug: str, users: Sequence[int], options: dict[str, str], *, unrated: bool = False
    ) -> Position:
        """Begin a match; the first player challenges the others."""
        invitation = Invitation(
            game=slug,
            options=registry.game(slug).settle(options),
            guild_id=GUILD,
            channel_id=CHANNEL,
            challenger_id=users[0],
            opponents=tuple(users[1:]),
            days=3,
            unrated=unrated or any(map(is_computer, users)),
        )
        begun = await self.store.run_write(
            lambda tx: self.challenges.begin(tx, invitation, channel_kind=None)
        )
        assert begun.match_id is not None
        return await self.matches.position(begun.match_id)

    async def play(self, position: Position, moves: int | None = None) -> Position:
        """Play a number of random moves, or to the end; all but the last in one transaction."""
        game, state, ply = position.game, position.state, position.ply
        source, now = luck_of(position.match), self.clock()
        entries: list[Entry] = []
        last: tuple[Seat, str] | None = None
        made = 0
        while game.outcome(state) is None and (moves is None or made < moves):
            actor = game.actor(state)
            assert actor is not CHANCE
            move = self.dice.choice(list(game.legal_moves(state)))
            after, made = game.after(state, move), made + 1
            played = follow(game, after, ply + 1, source)
            after = played[-1].after if played else after
            if game.outcome(after) is not None:
                if moves is not None:
                    break
                last = Seat(actor), game.write(move)
                break
            entries += [Entry(ply + 1, int(actor), game.write(move), now)]
            entries += log_entries(game, played, now, {})
            state, ply = after, ply + 1 + len(played)
        match = position.match
        async with self.store.write() as tx:
            await match_log.append(
                tx, match.id, entries, takebacks=match.takebacks, given_up=match.given_up
            )
        position = await self.matches.position(match.id)
        if last is None:
            return position
        return await self.matches.play(position, position.player_at(last[0]), last[1])

    async def end(self, position: Position, how: str) -> Ended:
        """Bring a match to its end in a certain way."""
        number = position.match.id
        users = [player.user_id for player in position.match.players]
        people = [user for user in users if not is_computer(user)]
        self.dice.shuffle(people)
        if how not in {"hardly begun", "aborted"}:
            position = await self._begun(position)
        told = await getattr(self, f"_end_{how.replace(' ', '_')}")(position, people)
        position = await self.matches.position(number)
        assert position.match.finished, how
        async with self.store.read() as tx:
            log = tuple(entry.notation for entry in await match_log.read(tx, number))
        ended = Ended(
            number, how, tuple(users), log, dict(position.match.options), position.game.slug, **told
        )
        self.over.append(ended)
        self.wait(days=self.pause, seconds=self.dice.randrange(60))
        return ended

    async def _begun(self, position: Position) -> Position:
        """Play until everyone has had two turns, so that giving up counts."""
        known = -1
        while known < position.ply and await self.hardly_begun(position):
            known, position = position.ply, await self.play(position, len(position.match.players))
        return position

    async def _end_rules(self, position: Position, people: list[int]) -> dict[str, Any]:
        await self.play(position)
        return {}

    async def _give_up(self, number: int, user: int, how: str) -> None:
        position = await self.matches.position(number)
        player = position.player_of(user)
        assert player is not None
        by = None if how == "forfeited" else user
        await self.matches.lose(number, player.seat, how, by=by)  # type: ignore[arg-type]

    async def _all_give_up(self, position: Position, people: list[int], how: str) -> dict[str, Any]:
        gone: list[int] = []
        while not (await self.matches.position(position.match.id)).match.finished:
            gone.append(people[len(gone)])
            await self._give_up(position.match.id, gone[-1], how)
        if position.practice:
            others = [p.user_id for p in position.match.players if p.user_id not in gone]
            return {"gave_up": tuple(gone), "first": tuple(others)}
        return {"gave_up": tuple(gone)}

    async def _end_resigned(self, position: Position, people: list[int]) -> dict[str, Any]:
        return await self._all_give_up(position, people, "resigned")

    async def _end_forfeited(self, position: Position, people: list[int]) -> dict[str, Any]:
        return await self._all_give_up(position, people, "forfeited")

    async def _end_left(self, position: Position, people: list[int]) -> dict[str, Any]:
        return await self._all_give_up(position, people, "left")

    async def _some_give_up(
        self, position: Position, people: list[int], most: int
    ) -> tuple[int, ...]:
        """Let players give up, as long as two others are left, and play on in between."""
        gone = people[: min(most, len(people) - 2)] if not position.practice else []
        for user in gone:
            await self._give_up(position.match.id, user, self.dice.choice(["resigned", "left"]))
            await self.play(await self.matches.position(position.match.id), self.dice.randrange(5))
        return tuple(gone)

    async def _end_one_gave_up(self, position: Position, people: list[int]) -> dict[str, Any]:
        gone = await self._some_give_up(position, people, 1)
        await self.play(await self.matches.position(position.match.id))
        return {"gave_up": gone}

    async def _end_two_gave_up(self, position: Position, people: list[int]) -> dict[str, Any]:
        gone = await self._some_give_up(position, people, 2)
        await self.play(await self.matches.position(position.match.id))
        return {"gave_up": gone}

    async def _end_hardly_begun(self, position: Position, people: list[int]) -> dict[str, Any]:
        # Throws and forced moves may have given everyone two turns by now.
        early = await self.hardly_begun(position)
        told = await self._all_give_up(position, people, "resigned")
        return {"void": True} if early else told

    async def _end_aborted(self, position: Position, people: list[int]) -> dict[str, Any]:
        late = position.player_of(people[0])
        assert late is not None
        await end(self.matches, position, endings.aborted(position, late), by=people[-1])
        return {"void": True}

    async def _end_agreed(self, position: Position, people: list[int]) -> dict[str, Any]:
        if not endings.may_agree(position):
            return await self._end_rules(position, people)
        await end(self.matches, position, endings.agreed(position), by=people[0])
        return {"first": tuple(people)}

    async def _end_agreed_by_the_rest(
        self, position: Position, people: list[int]
    ) -> dict[str, Any]:
        gone = await self._some_give_up(position, people, 2)
        position = await self.matches.position(position.match.id)
        if not endings.may_agree(position):
            return {**await self._end_rules(position, people), "gave_up": gone}
        await end(self.matches, position, endings.agreed(position), by=people[-1])
        return {"gave_up": gone, "first": tuple(people)}

    async def _end_adjudicated(self, position: Position, people: list[int]) -> dict[str, Any]:
        users = [player.user_id for player in position.match.players]
        first = self.dice.sample(users, self.dice.randint(1, len(users)))
        ranks = {p.seat: 1 + (p.user_id not in first) for p in position.match.players}
        ending = endings.Ending(ranks, "adjudicated", str(endings.round_over()))
        async with self.store.write() as tx:
            await endings.end(tx, position, ending, by=None, at=self.clock())
        self.matches.positions.forget(position.match.id)
        return {"first": tuple(first)}

    async def _end_won_by_a_moderator(
        self, position: Position, people: list[int]
    ) -> dict[str, Any]:
        await self.moderation.end(position.match.id, people[:1], MODERATOR)
        return {"first": tuple(people[:1])}

    async def _end_shared_by_a_moderator(
        self, position: Position, people: list[int]
    ) -> dict[str, Any]:
        gone = await self._some_give_up(position, people, 1)
        left = [user for user in people if user not in gone]
        await self.moderation.end(position.match.id, left, MODERATOR)
        return {"gave_up": gone, "first": tuple(left)}

    async def _end_voided_while_played(
        self, position: Position, people: list[int]
    ) -> dict[str, Any]:
        await self.moderation.void(position.match.id, MODERATOR)
        return {"void": True}

    async def _end_voided_afterwards(self, position: Position, people: list[int]) -> dict[str, Any]:
        ends: Callable[..., Any] = self.dice.choice([self._end_rules, self._end_resigned])
        await ends(position, people)
        if self.told is not None:
            await self.told()
        self.wait(hours=1)
        await self.moderation.void(position.match.id, MODERATOR)
        await recompute_outdated(self.store)
        return {"void": True}

    @property
    def moderation(self) -> Moderation:
        """What moderators do."""
        return Moderation(self.store, self.matches, clock=self.clock)


async def play_all(table: Table, people: Sequence[int], matches: int) -> None:
    """Play random matches between random people, of every game and every ending."""
    dice, slugs = table.dice, tuple(TABLES)
    for number in range(matches):
        slug = slugs[number % len(slugs)]
        players, options = dice.choice(TABLES[slug])
        users = dice.sample(list(people), players)
        if dice.random() < 0.12:
            users[1:] = computers(dice.randint(1, 5), players - 1)
        position = await table.start_match(slug, users, options, unrated=dice.random() < 0.2)
        await table.end(position, ENDINGS[number // len(slugs) % len(ENDINGS)])
