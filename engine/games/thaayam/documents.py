"""The rules of the document, number by number, in our own words."""

from __future__ import annotations

from typing import Final

from engine.game import Document, Rule

DOCUMENTS: Final = (Document("", "Damian Walker, Thaayam (Cyningstan, Traditional Board Games)"),)

_SENTENCES: Final = (
    "Nobody has a piece on the board at the start: all four of each player are in hand.",
    "A throw scores the number of white sides that show; if none does, it scores 8.",
    "Everybody throws once, the highest begins, and the turn then goes round to the left.",
    "You begin your turn by throwing again and again until a 2 or a 3 comes.",
    "When the series is complete you enter and move pieces with its throws, in any order.",
    "A piece enters only with a 1, and stands then on your own palace.",
    "With no piece on the board, whatever you throw before your first 1 is lost.",
    "A piece on the board moves on by one of your throws, or by the sum of several.",
    "The order in which you threw the numbers makes no difference, rule 7 aside.",
    (
        "A piece moves once in a series: throws that are combined are one move that stops nowhere on "
        "the way."
    ),
    "A piece that a 1 has just entered may still make its move in the same turn.",
    (
        "Your pieces start on your own palace, go round the outer ring, turn in before they come back "
        "to it, and go round the inner ring the other way to the keep."
    ),
    "You must use as many throws of a series as can be used.",
    "A square holds any number of pieces.",
    "Two of your pieces on the palace opposite your own may be declared twins.",
    "Twins move as one piece, half as far as the throws say, rounded down.",
    "Three or four pieces together are nothing special.",
    "Whoever lands on a square with enemies sends them all back to their owners.",
    "A piece that was sent back enters again from the beginning.",
    "After a capture, when your other moves are made, you have another turn.",
    "On the marked squares, the palaces and the keep, nobody is captured and all may stand together.",
    "Only twins capture twins: a single piece that lands on them just joins them there.",
    "Twins that are captured are two single pieces again.",
    "Twins capture single pieces.",
    "The keep ends every path, and only an exact count enters it.",
    "Twins that come to the keep are two single pieces again.",
    "You may bear pieces off once all that you have are in the keep.",
    "A 1 bears a piece off.",
    "The game ends when a player has borne off every piece; that player has won.",
)

RULES: Final = tuple(Rule("", str(n), sentence) for n, sentence in enumerate(_SENTENCES, start=1))
BY_NAME: Final = {rule.name: rule for rule in RULES}
