"""Time controls: days per move, or a time bank."""
