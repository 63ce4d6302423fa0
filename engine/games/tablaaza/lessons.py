"""Lessons of Tablaaza."""

from __future__ import annotations

from typing import Final

from engine.games.tablaaza.documents import NEIGHBOURLY, OBJECTIVE, PAVILION, PLAY
from engine.lesson import Lesson, Reply
from engine.overlay import Ring
from engine.phrase import say

LESSONS: Final = (
    Lesson(
        title=say("The last to build wins"),
        position="......../......../..~..~../..~..~../..~..~../......../........ red",
        task=say(
            "Red and Green build a city round two lakes, one stone a turn. **No plot left to build "
            "on? Then you've lost.**"
        ),
    ),
    Lesson(
        title=say("Build on your own colour"),
        position="......../......../..~..~../..~..~../..~..~../......../........ red",
        task=say(
            "A stone goes on any empty plot of **your own colour**. These are some of Red's. Stones "
            "stay where they are and look the same for both."
        ),
        marks=tuple(Ring(plot) for plot in ("a1", "b2", "b6", "d4", "g3", "h6")),
    ),
    Lesson(
        title=say("Pavilions take plots away"),
        position="......../...oo.../..~..~../..~o.~../..~^o~../...oo.o./........ green",
        task=say(
            "Fill **all plots of your colour in the row and column** of an enemy plot, as far as "
            "lakes and edges reach. A pavilion rises there, and your enemy can't build on it."
        ),
        marks=tuple(Ring(plot) for plot in ("d2", "d4", "d6", "e3")),
    ),
    Lesson(
        title=say("A plot of your own colour"),
        position="......../......../..~..~../..~..~../..~..~../......../........ red",
        task=say(
            "Red begins with a stone on any red plot. The top left square is red, and the colours "
            "alternate. Which of these plots may Red build on?"
        ),
        rule=PLAY.name,
        right=Reply("d4", say("Yes: d4 is a vacant red plot, on the isthmus between the lakes.")),
        wrong=(Reply("d3"), Reply("c4")),
    ),
    Lesson(
        title=say("Be a good neighbour"),
        position="......../......../..~..~../..~..~../..~..~../......../o....... green",
        task=say(
            "Red's first stone lies on a1. Green's first stone must lie beside it, or a knight's "
            "move away. Which of these plots may Green build on?"
        ),
        rule=NEIGHBOURLY.name,
        right=Reply("b3", say("Yes: from a1 to b3 is a knight's move, and no lake is in its way.")),
        wrong=(Reply("d1"), Reply("h7")),
    ),
    Lesson(
        title=say("Raising a pavilion"),
        position="......../.o....../o.~..~.o/..~..~../.o~..~../.oo.o.../o....... red",
        task=say(
            "Look at the green plot b5. As far as lakes and edges reach, the red plots of its row "
            "and column are a5, b2, b4 and b6, and only one of them is vacant. Which stone raises a "
            "pavilion on b5?"
        ),
        rule=PAVILION.name,
        right=Reply(
            "b4", say("Yes: a pavilion rises on b5, and Green has one plot less to play on.")
        ),
        wrong=(
            Reply("c1", say("That is legal, but b4 is still vacant, so nothing rises on b5.")),
            Reply("d4", say("That is legal, but b4 is still vacant, so nothing rises on b5.")),
        ),
    ),
    Lesson(
        title=say("The last stone wins"),
        position="oooo^ooo/oooooo.o/^o~^o~oo/oo~oo~.o/o^~oo~o^/ooooo^oo/^ooooo.o red",
        task=say(
            "If you can't play, you've lost. Green still has g4 and g6 to play on. Which red "
            "stone leaves Green with nothing?"
        ),
        rule=OBJECTIVE.name,
        right=Reply(
            "g1", say("Yes: pavilions rise on g4 and g6, and Green has no plot left. Red has won.")
        ),
        wrong=(Reply("g4"), Reply("a1")),
    ),
)
