"""Understands typed moves: any clear spelling works.

Notation is read first, by the game's own rules. Failing that, the squares, numbers and words of
notation in a text count, in order, and everything else is ignored: ``A4 A7``, ``a4 to a7``,
``Ke5xe7``. A text that fits several moves, or only the start of one, is answered with these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, permutations
from typing import Any, Final

from engine.errors import BadNotation, IllegalMove, RulesError, UnclearMove
from engine.game import CHANCE, Game, M, S
from engine.phrase import say

MAX_READ: Final = 200
"""Characters of a text that are read; the rest is ignored."""
_MAX_UNDERSTOOD: Final = 500
"""Maximum moves understood in all spellings; in a vast series of throws the rest need notation."""
_ECHO: Final = 40
"""How much of a text an answer repeats."""


def understand(game: Game[S, M], state: S, text: str) -> M:
    """Return the legal move that a text means.

    Raises:
        BadNotation: the text is not a move of this game; it names one that is possible here.
        GameOver: the game has ended.
        IllegalMove: the move is not legal here.
        UnclearMove: it may be one of several moves.

    """
    try:
        return _understood(game, state, text)
    except BadNotation as error:
        if game.actor(state) is CHANCE:
            raise
        example = game.write(game.legal_moves(state)[0])
        raise BadNotation(
            # Translators: refusal is one sentence or several, example a move as it is typed.
            say(
                "{refusal} Possible here, for example: {example}.",
                refusal=error.sentence,
                example=example,
            )
        ) from error


def _understood(game: Game[S, M], state: S, text: str) -> M:
    refused: RulesError
    try:
        return game.read(state, text)
    except (IllegalMove, BadNotation) as error:
        refused = error
    reader = _Reader(game, state)
    typed = reader.tokens(text)
    if not typed:
        raise refused
    found: list[M] = reader.exactly(typed)
    if len(found) == 1:
        return found[0]
    if not found and isinstance(refused, BadNotation):
        refused = _refused(game, state, typed) or refused
    if not found:
        begun = isinstance(refused, IllegalMove)
        found = reader.begun_by(typed) if begun else reader.naming(typed)
    if not found:
        raise refused
    message = say(
        "“{text}” could be several moves. Which one do you mean?", text=text[:_ECHO].strip()
    )
    raise UnclearMove(message, tuple(game.write(move) for move in found))


def suggested(game: Game[S, M], state: S, text: str) -> list[M]:
    """Return the legal moves that a text may be the beginning of, the likeliest first."""
    reader = _Reader(game, state)
    typed = "".join(reader.tokens(text))
    # A final letter may begin a square, or an ignored word.
    last = re.search("[a-z]$", text.lower().rstrip())
    for wanted in dict.fromkeys((typed + (last[0] if last else ""), typed)):
        begun = [m for m, keys in reader.joined() if any(key.startswith(wanted) for key in keys)]
        other = [m for m, keys in reader.joined() if any(wanted in key for key in keys)]
        if other:
            return list(dict.fromkeys(begun + other))
    return []


def _refused(game: Game[S, M], state: S, typed: tuple[str, ...]) -> IllegalMove | None:
    """Return why the typed move from square to square is illegal, if it is one."""
    pairs = ["-".join(typed[n : n + 2]) for n in range(0, len(typed), 2)]
    try:
        game.read(state, ",".join(pairs))
    except IllegalMove as error:
        return error
    except RulesError:
        pass
    return None


class _Reader:
    """The legal moves of a position, each with every spelling as a row of tokens."""

    def __init__(self, game: Game[Any, Any], state: Any) -> None:
        """Prepare to read moves in this position."""
        moves = game.legal_moves(state)[:_MAX_UNDERSTOOD]
        written = [game.write(move) for move in moves]
        named = game.scene(state).board.squares
        squares = sorted((name for name, *_ in named), key=len, reverse=True)
        square = "|".join(map(re.escape, squares)) or "(?!)"
        # A word ends where a square begins: "a4toa7".
        self._token = re.compile(rf"({square})|(\d+)|([a-z]+?)(?={square}|[^a-z]|$)")
        self._words = {word for text in written for word in re.findall("[a-z]{2,}", text)}
        self._squares = set(squares)
        self._known = [
            (move, tuple(self._keys(text, game.ways(state, move))))
            for move, text in zip(moves, written, strict=True)
        ]

    def tokens(self, text: str) -> tuple[str, ...]:
        """Return the squares, numbers and words of notation in a text, larger numbers first."""
        found: list[str] = []
        numbers: list[int] = []
        for square, number, word in self._token.findall(text[:MAX_READ].lower()):
            if number:
                numbers.append(int(number))
            elif square or word in self._words:
                found += (*map(str, sorted(numbers, reverse=True)), square or word)
                numbers = []
        return (*found, *map(str, sorted(numbers, reverse=True)))

    def _keys(self, text: str, ways: tuple[tuple[str, ...], ...]) -> Iterator[tuple[str, ...]]:
        written = self.tokens(text)
        yield written
        if ways and all(len(way) > 1 for way in ways):
            yield from (tuple(chain(*order)) for order in permutations(ways))
        elif self._squares.isdisjoint(written):  # "in c1"
            yield (*written, *chain(*ways))

    def joined(self) -> Iterator[tuple[Any, list[str]]]:
        """Yield each move with its spellings, their tokens joined without separators."""
        for move, keys in self._known:
            yield move, ["".join(key) for key in keys]

    def exactly(self, typed: tuple[str, ...]) -> list[Any]:
        """Return the moves typed exactly like this."""
        return [move for move, keys in self._known if typed in keys]

    def begun_by(self, typed: tuple[str, ...]) -> list[Any]:
        """Return the moves whose first tokens these are."""
        many = len(typed)
        return [m for m, keys in self._known if any(key[:many] == typed for key in keys)]

    def naming(self, typed: tuple[str, ...]) -> list[Any]:
        """Return the moves that begin with these tokens, else those that contain all of them."""
        wanted = set(typed)
        if not wanted & (self._squares | self._words):
            return []
        return self.begun_by(typed) or [
            move for move, keys in self._known if wanted <= set(chain(*keys))
        ]
