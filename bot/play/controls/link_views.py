"""What a link shows to anybody: a finished match here; features register the rest.

Whoever may share something by a link sees it themselves. Nothing that a link shows is computed for
strangers that was not computed for players, but for its words and pictures.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from svcs import Container

from bot.core.errors import NotAllowed
from bot.core.hooks import Hooks
from bot.core.interactions.components import Component
from bot.core.interactions.reply import Reply
from bot.core.permissions.visibility import open_to_server
from bot.play.controls.lookup import visible
from bot.play.controls.share_buttons import check_over
from bot.play.matches import match_text
from bot.play.pictures.chart_text import Chart
from bot.play.replays.replay import Replay, Replays
from data.people.share_links import Kind, ShareLink
from engine.phrase import Phrase, say

Names: TypeAlias = Mapping[int, str]
"""The names that a link's readers may see, by user id."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Something that somebody may share by a link."""

    title: Phrase
    people: tuple[int, ...]
    """Everyone in it: they may end the link."""
    private: bool = False
    """Whether not all of its server can see it without the link."""
    on_server: bool = True


@dataclass(frozen=True, slots=True)
class Linked:
    """What a link shows. Its words are Markdown, in which people are mentioned."""

    title: Callable[[str], Phrase]
    """Called with the names of its players in a row, or nothing where they have none."""
    words: str
    guild_id: int | None
    people: tuple[int, ...]
    """Everyone in it, in the order in which they are numbered where they have no names."""
    together: bool = True
    """Whether all names are left out if one is."""
    replay: Replay | None = None
    chart: Callable[[Names], Chart | None] = lambda _: None
    chart_alt: Callable[[Names], str] = lambda _: ""
    version: int = 0
    """Counts the changes of what is still under way."""


Check: TypeAlias = Callable[[Reply, int], Awaitable[Wanted]]
"""Returns what may be shared; raises Refusal if this person may not, or there is nothing to share."""
Show: TypeAlias = Callable[[Container, ShareLink], Awaitable[Linked]]
"""Returns what a link shows; raises Refusal if there is nothing any more."""
OfferLink: TypeAlias = "Callable[[Kind, int, int | None], Component | None]"

_NO_RESULT: Final = say("This game has no result, so there's nothing to share by link.")

KINDS: Final[dict[Kind, tuple[Check, Show]]] = {}
offers_link: Final[Hooks[OfferLink]] = Hooks()
"""Make the button that offers a link to something; ``None`` where there are no links."""


def register(kind: Kind, check: Check, show: Show) -> None:
    """Register what a kind of link shows, and to what a person may have one."""
    assert KINDS.get(kind) in {None, (check, show)}, kind
    KINDS[kind] = check, show


def link_offer(kind: Kind, subject: int, ply: int | None = None) -> list[Component]:
    """Return the button that offers a link to something, if there are links here."""
    made = (offer(kind, subject, ply) for offer in offers_link)
    return [button for button in made if button is not None]


async def check_match(reply: Reply, number: int) -> Wanted:
    """Return a match that this person may share by a link.

    It is over and has a result. Who does not play in it shares only what everyone on its server can
    see. Raises NotAllowed otherwise, and like `check_over`.
    """
    position = await visible(reply, number)
    match = position.match
    await check_over(reply, position)
    if not match_text.judged(position):
        raise NotAllowed(_NO_RESULT)
    private = not await open_to_server(reply, match)
    if private and position.player_of(reply.user_id) is None:
        raise NotAllowed(
            say("Not everyone on its server can see that game, so only its players can share it.")
        )
    return Wanted(
        match_text.named(position),
        tuple(one.user_id for one in match.players),
        private,
        match.guild_id is not None,
    )


async def shown_match(services: Container, link: ShareLink) -> Linked:
    """Return what a link to a match shows; raise Refusal if it has lost its result."""
    replay = await services.get(Replays).of_match(link.subject)
    position = replay.position
    if not (position.match.finished and match_text.judged(position)):
        raise NotAllowed(_NO_RESULT)

    def title(players: str) -> Phrase:
        if players:
            return say("{game} · {players}", game=position.game.title, players=players)
        return match_text.named(position)

    return Linked(
        title,
        match_text.ended(position),
        position.match.guild_id,
        tuple(one.user_id for one in position.match.players),
        replay=replay,
    )


register("match", check_match, shown_match)
