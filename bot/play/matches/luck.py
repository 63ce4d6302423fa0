"""The luck of a match: the inputs of its draws, and what follows a move automatically.

The inputs are fixed when the last player accepts: the seed, whose fingerprint was shown before; the
number of the challenge; and the players' words, in the order of their ids. Values that only the bot
sees are left out, such as the ids of presses and messages, the match number, or the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from bot.core.i18n.mentions import mention
from bot.core.interactions.components import Component, text_input
from data.matches.match import Entry, Match
from engine import registry
from engine.game import CHANCE
from engine.luck import MAX_WORD, Luck, fingerprint, word_of
from engine.phrase import Phrase, concat, lines, say
from engine.registry import AnyGame
from engine.replay import Played

_SHOWN: Final = 8
"""Digits of a fingerprint that a card shows at once."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """What the draws of a match are made of, fixed before it begins."""

    seed: bytes = field(repr=False)
    drawn_for: str
    """What is part of every draw, such as the challenge's number."""
    words: Mapping[int, str]
    """What each player has added to the throws, if anything, by user id."""

    @property
    def luck(self) -> Luck:
        """The source of all draws.

        Words enter by user id, because the bot's operator could change the order of joining.
        """
        return Luck(self.seed, self.drawn_for, tuple(self.words[one] for one in sorted(self.words)))


def luck_of(match: Match) -> Luck:
    """Return the source of all draws in a match."""
    ordered = sorted(match.players, key=lambda player: player.draw_order)
    return Luck(match.seed, match.draw, tuple(player.word for player in ordered))


def draw_seats(
    source: Luck, users: Sequence[int], seats: Sequence[int], *, given: Mapping[int, int]
) -> dict[int, int]:
    """Return the seat of each user; ``users`` are in draw order and ``seats`` in turn order.

    Seats ``given`` are assigned first; the others are drawn.
    """
    others = [user for user in users if user not in given]
    free = [seat for seat in seats if seat not in given.values()]
    return {**given, **dict(zip(source.shuffle("seats", others), free, strict=True))}


def follow(game: AnyGame, state: Any, ply: int, source: Luck) -> list[Played[Any, Any]]:
    """Play on from the position after ``ply`` until a player has a choice or the game ends.

    Throws the sticks, and plays for a seat with only one legal move; the log is the same as if the
    player had.
    """
    played: list[Played[Any, Any]] = []
    while game.outcome(state) is None:
        if game.actor(state) is CHANCE:
            move = source.draw(str(ply + 1), game.odds(state))
        elif (move := game.only_move(state)) is None:
            break
        ply += 1
        reached = game.after(state, move)
        played.append(Played(ply, state, move, reached))
        state = reached
    return played


def log_entries(
    game: AnyGame,
    played: Iterable[Played[Any, Any]],
    at: datetime,
    fingerprints: Mapping[int, int | None],
) -> list[Entry]:
    """Return moves and throws as entries of a log, with the given fingerprints by ply."""
    entries = []
    for one in played:
        actor = game.actor(one.before)
        seat = None if actor is CHANCE else actor
        notation = game.write(one.move)
        entries.append(Entry(one.ply, seat, notation, at, fingerprints.get(one.ply)))
    return entries


def seal(seed: bytes) -> str:
    """Return a seed's fingerprint as a card shows it: its first digits, the others behind a tap."""
    whole = fingerprint(seed)
    return f"{whole[:_SHOWN]}||{whole[_SHOWN:]}||"


def throws(number: str, seed: bytes, words: Iterable[tuple[int, str]] = ()) -> Iterator[Phrase]:
    """Yield what throws will be made of, for anyone to note down.

    ``number`` goes in with the seed, of which only the fingerprint is shown; ``words`` are the
    players', by user id, some of them empty.
    """
    added = [concat(mention(user_id), f" `{word}`") for user_id, word in words if word]
    if added:
        yield concat("-# ", say("Words for the throws: {words}", words=lines(added, " · ")))
    sealed = say(
        # Translators: sealed before anyone accepts; number is like "#12", fingerprint like "8f3a…".
        "Fair throws, sealed: {number} · {fingerprint}",
        number=number,
        fingerprint=seal(seed),
    )
    yield concat("-# ", sealed)


def word_in(slug: str, typed: str) -> str:
    """Return a typed word as it enters the draws; empty in games without luck."""
    return word_of(typed) if registry.game(slug).has_luck else ""


def form_title(*, accepts: bool) -> Phrase:
    """Return the title of the form for a word, which may also accept a challenge."""
    return say("Accept with a word") if accepts else say("Your word for the throws")


def word_field(word: str) -> Component:
    """Return the field for a player's word, with the present one."""
    return text_input(
        "word",
        say("Your word"),
        description=say("It goes into every throw. Everyone can see it."),
        value=word,
        max_length=MAX_WORD,
        required=False,
    )
