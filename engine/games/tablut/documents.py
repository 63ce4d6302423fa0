"""The document's rules, by number, in our own words."""

from __future__ import annotations

from typing import Final

from engine.phrase import say
from engine.rule import Document, Rule

DOCUMENTS: Final = (
    Document(
        "",
        "Damian Walker, Tablut (2011)",
        headings=(
            ("1", say("Setting up")),
            ("4", say("Moving")),
            ("6", say("Capturing")),
            ("11", say("Winning")),
            ("14", say("Draws")),
        ),
    ),
)

RULES: Final = (
    Rule(
        "",
        "1",
        "Two sides meet on nine squares by nine: the Swedes have a king and eight defenders, "
        "the Muscovites sixteen attackers, and the middle square is the castle.",
    ),
    Rule(
        "",
        "2",
        "The king starts on his castle with his men in a cross round him, and the Muscovites "
        "wait in four groups at the edges.",
    ),
    Rule("", "3", "The Swedes move first, then both sides move in turn until the game is decided."),
    Rule(
        "",
        "4",
        "Every piece moves along a row or a column as far as its player likes, never "
        "diagonally, never through a piece, and only to an empty square.",
    ),
    Rule(
        "",
        "5",
        "Only the king may stop on the castle; anyone may run across it while it is empty.",
    ),
    Rule(
        "",
        "6",
        "You take a man by moving one of yours so that he stands in line between two of them; "
        "the king takes no part in this.",
    ),
    Rule(
        "",
        "7",
        "The king is taken when a Muscovite move leaves attackers on all four sides of him.",
    ),
    Rule(
        "",
        "8",
        "Beside the empty castle three sides are enough: the king is taken when attackers "
        "stand on the other three.",
    ),
    Rule(
        "",
        "9",
        "When three attackers and one defender stand round the king, that defender is taken "
        "by an attacker who moves to his far side.",
    ),
    Rule(
        "",
        "10",
        "Moving in between two enemies is safe: a capture needs a move of the side that captures.",
    ),
    Rule(
        "",
        "11",
        "The Swedes win when the king reaches any edge square; when a way there is open to "
        "him they call “raichi”.",
    ),
    Rule(
        "",
        "12",
        "When two ways to the edge are open and the Muscovites cannot stop him, the Swedes "
        "call “tuichu” and have won.",
    ),
    Rule("", "13", "The Muscovites win by taking the king."),
    Rule(
        "",
        "14",
        "The game is a draw when a position comes up for the third time, when the side to "
        "move cannot move, or when both players agree.",
    ),
)

(
    BOARD,
    SETUP,
    TURNS,
    MOVING,
    CASTLE_RULE,
    CAPTURING,
    SURROUNDING,
    BESIDE_CASTLE,
    PROPPED,
    SAFE,
    RAICHI,
    TUICHU,
    KING_TAKEN,
    DRAWS,
) = RULES
