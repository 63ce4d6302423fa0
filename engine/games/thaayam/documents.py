"""The document's rules, by number, in our own words."""

from __future__ import annotations

from typing import Final

from engine.phrase import say
from engine.rule import Document, Rule

DOCUMENTS: Final = (
    Document(
        "",
        "Damian Walker, Thaayam (Cyningstan, Traditional Board Games)",
        headings=(
            ("1", say("Setting up")),
            ("4", say("Your turn")),
            ("6", say("Entering")),
            ("8", say("Moving")),
            ("15", say("Twins")),
            ("18", say("Capturing")),
            ("25", say("The keep")),
            ("27", say("Winning")),
        ),
    ),
)

RULES: Final = (
    Rule(
        "",
        "1",
        "Nobody has a piece on the board at the start: all four of each player are in hand.",
    ),
    Rule("", "2", "A throw scores the number of white sides that show; if none does, it scores 8."),
    Rule(
        "",
        "3",
        "Everyone throws once, the highest begins, and the turn then goes round to the left.",
    ),
    Rule("", "4", "You begin your turn by throwing again and again until a 2 or a 3 comes."),
    Rule(
        "",
        "5",
        "When the series is complete you enter and move pieces with its throws, in any order.",
    ),
    Rule("", "6", "A piece enters only with a 1, and stands then on your own palace."),
    Rule("", "7", "With no piece on the board, everything you throw before your first 1 is lost."),
    Rule("", "8", "A piece on the board moves on by one of your throws, or by the sum of several."),
    Rule("", "9", "The order in which you threw the numbers makes no difference, rule 7 aside."),
    Rule(
        "",
        "10",
        "A piece moves once in a series: throws that are combined are one move that stops "
        "nowhere on the way.",
    ),
    Rule("", "11", "A piece that a 1 has just entered may still make its move in the same turn."),
    Rule(
        "",
        "12",
        "Your pieces start on your own palace, go round the outer ring, turn in before they "
        "come back to it, and go round the inner ring the other way to the keep.",
    ),
    Rule("", "13", "You must use as many throws of a series as can be used."),
    Rule("", "14", "A square holds any number of pieces."),
    Rule("", "15", "Two of your pieces on the palace opposite your own may be declared twins."),
    Rule("", "16", "Twins move as one piece, half as far as the throws say, rounded down."),
    Rule("", "17", "Three or four pieces together are nothing special."),
    Rule("", "18", "Land on a square with enemies, and they all go back to their owners."),
    Rule("", "19", "A piece that was sent back enters again from the beginning."),
    Rule("", "20", "After a capture, when your other moves are made, you have another turn."),
    Rule(
        "",
        "21",
        "On the marked squares, the palaces and the keep, nobody is captured and all may "
        "stand together.",
    ),
    Rule(
        "",
        "22",
        "Only twins capture twins: a single piece that lands on them just joins them there.",
    ),
    Rule("", "23", "Twins that are captured are two single pieces again."),
    Rule("", "24", "Twins capture single pieces."),
    Rule("", "25", "The keep ends every path, and only an exact count enters it."),
    Rule("", "26", "Twins that come to the keep are two single pieces again."),
    Rule(
        "",
        "27",
        "You may bring pieces home, off the board, once all that you have are in the keep.",
    ),
    Rule("", "28", "A 1 brings a piece home."),
    Rule(
        "", "29", "The game ends when a player has brought every piece home; that player has won."
    ),
)
BY_NAME: Final = {rule.name: rule for rule in RULES}
