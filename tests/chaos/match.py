"""One match: its players' actions, and checks of what they see."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine import registry
from engine.replay import replay
from playground.errors import Impossible
from playground.interaction import InteractionState, ResponseType
from playground.model import Message, Snapshot
from playground.people import Person
from playground.reply import Reply
from tests.chaos.boards import Control, controls
from tests.chaos.world import World

PATIENCE: Final = 60.0
"""Seconds until a busy machine must have answered; a quiet one does within one."""
KEPT: Final = 4
"""Number of earlier boards kept, to press on once they are stale."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A match as the database has it."""

    plies: int
    takebacks: int
    finished: bool
    channel: int
    log: tuple[tuple[int, int | None, str], ...]
    """The ply, the seat (``None`` for chance) and the move of each entry."""

    @property
    def version(self) -> int:
        """The version in the current board's custom IDs."""
        return self.plies + 2 * self.takebacks


@dataclass(frozen=True, slots=True, eq=False)
class Sent:
    """A move that a player tried to make."""

    person: Person
    reply: Reply
    version: int | None
    """The turn it was for; ``None`` for a typed one, which applies to whichever turn it meets."""
    whole: bool = True
    """Whether it was a whole move, according to the board."""
    alone: bool = False
    """Whether it was chosen in an ephemeral message."""

    @property
    def accepted(self) -> bool:
        """Whether the answer says that the move was made."""
        interaction = self.reply.interaction
        if not self.whole or interaction.state is not InteractionState.RESPONDED:
            return False
        if self.version is None or self.alone:
            message = interaction.original  # deleted once the board appears
            return message is not None and message.text.startswith("Played.")
        return interaction.response is ResponseType.UPDATE and not interaction.followups


@dataclass(slots=True)
class Match:
    """A match between people of a playground."""

    world: World
    number: int
    slug: str
    players: Sequence[Person]
    channel: str
    sent: list[Sent] = field(default_factory=list)
    old: list[Snapshot] = field(default_factory=list)
    last: tuple[Snapshot, Person, Control] | None = None
    """The last press: the board as seen, the player and the control."""
    trace: list[str] = field(default_factory=list)
    """What was done, for the report of a failure."""

    @property
    def truth(self) -> Truth:
        """The match as the database has it now."""
        ((plies, takebacks, finished, channel),) = self.world.rows(
            "SELECT plies, takebacks, finished_at IS NOT NULL, channel_id FROM matches"
            " WHERE id = ?",
            self.number,
        )
        log = self.world.rows(
            "SELECT ply, actor, notation FROM moves WHERE match_id = ? ORDER BY ply", self.number
        )
        return Truth(plies, takebacks, bool(finished), channel, tuple((a, b, c) for a, b, c in log))

    @property
    def board(self) -> Message | None:
        """The newest playable board."""
        return self.world.boards.playable(self.number)

    @property
    def offered(self) -> list[Control]:
        """The choices on the newest board; none while there is no playable one."""
        return [] if self.board is None else controls(self.board)

    @property
    def mover(self) -> Person | None:
        """The player pinged by the newest board."""
        board = self.board
        called = None if board is None else re.search(r"<@(\d+)>, your turn", board.text)
        return None if called is None else self.world.who(int(called[1]))

    @property
    def begun(self) -> Message | None:
        """The message with the half-made move of the player to move."""
        mover = self.mover
        return None if mover is None else self.world.boards.begun.get((self.number, mover.id))

    def others(self, person: Person) -> list[Person]:
        """Return the other players."""
        return [player for player in self.players if player is not person]

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.players)

    # What players do; none of it waits for an answer

    def pick(
        self, board: Message | Snapshot, person: Person, control: Control, *, stale: bool = False
    ) -> Reply:
        """Choose something that a board offers, or offered when last seen."""
        if self.board is not None:
            self.old = [*self.old[1 - KEPT :], self.board.snapshot()]
        snapshot = board if isinstance(board, Snapshot) else board.snapshot()
        self.last = (snapshot, person, control)
        kind = "plays" if control.whole else "begins"
        late = " on an old board" if stale else ""
        self.note(f"{person.name} {kind} {control.notation} at {control.version}{late}")
        if control.menu is None:
            reply = person.press(board, custom_id=control.value, stale=stale)
        else:
            reply = person.choose(board, control.value, menu=control.menu, stale=stale)
        alone = snapshot.message.ephemeral
        self.sent.append(Sent(person, reply, control.version, control.whole, alone))
        return reply

    def plays(self, *, whole: bool | None = None, board: Message | None = None) -> Reply:
        """Make the player to move choose a whole move, a step, or either.

        Raises:
            Impossible: the board offers no such thing.
        """
        board = board or self.board
        mover = self.mover
        found = [] if board is None else controls(board)
        fitting = [c for c in found if whole is None or c.whole is whole]
        if board is None or mover is None or not fitting:
            raise Impossible("No board offers that.")
        return self.pick(board, mover, self.world.dice.choice(fitting))

    def types(self, person: Person, notation: str) -> Reply:
        """Type a move as a player."""
        self.note(f"{person.name} types {notation}")
        reply = self.command(person, "move", move=notation, match=self.number)
        self.sent.append(Sent(person, reply, None))
        return reply

    def command(self, person: Person, word: str, **options: object) -> Reply:
        """Use one of the game's commands as a player."""
        self.note(f"{person.name} uses /{self.slug} {word}")
        return person.slash(f"/{self.slug} {word}", channel=self.channel, options=options)

    async def asks(self, person: Person, word: str, answerer: Person, label: str) -> Reply | None:
        """Use a command that asks for confirmation, and confirm it as the answerer."""
        question = self.command(person, word, match=self.number)
        await self.world.rest()
        if question.message is None:
            return None
        self.note(f"{answerer.name} presses {label}")
        try:
            return answerer.press(question.message, label)
        except Impossible:
            return None

    def note(self, line: str) -> None:
        """Record what was done, for a failure's trace."""
        self.trace.append(f"{self.world.clock.time() % 100_000:9.3f} match {self.number}: {line}")

    # What is wrong

    def problems(self, *, answered: bool = True) -> list[str]:
        """Return what is wrong once everything has settled.

        Args:
            answered: whether all requests have been answered; until then a job may be unfinished.
        """
        return [*self.board_problems(answered=answered), *self._log_problems(self.truth)]

    def board_problems(self, *, answered: bool = True) -> list[str]:
        """Return what is wrong with the messages; see `problems`."""
        truth = self.truth
        pending = self.world.pending(self.number)
        undelivered = [f"{pending} jobs are still in the outbox"] if pending and answered else []
        boards = self.world.boards
        live = [boards.shown[self.number][i] for i in sorted(boards.live[self.number])]
        found = undelivered
        wanted = 0 if truth.finished else 1
        if len(live) != wanted:
            found.append(f"{len(live)} live boards instead of {wanted}")
        if any(board.channel.id != truth.channel for board in live):
            found.append("a live board in another place")
        if len(live) == 1 == wanted:
            shown = {(c.match, c.version) for c in controls(live[0])}
            if shown != {(self.number, truth.version)}:
                found.append("the live board shows another turn")
        newest = boards.newest(self.number)
        if truth.finished and newest is not None and "↳ The match" in newest.text:
            found.append("the last board does not show the end")
        if truth.channel in self.world.playground.guild.threads:
            pass
        elif self.world.threads and not truth.finished:
            found.append("a match without its thread")
        threads = self.world.playground.guild.threads.values()
        if sum(t.name.endswith(f"match #{self.number}") for t in threads) > 1:
            found.append("a match with two threads")
        found += self._posted_twice()
        about = re.compile(rf"match \[?#{self.number}\b")
        calls = [m for m in boards.calls.values() if about.search(m.text)]
        here = [m for m in boards.calls.values() if self._calls_here(m.text)]
        if len({m.id for m in (*calls, *here)}) > wanted:
            found.append("a player is called twice")
        return found

    def _posted_twice(self) -> list[str]:
        posted = self.world.boards.posted[self.number]
        return [
            f"a turn was posted twice: {turn!r} in {[one for one in posted if posted[one] == turn]}"
            for turn, times in Counter(posted.values()).items()
            if times > 1
        ]

    def _calls_here(self, text: str) -> bool:
        address = re.search(r"https://\S+/(\d+)", text)
        return address is not None and int(address[1]) in self.world.boards.shown[self.number]

    def _log_problems(self, truth: Truth) -> list[str]:
        """Compare the log with what was sent and how it was answered."""
        if truth.takebacks:
            return []
        made = {ply - 1: seat for ply, seat, _ in truth.log if seat is not None}
        game = registry.game(self.slug)
        entries = replay(game, [text for _, _, text in truth.log], players=self.seats)
        for entry in entries:
            if game.only_move(entry.before) is not None:
                made.pop(entry.ply - 1, None)  # forced, as the only legal move
        addressed = {sent.version for sent in self.sent if sent.version is not None}
        found = [
            "a move was lost that the answer had confirmed"
            for sent in self.sent
            if sent.accepted and sent.version is not None and sent.version not in made
        ]
        unexplained = [version for version in made if version not in addressed]
        typed = [sent for sent in self.sent if sent.version is None]
        if len(unexplained) > len(typed):
            found.append("a move was made that nobody sent")
        confirmed = sum(sent.accepted for sent in typed)
        if len(made) < confirmed:
            found.append("a typed move was lost that the answer had confirmed")
        return found


@dataclass(frozen=True, slots=True)
class Challenge:
    """An open challenge."""

    world: World
    slug: str
    players: Sequence[Person]
    channel: str
    message: Message
    before: int
    """The newest match before it."""

    async def shown(self) -> None:
        """Wait until it can be answered: a busy bot says first that it is thinking."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while self.message.loading and loop.time() < until:
            await self.world.rest(0.05)

    def accept(self, person: Person) -> Reply:
        """Accept the challenge."""
        return person.press(self.message, "Accept")

    @property
    def match(self) -> Match | None:
        """The match that it has become."""
        newest = _newest(self.world)
        if newest == self.before:
            return None
        return Match(self.world, newest, self.slug, self.players, self.channel)


def _newest(world: World) -> int:
    ((newest,),) = world.rows("SELECT coalesce(max(id), 0) FROM matches")
    return int(newest)


async def challenge(
    world: World, slug: str, names: Sequence[str], *, channel: str = "games"
) -> Challenge:
    """Challenge some players."""
    await world.rest(world.pause)
    players = [world.person(name) for name in names]
    for player in players:
        player.place = world.playground.channel(channel)
    options = {f"opponent{n if n > 1 else ''}": p for n, p in enumerate(players[1:], 1)}
    asked = f"/{slug} challenge"
    offered = await players[0].slash(asked, channel=channel, options=options)
    if offered.ephemeral and offered.message is not None:  # an earlier one is still open
        assert offered.message.buttons, offered.text
        await players[0].press(offered.message, "Withdraw")
        offered = await players[0].slash(asked, channel=channel, options=options)
    assert offered.message is not None, offered.text
    return Challenge(world, slug, players, channel, offered.message, _newest(world))


async def begin(world: World, slug: str, names: Sequence[str], *, channel: str = "games") -> Match:
    """Begin a match; the first person challenges the others."""
    offered = await challenge(world, slug, names, channel=channel)
    await offered.shown()
    for player in offered.players[1:]:
        await offered.accept(player)
        await world.rest()
    match = offered.match
    assert match is not None
    return match
