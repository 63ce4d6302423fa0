"""Every kind of button and menu that there is: what a bot listens to after a restart."""

from __future__ import annotations

from typing import Final

from bot.matches.confirm_buttons import ConfirmButton
from bot.matches.move_buttons import MoveButton, MoveMenu

BUTTONS: Final = (MoveButton, MoveMenu, ConfirmButton)
"""Their addresses never overlap."""
