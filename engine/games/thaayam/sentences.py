"""What happened, in plain sentences: throws, moves and captures."""

from __future__ import annotations

from collections.abc import Iterable

from engine.games.thaayam.board import ACROSS, KEEP, MARKED, OPPOSITE, PATHS, PLACES
from engine.games.thaayam.series import struck, without
from engine.games.thaayam.state import (
    CALLED,
    CLOSING,
    HAND,
    OFF,
    PAIR,
    SCORES,
    TO_THROW,
    Act,
    Advance,
    Move,
    Phase,
    State,
    Throw,
    pieces,
)
from engine.phrase import listed, plural, say


def sentence(before: State, move: Move, after: State) -> str:
    """Return a sentence without a full stop; a throw's names the thrower."""
    text: str
    match move:
        case Throw(white):
            score = SCORES[white]
            return (
                _opened(before, score, after) if before.opening else _thrown(before, score, after)
            )
        case Act.ENTER:
            # Translators: the name of the seat stands before it: "South enters a piece on c1".
            text = say("enters a piece on {square}", square=PATHS[before.seat][0])
        case Act.OFF:
            # Translators: the name of the seat stands before it: "South brings a piece home".
            text = say("brings a piece home")
        case Act.TWINS:
            # Translators: the name of the seat stands before it: "South declares twins on c5".
            square = PATHS[before.seat][OPPOSITE]
            text = say("declares twins on {square}, two pieces that move as one", square=square)
        case Advance():
            text = _advanced(before, move, after)
    return _ended(text, before, move, after)


def signed(before: State, move: Move, after: State) -> str:
    """Return a sentence without a full stop, its player first."""
    text = sentence(before, move, after)
    if isinstance(move, Throw):
        return text
    return say("{seat} {move}", seat=CALLED[before.seat], move=text)


def captured(before: State, after: State) -> tuple[tuple[int, int], ...]:
    """Return the captures by a piece that moved: indices of `State.sides`, and counts."""
    sent = (
        new.count(HAND) - old.count(HAND)
        for old, new in zip(before.sides, after.sides, strict=True)
    )
    return tuple((index, number) for index, number in enumerate(sent) if number)


def landing(before: State, move: Advance) -> int:
    """Return the place where a moving piece will land."""
    points = sum(move.throws)
    return PLACES[before.seat][move.square] + (points // 2 if move.twins else points)


def _opened(before: State, score: int, after: State) -> str:
    name = CALLED[before.seat]
    if not after.opening:
        if after.seat == before.seat:
            return say(
                "{seat} threw {score} for the start: the highest, and begins",
                seat=name,
                score=score,
            )
        return say(
            "{seat} threw {score} for the start: {other} threw the highest and begins",
            seat=name,
            score=score,
            other=CALLED[after.seat],
        )
    if all(thrown <= TO_THROW for thrown in after.opening):
        tied = listed(
            CALLED[seat]
            for seat, thrown in zip(after.seats, after.opening, strict=True)
            if thrown == TO_THROW
        )
        # Translators: seats is a list of two or more, such as "South and North".
        return say(
            "{seat} threw {score} for the start: {seats} are level and throw again",
            seat=name,
            score=score,
            seats=tied,
        )
    return say("{seat} threw {score} for the start", seat=name, score=score)


def _thrown(before: State, score: int, after: State) -> str:
    name = CALLED[before.seat]
    if score not in CLOSING:
        return say("{seat} threw {score} and throws on", seat=name, score=score)
    series = before.throws.and_then(score)
    kept = struck(before.side, series)
    lost = tuple(series)[: len(series) - len(kept)]
    throws = _numbers(series)
    if after.phase is Phase.MOVE:
        if not lost:
            # Translators: throws is a list such as "4, 1 and 2".
            return say("{seat} threw {throws}", seat=name, throws=throws)
        # Translators: throws is a list such as "4, 8, 1 and 2"; lost is its beginning, such as
        # "4 and 8", which is not used; it has as many as {n}.
        return plural(
            "{seat} threw {throws}; {lost} before the first 1 is lost",
            "{seat} threw {throws}; {lost} before the first 1 are lost",
            len(lost),
            seat=name,
            throws=throws,
            lost=_numbers(lost),
        )
    other = CALLED[after.seat]
    if not kept:
        return say(
            "{seat} threw {throws}, no 1 to enter with; the turn passes to {other}",
            seat=name,
            throws=throws,
            other=other,
        )
    return say(
        "{seat} threw {throws} and has no move; the turn passes to {other}",
        seat=name,
        throws=throws,
        other=other,
    )


def retold(before: State, throw: Move, after: State) -> bool:
    """Return whether the throw that ends its series, or the throws for the start, tells of it."""
    assert isinstance(throw, Throw)
    return bool(after.opening) if before.opening else SCORES[throw.white] not in CLOSING


def _advanced(before: State, move: Advance, after: State) -> str:
    place = landing(before, move)
    text = _gone(move, PATHS[before.seat][place])
    sent = captured(before, after)
    if sent:
        men = listed(_taken(number, CALLED[before.seats[index]]) for index, number in sent)
        # Translators: move is "moves e2 to d5 with 4"; men is "a piece of North".
        return say("{move}, captures {men}", move=text, men=men)
    if place == KEEP:
        text = (
            say("{move}, two pieces in the keep", move=text)
            if move.twins
            else say("{move}, into the keep", move=text)
        )
        if any(one.place == KEEP for one in pieces(before.side)) or OFF in before.side:
            return text
        # Translators: explains the keep when the first piece of a player comes there; move ends
        # with "into the keep".
        return say("{move} (safe there; once all four are in it, a 1 brings each home)", move=text)
    if place not in MARKED and _sheltered(before, move, place):
        return say("{move}, beside enemy twins", move=text)
    return text


def _gone(move: Advance, target: str) -> str:
    throws = _numbers(move.throws)
    if move.twins:
        # Translators: the name of the seat stands before it: "South moves twins e2 to d5 with 8".
        return say(
            "moves twins {origin} to {target} with {throws}",
            origin=move.square,
            target=target,
            throws=throws,
        )
    # Translators: the name of the seat stands before it: "South moves e2 to d5 with 4 and 2".
    return say(
        "moves {origin} to {target} with {throws}",
        origin=move.square,
        target=target,
        throws=throws,
    )


def _taken(number: int, seat: str) -> str:
    """Return how many pieces of a seat are captured, one to four."""
    if number == 1:
        # Translators: what is captured, part of a list.
        return say("a piece of {seat}", seat=seat)
    if number == 2:
        # Translators: two pieces are captured, part of a list.
        return say("two of {seat}", seat=seat)
    if number == 3:
        # Translators: three pieces are captured, part of a list.
        return say("three of {seat}", seat=seat)
    # Translators: four pieces are captured, part of a list.
    return say("four of {seat}", seat=seat)


def _sheltered(before: State, move: Advance, place: int) -> bool:
    """Return whether a piece lands among enemies without capturing them."""
    return not move.twins and any(
        2 * ACROSS[before.seat][seat][place] + PAIR in side
        for index, (seat, side) in enumerate(zip(before.seats, before.sides, strict=True))
        if index != before.turn
    )


def _ended(text: str, before: State, move: Move, after: State) -> str:
    """Add to a sentence what ends the series: lost throws, another turn."""
    if after.phase is not Phase.THROW:
        return text
    left = without(before.throws, move.throws if isinstance(move, Advance) else (1,))
    if left:
        # Translators: move is "moves e2 to d5 with 4"; throws is a list such as "8 and 2".
        text = say("{move}; {throws} cannot be used", move=text, throws=_numbers(left))
    if after.turn == before.turn:
        # Translators: who has captured a piece has one more turn.
        text = say("{move}; has another turn for the capture", move=text)
    return text


def _numbers(throws: Iterable[int]) -> str:
    return listed(str(score) for score in throws)
