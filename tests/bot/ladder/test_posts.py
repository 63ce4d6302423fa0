"""What ladders want said in Discord."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.i18n.locales import Locales
from bot.ladder.posts import MovedPost
from bot.settings.service import SettingsStore
from data import posts
from tests.bot.conftest import GUILD
from tests.bot.ladder.test_at_once import LadderClub

if TYPE_CHECKING:
    from tests.bot.conftest import Club


async def test_a_post_left_behind_is_tried_for_a_week(club: Club) -> None:
    club = LadderClub(club.store, club.hands)
    await club.opened()
    locales = Locales(SettingsStore(club.store, clock=club.clock), lambda _: None)
    moved = MovedPost(club.store, locales, clock=club.clock)
    async with club.store.write() as tx:
        await posts.want(
            tx,
            moved.kind,
            70,
            at=club.clock(),
            guild_id=GUILD,
            payload={"ladder": 1},
            message=(7, 70),
        )
        post = await posts.find(tx, moved.kind, 70)
    assert post is not None
    club.wait(days=7)
    content = await moved.content(post)
    assert content is not None
    assert content.channel_id == 7
    club.wait(minutes=1)
    assert await moved.content(post) is None
