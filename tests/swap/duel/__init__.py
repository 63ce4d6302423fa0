"""Duel, played as one game or as two with sides swapped."""

from engine.pair import Paired

from .rules import Duel

GAME = Paired(Duel())
