"""Lessons of Tablut."""

from __future__ import annotations

from typing import Final

from engine.games.tablut.documents import (
    BESIDE_CASTLE,
    CAPTURING,
    CASTLE_RULE,
    MOVING,
    RAICHI,
    SAFE,
    SURROUNDING,
)
from engine.lesson import Lesson, Reply
from engine.overlay import Arrow, Kind, Ring
from engine.phrase import say

LESSONS: Final = (
    Lesson(
        title=say("The king and his hunters"),
        position="...mmm.../....m..../....s..../m...s...m/mmsskssmm/m...s...m/....s..../....m..../...mmm... swedes",
        task=say(
            "The **Swedes** guard their king, in the middle. The **Muscovites** hunt him, two to one."
        ),
        marks=(Ring("e5"),),
    ),
    Lesson(
        title=say("How the Swedes win"),
        position="...mm..../....m...m/....s..../m.......m/mm.s...mm/m.s..k.../....s..../...mm..../...m...m. swedes",
        task=say("The Swedes win as soon as their king reaches **any square of the edge**."),
        marks=(Arrow("f4", "i4"), Arrow("f4", "f1"), Arrow("f4", "f9")),
    ),
    Lesson(
        title=say("How the Muscovites win"),
        position="...mmm.../....m..../.....m.../....m..../..smk..../....m..../....s..../..s....../......s.. muscovites",
        task=say(
            "The Muscovites win by closing in on **all four sides** of the king. One more man, "
            "and he's theirs."
        ),
        marks=(Ring("e5"), Arrow("f7", "f5")),
    ),
    Lesson(
        title=say("How everyone moves"),
        position="...mmm.../....m..../....s..../m...s...m/mmsskssmm/m...s...m/....s..../....m..../...mmm... swedes",
        task=say(
            "Everyone moves in a **straight line**, as far as the way is free. Never diagonally, "
            "never over another piece. The king moves the same way."
        ),
        marks=(Arrow("e7", "a7"), Arrow("e7", "i7"), Arrow("d5", "d9")),
    ),
    Lesson(
        title=say("How men are captured"),
        position="....mm.../....m..../m...k...m/...ms..../.ms....../....m..../....s..../....m..../...mm.... muscovites",
        task=say(
            "Close a man in **between two of yours**, and he leaves the board. The king doesn't "
            "help with that."
        ),
        marks=(Arrow("d6", "d5"), Ring("c5", Kind.WRONG)),
    ),
    Lesson(
        title=say("One way out, two ways out"),
        position="...mmm.../....m..../....s..../m..m....m/mm.s...mm/m.s..k.../....s..../...mm..../...m...m. swedes",
        task=say(
            "When **one way** to the edge is open to the king, the Muscovites must block it at "
            "once, as after check in chess. Players call it *raichi*. When **two ways** are open, "
            "they can't block both, and the Swedes have won. That's *tuichu*."
        ),
        marks=(Arrow("f4", "i4"), Arrow("f4", "f1")),
    ),
    Lesson(
        title=say("Straight on, as far as you like"),
        position="...mmm.../....m..../....s..../m...s...m/mmsskssmm/m...s...m/....s..../....m..../...mmm... swedes",
        task=say("The game begins, and the Swedes move first. Which of these moves is legal?"),
        rule=MOVING.name,
        right=Reply("e7-h7", say("Yes: along the row, and nothing stands in the way.")),
        wrong=(Reply("e7-g9"), Reply("e6-e8"), Reply("e3-e2")),
    ),
    Lesson(
        title=say("Taking a man"),
        position="...mmm.../....m..../.......m./m...k...m/..s..s.../.....m.../......s../....m..../...mm.... swedes",
        task=say(
            "A man is taken when one of the other side moves up, so that he stands in line between "
            "two of them. The king does not help. Which move of the Swedes takes a man?"
        ),
        rule=CAPTURING.name,
        right=Reply(
            "g3-f3", say("Yes: the Muscovite on f4 stands between f3 and f5 and is taken.")
        ),
        wrong=(
            Reply(
                "c5-c4",
                say("That is legal, but no Swede stands on the other side of the Muscovite on f4."),
                (Ring("f4"),),
            ),
            Reply("e6-h6", say("That is legal, but the king takes nobody.")),
        ),
    ),
    Lesson(
        title=say("In between is safe"),
        position="...mmm.../....m..../m...k...m/....m..../.m......./....s..../.m..m..../....m..../...m..... swedes",
        task=say(
            "Muscovites stand on b3 and b5. A Swede moves in between them, to b4. Is he taken? "
            "Choose the move if you dare, or stop before it."
        ),
        rule=SAFE.name,
        right=Reply("e4-b4", say("Yes: only a move of the Muscovites could take him. He is safe.")),
        wrong=(
            Reply(
                "e4-c4",
                say("That is legal, but you need not be so careful: going on is safe, too."),
                (Ring("b4"),),
            ),
        ),
    ),
    Lesson(
        title=say("The castle is the king's"),
        position="...mmm.../....m..../m...k...m/....m..../..s...m../..m.s..../....m..../....m..../...m..... swedes",
        task=say("The castle, e5, is empty. Which of these moves may the Swede on c5 make?"),
        rule=CASTLE_RULE.name,
        right=Reply("c5-f5", say("Yes: anyone may run across the empty castle.")),
        wrong=(Reply("c5-e5"), Reply("c5-g5")),
    ),
    Lesson(
        title=say("The king escapes"),
        position="...mmm.../....m..../....s..../m.......m/mm.s.s.mm/m.s.k..../....s..../...mm..../...m.m... swedes",
        task=say(
            "The Swedes win when their king reaches any square of the edge. Which move wins at once?"
        ),
        rule=RAICHI.name,
        right=Reply("e4-i4", say("Yes: nothing stands between the king and the edge.")),
        wrong=(
            Reply("e4-e5", say("That is legal, but it takes the king back to his castle.")),
            Reply("e4-a4"),
        ),
    ),
    Lesson(
        title=say("The king is taken"),
        position="...mmm.../....m..../...mk...m/....m..../m.....m../..s....../....m..../..s....../......s.. muscovites",
        task=say(
            "The king is on e7, with Muscovites on three sides of him. Which move of the Muscovites "
            "takes him and wins?"
        ),
        rule=SURROUNDING.name,
        right=Reply("i7-f7", say("Yes: the king is shut in on all four sides.")),
        wrong=(
            Reply("i7-g7", say("That is legal, but the king still has room on f7."), (Ring("f7"),)),
            Reply("g5-g7", say("That is legal, but the king still has room on f7."), (Ring("f7"),)),
        ),
    ),
    Lesson(
        title=say("Beside the empty castle"),
        position="...mmm.../........./....m..../...mk...m/........./..s....../....m..../..s.m..../m.....s.. muscovites",
        task=say(
            "The king is on e6, beside his empty castle. Which move of the Muscovites takes him?"
        ),
        rule=BESIDE_CASTLE.name,
        right=Reply("i6-f6", say("Yes: with the castle behind him, three attackers are enough.")),
        wrong=(
            Reply("e3-e5"),
            Reply("e3-e4", say("That is legal, but the king can still go to f6."), (Ring("f6"),)),
        ),
    ),
)
