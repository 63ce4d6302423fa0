"""Every kind of button and menu that there is: what a bot listens to after a restart."""

from __future__ import annotations

from typing import Final

from bot.analysis.buttons import AnalysisButton, SeeButton
from bot.analysis.puzzle_buttons import PuzzleButton, TryButton, TryMenu
from bot.matches.confirm_buttons import ConfirmButton
from bot.matches.move_buttons import MoveButton, MoveMenu
from bot.replays.buttons import FilmButton, JumpMenu, StepButton
from bot.replays.since_buttons import SinceButton

BUTTONS: Final = (
    MoveButton,
    MoveMenu,
    StepButton,
    JumpMenu,
    FilmButton,
    SinceButton,
    ConfirmButton,
    AnalysisButton,
    SeeButton,
    TryButton,
    TryMenu,
    PuzzleButton,
)
"""Their addresses never overlap."""
