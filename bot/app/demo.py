"""A Discord of its own, with some history: finished matches, and one in which it is Ann's turn.

Everything in it is played through the bot's own services, dated some weeks ago, so that leaderboards,
profiles, replays and analyses have something to show. Only two of the matches are shown in the
channel.
"""

from __future__ import annotations

import asyncio
import errno
import webbrowser
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from bot.core.config import Config
from bot.core.scheduling.scheduler import WallClock
from bot.core.settings.service import SettingsStore
from bot.features.challenges.invitations import against
from bot.features.challenges.service import Challenges
from bot.play.matches.deadlines import Deadlines
from bot.play.matches.jobs import BOARD_JOB
from bot.play.matches.service import Matches
from data.challenges.challenges import Invitation
from data.matches import outbox
from data.matches.match import CHANNEL
from data.sql.errors import StoreError
from data.store import restoring
from data.store.store import Store
from engine import registry
from playground.app import Playground
from playground.chat.page import attach as chat_page
from playground.connect import point_discord_here

_GAMES: Final = Path(__file__).with_name("demo_games.txt")
_SEED: Final = b"A demo has no secrets: Ann, Ben."
"""The seed of all recorded matches, so their throws fit the recorded moves."""
_OLDEST: Final = timedelta(weeks=5)
_BETWEEN: Final = timedelta(hours=26)
"""Between matches: some people meet again after a week, as at a club."""
_PER_MOVE: Final = timedelta(minutes=11)
_UNFINISHED: Final = ("Ann", "Dan")
"""The players whose first game Ann continues, with a computer for Dan. She can win it soon."""
_LEFT_OUT: Final = 5
"""The number of its last moves left out."""
_LAST: Final = timedelta(minutes=1)
"""The unfinished match is shown by then, even if the finished one is not above it yet."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded game."""

    game: str
    players: tuple[str, ...]
    """In turn order."""
    moves: tuple[str, ...]
    resigns: str | None = None
    """The player who then resigns, if any."""


def recorded() -> tuple[Recorded, ...]:
    """Return the recorded games, in the order they are played."""
    found = []
    for line in _GAMES.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            head, moves = line.split(":")
            game, *players = head.split()
            *rest, last = moves.split()
            if last in players:
                found.append(Recorded(game, tuple(players), tuple(rest), resigns=last))
            else:
                found.append(Recorded(game, tuple(players), (*rest, last)))
    return tuple(found)


def unfinished() -> Recorded:
    """Return the recorded game left for Ann to win."""
    game = next(one for one in recorded() if one.players == _UNFINISHED)
    return Recorded(game.game, game.players[:1], game.moves[:-_LEFT_OUT])


class _PastClock(WallClock):
    """A clock that only moves when set."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        return self.moment


class Seeding:
    """Plays the demo matches in a store not yet used by a bot."""

    def __init__(self, store: Store, *, clock: WallClock) -> None:
        """Seed a store, with matches before the current time."""
        self._store = store
        self._present = clock
        self._now = clock()
        self._clock = _PastClock(self._now - _OLDEST)
        deadlines = Deadlines(SettingsStore(store, clock=self._clock))
        self._matches = Matches(store, deadlines, clock=self._clock)
        self._challenges = Challenges(
            store, deadlines, _nobody, clock=self._clock, seeds=lambda _: _SEED
        )
        self._finished = self._unfinished = 0
        """The numbers of the two matches to show."""

    async def seed(self, guild_id: int, channel_id: int, people: Mapping[str, int]) -> None:
        """Play all games in a channel, with people's ids by name; show the first and the unfinished."""
        games = recorded()
        for number, game in enumerate(games):
            self._clock.moment = self._now - _OLDEST + number * _BETWEEN
            invitation = Invitation(
                game=game.game,
                guild_id=guild_id,
                channel_id=channel_id,
                challenger_id=people[game.players[0]],
                opponents=tuple(people[name] for name in game.players[1:]),
                seat=int(registry.game(game.game).seats(len(game.players))[0]),
                days=3,
            )
            challenge = await self._challenges.offer(invitation)
            for opponent in invitation.opponents:
                challenge = await self._challenges.accept(
                    challenge.id, opponent, channel_kind=CHANNEL
                )
            assert challenge.match_id is not None, "all have accepted"
            await self._play(challenge.match_id, game.moves)
            if game.resigns is not None:
                await self._matches.resign(challenge.match_id, people[game.resigns])
            if not number:
                self._finished = challenge.match_id
            await self._show(challenge.match_id, wait=None if number else timedelta(0))
        await self._begin_practice(guild_id, channel_id, people)

    async def _begin_practice(
        self, guild_id: int, channel_id: int, people: Mapping[str, int]
    ) -> None:
        game = unfinished()
        self._clock.moment = self._now - len(game.moves) * _PER_MOVE
        invitation = Invitation(
            game=game.game,
            guild_id=guild_id,
            channel_id=channel_id,
            challenger_id=people[game.players[0]],
            seat=int(registry.game(game.game).seats(2)[0]),
        )
        challenge = await self._challenges.practise(
            against(invitation, 1, None), channel_kind=CHANNEL
        )
        assert challenge.match_id is not None, "computers accept at once"
        self._unfinished = challenge.match_id
        await self._play(challenge.match_id, game.moves)
        await self._show(challenge.match_id, wait=_LAST)

    async def show_unfinished(self) -> None:
        """Show Ann's match as soon as the board of the finished one is above it."""
        with suppress(StoreError):  # the program ends: it is shown at the next start
            while await self._waits(self._unfinished):
                if not await self._waits(self._finished):
                    await self._show(self._unfinished, wait=timedelta(0), nonce="shown")
                    return
                await asyncio.sleep(0.1)

    async def _waits(self, match_id: int) -> bool:
        async with self._store.read() as tx:
            return bool(await outbox.pending(tx, match_id))

    async def _play(self, match_id: int, moves: Sequence[str]) -> None:
        position = await self._matches.position(match_id)
        for move in moves:
            self._clock.moment += _PER_MOVE
            mover = position.to_move
            assert mover is not None, "recorded games end with their last move"
            position = await self._matches.play(position, mover, move)

    async def _show(self, match_id: int, *, wait: timedelta | None, nonce: str = "demo") -> None:
        """Show only the final board of a match, after ``wait``; none without it."""
        async with self._store.write() as tx:
            jobs = await outbox.pending(tx, match_id)
            for job in jobs:
                await outbox.mark_done(tx, job.id, self._clock())
            if wait is None:
                return
            last = next(job for job in reversed(jobs) if job.kind == BOARD_JOB)
            now = self._present()
            await outbox.put(
                tx,
                match_id=match_id,
                kind=last.kind,
                payload=last.payload,
                nonce=f"{nonce}{match_id}",
                at=now,
                not_before=now + wait,
            )


async def _nobody(*_: object, **__: object) -> frozenset[int]:
    """Return the users who have left the server: none."""
    return frozenset()


async def enter_playground(
    settings: Config, stack: AsyncExitStack, *, open_page: bool
) -> tuple[str, Callable[[Store], Awaitable[None]], Playground]:
    """Start a Discord on this machine, and point discord.py there; raise OSError if its port is taken.

    Returns the token to log in with, what to do once the store is open, and that Discord.
    """
    port = settings.playground_port
    try:
        playground = await stack.enter_async_context(Playground(port=port, attach=[chat_page]))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise OSError(
            f"port {port} is taken, perhaps by a bot that runs already. "
            "PLAYGROUND_PORT=0 takes a free one."
        ) from error
    stack.enter_context(point_discord_here(playground))

    async def begin(store: Store) -> None:
        """Give its people a history of matches, unless the store was used before; say where to play.

        The recorded throws only fit matches whose numbers begin at 1.
        """
        async with store.read() as tx:
            used = await restoring.numbers_used(tx)
        if settings.playground_demo and not used:
            people = {person.name: person.id for person in playground.people}
            seeding = Seeding(store, clock=WallClock())
            await seeding.seed(playground.guild.id, playground.channel("games").id, people)
            shown = asyncio.create_task(seeding.show_unfinished(), name="demo")
            stack.callback(shown.cancel)
        await _invite(playground, settings, open_page=open_page)

    return playground.token, begin, playground


async def _invite(playground: Playground, settings: Config, *, open_page: bool) -> None:
    """Print where to play, and what is kept."""
    kept = (
        "Games are kept in DATABASE_URL, messages are not."
        if settings.database_url is not None
        else "Nothing is kept: each start is a fresh one."
    )
    print(  # noqa: T201 -- for the person at the terminal
        f"\n  Play here   {playground.url}/"
        "\n  Try         a button of the welcome, or go on with the game in #games"
        f"\n  Stop        Ctrl+C. {kept}\n",
        flush=True,
    )
    if open_page:
        await asyncio.to_thread(webbrowser.open, playground.url)
