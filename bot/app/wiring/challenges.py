"""Builds the services of challenges, rematches and blocks."""

from __future__ import annotations

from bot.app.wiring.services import Services
from bot.core.i18n.locales import Locales
from bot.core.permissions.members import Members
from bot.core.posts.pings import Pings
from bot.core.settings.service import SettingsStore
from bot.features.challenges import buttons as challenge_buttons
from bot.features.challenges.blocks import Blocks
from bot.features.challenges.expiry import Expiry
from bot.features.challenges.message_views import ChallengeMessages
from bot.features.challenges.open_challenges import OpenChallenges
from bot.features.challenges.service import Challenges
from bot.play.clocks.match_clocks import Absences
from bot.play.matches.service import Matches
from bot.play.pictures.rendering import Renderer
from bot.play.ratings.eligibility import Eligibility
from data.store.store import Store


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
