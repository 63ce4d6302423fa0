"""Position lines: how they are written and read, and why invalid ones are refused."""

from __future__ import annotations

import pytest

from engine.errors import BadPosition
from engine.games.thaayam import GAME

HANDS = "south:-,-,-,- north:-,-,-,-"


@pytest.mark.parametrize(
    "line",
    [
        f"{HANDS} south start",
        f"{HANDS} north start:3,-",
        "south:-,-,-,- west:-,-,-,- north:-,-,-,- east:-,-,-,- north start:x,8,-,-",
        f"{HANDS} south -",
        f"{HANDS} north 4,8,-",
        f"{HANDS} south 1,4,2",
        "south:3,24,8&8 north:0,5,-,- south 4,2",
        "south:3,24!,24!,- north:-,-,-,- south 1,4",
        "south:3,7!,-,- north:0,5,-,- south 4,2 again",
        "south:8,8!,8&8 north:0,5,9&9 south 2",
        "south:24,24,*,* north:0,5,9&9 south 1,1,2",
        "south:24,24,24!,* west:-,-,-,- north:0,5,9&9 south 1",
        "south:*,*,*,* north:0,5,9&9 south -",
        "south:8&8,17&17 west:0,0,1,1 north:21,-,-,- east:24,*,*,* west 8,3",
    ],
)
def test_a_position_is_written_as_read(line: str) -> None:
    assert GAME.write_position(GAME.read_position(line)) == line


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_line_is_the_starting_position(players: int) -> None:
    state = GAME.initial(players=players)
    assert GAME.read_position(GAME.write_position(state)) == state


def test_pieces_may_be_written_in_any_order() -> None:
    state = GAME.read_position("South:-,24,3,- NORTH:*,24,*,24 south 4,2")
    assert GAME.write_position(state) == "south:3,24,-,- north:24,24,*,* south 4,2"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "field for each seat"),
        ("nonsense", "field for each seat"),
        (HANDS, "field for each seat"),
        (f"{HANDS} south", "field for each seat"),
        (f"{HANDS} south - - -", "field for each seat"),
        ("south north:-,-,-,- south -", "field for each seat"),
        ("north:-,-,-,- south:-,-,-,- south -", "in this order"),
        ("south:-,-,-,- west:-,-,-,- south -", "in this order"),
        ("south:-,-,-,- south -", "in this order"),
        (f"{HANDS} west -", "not a seat here"),
        ("south:-,-,- north:-,-,-,- south -", "4 pieces, not 3"),
        ("south:8&8,8&8,- north:-,-,-,- south -", "4 pieces, not 5"),
        ("south:x,-,-,- north:-,-,-,- south -", "“x” is not a piece"),
        ("south:,-,-,- north:-,-,-,- south -", "is not a piece"),
        ("south:25,-,-,- north:-,-,-,- south -", "0 to 24"),
        ("south:03,-,-,- north:-,-,-,- south -", "write 3"),
        ("south:7&7,-,- north:-,-,-,- south -", "8 to 23"),
        ("south:24&24,-,- north:-,-,-,- south -", "8 to 23"),
        ("south:9&8,-,- north:-,-,-,- south -", "is not a piece"),
        ("south:0!,3,-,- north:-,-,-,- south 4,2", "1 to 24"),
        ("south:3,24,24,* north:-,-,-,- south -", "all the others are in the keep"),
        ("south:24,24,-,* north:-,-,-,- south -", "all the others are in the keep"),
        ("south:8&8,24,* north:-,-,-,- south -", "all the others are in the keep"),
        ("south:7!,3,-,- north:-,-,-,- south -", "that is using its throws"),
        ("south:3,-,-,- north:3!,-,-,- south 4,2", "that is using its throws"),
        ("south:*,*,*,* north:*,*,*,* south -", "first player"),
        ("south:*,*,*,* north:3,-,-,- south 4,2", "first player"),
        ("south:*,*,*,* north:3,-,-,- north -", "the one that has won"),
        ("south:3,-,-,- north:-,-,-,- south 5", "not a throw"),
        ("south:3,-,-,- north:-,-,-,- south 4,,2", "not a throw"),
        ("south:3,-,-,- north:-,-,-,- south 4,2,-", "ends the series"),
        ("south:3,-,-,- north:-,-,-,- south 2,4", "nothing is thrown after"),
        ("south:3,-,-,- north:-,-,-,- south 2,3", "nothing is thrown after"),
        ("south:3,-,-,- north:-,-,-,- south 4,1", "only a move uses it"),
        (f"{HANDS} south 4,1,2", "before the first 1"),
        (f"{HANDS} south 4,2", "before the first 1"),
        ("south:24,24,24,24 north:-,-,-,- south 4,2", "cannot use any"),
        ("south:23,-,-,- north:-,-,-,- south 2", "cannot use any"),
        (f"{HANDS} south start:3,-", "North is the next to throw"),
        (f"{HANDS} north start", "South is the next to throw"),
        ("south:3,-,-,- north:-,-,-,- south start", "all pieces are in hand"),
        (f"{HANDS} south start:3", "of 2 seats"),
        (f"{HANDS} south start:3,5", "of 2 seats"),
        (f"{HANDS} south start:3,4", "still to throw"),
        (f"{HANDS} south start:-,x", "still to throw"),
        (f"{HANDS} south start:-,4", "still to throw"),
        (f"{HANDS} south start again", "is said only"),
        ("south:3,-,-,- north:-,-,-,- south - again", "is said only"),
        ("south:3,-,-,- north:-,-,-,- south 4,2 again", "is said only"),
        ("south:4!,3,-,- north:-,-,-,- south 2 again", "is said only"),
        ("south:5!,3,-,- north:0,0,0,0 south 2 again", "is said only"),
        ("south:17&17,-,- north:21&21,-,- south 4,2", "one unmarked square"),
    ],
)
def test_an_impossible_position_is_refused_with_the_reason(line: str, why: str) -> None:
    with pytest.raises(BadPosition, match=why):
        GAME.read_position(line)


def test_twins_of_two_seats_may_share_a_palace() -> None:
    GAME.read_position("south:8&8,-,- west:12&12,-,- north:-,-,-,- south 4,2")
