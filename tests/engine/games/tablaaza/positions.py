"""Positions that several tests begin from."""

from __future__ import annotations

BEFORE_B6 = """
    ........
    ........
    o.~..~..
    oo~..~..
    ..~..~.o
    .o......
    .......o
"""
"""Red holds a5, b2 and b4, three of the plots b5 needs."""


LAST_TURN = """
    ^o.ooooo
    oo.ooooo
    oo~oo~oo
    o^~o^~^o
    ^o~oo~o^
    oooooo^o
    oooooooo
"""
