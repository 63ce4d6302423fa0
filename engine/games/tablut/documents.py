"""The rules of the document, by their numbers, in our own words."""

from __future__ import annotations

from typing import Final

from engine.game import Document, Rule

DOCUMENTS: Final = (Document("", "Damian Walker, Tablut (2011)"),)

RULES: Final = tuple(
    Rule("", str(number), sentence)
    for number, sentence in enumerate(
        (
            (
                "Two sides meet on nine squares by nine: the Swedes have a king and eight "
                "defenders, the Muscovites sixteen attackers, and the middle square is the castle."
            ),
            (
                "The king starts on his castle with his men in a cross round him, and the "
                "Muscovites wait in four groups at the edges."
            ),
            "The Swedes move first, then both sides move in turn until the game is decided.",
            (
                "Every piece moves along a row or a column as far as its player likes, never "
                "diagonally, never through a piece, and only to an empty square."
            ),
            ("Only the king may stop on the castle; anybody may run across it while it is empty."),
            (
                "You take a man by moving one of yours so that he stands in line between two of "
                "them; the king takes no part in this."
            ),
            "The king is taken when a Muscovite move leaves attackers on all four sides of him.",
            (
                "Beside the empty castle three sides are enough: the king is taken when attackers "
                "stand on the other three."
            ),
            (
                "When three attackers and one defender stand round the king, that defender is "
                "taken by an attacker who moves to his far side."
            ),
            (
                "Moving in between two enemies is safe: a capture needs a move of the side that "
                "captures."
            ),
            (
                "The Swedes win when the king reaches any edge square; when a way there is open "
                "to him they call “raichi”."
            ),
            (
                "When two ways to the edge are open and the Muscovites cannot stop him, the "
                "Swedes call “tuichu” and have won."
            ),
            "The Muscovites win by taking the king.",
            (
                "The game is a draw when a position comes up for the third time, when the side to "
                "move cannot move, or when both players agree."
            ),
        ),
        start=1,
    )
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
