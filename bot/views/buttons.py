"""Every kind of button and menu that there is: what a bot listens to after a restart."""

from __future__ import annotations

from typing import Final

from bot.views.analysis import AnalysisButton, SeeButton
from bot.views.audit import AuditButton
from bot.views.blocked import BlockedButton
from bot.views.challenge import ChallengeButton
from bot.views.claim import TimeButton
from bot.views.confirm import ConfirmButton
from bot.views.draw import DrawButton
from bot.views.exclusion import RatedButton
from bot.views.games import GamesButton
from bot.views.help import HelpButton
from bot.views.leaderboard import RatingsButton
from bot.views.learn import LessonButton
from bot.views.lobby import LobbyButton
from bot.views.me_settings import MyButton, MyMenu, MyTime
from bot.views.moderation import DecideButton
from bot.views.moves import MoveButton, MoveMenu
from bot.views.pages import PageButton
from bot.views.picker import PickerButton, PickerMenu
from bot.views.privacy import DeleteButton
from bot.views.profile import AskButton, ProfileButton, ProfileMenu
from bot.views.puzzle import PuzzleButton, TryButton, TryMenu
from bot.views.rematch import RematchButton
from bot.views.replay import FilmButton, JumpMenu, StepButton
from bot.views.resign import ResignButton
from bot.views.rivals import RivalsButton
from bot.views.server_settings import ChannelMenu, ServerButton, ServerMenu
from bot.views.since import SinceButton
from bot.views.takeback import TakebackButton

BUTTONS: Final = (
    MoveButton,
    MoveMenu,
    ChallengeButton,
    DrawButton,
    ResignButton,
    PageButton,
    RatingsButton,
    RatedButton,
    ProfileButton,
    ProfileMenu,
    AskButton,
    RivalsButton,
    TakebackButton,
    StepButton,
    JumpMenu,
    FilmButton,
    SinceButton,
    ConfirmButton,
    RematchButton,
    LobbyButton,
    PickerMenu,
    PickerButton,
    BlockedButton,
    LessonButton,
    HelpButton,
    ServerButton,
    ServerMenu,
    ChannelMenu,
    MyButton,
    MyMenu,
    MyTime,
    DecideButton,
    AuditButton,
    GamesButton,
    DeleteButton,
    TimeButton,
    AnalysisButton,
    SeeButton,
    TryButton,
    TryMenu,
    PuzzleButton,
)
"""Their addresses never overlap."""
