"""Lessons of Thaayam."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from engine.lesson import Lesson, Reply
from engine.overlay import Arrow, Kind, Ring
from engine.phrase import listed, say

_WAY: Final = ("c1", "e1", "e5", "a5", "a1", "b1", "b4", "d4", "d2", "c2", "c3")
"""The corners of the path that South's pieces walk."""


def _piece(square: str, *throws: int) -> str:
    # Translators: a button in a lesson: which piece is moved, with which throws: "piece e4 with 4 and 2".
    return say(
        "piece {square} with {throws}", square=square, throws=listed(str(one) for one in throws)
    )


def _twins(square: str, *throws: int) -> str:
    # Translators: a button in a lesson: which twins are moved, with which throws: "twins c5 with 8".
    return say(
        "twins {square} with {throws}", square=square, throws=listed(str(one) for one in throws)
    )


LESSONS: Final = (
    Lesson(
        title=say("Home to the keep"),
        position="south:-,-,-,- north:-,-,-,- south 1,2",
        task=say(
            "Bring your four pieces round the board into the **keep**, the square in the middle, "
            "and from there home, off the board. First to bring all four home wins."
        ),
        marks=(Ring("c3"),),
    ),
    Lesson(
        title=say("The way round"),
        position="south:0,-,-,- north:3,-,-,- south 4,2",
        task=say(
            "Pieces start on your **palace**, here c1. They go round the outer ring, turn in just "
            "before they're back, and take the inner ring the other way to the keep."
        ),
        marks=tuple(Arrow(a, b) for a, b in pairwise(_WAY)),
    ),
    Lesson(
        title=say("Throws"),
        position="south:-,-,-,- north:3,-,-,- south 1,2",
        task=say(
            "Count the white sides of four dice, none counts 8. You throw until a **2** or **3** "
            "comes, then use all your throws in any order. Only a **1** brings a piece in."
        ),
        marks=(Ring("c1"),),
    ),
    Lesson(
        title=say("How pieces are captured"),
        position="south:5,-,-,- north:15,12,-,- south 4,2",
        task=say(
            "Land on an enemy: it goes back to its owner's hand, and you have another turn. On the "
            "**marked squares** nobody is captured."
        ),
        marks=(Arrow("e4", "e5"), Arrow("e5", "d5"), Ring("d5", Kind.WRONG)),
    ),
    Lesson(
        title=say("Entering"),
        position="south:5,-,-,- north:3,-,-,- south 1,2",
        task=say(
            "South has thrown 1 and 2, and has three pieces in hand. Which move brings a new piece "
            "onto the board?"
        ),
        rule="6",
        right=Reply(
            "in",
            say("Yes: a 1 enters a piece, on South's own palace. The 2 is still to be used."),
            words=say("enter a piece"),
        ),
        wrong=(Reply("e4+1", words=_piece("e4", 1)), Reply("off", words=say("bring a piece home"))),
    ),
    Lesson(
        title=say("Adding throws up"),
        position="south:5,-,-,- north:3,-,-,- south 4,2",
        task=say(
            "South has thrown 4 and 2. A piece may move by one throw, or by several added up. "
            "A piece of North stands on a4, six squares on from South's piece on e4. How does "
            "South capture it?"
        ),
        rule="10",
        right=Reply(
            "e4+4+2",
            say(
                "Yes: six squares in one move. North's piece goes back, and South has another turn."
            ),
            words=_piece("e4", 4, 2),
        ),
        wrong=(Reply("e4+4", words=_piece("e4", 4)), Reply("e4+2", words=_piece("e4", 2))),
    ),
    Lesson(
        title=say("Safe on the marked squares"),
        position="south:2,10,-,- north:6,12,-,- south 4,2",
        task=say(
            "South has thrown 4 and 2. North has pieces on e3, a palace, and on a1. Which move "
            "captures one of them?"
        ),
        rule="21",
        right=Reply(
            "a5+4",
            say("Yes: a1 is a square like any other, and North's piece goes back."),
            words=_piece("a5", 4),
        ),
        wrong=(
            Reply(
                "e1+2",
                say("That is legal, but e3 is a palace: both pieces stand there in peace."),
                words=_piece("e1", 2),
            ),
            Reply(
                "a5+2",
                say("That is legal, but a3 is empty: nobody is captured."),
                words=_piece("a5", 2),
            ),
        ),
    ),
    Lesson(
        title=say("Twins"),
        position="south:8,8,3,- north:3,-,-,- south 4,2",
        task=say(
            "Two pieces of South stand on c5, the palace opposite South's own. Which move makes "
            "them one?"
        ),
        rule="15",
        right=Reply(
            "twins",
            say("Yes: from now on they move together, half as far as the throws say."),
            words=say("make twins on {square}", square="c5"),
        ),
        wrong=(
            Reply(
                "c5+4",
                say("That is legal, but it takes one of the two away from the other."),
                words=_piece("c5", 4),
            ),
            Reply(
                "e2+2",
                say("That is legal, but it does nothing for the two on c5."),
                words=_piece("e2", 2),
            ),
        ),
    ),
    Lesson(
        title=say("Half as far"),
        position="south:8&8,3,- north:3,20,-,- south 8,3",
        task=say(
            "South's twins stand on c5, and South has thrown 8 and 3. Which move brings the twins "
            "to the palace a3, four squares on?"
        ),
        rule="16",
        right=Reply("c5&+8", say("Yes: half of 8 is 4."), words=_twins("c5", 8)),
        wrong=(
            Reply("c5+8", words=_piece("c5", 8)),
            Reply(
                "c5&+3",
                say("That is legal, but half of 3 is 1 for them: they come to b5."),
                words=_twins("c5", 3),
            ),
        ),
    ),
    Lesson(
        title=say("An exact count"),
        position="south:21,5,-,- north:3,-,-,- south 4,1,2",
        task=say(
            "South's piece on d3 is three squares away from the keep, and South has thrown 4, 1 "
            "and 2. Which move brings it in?"
        ),
        rule="25",
        right=Reply("d3+2+1", say("Yes: exactly three."), words=_piece("d3", 2, 1)),
        wrong=(
            Reply("d3+4", words=_piece("d3", 4)),
            Reply(
                "d3+2",
                say("That is legal, but it stops on c2, one square before the keep."),
                words=_piece("d3", 2),
            ),
        ),
    ),
    Lesson(
        title=say("Bringing pieces home"),
        position="south:24,24,24,24 north:3,20,-,- south 1,2",
        task=say(
            "All four pieces of South are in the keep, and South has thrown 1 and 2. What can South "
            "do?"
        ),
        rule="28",
        right=Reply(
            "off",
            say("Yes: a 1 brings a piece home. The first to bring all four home wins."),
            words=say("bring a piece home"),
        ),
        wrong=(Reply("c3+2", words=_piece("c3", 2)), Reply("in", words=say("enter a piece"))),
    ),
)
