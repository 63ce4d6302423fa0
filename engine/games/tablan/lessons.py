"""Lessons of Tablan: Walker's leaflet, and what only Bell's has."""

from __future__ import annotations

from typing import Final

from engine.lesson import Lesson, Reply
from engine.overlay import Arrow, Kind, Ring
from engine.phrase import say

LESSONS: Final = (
    Lesson(
        title=say("Across to the other side"),
        position="W.W.W.....bb/.........W../............/..B.B....... white 2",
        task=say(
            "Walk your men to the **enemy's home row**. Once all the men that one side has left "
            "are there, the game ends. **Most men there wins.**"
        ),
        marks=(Ring("a4"), Ring("c4"), Ring("e4")),
    ),
    Lesson(
        title=say("The way your men walk"),
        position="..........b./............/............/w........... white 2",
        task=say(
            "They wind through the board row by row: right, left, right, and left along the last "
            "row. Black does the same from the other side."
        ),
        marks=(Arrow("a1", "l1"), Arrow("l2", "a2"), Arrow("a3", "l3"), Arrow("l4", "a4")),
    ),
    Lesson(
        title=say("Four sticks"),
        position="......bbbbbb/W.........../.......W..../wwww........ white 2",
        task=say(
            "The plain sides count. One walks **2** squares, four walk **8**, none walks **12**, "
            "and you throw again. Two or three plain sides end your turn."
        ),
        marks=(Arrow("h2", "f2"), Arrow("a3", "i3")),
    ),
    Lesson(
        title=say("How men are taken"),
        position="......bbbbbb/............/..B.......W./wwww........ white 8",
        task=say(
            "Land on an enemy, and he leaves the board. Only in your own home row can't you touch "
            "him, and nobody touches a man who has arrived."
        ),
        marks=(Arrow("k2", "c2"), Ring("c2", Kind.WRONG)),
    ),
    Lesson(
        title=say("One man, or two"),
        position="......bbbbbb/W.........../..........W./wwww........ white 8",
        task=say("One man walks the whole throw, or **two men walk half of it each**."),
        marks=(Arrow("a3", "i3"), Arrow("k2", "g2"), Arrow("d1", "h1")),
    ),
    Lesson(
        title=say("The course"),
        position="b..........b/............/............/w.........W. white 2",
        task=say(
            "White has thrown 2. White's men go right along their home row, left along the second "
            "row, right along the third, and left along the last. Which move walks the man on k1 "
            "two squares along that course?"
        ),
        rule="W5",
        right=Reply(
            "k1-l2",
            say("Yes: one step to the corner, l1, and one up to l2. There the course turns left."),
        ),
        wrong=(Reply("k1-i1"), Reply("k1-k3")),
    ),
    Lesson(
        title=say("Taking a man"),
        position="..b.....bbbb/............/B......B..../w..W....W... white 8",
        task=say("White has thrown 8. Which move takes one of Black's men?"),
        rule="W15",
        right=Reply(
            "i1-h2",
            say("Yes: eight squares from i1 is h2, where Black's man stands. He is off the board."),
        ),
        wrong=(
            Reply("d1-l1", say("That is legal, but l1 is empty: nobody is taken.")),
            Reply("i1-a2"),
        ),
    ),
    Lesson(
        title=say("One throw for two men"),
        position=".......bbbbb/............/....B.B.W.W./wwww........ white 8",
        task=say(
            "White has thrown 8. One man may walk it all, or two men may walk half of it each. "
            "Which move takes two men at once?"
        ),
        rule="W10",
        right=Reply(
            "i2-e2,k2-g2", say("Yes: each of the two walks 4 and lands on one of Black's men.")
        ),
        wrong=(
            Reply("k2-c2", say("That is legal, but it leaps over both men and takes nobody.")),
            Reply(
                "i2-e2,a1-e1", say("That takes one man. There is a move that takes both of them.")
            ),
        ),
    ),
    Lesson(
        title=say("Safe in your home row"),
        position="........bbbb/......W...../............/wW.....B.B.. white 8",
        task=say(
            "White has thrown 8. Two of Black's men have come as far as White's home row. "
            "Which of these moves may White make?"
        ),
        rule="W16",
        right=Reply(
            "a1-i1",
            say(
                "Yes: i1 is empty. Black's men on h1 and j1 have arrived, and nobody may touch them."
            ),
        ),
        wrong=(Reply("b1-j1"), Reply("b1-f1,g3-k4")),
    ),
    Lesson(
        title=say("A square for each man"),
        position="......bbbbbb/............/............/wwwwwwwwww.W white 2",
        task=say("White has thrown 2, and must use it if it can be used. Which move is legal?"),
        rule="W12",
        right=Reply("l1-k2", say("Yes: up to the second row and one square to the left.")),
        wrong=(Reply("j1-l1"), Reply("a1-c1")),
    ),
    Lesson(
        title=say("The end of the game"),
        position=".......W..W./..........W./..........B./BB.......... white 2",
        task=say(
            "White has thrown 2 and has three men left, two of them on the last row. "
            "Which move ends the game, and wins it?"
        ),
        rule="W17",
        right=Reply(
            "k3-l4",
            say(
                "Yes: all of White's men are home, three of them against two of Black's. White wins."
            ),
        ),
        wrong=(Reply("k4-i4"), Reply("k3-k4")),
    ),
    Lesson(
        title=say("Bell's rules"),
        position="......bbbbbb/............/..B....W..../wwww........ white 2",
        task=say(
            "Challenges can also use Bell's rules. There the two sides walk **towards each other** "
            "on every row, a man's first move needs a **2**, and the game goes on until both "
            "sides are home."
        ),
        options={"rules": "bell"},
        marks=(Arrow("h2", "f2"), Arrow("c2", "e2")),
    ),
    Lesson(
        title=say("Bell: a first move needs a 2"),
        position="......bbbbbb/............/.....B....../wwww....W... white 8",
        task=say(
            "By Bell's rules, White has thrown 8. The men on a1 to d1 have not moved yet, the man "
            "on i1 has. Which move is legal?"
        ),
        rule="B3",
        right=Reply("i1-h2", say("Yes: only the man who has moved before may use an 8.")),
        wrong=(Reply("a1-i1"), Reply("b1-j1")),
        options={"rules": "bell"},
    ),
    Lesson(
        title=say("Bell: fixed on the last row"),
        position="W.....bbbbbb/..........W./.....B....../wwww........ white 2",
        task=say(
            "By Bell's rules, White has thrown 2. Men are taken on the enemy's back row, too, and "
            "whoever has arrived there stays. Which move takes a man and brings White's man home?"
        ),
        rule="B6",
        right=Reply(
            "k3-l4",
            say("Yes: Black's man on l4 is off the board, and White's will not move again."),
        ),
        wrong=(
            Reply("a4-c4"),
            Reply("d1-f1", say("That is legal, but it takes nobody and brings nobody home.")),
        ),
        options={"rules": "bell"},
    ),
)
