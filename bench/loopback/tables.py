"""Tables: channels with two people who press, and recognise the next board."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

from bench.loopback.recorded_answers import Answer, Board, Menu
from playground import components
from playground.app import Playground
from playground.components import Button
from playground.model import Guild, Message
from playground.people import Person
from playground.reply import Reply

_TIMEOUT = 30.0
_BACK = "Choose again"
"""The button that takes steps back: these people never press it."""
_PLAYED = "Played."
"""The start of the answer to a player who has made a move in steps."""
_OLD_TURN = "That button is from an earlier turn."
"""The start of the answer to a press on an older board; the current one comes with it."""
_LATER = "Discord isn't taking my messages right now."
"""The start of the answer to a player whose board comes later, as this machine is too busy."""
_MOVES = ("t:", "tm:")
"""The prefixes of moves' addresses, including the bare program's."""
_CHALLENGE = "c:"
"""The prefix of a challenge's addresses: it has a picture but is not a board."""


class Table:
    """A channel, its two people and their board."""

    def __init__(
        self, playground: Playground, number: int, chance: random.Random, guild: Guild
    ) -> None:
        """Open a channel of a server for two new people."""
        self.channel = playground.world.add_channel(guild, f"table-{number}")
        self.people: tuple[Person, Person] = (
            playground.add_person(f"Left {number}", guild=guild),
            playground.add_person(f"Right {number}", guild=guild),
        )
        self.number = number
        self.board: Message | None = None
        """The message to press next; ``None`` once the match is over."""
        self.over = True
        self._chance = chance
        self._pressed: tuple[int, int] = (0, 0)
        self._shown: Message | None = None
        """The newest public board; only its player sees half a move."""
        self._known: tuple[int, int] = (0, 0)
        self._controls: frozenset[str] = frozenset()
        """The moves on that board when it was pressed."""
        self.refused = 0
        """How many presses were answered as coming from an earlier turn."""
        self._next_board: asyncio.Future[None] | None = None

    async def begin(self, start: Callable[[Table], Awaitable[None]]) -> None:
        """Start a match and wait for its first board."""
        self.over = False
        self._known = (self._shown.id, self._shown.revision) if self._shown is not None else (0, 0)
        came = self._expect()
        try:
            await start(self)
            await asyncio.wait_for(came, _TIMEOUT)
        except BaseException:
            self.over = True
            raise

    async def press(self) -> tuple[Reply, Answer | None]:
        """Press something and wait for the next board.

        Returns:
            The settled reply and the resulting answer, ``None`` if the press ended the match.
        """
        board = self.board
        assert board is not None
        shown = self._shown
        assert shown is not None
        self._pressed = (board.id, board.revision)
        self._known = (shown.id, shown.revision)
        self._controls = _controls(shown)
        refused = self.refused
        came = self._expect()
        reply = self._choose(board)
        await reply
        await asyncio.wait_for(came, _TIMEOUT)
        if self.refused > refused:  # continues from the board that came with the refusal
            _, answer = await self.press()
            return reply, answer
        after = self.board
        if self.over or after is None:
            return reply, None
        passes = self._shown is not shown
        return reply, Answer(
            passes=passes,
            left_words=tuple(components.texts(shown.component_data)) if passes else (),
            board=_seen(after),
        )

    def handle(self, message: Message) -> None:
        """Handle a new or changed message."""
        next_board = self._next_board
        if next_board is None or next_board.done():
            return
        if message.ephemeral:
            self._handle_private(message, next_board)
            return
        if not message.attachments or (message.id, message.revision) <= self._known:
            return
        addresses = _addresses(message)
        if any(address.startswith(_CHALLENGE) for address in addresses):
            return
        if controls := _controls(message):
            if controls == self._controls:
                return  # rewritten, since a request about it had no reply for long
            self.board = self._shown = message
        elif message.id > self._known[0] and self._is_beside(message):
            self.board, self._shown, self.over = message, message, True
        else:
            return  # the old board, without its controls, or the result of an earlier match
        next_board.set_result(None)

    def _is_beside(self, message: Message) -> bool:
        """Return whether a message is where the board is: results go to the thread's channel."""
        return self._shown is not None and message.channel.id == self._shown.channel.id

    def _handle_private(self, message: Message, next_board: asyncio.Future[None]) -> None:
        """Handle a message visible to one person: half a move, or that a move was made."""
        if any(button.label == _BACK for button in message.buttons):
            if (message.id, message.revision) > self._pressed:
                self.board = message
                next_board.set_result(None)
        elif message.text.startswith(_OLD_TURN) and _controls(message):
            self.refused += 1
            self.board = message
            next_board.set_result(None)
        elif not message.text.startswith((_PLAYED, _LATER)):
            next_board.set_exception(RuntimeError(f"A press was refused: {message.text}"))

    def _expect(self) -> asyncio.Future[None]:
        self._next_board = asyncio.get_running_loop().create_future()
        return self._next_board

    def _choose(self, board: Message) -> Reply:
        addressed = (*board.pinged, board.ephemeral_for)
        called = [person for person in self.people if person.user in addressed]
        person = called[0] if called else self.people[0]
        menus = board.menus
        if menus:
            menu = self._chance.choice(menus)
            option = self._chance.choice(menu.options)
            return person.choose(board, option.value, menu=menu.custom_id)
        buttons = [button for button in _moves(board) if button.label != _BACK]
        if not buttons:
            raise RuntimeError(f"There is nothing to press: {board.text}")
        return person.press(board, custom_id=self._chance.choice(buttons).custom_id)


def _addresses(message: Message) -> list[str]:
    return [str(part.get("custom_id")) for part in components.walk(message.component_data)]


def _controls(message: Message) -> frozenset[str]:
    """Return the addresses of a message's moves, and the options of its menus."""
    buttons = (a for a in _addresses(message) if a.startswith(_MOVES))
    return frozenset(
        [*buttons, *(f"={option.value}" for menu in message.menus for option in menu.options)]
    )


def _moves(board: Message) -> list[Button]:
    """Return the buttons that play: others, such as one that tells a story, change no board."""
    return [button for button in board.buttons if str(button.custom_id).startswith(_MOVES)]


def _seen(message: Message) -> Board:
    return Board(
        words=tuple(components.texts(message.component_data)),
        alt=message.alt or "",
        picture=message.picture or b"",
        menus=tuple(
            Menu(
                menu.placeholder or "",
                tuple((option.label, option.description or "") for option in menu.options),
            )
            for menu in message.menus
        ),
        buttons=tuple(button.label for button in _moves(message)),
    )
