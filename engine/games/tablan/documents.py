"""The rules of both leaflets, number by number, in our own words."""

from __future__ import annotations

from typing import Final

from engine.game import Document, Rule

WALKER: Final = "W"
BELL: Final = "B"

DOCUMENTS: Final = (
    Document(WALKER, "Damian Walker, Tablan (leaflet, 2011)"),
    Document(BELL, "Tablan after R. C. Bell, with graphics by J. P. Smith (2019)"),
)

_WALKER: Final = (
    "The two sides face each other; the row nearest to you is your home row.",
    "Each side begins with twelve men, one on every square of its home row.",
    "The sides throw in turn, and whoever first shows exactly one plain side starts the game.",
    "Men walk along a fixed course, as far as the sticks say.",
    (
        "Your course leaves your home row at its right end, comes back along the second row, goes out "
        "along the third, and ends on the far row."
    ),
    "The two courses are half turns of each other, so on every row both sides walk the same way.",
    (
        "The opening throw of one plain side is played at once as a 2; every later move needs a fresh "
        "throw."
    ),
    (
        "One plain side scores 2, four score 8, none scores 12; two or three plain sides score "
        "nothing."
    ),
    "A throw that scores nothing ends your turn: the sticks pass to the other side.",
    (
        "A score is played by one man walking all of it, or by two different men walking half of it "
        "each."
    ),
    "A man on the last row has arrived and stays where he is.",
    "A square holds one man: nobody may land on a man of his own.",
    "If a score can be played in full, it must be; if it cannot, it is lost.",
    "After every move you throw again, until a throw scores nothing.",
    "A man who lands on an enemy takes him off the board.",
    (
        "An enemy who stands in your home row is safe from you, though your own men there may be "
        "taken."
    ),
    "The game ends as soon as all the men that one side has left stand on its last row.",
    "Each of your men on the enemy's home row counts one point.",
    "Whoever has more men on the enemy's home row wins.",
    "Variation: the squares of the last row must be taken in order, the furthest first.",
    "Variation: while the order holds, no other square of the last row may be entered.",
)

_BELL: Final = (
    (
        "The board is twelve squares wide and four deep, and each side begins with a man on every "
        "square of its back row."
    ),
    (
        "One plain side scores 2, four score 8, four painted sides score 12, and each of them throws "
        "again; any other throw scores nothing and passes the sticks."
    ),
    "A man's first move needs a throw of 2: he walks both squares, or two men walk one each.",
    "An 8 or a 12 may be split too: two men walk 4 each, or 6 each.",
    (
        "White goes out along its back row, back along the second, out along the third and into the "
        "enemy's back row; Black's men walk in the opposite direction."
    ),
    (
        "Men take enemies on the two middle rows and on the enemy's back row, and what is taken "
        "leaves the board."
    ),
    "A man who reaches the enemy's back row never moves again and cannot be taken.",
    (
        "Option: the squares of the enemy's home row must be taken one by one in the order of their "
        "letters, from a to l."
    ),
    (
        "Two men may move and two enemies fall in one turn, but every man keeps to the course, turns "
        "into the enemy's home row at its end, and is fixed there."
    ),
    "A square never holds two men.",
    (
        "A throw must be used whether it helps or not; only a last man near the end of the third row, "
        "whose throw does not bring him to the square that is due, is excused."
    ),
    "Whoever holds more squares of the enemy's home row wins.",
)


def _numbered(document: str, sentences: tuple[str, ...]) -> tuple[Rule, ...]:
    return tuple(Rule(document, str(n), sentence) for n, sentence in enumerate(sentences, start=1))


RULES: Final = _numbered(WALKER, _WALKER) + _numbered(BELL, _BELL)
BY_NAME: Final = {rule.name: rule for rule in RULES}
