"""A line protocol like GTP: one command per line, one block per answer.

An answer begins with ``= `` or ``? `` and ends with an empty line. ``help`` lists the commands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from engine import registry
from engine.errors import BadOption, IllegalMove, RulesError
from engine.game import CHANCE
from engine.perft import perft
from engine.registry import AnyGame

DEEPEST: Final = 20


class BadCommand(RulesError):
    """Not a command of the protocol, or not with these arguments."""


class NothingStarted(RulesError):
    """The command is about a game, and none has been started."""


class _Table(NamedTuple):
    """The current game."""

    game: AnyGame
    options: dict[str, str]
    state: Any


class Conversation:
    """One user's session: remembers the current game."""

    def __init__(self) -> None:
        self._table: _Table | None = None
        self._over = False
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "games": self._games,
            "new": self._new,
            "position": self._position,
            "actor": self._actor,
            "odds": self._odds,
            "moves": self._moves,
            "play": self._play,
            "outcome": self._outcome,
            "perft": self._perft,
            "show": self._show,
            "rules": self._rules,
            "help": self._help,
            "quit": self._quit,
        }

    @property
    def over(self) -> bool:
        """Whether the user has said ``quit``."""
        return self._over

    def answer(self, line: str) -> str:
        """Return the answer to one line, with the empty line that ends it.

        Blank lines and lines beginning with ``#`` are not commands and get no answer. A command
        that fails changes nothing.
        """
        words = line.split()
        if not words or words[0].startswith("#"):
            return ""
        name, *arguments = words
        try:
            command = self._commands.get(name.lower())
            if command is None:
                known = ", ".join(self._commands)
                raise BadCommand(f"There is no command “{name}”. There are: {known}.")
            return f"= {command(arguments)}\n\n"
        except IllegalMove as error:
            return f"? IllegalMove {error.rule.name} {error.sentence}\n\n"
        except RulesError as error:
            return f"? {type(error).__name__} {error.sentence}\n\n"

    def _games(self, arguments: list[str]) -> str:
        _expect_none("games", arguments)
        return " ".join(registry.games())

    def _new(self, arguments: list[str]) -> str:
        if not arguments:
            raise BadCommand("Say which game: new <game> [players=N] [option=value ...].")
        game = registry.game(arguments[0].lower())
        chosen: dict[str, str] = {}
        for argument in arguments[1:]:
            option, equals, value = argument.partition("=")
            if not (option and equals and value):
                raise BadCommand(f"“{argument}” is not written as option=value.")
            if option in chosen:
                raise BadOption(f"“{option}” is said twice.")
            chosen[option] = value
        players = chosen.pop("players", None)
        number = None if players is None else _number(players, "players")
        state = game.initial(chosen, number)
        self._table = _Table(game, chosen, state)
        return game.write_position(state)

    def _position(self, arguments: list[str]) -> str:
        table = self._started()
        if arguments:
            state = table.game.read_position(" ".join(arguments), table.options)
            self._table = table = table._replace(state=state)
        return str(table.game.write_position(table.state))

    def _actor(self, arguments: list[str]) -> str:
        _expect_none("actor", arguments)
        game, _, state = self._started()
        if game.outcome(state) is not None:
            return "none"
        actor = game.actor(state)
        return "chance" if actor is CHANCE else game.seat_names[actor]

    def _odds(self, arguments: list[str]) -> str:
        _expect_none("odds", arguments)
        game, _, state = self._started()
        if game.outcome(state) is not None:
            return ""
        return " ".join(f"{game.write(m)}:{chance}" for m, chance in game.odds(state).items())

    def _moves(self, arguments: list[str]) -> str:
        _expect_none("moves", arguments)
        game, _, state = self._started()
        return " ".join(sorted(game.write(move) for move in game.legal_moves(state)))

    def _play(self, arguments: list[str]) -> str:
        table = self._started()
        if not arguments:
            raise BadCommand(f"Say which move. {table.game.notation_help}")
        move = table.game.read(table.state, " ".join(arguments))
        self._table = table._replace(state=table.game.after(table.state, move))
        return table.game.write(move)

    def _outcome(self, arguments: list[str]) -> str:
        _expect_none("outcome", arguments)
        game, _, state = self._started()
        outcome = game.outcome(state)
        if outcome is None:
            return "none"
        seats = game.seats(len(outcome.ranks))
        ranks = zip(seats, outcome.ranks, strict=True)
        message = " ".join(f"{game.seat_names[seat]}:{rank}" for seat, rank in ranks)
        return f"{message} {outcome.reason}"

    def _perft(self, arguments: list[str]) -> str:
        game, _, state = self._started()
        if len(arguments) != 1:
            raise BadCommand("Say how deep: perft <n>.")
        depth = _number(arguments[0], "the depth")
        if depth > DEEPEST:
            raise BadCommand(f"A depth of {depth} would never end; {DEEPEST} is the most.")
        return str(perft(game, state, depth))

    def _show(self, arguments: list[str]) -> str:
        _expect_none("show", arguments)
        game, _, state = self._started()
        lines = game.scene(state).text.splitlines()
        return "\n" + "\n".join(line.rstrip() or " " for line in lines)

    def _rules(self, arguments: list[str]) -> str:
        game = self._started().game
        if not arguments:
            return "\n".join(f"{rule.name} {rule.sentence}" for rule in game.rules)
        wanted = "".join(arguments).lower()
        found = [rule for rule in game.rules if wanted in {rule.name.lower(), rule.number.lower()}]
        if not found:
            names = f"{game.rules[0].name} to {game.rules[-1].name}"
            raise BadCommand(f"{game.title} has no rule {' '.join(arguments)}. It has {names}.")
        return "\n".join(f"{rule.name} {rule.sentence}" for rule in found)

    def _help(self, arguments: list[str]) -> str:
        _expect_none("help", arguments)
        return " ".join(self._commands)

    def _quit(self, arguments: list[str]) -> str:
        _expect_none("quit", arguments)
        self._over = True
        return ""

    def _started(self) -> _Table:
        if self._table is None:
            games = ", ".join(registry.games())
            raise NothingStarted(f"Start a game first, with new <game>. There are: {games}.")
        return self._table


def _expect_none(command: str, arguments: list[str]) -> None:
    if arguments:
        raise BadCommand(f"{command} takes nothing after it, not “{' '.join(arguments)}”.")


def _number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadCommand(f"“{text}” is not a number: {what} must be a whole number such as 2.")
    return int(text)
