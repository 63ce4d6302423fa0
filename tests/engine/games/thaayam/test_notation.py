"""How moves are typed, described and refused."""

from __future__ import annotations

import pytest

from engine.errors import BadNotation
from engine.games.thaayam import GAME
from tests.engine.games.thaayam.boards import description, forbidden, refused

STATE = "south:3,8&8,- north:7,-,-,- south 8,4,1,2"


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("in", ("in",)),
        ("e2+4", ("e2", "+4")),
        ("e2+8+4+2", ("e2", "+8+", "4+", "2")),
        ("c5&+8+4", ("c5&", "+8+", "4")),
    ],
)
def test_a_move_is_written_as_the_piece_and_each_throw(text: str, steps: tuple[str, ...]) -> None:
    state = GAME.read_position(STATE)
    assert GAME.steps(GAME.read(state, text)) == steps


@pytest.mark.parametrize("text", ["e2+2+4+8", " E2 + 4 + 8 + 2 ", "e2+8+2+4"])
def test_throws_may_be_typed_in_any_order(text: str) -> None:
    state = GAME.read_position(STATE)
    assert GAME.write(GAME.read(state, text)) == "e2+8+4+2"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not a move"),
        ("e2", "is not a move"),
        ("e2+", "is not a move"),
        ("e2-e4", "is not a move"),
        ("in+4", "is not a move"),
        ("e2&&+4", "is not a move"),
        ("f2+4", "no square f2"),
        ("e6+4", "no square e6"),
        ("e2+5", "No throw scores 5"),
        ("e2+0", "No throw scores 0"),
        ("*5", "0 to 4 white sides"),
    ],
)
def test_an_invalid_move_gets_a_helpful_error(text: str, why: str) -> None:
    with pytest.raises(BadNotation, match=why):
        GAME.read(GAME.read_position(STATE), text)


def test_what_is_no_move_is_answered_with_the_throws_in_hand() -> None:
    state = GAME.read_position(STATE)
    for text in ("hello", "f2+4", "e2+5", "*5"):
        with pytest.raises(BadNotation) as refusal:
            GAME.read(state, text)
        assert refusal.value.sentence.endswith(" South has 8, 4, 1 and 2 to use.")
    with pytest.raises(BadNotation, match=r"South is to throw for the start\.$"):
        GAME.parse(GAME.initial(), "hello")


@pytest.mark.parametrize(
    ("line", "text", "rule", "squares"),
    [
        ("south:3,24!,24,- north:-,-,-,- south 1,2", "c3+2", "25", ("c3",)),
        ("south:3,24!,24,- north:-,-,-,- south 1,2", "off", "27", ("c3", "e2")),
        ("south:23,24!,24,24 north:-,-,-,- south 1,1", "off", "27", ("c3", "c2")),
        ("south:8,8,8&8 north:-,-,-,- south 4,2", "c5+3", "8", ("c5",)),
        ("south:9&9!,8,8 north:-,-,-,- south 2", "b5&+2", "10", ("b5",)),
        ("south:9&9!,8,8 north:-,-,-,- south 2", "b5+2", "16", ("b5",)),
        ("south:9!,8,8,- north:-,-,-,- south 2", "b5&+2", "15", ("b5",)),
        ("south:0,8,8,- north:-,-,-,- south 2", "d1+2", "8", ("d1",)),
    ],
)
def test_refusals_name_the_rule_and_the_squares(
    line: str, text: str, rule: str, squares: tuple[str, ...]
) -> None:
    assert forbidden(GAME.read_position(line), text) == (rule, squares)


def test_a_refusal_suggests_a_move_that_wastes_nothing() -> None:
    state = GAME.read_position("south:22,23,24,24 north:-,-,-,- south 1,2")
    assert refused(state, "d2+1").sentence == (
        "This way only 1 of the throws could be used, and 2 can be, for example after d2+2."
    )


def test_the_throw_that_ends_a_series_tells_all_of_it() -> None:
    state = GAME.read_position("south:3,-,-,- north:-,-,-,- south -")
    throws = []
    for text in ("*0", "*1", "*1", "*4", "*3"):
        throws.append((state, GAME.read(state, text)))
        state = GAME.after(*throws[-1])
        assert GAME.tell_throws(throws, moved=False) == (GAME.tell(*throws[-1]),)
    told = ("South threw 8, 1, 1, 4 and 3",)
    assert GAME.tell_throws(throws, moved=False) == GAME.tell_throws(throws, moved=True) == told


def test_the_last_throw_for_the_start_tells_who_begins() -> None:
    state = GAME.read_position("south:-,-,-,- north:-,-,-,- south start")
    first = (state, GAME.read(state, "*2"))
    second = (GAME.after(*first), GAME.read(GAME.after(*first), "*4"))
    third = (GAME.after(*second), GAME.read(GAME.after(*second), "*2"))
    told = GAME.tell(*second), GAME.tell(*third)
    assert GAME.tell_throws([first, second], moved=False) == told[:1]
    assert GAME.tell_throws([first, second, third], moved=False) == told


@pytest.mark.parametrize(
    ("line", "text", "sentence"),
    [
        ("south:-,-,-,- north:-,-,-,- south start", "*0", "South threw 8 for the start"),
        (
            "south:-,-,-,- north:-,-,-,- north start:3,-",
            "*3",
            "North threw 3 for the start: South and North are level and throw again",
        ),
        (
            "south:-,-,-,- north:-,-,-,- north start:3,-",
            "*2",
            "North threw 2 for the start: South threw the highest and begins",
        ),
        (
            "south:-,-,-,- north:-,-,-,- north start:3,-",
            "*4",
            "North threw 4 for the start: the highest, and begins",
        ),
        ("south:-,-,-,- north:-,-,-,- south -", "*4", "South threw 4 and throws on"),
        (
            "south:-,-,-,- north:-,-,-,- south 4,8,-",
            "*2",
            "South threw 4, 8 and 2, no 1 to enter with; the turn passes to North",
        ),
        (
            "south:-,-,-,- north:-,-,-,- south 4,1,-",
            "*2",
            "South threw 4, 1 and 2; 4 before the first 1 is lost",
        ),
        ("south:3,-,-,- north:-,-,-,- south 4,1,-", "*2", "South threw 4, 1 and 2"),
        (
            "south:24,-,-,- north:-,-,-,- south 4,-",
            "*2",
            "South threw 4 and 2 and has no move; the turn passes to North",
        ),
        ("south:3,-,-,- north:-,-,-,- south 1,2", "in", "enters a piece on c1"),
        (
            "south:8,8,-,- north:-,-,-,- south 4,2",
            "twins",
            "declares twins on c5, two pieces that move as one",
        ),
        ("south:24,24,*,* north:-,-,-,- south 1,1,2", "off", "brings a piece home"),
        (
            "south:24,24,24,24 north:-,-,-,- south 1,2",
            "off",
            "brings a piece home; 2 cannot be used",
        ),
        ("south:3,-,-,- north:-,-,-,- south 4,2", "e2+4+2", "moves e2 to b5 with 4 and 2"),
        (
            "south:22&22,-,- north:-,-,-,- south 4,2",
            "d2&+4",
            (
                "moves twins d2 to c3 with 4, two pieces in the keep "
                "(safe there; once all four are in it, a 1 brings each home); 2 cannot be used"
            ),
        ),
        (
            "south:3,-,-,- north:15,15,-,- south 4,2",
            "e2+4+2",
            "moves e2 to b5 with 4 and 2",
        ),
        (
            "south:5,-,-,- north:15,15,-,- south 2",
            "e4+2",
            "moves e4 to d5 with 2, captures two of North; has another turn for the capture",
        ),
    ],
)
def test_moves_are_described_in_plain_sentences(line: str, text: str, sentence: str) -> None:
    state = GAME.read_position(line)
    assert description(state, text) == sentence


def test_a_finished_game_announces_no_further_turn() -> None:
    state = GAME.read_position("south:24,*,*,* north:-,-,-,- south 1,2")
    assert description(state, "off") == "brings a piece home"


@pytest.mark.parametrize("others", ["24,-,-", "24,24,24"])
def test_only_the_first_piece_in_the_keep_explains_it(others: str) -> None:
    first = GAME.read_position("south:22,-,-,- north:-,-,-,- south 2")
    assert description(first, "d2+2") == (
        "moves d2 to c3 with 2, into the keep "
        "(safe there; once all four are in it, a 1 brings each home)"
    )
    later = GAME.read_position(f"south:22,{others} north:-,-,-,- south 2")
    assert description(later, "d2+2") == "moves d2 to c3 with 2, into the keep"
