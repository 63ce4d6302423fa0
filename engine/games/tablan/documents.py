"""The rules of both leaflets, by number, in our own words."""

from __future__ import annotations

from typing import Final

from engine.phrase import say
from engine.rule import Document, Rule

WALKER: Final = "W"
BELL: Final = "B"

DOCUMENTS: Final = (
    Document(
        WALKER,
        "Damian Walker, Tablan (2011)",
        ("rules", "walker"),
        headings=(
            ("1", say("Setting up")),
            ("4", say("The course")),
            ("7", say("Throwing")),
            ("10", say("Moving")),
            ("15", say("Capturing")),
            ("17", say("Winning")),
            ("20", say("Variations")),
        ),
    ),
    Document(
        BELL,
        "R. C. Bell, Tablan (J. P. Smith, 2019)",
        ("rules", "bell"),
        headings=(
            ("1", say("Setting up")),
            ("2", say("Throwing")),
            ("3", say("Moving")),
            ("6", say("Capturing")),
            ("7", say("The last row")),
            ("9", say("What always holds")),
            ("12", say("Winning")),
        ),
    ),
)

RULES: Final = (
    Rule(WALKER, "1", "The two sides face each other; the row nearest to you is your home row."),
    Rule(WALKER, "2", "Each side begins with twelve men, one on every square of its home row."),
    Rule(
        WALKER,
        "3",
        "The sides throw in turn, and whoever first shows exactly one plain side starts the game.",
    ),
    Rule(WALKER, "4", "Men walk along a fixed course, as far as the sticks say."),
    Rule(
        WALKER,
        "5",
        "Your course leaves your home row at its right end, comes back along the second row, "
        "goes out along the third, and ends on the far row.",
    ),
    Rule(
        WALKER,
        "6",
        "The two courses are half turns of each other, so on every row both sides walk the "
        "same way.",
    ),
    Rule(
        WALKER,
        "7",
        "The opening throw of one plain side is played at once as a 2; every later move needs "
        "a fresh throw.",
    ),
    Rule(
        WALKER,
        "8",
        "One plain side scores 2, four score 8, none scores 12; two or three plain sides "
        "score nothing.",
    ),
    Rule(
        WALKER,
        "9",
        "A throw that scores nothing ends your turn: the sticks pass to the other side.",
    ),
    Rule(
        WALKER,
        "10",
        "You play a score with one of your men walking all of it, or with two different men of "
        "yours walking half of it each.",
    ),
    Rule(WALKER, "11", "A man on the last row has arrived and stays where he is."),
    Rule(WALKER, "12", "A square holds one man: nobody may land on a man of his own."),
    Rule(WALKER, "13", "If a score can be played in full, it must be; if it cannot, it is lost."),
    Rule(WALKER, "14", "After every move you throw again, until a throw scores nothing."),
    Rule(WALKER, "15", "A man who lands on an enemy takes him off the board."),
    Rule(
        WALKER,
        "16",
        "An enemy who stands in your home row is safe from you, though your own men there may "
        "be taken.",
    ),
    Rule(
        WALKER,
        "17",
        "The game ends as soon as all the men that one side has left stand on its last row.",
    ),
    Rule(WALKER, "18", "Each of your men on the enemy's home row counts one point."),
    Rule(WALKER, "19", "The side with more men on the enemy's home row wins."),
    Rule(
        WALKER,
        "20",
        "Variation: the squares of the last row must be taken in order, the furthest first.",
    ),
    Rule(
        WALKER,
        "21",
        "Variation: while the order holds, no other square of the last row may be entered.",
    ),
    Rule(
        BELL,
        "1",
        "The board is twelve squares wide and four deep, and each side begins with a man on "
        "every square of its back row.",
    ),
    Rule(
        BELL,
        "2",
        "One plain side scores 2, four score 8, four painted sides score 12, and each of them "
        "throws again; any other throw scores nothing and passes the sticks.",
    ),
    Rule(
        BELL,
        "3",
        "A man's first move needs a throw of 2: he walks both squares, or two men walk one each.",
    ),
    Rule(BELL, "4", "An 8 or a 12 may be split too: two men walk 4 each, or 6 each."),
    Rule(
        BELL,
        "5",
        "White goes out along its back row, back along the second, out along the third and "
        "into the enemy's back row; Black's men walk in the opposite direction.",
    ),
    Rule(
        BELL,
        "6",
        "Men take enemies on the two middle rows and on the enemy's back row, and what is "
        "taken leaves the board.",
    ),
    Rule(
        BELL,
        "7",
        "A man who reaches the enemy's back row never moves again and cannot be taken.",
    ),
    Rule(
        BELL,
        "8",
        "Option: the squares of the enemy's home row must be taken one by one in the order of "
        "their letters, from a to l.",
    ),
    Rule(
        BELL,
        "9",
        "Two men may move and two enemies fall in one turn, but every man keeps to the "
        "course, turns into the enemy's home row at its end, and is fixed there.",
    ),
    Rule(BELL, "10", "A square never holds two men."),
    Rule(
        BELL,
        "11",
        "A throw must be used whether it helps or not; only a last man near the end of the "
        "third row, whose throw does not bring him to the square that is due, is excused.",
    ),
    Rule(BELL, "12", "The side that holds more squares of the enemy's home row wins."),
)
BY_NAME: Final = {rule.name: rule for rule in RULES}
