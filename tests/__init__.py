"""Tests mirror the packages; `contract` runs over every game, `end_to_end` over loopback."""
