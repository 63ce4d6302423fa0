"""Builds the services of challenges, rematches and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.challenges import buttons as challenge_buttons
from bot.challenges.blocks import Blocks
from bot.challenges.expiry import Expiry
from bot.challenges.message_views import ChallengeMessages
from bot.challenges.open_challenges import OpenChallenges
from bot.challenges.service import Challenges
from bot.delivery.pings import Pings
from bot.i18n.locales import Locales
from bot.matches.absences import Absences
from bot.matches.service import Matches
from bot.permissions.members import Members
from bot.pictures.rendering import Renderer
from bot.ratings.eligibility import Eligibility
from bot.settings.service import SettingsStore
from data.store import Store

if TYPE_CHECKING:
    from bot.wiring.services import Services


def build(services: Services, acknowledge_after: float) -> None:
    """Build challenges, rematches and blocks, and the members that concern them."""
    store, clock = services.get(Store), services.clock
    deadlines = services.get(Matches).deadlines
    members = services.add(Members(services.client, clock=clock, wait=acknowledge_after))
    challenges = services.add(Challenges(store, deadlines, members.departed, clock=clock))
    settings = services.get(SettingsStore)
    services.add(OpenChallenges(store, settings, members.departed, clock=clock))
    services.add(Blocks(store, clock=clock))
    absences = services.add(
        Absences(store, services.get(Matches), members.departed, shards=services.shards)
    )
    services.on_close(absences.close)
    eligibility = services.add(Eligibility(store))
    services.add(
        ChallengeMessages(
            challenges,
            eligibility,
            services.get(Locales),
            services.get(Pings),
            renderer=services.get(Renderer),
            settings=settings,
            buttons=challenge_buttons.message_buttons,
        )
    )
    services.add(Expiry(store, services.shards))
